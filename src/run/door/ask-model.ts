import { withDeadline } from '../../base/abort.ts';
import { now } from '../../base/clock.ts';
import type { Settings } from '../../config/settings.ts';
import { tokensOf } from '../../context/text-size.ts';
import { RlmError, toRlmError } from '../../errors.ts';
import { askedFields, type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { choiceProbability, type TokenOdds } from '../../prompts/reply/choice-probability.ts';
import type { Fields, ReplyForm } from '../../prompts/reply/fields.ts';
import { replySchema } from '../../prompts/reply/reply-form.ts';
import type { Message, ModelReply, ModelRequest, ToolSpec } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import type { EventBody } from '../events.ts';
import { modelName, type RunModel } from '../roster.ts';
import type { Place } from '../run.ts';
import type { KeptReply } from './archive.ts';
import type { Breaker } from './breaker.ts';
import type { Budget, Reservation, Spending } from './budget.ts';
import type { createIdentify } from './call-identity.ts';
import { countTokens } from './counted-tokens.ts';
import type { Limiter } from './limiter.ts';
import { costOf, type Price } from './prices.ts';
import { withRetries } from './retry.ts';
import type { Sizing } from './sizing.ts';
import { messageTokens, mostTokens } from './window.ts';

/** What asking models needs. */
export interface ModelParts {
  readonly settings: Settings;
  readonly budget: Budget;
  emit(event: EventBody): void;
}

/** A model as calls find it: the same server is not asked too much at once, nor while it is gone. */
export interface ServingModel extends RunModel {
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly identify: ReturnType<typeof createIdentify>;
  readonly sizing: Sizing;
}

/** A rendered prompt, and where it belongs. */
export interface Asked {
  readonly model: ServingModel;
  readonly input: PromptInput;
  readonly form: ReplyForm;
  /** Tools that the reply may call. */
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** What the role adds to them; empty: nothing. */
  readonly supplement: string;
  /** Those of the messages that follow the prompt itself: a reply, and what was wrong with it. */
  readonly turns: readonly Message[];
  readonly place: Place;
}

/** A call that is under way: its number in the run, from 1, and when it began, in ms. */
export interface Started {
  readonly number: number;
  readonly startedAt: number;
}

const progressEveryMs = 250;

/** Failures after which the model may have worked already: what it has read and written is counted as spent. */
const workedCodes: readonly string[] = ['call-timeout', 'interrupted', 'hung-up', 'terminated', 'limit-time'];

const isTooLong = (error: unknown): boolean => error instanceof RlmError && error.code === 'prompt-too-long';

function callTimeout(seconds: number): RlmError {
  return new RlmError('call-timeout', `the model did not finish within ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
  });
}

/** Who is asked, for an event. */
export const servedBy = ({ provider, info }: RunModel) => ({ provider: provider.name, model: info.model });

/** What requests and their tokens come to. */
export const spendingOf = (calls: number, tokens: Tokens, price: Price | null): Spending => ({
  calls,
  tokens: tokens.input + tokens.output,
  usd: price ? costOf(tokens, price) : 0,
});

/** The most that one request with so many tokens of input can come to; by default, one that fills the window. */
export function worstCase(
  { info, window: { tokens: windowTokens }, price }: Pick<RunModel, 'info' | 'price' | 'window'>,
  settings: Settings,
  inputTokens: number = windowTokens,
): Spending {
  if (info.spends === 'nothing') return { calls: 1, tokens: 0, usd: 0 };
  const output = settings.reply.maxTokens;
  const input = Math.min(inputTokens, windowTokens);
  // A prompt and its reply share the window; a server that is told not to cut text keeps to that.
  return { ...spendingOf(1, { input, output }, price), tokens: Math.min(input + output, windowTokens) };
}

/** What shapes a reply besides the prompt. */
export const optionsOf = ({ input, model }: Pick<Asked, 'input' | 'model'>, settings: Settings) => ({
  temperature: settings.temperatures[input.prompt],
  maxOutputTokens: settings.reply.maxTokens,
  windowTokens: model.window.tokens,
  seed: settings.seed,
});

const promptOf = ({ input }: Asked): Prompt<unknown, Fields> => prompts[input.prompt] as never;

/**
 * A hosted model gets the same schema each time: its server compiles a new one first, and such a model keeps to the
 * ids.
 */
function schemaOf(asked: Asked): object {
  const { input, tools, model } = asked;
  const isHosted = model.info.spends === 'money';
  const passages = isHosted ? [] : promptOf(asked).passageIds?.(input.variables);
  return replySchema(askedFields(input), { tools, ...(passages && { passages }) });
}

/** The probability that the prompt wants, where the reply's tokens tell it. */
function oddsOf(asked: Asked, tokens: readonly TokenOdds[] | undefined): Pick<KeptReply, 'probability'> {
  const { fields, probabilityOf } = promptOf(asked);
  const probability = probabilityOf && tokens ? choiceProbability(fields, probabilityOf, tokens) : null;
  return probability === null ? {} : { probability };
}

const inWords = ({ input, output }: Tokens) => `${input} tokens of input and ${output} of output`;

const miscountOf = (name: string, said: Tokens, tokens: Tokens): string =>
  `the server of ${name} counts ${inWords(said)}, which cannot be so: ${inWords(tokens)} are charged, as estimated from the text`;

/** Makes the functions that number calls, and that make one: within the budget, with a timeout and retries. */
export function createModelCalls(parts: ModelParts) {
  const { settings, budget, emit } = parts;
  let calls = 0;
  /** Models whose server's count of tokens was not believed. */
  const miscounting = new Set<string>();

  function start({ input, turns, place, model }: Asked): Started {
    calls += 1;
    const about = { call: calls, path: place.path, prompt: input.prompt, ...servedBy(model) };
    emit({ type: 'call.started', ...about, repair: turns.length > 0 });
    return { number: calls, startedAt: now() };
  }

  const requestOf = (asked: Asked): ModelRequest => ({
    input: asked.input,
    messages: asked.messages,
    schema: asked.form === 'json' ? schemaOf(asked) : null,
    tools: asked.form === 'tools' ? asked.tools : [],
    logprobs: promptOf(asked).probabilityOf !== undefined,
    ...optionsOf(asked, settings),
  });

  /** What the reply is charged; that a server's count is not believed is told once of each model. */
  function charge(asked: Asked, reply: ModelReply, characters: number): Tokens {
    if (asked.model.info.spends === 'nothing') return { input: 0, output: 0 };
    const { tokens, disbelieved } = countTokens(requestOf(asked), reply, characters);
    const name = modelName(asked.model);
    if (disbelieved === null || miscounting.has(name)) return tokens;
    miscounting.add(name);
    emit({ type: 'warning', message: miscountOf(name, disbelieved, tokens) });
    return tokens;
  }

  /** One request. What it came to is settled, also when it fails. */
  async function attempt(asked: Asked, number: number, held: Reservation, signal: AbortSignal): Promise<ModelReply> {
    const { provider, info, price, breaker, sizing, window } = asked.model;
    const seconds = settings.budget.callTimeout;
    const input = messageTokens(asked.messages);
    let characters = 0;
    let shownAt = 0;
    const onProgress = (sofar: number) => {
      characters = sofar;
      if (now() - shownAt < progressEveryMs) return;
      shownAt = now();
      emit({ type: 'call.progress', call: number, path: asked.place.path, characters });
    };
    const onNotice = (message: string) => emit({ type: 'warning', message });
    const request = (either: AbortSignal) => provider.call(requestOf(asked), { signal: either, onProgress, onNotice });
    try {
      const ask = () => withDeadline(seconds * 1000, () => callTimeout(seconds), signal, request);
      const reply = await breaker.watch(ask, () => characters === 0);
      const tokens = charge(asked, reply, characters);
      held.settle(spendingOf(1, tokens, price));
      sizing.counted(input, tokens.input);
      return { ...reply, tokens };
    } catch (error) {
      const mayHaveWorked = characters > 0 || (error instanceof RlmError && workedCodes.includes(error.code));
      const isCharged = mayHaveWorked && info.spends !== 'nothing';
      const tokens = isCharged ? { input, output: tokensOf(characters) } : { input: 0, output: 0 };
      held.settle(spendingOf(1, tokens, price));
      if (isTooLong(error)) sizing.refused(input, window.tokens);
      throw error;
    }
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
      const { text, toolCalls, logprobs, tokens, finish } = await withRetries(once, {
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
