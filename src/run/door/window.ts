import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import { bytesOf, tokensOf, weigh, weightOf } from '../../context/text-size.ts';
import type { Message } from '../../providers/provider.ts';

/** The size of rendered messages in tokens, estimated on the safe side. */
export const messageTokens = (messages: readonly Message[]): number =>
  tokensOf(messages.reduce((total, { content }) => total + weigh(content) + 16, 0));

/** Room in a prompt for its instructions, the question and what is known, in tokens. */
const instructionTokens = 1_500;

/** What a passage's tags add to its text, in bytes. */
export const passageOverheadBytes = 120;

/** So many passages for each one that is wanted are put in order by a model, where there is room. */
export const rerankedPerPassage = 3;

/** The size of a passage that was searched for, without its tags, as a rule. */
export const passageSizeOf = ({ chunkTokens, overlapTokens }: Settings['context']): number =>
  bytesOf(chunkTokens + overlapTokens);

/** The size of the whole text as passages, in bytes of ordinary text. */
export const textBytesOf = (store: ContextStore): number => weightOf(store) + store.chunkCount * passageOverheadBytes;

/**
 * The most tokens that messages can have: no tokenizer makes more tokens than bytes, and a chat template adds a few to
 * each message.
 */
export const mostTokens = (messages: readonly Message[]): number =>
  messages.reduce((total, { content }) => total + Buffer.byteLength(content) + 32, 0);

/**
 * A whole run uses one window, since another one makes a local server load the model again; but for one that only the
 * planner's word makes an exploration.
 */
export interface Window {
  readonly tokens: number;
  /** Bytes of ordinary text (text-size.ts) that a prompt has room for, as passages. */
  readonly passageBytes: number;
  /** Whether the whole text fits there. */
  readonly fits: boolean;
}

const smallestTokens = 8_192;

/**
 * The smallest window that serves: the whole text where it fits the largest one allowed, else the passages of one
 * question. Windows are powers of two, so that runs of like size share a loaded model.
 * @param textBytes the whole text as passages, in bytes.
 * @param largestTokens what the model can do.
 * @returns that window, and the largest one that is allowed: a conversation grows with each of its steps.
 */
export function chooseWindows(
  textBytes: number,
  taskBytes: number,
  largestTokens: number,
  settings: Settings,
): { readonly window: Window; readonly widest: Window } {
  const { maxWindowTokens } = settings.context;
  const passageSize = passageSizeOf(settings.context) + passageOverheadBytes;
  const passages = settings.context.passages * (settings.retrieval.rerank ? rerankedPerPassage : 1);
  const overhead = instructionTokens + settings.reply.maxTokens + 2 * tokensOf(taskBytes);
  const largest = Math.min(largestTokens, maxWindowTokens);
  const whole = overhead + tokensOf(textBytes);
  const needed = whole <= largest ? whole : overhead + tokensOf(passages * passageSize);
  let tokens = Math.min(smallestTokens, largest);
  while (tokens < needed && tokens < largest) tokens = Math.min(largest, tokens * 2);
  const sized = (size: number): Window => ({
    tokens: size,
    passageBytes: Math.max(0, bytesOf(size - overhead)),
    fits: whole <= largest,
  });
  return { window: sized(tokens), widest: sized(largest) };
}
