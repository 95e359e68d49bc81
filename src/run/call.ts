import { now } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import { RlmError, toRlmError } from '../errors.ts';
import { type Fields, replySchema } from '../prompts/fields.ts';
import { type PromptInput, prompts } from '../prompts/index.ts';
import { type ParsedReply, parseReply } from '../prompts/parse-reply.ts';
import type { Templates } from '../prompts/template.ts';
import { withDeadline } from '../providers/abort.ts';
import type { Message, ModelInfo, ModelReply, ModelRequest, Provider } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';
import type { Archive, ArchiveName, KeptReply } from './archive.ts';
import type { Budget, Reservation, Share, Spending } from './budget.ts';
import { type CallIdentity, createIdentify, createPlaces } from './call-identity.ts';
import type { EventBody } from './events.ts';
import type { Limiter } from './limiter.ts';
import { costOf, type Price } from './prices.ts';
import { withRetries } from './retry.ts';
import type { Place } from './run.ts';
import { messageTokens, mostTokens, tokensOf } from './window.ts';

/** What a call needs. */
export interface CallParts {
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly templates: Templates;
  readonly settings: Settings;
  readonly windowTokens: number;
  /** Null when it is not known. */
  readonly price: Price | null;
  readonly budget: Budget;
  readonly limiter: Limiter;
  /** Where replies are looked for before a model is asked, and kept afterwards, in this order. */
  readonly archives: readonly Archive[];
  /** Aborted when calls of that share must end. */
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  emit(event: EventBody): void;
}

/** A rendered prompt, and where it belongs. */
export interface Asked {
  readonly input: PromptInput;
  readonly messages: readonly Message[];
  /** Those of the messages that follow the prompt itself: a reply, and what was wrong with it. */
  readonly turns: readonly Message[];
  readonly place: Place;
}

/** A reply's text, and what it was read as. */
export interface Said<F extends Fields> {
  readonly text: string;
  readonly parsed: ParsedReply<F>;
}

/** A reply with where it came from. */
interface Obtained {
  readonly reply: KeptReply;
  readonly from: 'model' | 'run' | ArchiveName;
  /** Of the call, from 1; null when nobody was asked. */
  readonly number: number | null;
  readonly startedAt: number;
}

const progressEveryMs = 250;

/** Failures after which the model may have worked already: what it has read and written is counted as spent. */
const workedCodes: readonly string[] = ['call-timeout', 'interrupted', 'terminated', 'limit-time'];

