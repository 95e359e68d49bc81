import { now } from '../../base/clock.ts';
import type { Settings } from '../../config/settings.ts';
import { tokensOf } from '../../context/text-size.ts';
import { RlmError } from '../../errors.ts';
import { askedFields } from '../../prompts/index.ts';
import { replySchema } from '../../prompts/reply/reply-form.ts';
import type { ModelReply, ModelRequest } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import { modelName } from '../roster.ts';
import { type Asked, type ModelParts, optionsOf, spendingOf } from './asked.ts';
import { promptOf, readAsked } from './asked-prompt.ts';
import type { Budget, Reservation } from './budget.ts';
import { countTokens } from './counted-tokens.ts';
import type { Timing } from './serving/pace.ts';
import { beforeRepetition } from './serving/repetition.ts';
import { type Silence, untilSilent } from './serving/silence.ts';
import { createToldAnswer } from './told-answer.ts';
import { messageTokens } from './window.ts';

/** A reply with what it is charged. */
export interface AttemptedReply extends ModelReply {
  readonly tokens: Tokens;
  /** The model fell silent in the middle of it. */
  readonly cutShort?: true;
}

const progressEveryMs = 250;
/** Words of the answer are read as they come. */
const wordsEveryMs = 80;

/** A reply of fewer tokens has no room for an answer, however slow the model is. */
const shortestReply = 256;

/** Tokens that a slow machine reads in the time of a call: 17 a second in 120 s. */
const readInLimit = 2_048;

/** Failures after which the model may have worked already: what it has read and written is counted as spent. */
const workedCodes: readonly string[] = ['call-timeout', 'interrupted', 'hung-up', 'terminated', 'limit-time'];

const hasCode = (error: unknown, code: string): boolean => error instanceof RlmError && error.code === code;

