import { now } from '../../../base/time.ts';
import { toRlmError } from '../../../errors.ts';
import { choiceProbability, type TokenOdds } from '../../../prompts/reply/choice-probability.ts';
import type { KeptReply } from '../archive.ts';
import { type Asked, longestReply, promptOf, type Started, servedBy, worstCase } from '../asked.ts';
import type { Reservation } from '../budget.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain } from '../layer.ts';
import { costOf } from '../prices.ts';
import { onlyThought } from '../reasoning.ts';
import { withRetries } from '../retry.ts';
import { mostTokens } from '../window.ts';
import type { AttemptedReply, RequestAttempt } from './settled.ts';

/** Creates the function that numbers a run's calls and emits their start. */
export function createStart({ emit }: Pick<DoorParts, 'emit'>): (asked: Asked) => Started {
  let calls = 0;
  return ({ input, turns, place, model }) => {
    calls += 1;
    const about = { call: calls, path: place.path, prompt: input.prompt, ...servedBy(model) };
    emit({ type: 'call.started', ...about, repair: turns.length > 0 });
    return { number: calls, startedAt: now() };
  };
}

/** Returns the probability that the prompt asks for, where the reply's token probabilities give it. */
function oddsOf({ input }: Asked, tokens: readonly TokenOdds[] | undefined): Pick<KeptReply, 'probability'> {
  const { fields, probabilityOf } = promptOf(input);
  const probability = probabilityOf && tokens ? choiceProbability(fields, probabilityOf, tokens) : null;
  return probability === null ? {} : { probability };
}

/** Returns what a reply of nothing but thinking took; empty for other errors. */
function spentOn(error: unknown, { model: { price } }: Asked) {
  const tokens = onlyThought(error)?.tokens ?? null;
  return tokens === null ? {} : { spent: { tokens, cost: price ? costOf(tokens, price) : null } };
}

const toKept = (asked: Asked, { text, toolCalls, logprobs, ...reply }: AttemptedReply, tries: number): KeptReply => ({
  text,
  ...(toolCalls.length > 0 && { toolCalls }),
  ...oddsOf(asked, logprobs),
  tokens: reply.tokens,
  finish: reply.finish,
  ...(reply.cutShort && { cutShort: true }),
  tries,
});

/**
 * Reserves the worst case of each request before it is sent, and retries after a transient failure. A call counts from
 * its first request on: one that is cancelled while it waits does not count, nor one that is not sent.
 * @param start numbers a call.
 */
export function reserved(
  { settings, budget, emit }: Pick<DoorParts, 'settings' | 'budget' | 'emit'>,
  start: (call: IdentifiedCall) => Started,
): Layer<Obtain, RequestAttempt> {
  const reserve = (call: IdentifiedCall): Promise<Reservation> => {
    const { model, messages, place, signal } = call;
    const worst = worstCase(model, settings, mostTokens(messages), longestReply(call, settings));
    return budget.reserve(place.share, worst, signal);
  };

  return (next) => async (call) => {
    const { share, path } = call.place;
    let held: Reservation | null = await reserve(call);
    const started = start(call);
    const about = { call: started.number, path };
    let tries = 0;
    const once = async () => {
      const mine = held ?? (await reserve(call));
      held = null;
      tries += 1;
      return next(call, started.number, mine);
    };
    try {
      const reply = await withRetries(once, {
        signal: call.signal,
        timeLeftMs: () => budget.timeLeftMs(share),
        mayRetry: () => budget.callsLeft(share) > 0,
        onRetry: (attempt, waitMs, error) =>
          emit({ type: 'call.retried', ...about, attempt, waitMs, error: error.toInfo() }),
      });
      return { ...started, reply: toKept(call, reply, tries), from: 'model' };
    } catch (thrown) {
      const error = toRlmError(thrown);
      const timeMs = Math.round(now() - started.startedAt);
      const what = { ...about, prompt: call.input.prompt, ...servedBy(call.model) };
      emit({ type: 'call.failed', ...what, error: error.toInfo(), ...spentOn(error, call), timeMs });
      throw error;
    }
  };
}
