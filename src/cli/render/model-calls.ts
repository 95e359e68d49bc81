/** What is said of calls where a language model is asked, and where the built-in provider answers without one. */
import { counted } from '../../base/counted.ts';
import { providerTraitsOf, type Result, type Usage } from '../../index.ts';

/** Whether a provider asks a language model. Of one that is not known, it is assumed. */
export const asksModel = (one: { readonly provider: string | null } | null): boolean =>
  providerTraitsOf(one?.provider ?? '')?.asksModel ?? true;

/** Calls to language models; results that were recorded before there were several models say nothing of them. */
function modelCalls({ calls, models }: Partial<Pick<Usage, 'models'>> & Pick<Usage, 'calls'>): number {
  const others = (models ?? []).filter((one) => !asksModel(one));
  return calls - others.reduce((total, one) => total + one.calls, 0);
}

/** `3 calls`; empty where there are none yet. */
export const callsSoFar = (calls: number): string => (calls === 0 ? '' : counted(calls, 'call'));

/** Whether a run has anything to tell of calls. */
export const hasModelCalls = (result: Pick<Result, 'provider' | 'usage'>): boolean =>
  asksModel(result) || modelCalls(result.usage) > 0;

/** `3 calls`; empty for a run that asked no language model. */
export const callsText = (result: Pick<Result, 'provider' | 'usage'>): string =>
  hasModelCalls(result) ? counted(modelCalls(result.usage), 'call') : '';