function callTimeout(seconds: number): RlmError {
  return new RlmError('call-timeout', `the model was silent for ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
  });
}

/**
 * A hosted model gets the same schema each time: its server compiles a new one first, and such a model keeps to the
 * ids.
 */
function schemaOf(asked: Asked): object {
  const { input, tools, model } = asked;
  const own = promptOf(input).schemaOf?.(input.variables);
  if (own) return own.reply;
  const isHosted = model.info.spends === 'money';
  const passages = isHosted ? [] : promptOf(input).passageIds?.(input.variables);
  return replySchema(askedFields(input), { tools, ...(passages && { passages }) });
}

const inWords = ({ input, output }: Tokens) => `${input} tokens of input and ${output} of output`;

const miscountOf = (name: string, said: Tokens, tokens: Tokens): string =>
  `the server of ${name} counts ${inWords(said)}, which cannot be so: ${inWords(tokens)} are charged, as estimated from the text`;

/** What a request is held to: a reply that the model cannot write in the time of one is not asked of it. */
function mostOutput({ model, place }: Asked, settings: Settings, budget: Budget): number {
  const ms = Math.min(settings.budget.callTimeout * 1_000, budget.timeLeftMs(place.share));
  return Math.min(settings.reply.maxTokens, Math.max(shortestReply, model.pace.writtenIn(ms)));
}

/** Calls to a server of the user's own may wait for each other there, and it takes its time to read. */
function silenceFor({ model, messages }: Asked, { budget }: Settings): Silence {
  const seconds = budget.callTimeout;
  const ms = seconds * 1_000;
  const late = () => callTimeout(seconds);
  if (model.info.spends !== 'tokens') return { ms, firstMs: ms, late, hearing: null };
  return { ms, firstMs: ms * (1 + messageTokens(messages) / readInLimit), late, hearing: model.hearing };
}

/** Whether what has come of a reply can be used. */
function isUsable(asked: Asked, text: string): boolean {
  const parsed = readAsked(asked, { text, finish: 'length' });
  return parsed.class !== 'failed' || parsed.partial !== undefined;
}

/** Whether a call ended in the middle of its reply: the model fell silent, or said the same without end. */
const brokeOff = (error: unknown): boolean => hasCode(error, 'call-timeout') || hasCode(error, 'reply-unusable');

/** What has come of a reply by now. */
interface Coming {
  characters: number;
  text: string;
  /** Characters at which it was last looked at whether it repeats itself. */
  lookedAt: number;
  /** When the first of it came, in ms; null: nothing has. */
  firstAt: number | null;
}

/** As it is seen here: what waits in the server's queue, and what loads a model, counts as reading. */
const timingOf = ({ firstAt }: Coming, sentAt: number): Timing => ({
  readMs: firstAt! - sentAt,
  writeMs: now() - firstAt!,
});

/** A reply of which the end is missing: asking again would come to the same. */
const cutOff = (text: string) => ({ text, toolCalls: [], finish: 'length', cutShort: true }) as const;

const looksEvery = 200;

/** Ends a call whose reply repeats itself without end. */
function endRepetition(coming: Coming, end: (reason: Error) => void): void {
  if (coming.text.length - coming.lookedAt < looksEvery) return;
  coming.lookedAt = coming.text.length;
  if (beforeRepetition(coming.text) === null) return;
  end(new RlmError('reply-unusable', 'the model repeated the same words without end'));
}

/** Does it at once, and then only where so many ms have passed. */
function rarely(everyMs: number, show: (characters: number) => void): (characters: number) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (characters) => {
    if (now() - shownAt < everyMs) return;
    shownAt = now();
    show(characters);
  };
}

/** Makes what makes one request: what it came to is settled, also when it fails. */
export function createAttempt({ settings, budget, redactor, emit }: ModelParts) {
  /** Models whose server's count of tokens was not believed. */
  const miscounting = new Set<string>();

  const requestOf = (asked: Asked): ModelRequest => ({
    input: asked.input,
    messages: asked.messages,
    schema: asked.form === 'json' ? schemaOf(asked) : null,
    tools: asked.form === 'tools' ? asked.tools : [],
    logprobs: promptOf(asked.input).probabilityOf !== undefined,
    ...optionsOf(asked, settings),
    maxOutputTokens: mostOutput(asked, settings, budget),
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

  /** Sends the request, and follows what comes of it. */
  async function send(asked: Asked, number: number, coming: Coming, signal: AbortSignal): Promise<ModelReply> {
    const { provider, overlap } = asked.model;
    const working = overlap.begin();
    const told = createToldAnswer(asked, number, redactor, emit);
    const showProgress = rarely(progressEveryMs, (characters) =>
      emit({ type: 'call.progress', call: number, path: asked.place.path, characters }),
    );
    const showWords = rarely(wordsEveryMs, () => told.come(coming.text));
    const onNotice = (message: string) => emit({ type: 'warning', message });
    const call = (either: AbortSignal, onSign: () => void, end: (reason: Error) => void) => {
      const onProgress = (characters: number, text = '') => {
        onSign();
        working.sign();
        coming.firstAt ??= now();
        Object.assign(coming, { characters, text });
        endRepetition(coming, end);
        showProgress(characters);
        showWords(characters);
      };
      return provider.call(requestOf(asked), { signal: either, onProgress, onNotice });
    };
    try {
      const reply = await untilSilent(silenceFor(asked, settings), signal, call);
      told.end(reply.text);
      return reply;
    } finally {
      working.end();
    }
  }

  function settleFailed(asked: Asked, error: unknown, { characters }: Coming, held: Reservation): Tokens {
    const { info, price, sizing, window } = asked.model;
    const input = messageTokens(asked.messages);
    const mayHaveWorked = characters > 0 || (error instanceof RlmError && workedCodes.includes(error.code));
    const isCharged = mayHaveWorked && info.spends !== 'nothing';
    const tokens = isCharged ? { input, output: tokensOf(characters) } : { input: 0, output: 0 };
    held.settle(spendingOf(1, tokens, price));
    if (hasCode(error, 'prompt-too-long')) sizing.refused(input, window.tokens);
    return tokens;
  }

  return async function attempt(
    asked: Asked,
    number: number,
    held: Reservation,
    signal: AbortSignal,
  ): Promise<AttemptedReply> {
    const { price, breaker, pace } = asked.model;
    const coming: Coming = { characters: 0, text: '', lookedAt: 0, firstAt: null };
    const sentAt = now();
    try {
      const reply = await breaker.watch(
        () => send(asked, number, coming, signal),
        () => coming.characters === 0,
      );
      const tokens = charge(asked, reply, coming.characters);
      held.settle(spendingOf(1, tokens, price));
      if (coming.firstAt !== null) pace.took(tokens, reply.timing ?? timingOf(coming, sentAt));
      const kept = beforeRepetition(reply.text);
      return kept === null ? { ...reply, tokens } : { ...cutOff(kept), tokens };
    } catch (error) {
      const tokens = settleFailed(asked, error, coming, held);
      const { text } = coming;
      if (!brokeOff(error) || text === '') throw error;
      const kept = beforeRepetition(text) ?? text;
      if (!isUsable(asked, kept)) throw error;
      return { ...cutOff(kept), tokens };
    }
  };
}
