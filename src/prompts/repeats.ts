import type { ExploreStep, ToolUse } from '../state.ts';

/** Renders a call in one line. */
export const callLine = ({ tool, arguments: given }: ToolUse): string =>
  `${tool} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`;

/**
 * Removes steps that only repeat calls with results in an earlier step: shown again, they would be repeated again. A
 * repeat whose first result is no longer shown stays.
 */
export function withoutRepeats(steps: readonly ExploreStep[]): readonly ExploreStep[] {
  const above = new Set<string>();
  return steps.filter(({ calls }) => {
    const isRepeat = calls.length > 0 && calls.every((call) => call.outcome === 'same' && above.has(callLine(call)));
    for (const call of calls) if (call.outcome !== 'same') above.add(callLine(call));
    return !isRepeat;
  });
}
