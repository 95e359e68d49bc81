import { now } from '../../../base/clock.ts';
import { tokensOf } from '../../../context/text-size.ts';
import { RlmError } from '../../../errors.ts';
import type { ModelReply } from '../../../providers/provider.ts';
import type { Tokens } from '../../../state.ts';
import { modelName } from '../../roster.ts';
import { type Asked, spendingOf } from '../asked.ts';
import { readAsked } from '../asked-prompt.ts';
import type { Reservation } from '../budget.ts';
import { countTokens } from '../counted-tokens.ts';
import type { Call, DoorParts, Layer } from '../layer.ts';
import { requestOf } from '../request.ts';
import type { Timing } from '../serving/pace.ts';
import { beforeRepetition } from '../serving/repetition.ts';
import { messageTokens } from '../window.ts';

/** A reply with what it is charged. */
export interface AttemptedReply extends ModelReply {
  readonly tokens: Tokens;
  /** The model fell silent in the middle of it. */
  readonly cutShort?: true;
}

/** Makes one request of a numbered call, with what is reserved for it. */
export type Attempt = (call: Call, number: number, held: Reservation) => Promise<AttemptedReply>;

/** What has come of a reply by now. */
export interface Coming {
  characters: number;
  text: string;
  /** Characters at which it was last looked at whether it repeats itself. */
  lookedAt: number;
  /** When the first of it came, in ms; null: nothing has. */
  firstAt: number | null;
}

/** Makes a request, and tells what has come of its reply as it comes. */
export type Request = (call: Call, number: number, coming: Coming) => Promise<ModelReply>;

/** Failures after which the model may have worked already: what it has read and written is counted as spent. */
const workedCodes: readonly string[] = ['call-timeout', 'interrupted', 'hung-up', 'terminated', 'limit-time'];

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof RlmError && codes.includes(error.code);

/** Whether a call ended in the middle of its reply: the model fell silent, or said the same without end. */
const brokeOff = (error: unknown): boolean => hasCode(error, 'call-timeout', 'reply-unusable');

const inWords = ({ input, output }: Tokens) => `${input} tokens of input and ${output} of output`;

const miscountOf = (name: string, said: Tokens, tokens: Tokens): string =>
  `the server of ${name} counts ${inWords(said)}, which cannot be so: ${inWords(tokens)} are charged, as estimated from the text`;

/** As it is seen here: what waits in the server's queue, and what loads a model, counts as reading. */
const timingOf = ({ firstAt }: Coming, sentAt: number): Timing => ({
  readMs: firstAt! - sentAt,
  writeMs: now() - firstAt!,
});

/** Whether what has come of a reply can be used. */
function isUsable(asked: Asked, text: string): boolean {
  const parsed = readAsked(asked, { text, finish: 'length' });
  return parsed.class !== 'failed' || parsed.partial !== undefined;
}

/** A reply of which the end is missing: asking again would come to the same. */
const cutOff = (text: string) => ({ text, toolCalls: [], finish: 'length', cutShort: true }) as const;

/** What came before a failure, where it can be used; else null. */
function savedFrom(asked: Asked, error: unknown, { text }: Coming) {
  if (!brokeOff(error) || text === '') return null;
  const kept = beforeRepetition(text) ?? text;
  return isUsable(asked, kept) ? cutOff(kept) : null;
}

/** Charges a request that failed; returns the tokens. */
function settleFailed(asked: Asked, error: unknown, { characters }: Coming, held: Reservation): Tokens {
  const { info, price, sizing, window } = asked.model;
  const input = messageTokens(asked.messages);
  const mayHaveWorked = characters > 0 || hasCode(error, ...workedCodes);
  const isCharged = mayHaveWorked && info.spends !== 'nothing';
  const tokens = isCharged ? { input, output: tokensOf(characters) } : { input: 0, output: 0 };
  held.settle(spendingOf(1, tokens, price));
  if (hasCode(error, 'prompt-too-long')) sizing.refused(input, window.tokens);
  return tokens;
}

/**
 * Settles what a request came to, also when it fails; what had come of a reply that broke off is the reply where it can
 * be used.
 */
export function settled({
  settings,
  budget,
  emit,
}: Pick<DoorParts, 'settings' | 'budget' | 'emit'>): Layer<Attempt, Request> {
  /** Models whose server's count of tokens was not believed. */
  const miscounting = new Set<string>();

  /** What the reply is charged; that a server's count is not believed is told once of each model. */
  function charge(asked: Asked, reply: ModelReply, characters: number): Tokens {
    if (asked.model.info.spends === 'nothing') return { input: 0, output: 0 };
    const { tokens, disbelieved } = countTokens(requestOf(asked, settings, budget), reply, characters);
    const name = modelName(asked.model);
    if (disbelieved === null || miscounting.has(name)) return tokens;
    miscounting.add(name);
    emit({ type: 'warning', message: miscountOf(name, disbelieved, tokens) });
    return tokens;
  }

  return (next) => async (call, number, held) => {
    const { price, breaker, pace } = call.model;
    const coming: Coming = { characters: 0, text: '', lookedAt: 0, firstAt: null };
    const sentAt = now();
    try {
      const reply = await breaker.watch(
        () => next(call, number, coming),
        () => coming.characters === 0,
      );
      const tokens = charge(call, reply, coming.characters);
      held.settle(spendingOf(1, tokens, price));
      if (coming.firstAt !== null) pace.took(tokens, reply.timing ?? timingOf(coming, sentAt));
      const kept = beforeRepetition(reply.text);
      return kept === null ? { ...reply, tokens } : { ...cutOff(kept), tokens };
    } catch (error) {
      const tokens = settleFailed(call, error, coming, held);
      const saved = savedFrom(call, error, coming);
      if (saved === null) throw error;
      return { ...saved, tokens };
    }
  };
}
