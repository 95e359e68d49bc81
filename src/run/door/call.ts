import { now } from '../../base/clock.ts';
import { RlmError, toRlmError } from '../../errors.ts';
import { type PromptName, prompts } from '../../prompts/index.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../prompts/reply/parse-reply.ts';
import type { Templates } from '../../prompts/template.ts';
import type { Exchange } from '../exchange.ts';
import { modelName } from '../roster.ts';
import type { Archive, ArchiveName, KeptReply } from './archive.ts';
import { createModelCalls } from './ask-model.ts';
import { type Asked, type ModelParts, optionsOf, type Started, servedBy, spendingOf } from './asked.ts';
import { readAsked } from './asked-prompt.ts';
import type { Share } from './budget.ts';
import { type CallIdentity, createPlaces } from './call-identity.ts';
import { costOf } from './prices.ts';
import { messageTokens } from './window.ts';

/** What a call needs. */
export interface CallParts extends ModelParts {
  readonly templates: Templates;
  /** Where replies are looked for before a model is asked, and kept afterwards, in this order. */
  readonly archives: readonly Archive[];
  /** Aborted when calls of that share must end. */
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  /** Told every request with its reply; null: nobody reads them. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
}

/** A reply's text, and what it was read as. */
export interface Said {
  readonly text: string;
  readonly parsed: ParsedReply<Fields>;
  /** The model fell silent in the middle of it: asking it again would wait for that again. */
  readonly cutShort: boolean;
}

/** A reply with where it came from: a call, whoever replied to it, or none, where the same was asked before. */
type Obtained = { readonly reply: KeptReply } & (
  | (Started & { readonly from: 'model' | 'journal' | 'cassette' })
  | { readonly number: null; readonly from: 'run' | ArchiveName }
);

/** What was read, with the probability that its prompt wants; null where it is not known. */
function withOdds(
  prompt: PromptName,
  parsed: ParsedReply<Fields>,
  { probability = null }: { probability?: number | null },
) {
  if (parsed.class === 'failed' || !('probabilityOf' in prompts[prompt])) return parsed;
  return { ...parsed, reply: { ...parsed.reply, probability } as unknown as typeof parsed.reply };
}

/** In USD; null when the price is not known. */
const costAt = ({ model }: Asked, { tokens }: KeptReply): number | null =>
  model.price ? costOf(tokens, model.price) : null;

/** What is told of a request and its reply; without a language model there are no words to read. */
function exchangeOf({ input, place, model, messages }: Asked, startedAt: number): Exchange {
  const timeMs = Math.round(now() - startedAt);
  return {
    call: null,
    path: place.path,
    prompt: input.prompt,
    ...servedBy(model),
    messages: model.info.spends === 'nothing' ? null : messages,
    reply: null,
    toolCalls: [],
    error: null,
    from: 'model',
    at: new Date(Date.now() - timeMs).toISOString(),
    timeMs,
    tokens: { input: 0, output: 0 },
    cost: 0,
  };
}

/** Makes what obtains replies: from where they are kept, or from a model, within the budget. */
export function createCaller(parts: CallParts) {
  const { settings, budget, archives, emit, onExchange } = parts;
  const { start, askModel } = createModelCalls(parts);
  const places = createPlaces();
  /** Replies of this run by hash, so that identical calls are one. */
  const twins = new Map<string, Promise<Obtained>>();

  const identityOf = (asked: Asked, place: string): CallIdentity =>
    asked.model.identify(place, { ...asked, ...optionsOf(asked, settings) });

  /** Else they would be independent samples, which may be wanted. */
  const mergesTwins = (asked: Asked) =>
    optionsOf(asked, settings).temperature === 0 || settings.seed !== null || settings.cache.enabled;

  function checkFits({ messages, input, model }: Asked): void {
    const { tokens } = model.window;
    const needed = model.sizing.scaled(messageTokens(messages)) + settings.reply.maxTokens;
    if (needed <= tokens) return;
    throw new RlmError(
      'prompt-too-long',
      `the ${input.prompt} prompt needs about ${needed} tokens, the window of ${modelName(model)} has ${tokens}`,
      { hint: 'Raise context.maxWindowTokens where the model can do more, or lower context.passages.' },
    );
  }

  /** A call that was made before: it is charged to the budget again. What was reused then is reused. */
  async function replay(asked: Asked, call: CallIdentity, signal: AbortSignal): Promise<Obtained | null> {
    for (const archive of archives) {
      const reply = archive.replays ? await archive.find(call) : null;
      if (reply === null) continue;
      const from = archive.name as 'journal' | 'cassette';
      if (reply.tries === 0) return { reply, from, number: null };
      const spent = spendingOf(reply.tries, reply.tokens, asked.model.price);
      (await budget.reserve(asked.place.share, spent, signal)).settle(spent);
      return { reply, from, ...start(asked) };
    }
    return null;
  }

  async function ask(asked: Asked, call: CallIdentity, signal: AbortSignal): Promise<Obtained> {
    for (const archive of archives) {
      const reply = archive.replays ? null : await archive.find(call);
      if (reply !== null) return { reply, from: 'cache', number: null };
    }
    const made = await asked.model.limiter(() => askModel(asked, signal), asked.place.path, signal);
    return { ...made, from: 'model' };
  }

  /** Identical calls are one call. When that one fails, the others ask for themselves. */
  async function askOnce(
    asked: Asked,
    call: CallIdentity,
    replayed: Promise<Obtained | null>,
    signal: AbortSignal,
  ): Promise<Obtained> {
    const obtain = async () => (await replayed) ?? ask(asked, call, signal);
    if (!mergesTwins(asked)) return obtain();
    const twin = twins.get(call.hash);
    if (twin === undefined) {
      const mine = obtain();
      twins.set(call.hash, mine);
      mine.catch(() => twins.delete(call.hash));
      return mine;
    }
    const own = await replayed;
    if (own !== null) return own;
    const { reply } = await twin.catch(() => ({ reply: null }));
    return reply === null ? askOnce(asked, call, replayed, signal) : { reply, from: 'run', number: null };
  }

  /**
   * Every archive but the one it came from gets the reply; one that was reused goes only where the run is told
   * again.
   */
  async function keep(call: CallIdentity, { reply, from, number }: Obtained, isUsable: boolean): Promise<void> {
    const isReused = number === null;
    const kept = isReused ? { ...reply, tokens: { input: 0, output: 0 }, tries: 0 } : reply;
    const others = archives.filter(({ name, replays }) => name !== from && (replays || !isReused));
    await Promise.all(others.map((archive) => archive.keep(call, kept, isUsable)));
  }

  function tell(asked: Asked, obtained: Obtained, readAs: ParsedReply<Fields>['class']): void {
    const { input, turns, place, model } = asked;
    const about = { path: place.path, prompt: input.prompt };
    const { reply, number, from } = obtained;
    if (number === null) {
      emit({ type: 'call.reused', ...about, from: from === 'cache' ? from : 'run' });
      return;
    }
    emit({
      type: 'call.completed',
      call: number,
      ...about,
      ...servedBy(model),
      from,
      reply: turns.length > 0 && readAs === 'ok' ? 'repaired' : readAs,
      tokens: reply.tokens,
      cost: costAt(asked, reply),
      timeMs: Math.round(now() - obtained.startedAt),
    });
  }

  function share(asked: Asked, obtained: Obtained): void {
    const { reply, number, from } = obtained;
    const about = exchangeOf(asked, number === null ? now() : obtained.startedAt);
    const spent = number === null ? {} : { tokens: reply.tokens, cost: costAt(asked, reply) };
    const source = from === 'recording' ? 'run' : from;
    onExchange?.({
      ...about,
      call: number,
      reply: reply.text,
      toolCalls: reply.toolCalls ?? [],
      from: source,
      ...spent,
    });
  }

  /**
   * Obtains a reply and reads it.
   * @throws RlmError `prompt-too-long`, a limit, an interruption, or the provider's failure.
   */
  async function call(asked: Asked): Promise<Said> {
    const { input, place, model } = asked;
    const signal = parts.signals[place.share];
    checkFits(asked);
    signal.throwIfAborted();
    const identity = identityOf(asked, places.take(place, input.prompt, modelName(model)));
    const askedAt = now();
    const obtained = await askOnce(asked, identity, replay(asked, identity, signal), signal).catch((error: unknown) => {
      onExchange?.({ ...exchangeOf(asked, askedAt), error: toRlmError(error).message });
      throw error;
    });
    const { reply, number } = obtained;
    // Also of a call that was made before, so that a run that goes on has the same room for its passages.
    if (number !== null) model.sizing.counted(messageTokens(asked.messages), reply.tokens.input);
    const parsed = withOdds(input.prompt, readAsked(asked, reply), reply);
    await keep(identity, obtained, parsed.class !== 'failed' && parsed.isCut !== true);
    tell(asked, obtained, parsed.class);
    share(asked, obtained);
    return { text: reply.text, parsed, cutShort: reply.cutShort === true };
  }

  /** Whether this very call was made before, in this run or a recording of it. */
  async function holdsReply(asked: Asked): Promise<boolean> {
    const identity = identityOf(asked, places.next(asked.place, asked.input.prompt, modelName(asked.model)));
    const finds = archives.filter(({ replays }) => replays).map((archive) => archive.find(identity));
    const found = await Promise.all(finds.map((find) => find.catch(() => null)));
    return found.some((reply) => reply !== null);
  }

  return { call, holdsReply };
}
