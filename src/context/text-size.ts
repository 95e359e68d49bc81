/**
 * Room in a prompt is counted in bytes of ordinary text, 3 per token. Logs, tables and hashes have more tokens per
 * byte, so their size is estimated from their characters.
 */
import type { ContextStore } from './document.ts';

/** A conservative estimate: English text has 4 bytes per token, code has 3. */
const bytesPerToken = 3;

/** Usual maximum of tokens per character, by kind of character, fitted on texts of each kind (decision 0038). */
const perDigit = 1;
const perLetter = 0.3;
const perSign = 0.65;
const perBlank = 0.1;
/** `perShort`: characters of two bytes in UTF-8, such as ä or д. `perLong`: characters of three bytes. */
const perShort = 0.6;
const perLong = 1;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Estimates the tokens of a character. An ASCII letter or sign that follows a digit begins a new token. */
function tokensOfCode(code: number, before: number): number {
  if (code >= 0x800) return perLong;
  if (code >= 0x80) return perShort;
  if (isDigit(code)) return perDigit;
  if (code === 32 || code === 9) return perBlank;
  const letter = code | 32;
  const isLetter = letter >= 97 && letter <= 122;
  if (isDigit(before)) return perDigit;
  return isLetter ? perLetter : perSign;
}

function tokensByKind(text: string): number {
  let tokens = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    tokens += tokensOfCode(code, before);
    before = code;
  }
  return tokens;
}

/** Returns the usual maximum of tokens in `bytes` bytes of ordinary text. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / bytesPerToken);

/** Returns how many bytes of ordinary text usually fit into `tokens` tokens. */
export const bytesOf = (tokens: number): number => tokens * bytesPerToken;

/** Returns the size of a text for a model: its bytes, or more if it has more tokens than ordinary text. */
export const weigh = (text: string): number =>
  Math.max(Buffer.byteLength(text), Math.ceil(tokensByKind(text) * bytesPerToken));

const samples = 64;
const sampleBytes = 2_000;

function measure(store: ContextStore): number {
  const decoder = new TextDecoder();
  let [bytes, weight] = [0, 0];
  const count = Math.min(samples, store.chunkCount);
  for (let step = 0; step < count; step++) {
    const { document, startByte, endByte } = store.chunk(Math.floor((step * store.chunkCount) / count));
    const sample = store.read(document, startByte, Math.min(endByte, startByte + sampleBytes));
    bytes += sample.length;
    weight += weigh(decoder.decode(sample));
  }
  return bytes === 0 ? 1 : weight / bytes;
}

const known = new WeakMap<ContextStore, { readonly chunkCount: number; readonly density: number }>();

/** Returns the tokens per byte of a store's text relative to ordinary text, estimated from samples; at least 1. */
export function densityOf(store: ContextStore): number {
  const before = known.get(store);
  if (before?.chunkCount === store.chunkCount) return before.density;
  const density = Math.max(1, measure(store));
  known.set(store, { chunkCount: store.chunkCount, density });
  return density;
}

/** Returns the size of a store's whole text for a model. */
export const weightOf = (store: ContextStore): number => Math.ceil(store.totalBytes * densityOf(store));
