/** Who answers in each arm, found out before anything is spent. */
import { type DryRun, dryRun, providerNames } from '../../index.ts';
import { type Answering, askOptions, configurationOf } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';

/** Who answers in an arm, found out before anything is spent; null for recordings. */
export type ArmModel = Pick<DryRun['models'][number], 'provider' | 'model' | 'digest' | 'callsAtOnce' | 'windowTokens'>;

/** With more answers at once a local machine runs out of memory before it is faster. */
const mostAtOnce = 8;

/** What was found out of an arm before anything is spent. */
export interface InspectedArm {
  /** With `auto` settled: what answers must not change in the middle. */
  readonly arm: Arm;
  readonly model: ArmModel | null;
  /** What the user should know, such as that no language model answers. */
  readonly notes: readonly string[];
}

/** The arm with the provider that `auto` came to; a preset chooses its own. */
function settled(arm: Arm, answering: Answering, provider: string): Arm {
  const { settings } = configurationOf(arm, answering);
  if (settings.provider !== 'auto' || settings.preset !== null || !providerNames.includes(provider)) return arm;
  return { ...arm, settings: { ...arm.settings, provider } };
}

/** What is inspected. */
interface Inspection {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  readonly replay: string | null;
  readonly signal: AbortSignal;
}

/** Finds out who answers, and whether each arm can begin: with the first sample, asking no model. */
export async function inspectArms(options: Inspection, answering: Answering): Promise<InspectedArm[]> {
  const { samples, arms, replay, signal } = options;
  if (replay !== null) return arms.map((arm) => ({ arm, model: null, notes: [] }));
  const inspected: InspectedArm[] = [];
  for (const arm of arms) {
    const { models, warnings } = await dryRun(samples[0]!.question, {
      ...askOptions(samples[0]!, arm, answering),
      signal,
    });
    const { provider, model, digest, callsAtOnce, windowTokens } = models[0]!;
    inspected.push({
      arm: settled(arm, answering, provider),
      model: { provider, model, digest, callsAtOnce, windowTokens },
      notes: warnings,
    });
  }
  return inspected;
}

/** How many samples are asked at the same time. */
export function samplesAtOnce(inspected: readonly InspectedArm[], concurrency: number | null): number {
  const serves = Math.min(...inspected.map(({ model }) => model?.callsAtOnce ?? mostAtOnce));
  return Math.max(1, Math.min(mostAtOnce, concurrency ?? serves));
}
