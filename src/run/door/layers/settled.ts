/** Pays for requests: reserves the worst case before each request, retries, and settles the actual cost. */
import { now } from '../../../base/time.ts';
import type { Settings } from '../../../config/settings.ts';
import { tokensOf } from '../../../context/text-size.ts';
import { RlmError, toRlmError } from '../../../errors.ts';
import { choiceProbability, type TokenOdds } from '../../../prompts/reply/choice-probability.ts';
import { isBrokenReply } from '../../../providers/broken-reply.ts';
import type { ModelReply } from '../../../providers/provider.ts';
import type { CallTokens } from '../../../state.ts';
import { addTokens, noTokens } from '../../run-events.ts';
import type { KeptReply } from '../archive.ts';
import {
  type Asked,
  longestReply,
  promptOf,
  readAsked,
  requestOf,
  type Started,
  servedBy,
  spendingOf,
  worstCase,
  worstTokens,
} from '../asked.ts';
import type { Reservation } from '../budget.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain } from '../layer.ts';
import type { Ledger } from '../ledger.ts';
import { onlyThought } from '../reasoning.ts';
import { withRetries } from '../retry.ts';
import { beforeRepetition } from '../silence.ts';
import { type CountedReply, countTokens, messageTokens, mostTokens } from '../window.ts';

interface AttemptedReply extends ModelReply {
  readonly tokens: CallTokens;
  /**
   * Present if the reply broke off: the model fell silent, repeated itself endlessly, or ignored the reply limit,
   * or its server broke off each time.
   */
  readonly cutShort?: true;
}

type CutReply = ReturnType<typeof cutOff>;

interface Attempt {
  /** The number of the call in the run. */
  readonly number: number;
  readonly held: Reservation;
  /** Charges the call for the tokens that a failed request may have used. Keeps the part of its reply that arrived. */
  lose(tokens: CallTokens, part: CutReply | null): void;
}

type RequestAttempt = (call: IdentifiedCall, attempt: Attempt) => Promise<AttemptedReply>;

/** The part of a reply that has arrived so far. */
export interface Coming {
  characters: number;
  text: string;
  checkedLength: number;
  /** Start of the thinking, in ms; null while the model does not think. */
  thinksSince: number | null;
  /** Time at which the first part arrived, in ms; null until then. */
  firstAt: number | null;
}

/** Makes a request, and updates `coming` as its reply arrives. */
export type Request = (call: IdentifiedCall, number: number, coming: Coming) => Promise<ModelReply>;

/** If a request fails with one of these codes, the model may have worked. */
const workedCodes: readonly string[] = ['call-timeout', 'interrupted', 'hung-up', 'terminated', 'limit-time'];

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof RlmError && codes.includes(error.code);

const brokeOff = (error: unknown): boolean => hasCode(error, 'call-timeout', 'reply-unusable');

/** Returns the times of reading and of writing. Queueing and loading a model count as reading. */
const timingOf = ({ firstAt }: Coming, sentAt: number) => ({ readMs: firstAt! - sentAt, writeMs: now() - firstAt! });

function isUsable(asked: Asked, text: string): boolean {
  const parsed = readAsked(asked, { text, finish: 'length' });
  return parsed.class !== 'failed' || parsed.partial !== undefined;
}

/** Whether a call gives the first answer to the root question. */
const isFirstAnswer = ({ place, identity }: IdentifiedCall): boolean =>
  place.path === '0' && identity.place.endsWith(' answer 1');

/** Creates the reply for a cut text. It is not retried, because a repeated request would end the same way. */
const cutOff = (text: string) => ({ text, toolCalls: [], finish: 'length', cutShort: true }) as const;

function partOf(asked: Asked, { text }: Coming): CutReply | null {
  if (text === '') return null;
  const kept = beforeRepetition(text) ?? text;
  return isUsable(asked, kept) ? cutOff(kept) : null;
}

const unused: CallTokens = { input: 0, output: 0 };

/**
 * Returns the most tokens that a request without a complete reply may have used. A server may go on writing after the
 * program has ended the request.
 */
function tokensOfFailed(asked: Asked, error: unknown, { characters }: Coming, settings: Settings): CallTokens {
  const mayHaveWorked = characters > 0 || hasCode(error, ...workedCodes) || isBrokenReply(error);
  if (asked.model.info.spends === 'nothing' || !mayHaveWorked) return unused;
  const worst = worstTokens(asked.model, messageTokens(asked.messages), longestReply(asked, settings));
  return { ...worst, output: Math.max(worst.output, tokensOf(characters)) };
}

