import { now } from '../../base/clock.ts';
import { toRlmError } from '../../errors.ts';
import { prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { choiceProbability, type TokenOdds } from '../../prompts/reply/choice-probability.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { KeptReply } from './archive.ts';
import { type Asked, type ModelParts, type Started, servedBy, worstCase } from './asked.ts';
import { createAttempt } from './attempt.ts';
import type { Reservation } from './budget.ts';
import { withRetries } from './retry.ts';
import { mostTokens } from './window.ts';

/** The probability that the prompt wants, where the reply's tokens tell it. */
function oddsOf({ input }: Asked, tokens: readonly TokenOdds[] | undefined): Pick<KeptReply, 'probability'> {
  const { fields, probabilityOf } = prompts[input.prompt] as unknown as Prompt<unknown, Fields>;
  const probability = probabilityOf && tokens ? choiceProbability(fields, probabilityOf, tokens) : null;
  return probability === null ? {} : { probability };
}

/** Makes the functions that number calls, and that make one: within the budget, with retries. */
export function createModelCalls(parts: ModelParts) {
  const { settings, budget, emit } = parts;
  const attempt = createAttempt(parts);
  let calls = 0;

  function start({ input, turns, place, model }: Asked): Started {
    calls += 1;
    const about = { call: calls, path: place.path, prompt: input.prompt, ...servedBy(model) };
    emit({ type: 'call.started', ...about, repair: turns.length > 0 });
    return { number: calls, startedAt: now() };
  }

  /** The worst case of a request, unless its server is gone, which costs nothing. */
  async function reserve({ model, messages, place }: Asked, signal: AbortSignal): Promise<Reservation> {
    model.breaker.check();
    const worst = worstCase(model, settings, mostTokens(messages));
    const held = await budget.reserve(place.share, worst, signal);
    try {
      model.breaker.check();
      return held;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** It counts as a call from the first request on: one that is cancelled while it waits was none, and one not sent. */
  async function askModel(asked: Asked, signal: AbortSignal): Promise<Started & { readonly reply: KeptReply }> {
    const { share, path } = asked.place;
    let held: Reservation | null = await reserve(asked, signal);
    const started = start(asked);
    const about = { call: started.number, path };
    let tries = 0;
    const once = async () => {
      const mine = held ?? (await reserve(asked, signal));
      held = null;
      tries += 1;
      return attempt(asked, started.number, mine, signal);
    };
    try {
      const { text, toolCalls, logprobs, tokens, finish, cutShort } = await withRetries(once, {
        signal,
        timeLeftMs: () => budget.timeLeftMs(share),
        mayRetry: () => budget.callsLeft(share) > 0 && !asked.model.breaker.isOpen(),
        onRetry: (attempt, waitMs, error) =>
          emit({ type: 'call.retried', ...about, attempt, waitMs, error: error.toInfo() }),
      });
      return {
        ...started,
        reply: {
          text,
          ...(toolCalls.length > 0 && { toolCalls }),
          ...oddsOf(asked, logprobs),
          tokens: tokens!,
          finish,
          ...(cutShort && { cutShort }),
          tries,
        },
      };
    } catch (thrown) {
      const error = toRlmError(thrown);
      const timeMs = Math.round(now() - started.startedAt);
      const what = { ...about, prompt: asked.input.prompt, ...servedBy(asked.model) };
      emit({ type: 'call.failed', ...what, error: error.toInfo(), timeMs });
      throw error;
    }
  }

  return { start, askModel };
}
