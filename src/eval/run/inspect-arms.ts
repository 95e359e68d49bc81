/** Determines the model of each arm, before anything is spent. */
import { type DryRun, dryRun } from '../../api/dry-run.ts';
import { providerNames } from '../../config/provider-traits.ts';
import { type Answering, askOptions, configurationOf } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';

/** The model of an arm. */
export type ArmModel = Pick<DryRun['models'][number], 'provider' | 'model' | 'digest' | 'callsAtOnce' | 'windowTokens'>;

/** Concurrent answers, at most: with more, a local machine runs out of memory before it is faster. */
const mostAtOnce = 8;

/** What is known about an arm before anything is spent. */
export interface InspectedArm {
  /** The arm with `auto` resolved, so that the provider does not change midway. */
  readonly arm: Arm;
  readonly model: ArmModel | null;
  /** Notes for the user, such as that no language model answers. */
  readonly notes: readonly string[];
}

/** Returns the arm with the provider that `auto` resolved to; a preset chooses its own. */
function settled(arm: Arm, answering: Answering, provider: string): Arm {
  const { settings } = configurationOf(arm, answering);
  if (settings.provider !== 'auto' || settings.preset !== null || !providerNames.includes(provider)) return arm;
  return { ...arm, settings: { ...arm.settings, provider } };
}

/** The input of `inspectArms`. */
interface Inspection {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  readonly replay: string | null;
  readonly signal: AbortSignal;
}

/** Determines each arm's model, and whether the arm can begin, with the first sample and without a call. */
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

/** Returns the number of samples that are answered concurrently. */
export function samplesAtOnce(inspected: readonly InspectedArm[], concurrency: number | null): number {
  const serves = Math.min(...inspected.map(({ model }) => model?.callsAtOnce ?? mostAtOnce));
  return Math.max(1, Math.min(mostAtOnce, concurrency ?? serves));
}
