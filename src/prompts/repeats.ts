import type { ExploreStep, ToolUse } from '../state.ts';

/** A call as it is told again in a line. */
export const callLine = ({ tool, arguments: given }: ToolUse): string =>
  `${tool} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`;

/**
 * The steps without those that only repeat calls whose results stand in a step above: shown as said, they would be said
 * again. A repeat whose first result is not shown any more stays.
 */
export function withoutRepeats(steps: readonly ExploreStep[]): readonly ExploreStep[] {
  const above = new Set<string>();
  return steps.filter(({ calls }) => {
    const isRepeat = calls.length > 0 && calls.every((call) => call.outcome === 'same' && above.has(callLine(call)));
    for (const call of calls) if (call.outcome !== 'same') above.add(callLine(call));
    return !isRepeat;
  });
}
