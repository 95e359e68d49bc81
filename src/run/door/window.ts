import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import { bytesOf, tokensOf, weigh, weightOf } from '../../context/text-size.ts';
import type { Message, ModelInfo, ModelReply, ModelRequest } from '../../providers/provider.ts';
import type { CallTokens } from '../../state.ts';
import { isSmall } from '../model-capabilities.ts';

/** Returns the size of the pictures in messages, in tokens. */
export const pictureTokens = (messages: readonly Message[]): number =>
  messages
    .flatMap((message) => (message.role === 'user' ? (message.pictures ?? []) : []))
    .reduce((total, { tokens }) => total + tokens, 0);

const wordTokens = (messages: readonly Message[]): number =>
  tokensOf(messages.reduce((total, { content }) => total + weigh(content) + 16, 0));

/** Returns the size of rendered messages in tokens, estimated conservatively. */
export const messageTokens = (messages: readonly Message[]): number => wordTokens(messages) + pictureTokens(messages);

/** Room in a prompt for its instructions, the question and known answers, in tokens. */
const instructionTokens = 1_500;

/** Bytes that a passage's tags add to its text. */
export const passageOverheadBytes = 120;

/** Returns the usual size of a retrieved passage without its tags, in bytes. */
export const passageSizeOf = ({ chunkTokens, overlapTokens }: Settings['context']): number =>
  bytesOf(chunkTokens + overlapTokens);

/** Returns the size of all passages of the text, tags included, in bytes of ordinary text. */
export const textBytesOf = (store: ContextStore): number => weightOf(store) + store.chunkCount * passageOverheadBytes;

/** Returns the maximum number of tokens that messages can have. */
export const mostTokens = (messages: readonly Message[]): number =>
  messages.reduce((total, { content }) => total + Buffer.byteLength(content) + 32, pictureTokens(messages));

/** The window of a model. A run rarely changes it, because a change makes a local server reload the model. */
export interface Window {
  readonly tokens: number;
  /** Room for passages in a prompt, in bytes of ordinary text (text-size.ts). */
  readonly passageBytes: number;
  /**
   * Room for a question's first search, in bytes of ordinary text; null if that search returns `context.passages`
   * passages.
   */
  readonly lookBytes: number | null;
  /** Whether the whole text is read in one prompt. */
  readonly fits: boolean;
}

/** Returns the window with the least room for passages. */
export const smallestOf = (windows: readonly Window[]): Window =>
  windows.reduce((least, one) => (one.passageBytes < least.passageBytes ? one : least));

const smallestTokens = 8_192;

/** The largest default window, in tokens, on a server that reloads the model when the window size changes. */
const largestLoaded = 16_384;

/** The largest whole text that is read in one prompt by default, in tokens. */
const largestWhole = 32_768;

/** Returns the largest window of a model that a run may use, in tokens. */
export const largestWindow = (
  { maxWindowTokens, loadsWindow = false }: Pick<ModelInfo, 'maxWindowTokens' | 'loadsWindow'>,
  { context }: Settings,
): number => Math.min(maxWindowTokens, context.maxWindowTokens ?? (loadsWindow ? largestLoaded : maxWindowTokens));

/** The least room for a scan's piece: a share of the largest window, at most `largestPiece` tokens. */
const pieceShare = 0.25;
const largestPiece = 12_000;

const lookBytesOf = (info: ModelInfo, { auto }: Settings): number | null =>
  info.spends === 'nothing' || isSmall(info) ? null : bytesOf(auto.firstLookTokens);

/**
 * Chooses the smallest sufficient window: for the whole text if it fits, else for the passages of one question. Window
 * sizes grow by doubling, so that runs with texts of similar size share a loaded model.
 * @param textBytes the size of all passages of the text, tags included, in bytes.
 */
export function chooseWindows(
  textBytes: number,
  taskBytes: number,
  info: ModelInfo,
  settings: Settings,
): { readonly window: Window; readonly widest: Window } {
  const largest = largestWindow(info, settings);
  const lookBytes = lookBytesOf(info, settings);
  const passageSize = passageSizeOf(settings.context) + passageOverheadBytes;
  const overhead = instructionTokens + settings.reply.maxTokens + 2 * tokensOf(taskBytes);
  const whole = overhead + tokensOf(textBytes);
  const fits = whole <= Math.min(largest, settings.context.maxWindowTokens ?? largestWhole);
  const pieceBytes = lookBytes === null ? 0 : bytesOf(Math.min(largestPiece, largest * pieceShare));
  const room = Math.max(settings.context.passages * passageSize, lookBytes ?? 0, pieceBytes);
  const needed = fits ? whole : overhead + tokensOf(room);
  let tokens = Math.min(smallestTokens, largest);
  while (tokens < needed && tokens < largest) tokens = Math.min(largest, tokens * 2);
  const sized = (size: number): Window => ({
    tokens: size,
    passageBytes: Math.max(0, bytesOf(size - overhead)),
    lookBytes,
    fits,
  });
  return { window: sized(tokens), widest: sized(largest) };
}