function callTimeout(seconds: number): RlmError {
  return new RlmError('call-timeout', `the model did not finish within ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
  });
}

/** The most that one request of these messages can come to. */
export function worstCase(
  inputTokens: number,
  parts: Pick<CallParts, 'settings' | 'info' | 'price' | 'windowTokens'>,
): Spending {
  if (parts.info.spends === 'nothing') return { calls: 1, tokens: 0, usd: 0 };
  const output = parts.settings.reply.maxTokens;
  const input = Math.min(inputTokens, parts.windowTokens);
  // A prompt and its reply share the window; a server that is told not to cut text keeps to that.
  const tokens = Math.min(input + output, parts.windowTokens);
  return { calls: 1, tokens, usd: parts.price ? costOf({ input, output }, parts.price) : 0 };
}

/** Makes the function that obtains replies: from where they are kept, or from the model, within the budget. */
export function createCaller(parts: CallParts) {
  const { provider, info, settings, budget, limiter, archives, emit } = parts;
  const identify = createIdentify(provider.name, info, parts.templates);
  const nameThePlace = createPlaces();
  /** Replies of this run by hash, so that identical calls are one. Else they would be independent samples. */
  const twins = new Map<string, Promise<Obtained>>();
  let calls = 0;

  const temperatureOf = ({ input }: Asked) => settings.temperatures[input.prompt];
  const mergesTwins = (asked: Asked) => temperatureOf(asked) === 0 || settings.seed !== null || settings.cache.enabled;

  const spending = (tries: number, tokens: Tokens): Spending => ({
    calls: tries,
    tokens: tokens.input + tokens.output,
    usd: parts.price ? costOf(tokens, parts.price) : 0,
  });

  function checkFits({ messages, input }: Asked): void {
    const needed = messageTokens(messages) + settings.reply.maxTokens;
    if (needed <= parts.windowTokens) return;
    throw new RlmError(
      'prompt-too-long',
      `the ${input.prompt} prompt needs about ${needed} tokens, the window has ${parts.windowTokens}`,
      { hint: 'Raise context.maxWindowTokens where the model can do more, or lower context.passages.' },
    );
  }

  const optionsOf = (asked: Asked) => ({
    temperature: temperatureOf(asked),
    maxOutputTokens: settings.reply.maxTokens,
    windowTokens: parts.windowTokens,
    seed: settings.seed,
  });

  const requestOf = (asked: Asked): ModelRequest => ({
    input: asked.input,
    messages: asked.messages,
    schema: info.structuredOutput ? replySchema(prompts[asked.input.prompt].fields) : null,
    ...optionsOf(asked),
  });

  function start(asked: Asked): { number: number; startedAt: number } {
    const number = ++calls;
    const { path } = asked.place;
    emit({ type: 'call.started', call: number, path, prompt: asked.input.prompt, repair: asked.turns.length > 0 });
    return { number, startedAt: now() };
  }

  /** One request. What it came to is settled, also when it fails. */
  async function attempt(asked: Asked, number: number, held: Reservation, signal: AbortSignal): Promise<ModelReply> {
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
    try {
      const late = () => callTimeout(seconds);
      const reply = await withDeadline(seconds * 1000, late, signal, (either) =>
        provider.call(requestOf(asked), { signal: either, onProgress }),
      );
      const tokens = reply.tokens ?? { input, output: tokensOf(Buffer.byteLength(reply.text)) };
      held.settle(spending(1, tokens));
      return { ...reply, tokens };
    } catch (error) {
      const hasWorked = characters > 0 || (error instanceof RlmError && workedCodes.includes(error.code));
      held.settle(spending(1, hasWorked ? { input, output: tokensOf(characters) } : { input: 0, output: 0 }));
      throw error;
    }
  }

  /** It counts as a call from the first request on: one that is cancelled while it waits was none. */
  async function fromModel(asked: Asked, signal: AbortSignal): Promise<Obtained> {
    const { share, path } = asked.place;
    const worst = worstCase(mostTokens(asked.messages), parts);
    let held: Reservation | null = await budget.reserve(share, worst, signal);
    const { number, startedAt } = start(asked);
    let tries = 0;
    const once = async () => {
      const mine = held ?? (await budget.reserve(share, worst, signal));
      held = null;
      tries += 1;
      return attempt(asked, number, mine, signal);
    };
    try {
      const { text, tokens, finish } = await withRetries(once, {
        signal,
        timeLeftMs: () => budget.timeLeftMs(share),
        mayRetry: () => budget.callsLeft(share) > 0,
        onRetry: (next, waitMs, error) =>
          emit({ type: 'call.retried', call: number, path, attempt: next, waitMs, error: error.toInfo() }),
      });
      return { reply: { text, tokens: tokens!, finish, tries }, from: 'model', number, startedAt };
    } catch (thrown) {
      const error = toRlmError(thrown);
      const about = { call: number, path, prompt: asked.input.prompt };
      emit({ type: 'call.failed', ...about, error: error.toInfo(), timeMs: Math.round(now() - startedAt) });
      throw error;
    }
  }

  /** A reply that is kept already. What this run has paid for is charged to it again. */
  async function recall(
    asked: Asked,
    call: CallIdentity,
    replays: boolean,
    signal: AbortSignal,
  ): Promise<Obtained | null> {
    for (const archive of archives) {
      const reply = archive.replays === replays ? await archive.find(call) : null;
      if (reply === null) continue;
      if (!replays) return { reply, from: archive.name, number: null, startedAt: now() };
      const spent = spending(reply.tries, reply.tokens);
      (await budget.reserve(asked.place.share, spent, signal)).settle(spent);
      return { reply, from: archive.name, ...start(asked) };
    }
    return null;
  }

  async function ask(asked: Asked, call: CallIdentity, signal: AbortSignal): Promise<Obtained> {
    const remembered = await recall(asked, call, false, signal);
    return remembered ?? limiter(() => fromModel(asked, signal), asked.place.path, signal);
  }

  /** Identical calls are one call. When that one fails, the others ask for themselves. */
  async function askOnce(asked: Asked, call: CallIdentity, signal: AbortSignal): Promise<Obtained> {
    if (!mergesTwins(asked)) return ask(asked, call, signal);
    const twin = twins.get(call.hash);
    if (twin === undefined) {
      const mine = ask(asked, call, signal);
      twins.set(call.hash, mine);
      mine.catch(() => twins.delete(call.hash));
      return mine;
    }
    const { reply } = await twin.catch(() => ({ reply: null }));
    return reply === null ? askOnce(asked, call, signal) : { reply, from: 'run', number: null, startedAt: now() };
  }

  function tell(asked: Asked, { reply, from, number, startedAt }: Obtained, parsed: ParsedReply<Fields>): void {
    const about = { path: asked.place.path, prompt: asked.input.prompt };
    if (number === null) {
      emit({ type: 'call.reused', ...about, from: from as 'run' | 'cache' });
      return;
    }
    const isMended = asked.turns.length > 0 && parsed.class === 'ok';
    const cost = parts.price ? costOf(reply.tokens, parts.price) : null;
    emit({
      type: 'call.completed',
      call: number,
      ...about,
      from: from as 'model' | 'journal' | 'cassette',
      reply: isMended ? 'repaired' : parsed.class,
      tokens: reply.tokens,
      cost,
      timeMs: Math.round(now() - startedAt),
    });
  }

  /**
   * Obtains a reply and reads it.
   * @throws RlmError `prompt-too-long`, a limit, an interruption, or the provider's failure.
   */
  return async function call<F extends Fields>(fields: F, asked: Asked): Promise<Said<F>> {
    const { share, path, part } = asked.place;
    const signal = parts.signals[share];
    checkFits(asked);
    signal.throwIfAborted();
    const { input, turns } = asked;
    const identity = identify(nameThePlace(part === undefined ? path : `${path}/${part}`, input.prompt), {
      input,
      turns,
      ...optionsOf(asked),
    });
    const replayed = await recall(asked, identity, true, signal);
    const obtained = replayed ?? (await askOnce(asked, identity, signal));
    const { reply, from } = obtained;
    const parsed = parseReply(fields, reply.text, reply.finish === 'length');
    const others = archives.filter(({ name }) => name !== from);
    await Promise.all(others.map((archive) => archive.keep(identity, reply, parsed.class !== 'failed')));
    tell(asked, obtained, parsed as ParsedReply<Fields>);
    return { text: reply.text, parsed };
  };
}
