import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import { bytesOf, tokensOf, weigh, weightOf } from '../../context/text-size.ts';
import type { Message } from '../../providers/provider.ts';

/** Returns the size of rendered messages in tokens, estimated conservatively. */
export const messageTokens = (messages: readonly Message[]): number =>
  tokensOf(messages.reduce((total, { content }) => total + weigh(content) + 16, 0));

/** Room in a prompt for its instructions, the question and what is known, in tokens. */
const instructionTokens = 1_500;

/** Bytes that a passage's tags add to its text. */
export const passageOverheadBytes = 120;

/** Candidates per wanted passage that a model reranks, where there is room. */
export const rerankedPerPassage = 3;

/** Returns the usual size of a retrieved passage without its tags, in bytes. */
export const passageSizeOf = ({ chunkTokens, overlapTokens }: Settings['context']): number =>
  bytesOf(chunkTokens + overlapTokens);

/** Returns the size of the whole text as passages, in bytes of ordinary text. */
export const textBytesOf = (store: ContextStore): number => weightOf(store) + store.chunkCount * passageOverheadBytes;

/**
 * Returns the most tokens that messages can have: no tokenizer produces more tokens than bytes, and a chat template
 * adds a few per message.
 */
export const mostTokens = (messages: readonly Message[]): number =>
  messages.reduce((total, { content }) => total + Buffer.byteLength(content) + 32, 0);

/**
 * The window of a model. A whole run uses one window, since a change makes a local server load the model again. The
 * exception is a run that becomes an exploration only by the planner's decision.
 */
export interface Window {
  readonly tokens: number;
  /** Room for passages in a prompt, in bytes of ordinary text (text-size.ts). */
  readonly passageBytes: number;
  /** Whether the whole text fits that room. */
  readonly fits: boolean;
}

const smallestTokens = 8_192;

/**
 * Chooses the smallest sufficient window: for the whole text where it fits the largest allowed window, else for the
 * passages of one question. Windows are powers of two, so that runs of similar size share a loaded model.
 * @param textBytes the whole text as passages, in bytes.
 * @param largestTokens the model's largest window.
 * @returns that window, and the largest allowed one, for a conversation, which grows with each step.
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