/** A server's token count is implausible below `least` times the estimate, or above `most` times the upper bound. */
const least = 1 / 3;
const most = 4;

/** Maximum number of tokens that a chat template and a server's own tool instructions add. */
const addedTokens = 4_096;

/** Whether a server's token count is plausible. */
export const isCredible = (count: number, estimate: number, highest: number): boolean =>
  Number.isSafeInteger(count) && count >= Math.floor(estimate * least) && count <= highest * most;

/** The part of a reply that `countTokens` reads. */
export type CountedReply = Pick<ModelReply, 'text' | 'toolCalls' | 'tokens'>;

const writtenBytes = ({ text, toolCalls }: CountedReply): number =>
  Buffer.byteLength(text) + (toolCalls.length > 0 ? Buffer.byteLength(JSON.stringify(toolCalls)) : 0);

/**
 * Returns the server's token counts where they are plausible, else estimates. Wrong counts would disable the limits.
 * @param characters length of the reply that arrived, thinking included.
 */
export function countTokens(request: ModelRequest, reply: CountedReply, characters: number): CallTokens {
  const { messages, schema, tools, maxOutputTokens } = request;
  const estimate = { input: messageTokens(messages), output: tokensOf(Math.max(writtenBytes(reply), characters)) };
  if (reply.tokens === null) return estimate;
  const { input, output, cacheRead = 0, cacheWritten = 0 } = reply.tokens;
  const schemaBytes = Buffer.byteLength(JSON.stringify([schema, tools]));
  const isCache = [cacheRead, cacheWritten].every((count) => count >= 0) && cacheRead + cacheWritten <= input;
  // Models differ in the tokens that they count for a picture, so pictures do not raise the least plausible count.
  const isInput = isCache && isCredible(input, wordTokens(messages), mostTokens(messages) + schemaBytes + addedTokens);
  const isWritten = output > 0 || characters === 0;
  const isOutput = isWritten && isCredible(output, tokensOf(writtenBytes(reply)), maxOutputTokens + characters);
  if (isInput && isOutput) return reply.tokens;
  return { input: isInput ? input : estimate.input, output: isOutput ? output : estimate.output };
}

/** The ratio of a model's token counts to the estimates; shared by all calls to the model. */
export type Sizing = ReturnType<typeof createSizing>;

/** Minimum size of a measured prompt, in tokens. A smaller prompt is mostly template, which the estimate omits. */
const fewestTokens = 500;

const leastGrowth = 1.25;

const mostScale = 4;

/** Creates the ratio. It begins at 1, since the estimate is conservative, and never falls. */
export function createSizing() {
  let scale = 1;
  let refusals = 0;
  const grow = (to: number) => {
    scale = Math.max(scale, Math.min(mostScale, to));
  };
  return {
    /** Converts an estimate into tokens as this model counts them. */
    scaled: (tokens: number): number => Math.ceil(tokens * scale),
    /** Returns the window with its rooms adjusted to the model's token counts. */
    seen(window: Window): Window {
      if (scale === 1) return window;
      const { passageBytes, lookBytes } = window;
      const sized = (bytes: number) => Math.floor(bytes / scale);
      const instructionBytes = bytesOf(instructionTokens);
      const room = Math.max(0, sized(passageBytes + instructionBytes) - instructionBytes);
      return { ...window, passageBytes: room, lookBytes: lookBytes === null ? null : sized(lookBytes) };
    },
    counted(estimate: number, tokens: number): void {
      if (estimate >= fewestTokens) grow(tokens / estimate);
    },
    /** Raises the ratio after the server refused a prompt as too long. */
    refused(estimate: number, windowTokens: number): void {
      refusals += 1;
      grow(Math.max(scale * leastGrowth, windowTokens / estimate));
    },
    get refusals() {
      return refusals;
    },
  };
}

/** Returns the window with the least room for passages, adjusted to the models' token counts. */
export const smallestSeen = (models: readonly { readonly window: Window; readonly sizing: Sizing }[]): Window =>
  smallestOf(models.map(({ window, sizing }) => sizing.seen(window)));