/** Settles the cost of a request. If the request failed, the part of the reply that arrived may become the reply. */
export function settled({ settings, budget }: Pick<DoorParts, 'settings' | 'budget'>): Layer<RequestAttempt, Request> {
  const charge = (asked: Asked, reply: CountedReply, { characters }: Coming): CallTokens => {
    if (asked.model.info.spends === 'nothing') return unused;
    // The time that is left, and thus the limit of the request, may be less than when it was sent.
    const request = { ...requestOf(asked, settings, budget), maxOutputTokens: longestReply(asked, settings) };
    return countTokens(request, reply, characters);
  };

  return (next) =>
    async (call, { number, held, lose }) => {
      const { price, pace, sizing, window } = call.model;
      const coming: Coming = { characters: 0, text: '', checkedLength: 0, thinksSince: null, firstAt: null };
      const sentAt = now();
      try {
        const reply = await next(call, number, coming);
        const tokens = charge(call, reply, coming);
        held.settle(spendingOf(1, tokens, price));
        if (coming.firstAt !== null) pace.took(tokens, reply.timing ?? timingOf(coming, sentAt));
        const kept = beforeRepetition(reply.text);
        return kept === null ? { ...reply, tokens } : { ...cutOff(kept), tokens };
      } catch (error) {
        const thought = onlyThought(error);
        const tokens = thought
          ? charge(call, { text: '', toolCalls: [], tokens: thought.tokens }, coming)
          : tokensOfFailed(call, error, coming, settings);
        held.settle(spendingOf(1, tokens, price));
        if (hasCode(error, 'prompt-too-long')) sizing.refused(messageTokens(call.messages), window.tokens);
        const isKept = brokeOff(error) || isBrokenReply(error) || call.signal.aborted;
        const part = isKept ? partOf(call, coming) : null;
        if (part !== null && brokeOff(error)) return { ...part, tokens };
        lose(tokens, part);
        throw error;
      }
    };
}

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

function probabilityOf({ input }: Asked, tokens: readonly TokenOdds[] | undefined): Pick<KeptReply, 'probability'> {
  const { fields, probabilityOf: option } = promptOf(input);
  const probability = option && tokens ? choiceProbability(fields, option, tokens) : null;
  return probability === null ? {} : { probability };
}

const isSome = ({ input, output }: CallTokens): boolean => input + output > 0;

const toKept = (
  asked: Asked,
  { text, toolCalls, logprobs, ...reply }: AttemptedReply,
  tries: number,
  lost: Required<CallTokens>,
): KeptReply => ({
  text,
  ...(toolCalls.length > 0 && { toolCalls }),
  ...probabilityOf(asked, logprobs),
  tokens: isSome(lost) ? addTokens(lost, reply.tokens) : reply.tokens,
  finish: reply.finish,
  ...(reply.cutShort && { cutShort: true }),
  tries,
});

/**
 * Reserves the worst case of each request before it is sent, and retries after a transient failure. If the server
 * breaks off each time, or the run ends while the first answer arrives, the longest part of a reply becomes the reply.
 */
export function reserved(
  parts: Pick<DoorParts, 'settings' | 'budget' | 'emit'>,
  ledger: Ledger,
  start: (call: IdentifiedCall) => Started,
): Layer<Obtain, RequestAttempt> {
  const { settings, budget, emit } = parts;
  const reserve = (call: IdentifiedCall): Promise<Reservation> => {
    const { model, messages, place, signal } = call;
    ledger.chargeEarlier();
    const worst = worstCase(model, settings, mostTokens(messages), longestReply(call, settings));
    return budget.reserve(place.share, worst, signal);
  };

  return (next) => async (call) => {
    const { share, path } = call.place;
    let held: Reservation | null = await reserve(call);
    const started = start(call);
    const about = { call: started.number, path };
    const most = worstTokens(call.model, mostTokens(call.messages), longestReply(call, settings));
    let [tries, lost] = [0, noTokens];
    const arrived: CutReply[] = [];
    const once = async () => {
      const mine = held ?? (await reserve(call));
      held = null;
      tries += 1;
      ledger.note(call, tries, addTokens(lost, most), false);
      const lose = (tokens: CallTokens, part: CutReply | null) => {
        lost = addTokens(lost, tokens);
        if (part !== null) arrived.push(part);
      };
      return next(call, { number: started.number, held: mine, lose });
    };
    try {
      const reply = await withRetries(once, {
        signal: call.signal,
        timeLeftMs: () => budget.timeLeftMs(share),
        mayRetry: () => budget.callsLeft(share) > 0,
        onRetry: (attempt, waitMs, error) =>
          emit({ type: 'call.retried', ...about, attempt, waitMs, error: error.toInfo() }),
      });
      return { ...started, reply: toKept(call, reply, tries, lost), from: 'model' };
    } catch (thrown) {
      const [longest] = arrived.toSorted((a, b) => b.text.length - a.text.length);
      const isEnded = call.signal.aborted && isFirstAnswer(call);
      if (longest !== undefined && (isBrokenReply(thrown) || isEnded)) {
        if (isEnded) ledger.note(call, tries, lost, true);
        const reply = toKept(call, { ...longest, tokens: unused }, tries, lost);
        return { ...started, reply, from: 'model', ...(isEnded && { isEnded }) };
      }
      const error = toRlmError(thrown);
      const timeMs = Math.round(now() - started.startedAt);
      const what = { ...about, prompt: call.input.prompt, ...servedBy(call.model) };
      const spent = ledger.note(call, tries, lost, true);
      emit({ type: 'call.failed', ...what, error: error.toInfo(), ...(isSome(lost) && { spent }), timeMs });
      throw error;
    }
  };
}
