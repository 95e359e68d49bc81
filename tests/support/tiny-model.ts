/**
 * A language model of a few hundred kilobytes with random weights, as a GGUF file. Its output is noise, but it is a
 * real model, with a vocabulary of bytes and some words, attention, and a chat template. Its output is biased so that
 * JSON under a grammar ends: a text is short, a list has few items. Without a grammar it never stops by itself.
 */
import { ggufFile, type Tensor } from './gguf-file.ts';

const width = 64;
const inner = 96;
const layers = 2;
const heads = 4;

/** Creates a generator of pseudo-random numbers (mulberry32). The same seed gives the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Maps each byte to its letter in byte-level vocabularies. */
const letters: readonly string[] = (() => {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
})();

const spelled = (word: string): string[] => [...Buffer.from(word)].map((byte) => letters[byte]!);

function joinPair(word: readonly string[], first: string, second: string): string[] {
  const joined: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const isPair = word[at] === first && word[at + 1] === second;
    joined.push(isPair ? first + second : word[at]!);
    if (isPair) at += 1;
  }
  return joined;
}

/** Byte pair encoding on words: returns the most frequent pairs of letters first. Each pair becomes a token. */
function learnMerges(text: string, count: number): [string, string][] {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/ ?\p{L}+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let words = [...counts].map(([word, times]) => ({ parts: spelled(word), times }));
  const merges: [string, string][] = [];
  while (merges.length < count) {
    const pairs = new Map<string, number>();
    for (const { parts, times } of words) {
      for (let at = 1; at < parts.length; at++) {
        const pair = `${parts[at - 1]} ${parts[at]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + times);
      }
    }
    if (pairs.size === 0) break;
    const [best] = [...pairs].reduce((most, pair) => (pair[1] > most[1] ? pair : most));
    const [first = '', second = ''] = best.split(' ');
    merges.push([first, second]);
    words = words.map(({ parts, times }) => ({ parts: joinPair(parts, first, second), times }));
  }
  return merges;
}

const special = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

type Kind = 'quote' | 'opening' | 'digit' | 'other';
const kinds: readonly Kind[] = ['quote', 'opening', 'digit', 'other'];

function kindOf(token: string): Kind {
  if (token === '"') return 'quote';
  if (/^\d$/.test(token)) return 'digit';
  return '[{,: \n'.includes(token === letters[32] ? ' ' : token === letters[10] ? '\n' : token) ? 'opening' : 'other';
}

const ends = [']', '}'];
const blank = [letters[32]!, letters[10]!, letters[9]!];

/** How much more likely a token is after a token of each kind. */
function leaning(token: string, after: Kind): number {
  if (special.includes(token)) return -30;
  if (after === 'opening') {
    if ([...ends, ...blank, '-', '0'].includes(token)) return -6;
    return ['"', '{', '['].includes(token) || kindOf(token) === 'digit' ? 4 : 0;
  }
  if (after === 'quote') return token === '"' || blank.includes(token) ? -8 : ends.includes(token) ? 1 : 0;
  if (after === 'digit') return [...ends, ','].includes(token) ? 4 : -2;
  return token === '"' ? 3 : ends.includes(token) ? 2 : blank.includes(token) || token === ',' ? -2 : 0;
}

function weightsOf(vocabulary: readonly string[], random: () => number): Tensor[] {
  const noise = (length: number, scale: number) =>
    Float32Array.from({ length }, () => (random() + random() + random() - 1.5) * scale);
  const matrix = (name: string, columns: number, rows: number): Tensor => ({
    name: `${name}.weight`,
    shape: [columns, rows],
    weights: noise(columns * rows, 0.05),
  });
  const norm = (name: string): Tensor => ({
    name: `${name}.weight`,
    shape: [width],
    weights: new Float32Array(width).fill(1),
  });
  const embedding = matrix('token_embd', width, vocabulary.length);
  const output = matrix('output', width, vocabulary.length);
  for (const [row, token] of vocabulary.entries()) {
    embedding.weights[row * width + kinds.indexOf(kindOf(token))] = 1;
    // The last norm scales this 1 to about the root of the width.
    for (const [column, kind] of kinds.entries()) {
      output.weights[row * width + column] = leaning(token, kind) / Math.sqrt(width);
    }
  }
  const blocks = Array.from({ length: layers }, (_, layer) => `blk.${layer}.`).flatMap((block) => [
    norm(`${block}attn_norm`),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => matrix(block + name, width, width)),
    norm(`${block}ffn_norm`),
    matrix(`${block}ffn_gate`, width, inner),
    matrix(`${block}ffn_up`, width, inner),
    matrix(`${block}ffn_down`, inner, width),
  ]);
  return [embedding, ...blocks, norm('output_norm'), output];
}

const chatTemplate =
  "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/**
 * Returns the bytes of the file.
 * @param text its words become tokens, so that similar text has few tokens.
 */
export function tinyModel(text: string, { trainedTokens = 32_768, seed = 1 } = {}): Buffer {
  const merges = learnMerges(text, 400);
  const vocabulary = [...letters, ...merges.map((pair) => pair.join('')), ...special];
  const types = vocabulary.map((token) => (special.includes(token) ? 3 : 1));
  const idOf = (token: string) => vocabulary.indexOf(token);
  const values = {
    'general.architecture': 'llama',
    'general.name': 'Tiny',
    'llama.context_length': trainedTokens,
    'llama.embedding_length': width,
    'llama.block_count': layers,
    'llama.feed_forward_length': inner,
    'llama.rope.dimension_count': width / heads,
    'llama.attention.head_count': heads,
    'llama.attention.head_count_kv': heads,
    'llama.attention.layer_norm_rms_epsilon': { float: 1e-5 },
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'gpt-2',
    'tokenizer.ggml.tokens': vocabulary,
    'tokenizer.ggml.token_type': { integers: types },
    'tokenizer.ggml.merges': merges.map((pair) => pair.join(' ')),
    'tokenizer.ggml.bos_token_id': idOf('<|endoftext|>'),
    'tokenizer.ggml.eos_token_id': idOf('<|im_end|>'),
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': chatTemplate,
  };
  return ggufFile(values, weightsOf(vocabulary, createRandom(seed)));
}
