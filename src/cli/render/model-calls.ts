/** Texts about model calls, for runs with a language model and runs of the built-in provider without one. */
import { counted } from '../../base/counted.ts';
import { providerTraitsOf, type Result, type Usage } from '../../index.ts';

/** Whether a provider calls a language model. True for an unknown provider. */
export const asksModel = (one: { readonly provider: string | null } | null): boolean =>
  providerTraitsOf(one?.provider ?? '')?.asksModel ?? true;

/** Counts the calls to language models. Results of earlier versions do not list their models. */
function modelCalls({ calls, models }: Partial<Pick<Usage, 'models'>> & Pick<Usage, 'calls'>): number {
  const others = (models ?? []).filter((one) => !asksModel(one));
  return calls - others.reduce((total, one) => total + one.calls, 0);
}

/** Returns a text such as `3 calls`. Empty when there are none. */
export const callsSoFar = (calls: number): string => (calls === 0 ? '' : counted(calls, 'call'));

/** Whether a run has calls to language models to show. */
export const hasModelCalls = (result: Pick<Result, 'provider' | 'usage'>): boolean =>
  asksModel(result) || modelCalls(result.usage) > 0;

/** Returns a text such as `3 calls`. Empty for a run without a language model. */
export const callsText = (result: Pick<Result, 'provider' | 'usage'>): string =>
  hasModelCalls(result) ? counted(modelCalls(result.usage), 'call') : '';
