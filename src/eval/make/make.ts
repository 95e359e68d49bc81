/** Implements `rlm eval make`: writes a folder of texts and a file of questions about them. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askPlainly } from '../../api/ask-plainly.ts';
import { openContext } from '../../api/open-context.ts';
import type { Configuration } from '../../config/layers.ts';
import { RlmError } from '../../errors.ts';
import type { Provider } from '../../providers/provider.ts';
import { makeCommonWords, makeFrequentWords } from './counting.ts';
import { makeMultihop } from './multihop.ts';
import { makeNeedles, makeVariables } from './needles.ts';
import { makeOolong, makePairs } from './oolong.ts';
import { createRandom } from './random.ts';
import type { Generator, Task } from './task.ts';

const generators: Readonly<Record<string, Generator>> = {
  niah: makeNeedles,
  vt: makeVariables,
  cwe: makeCommonWords,
  fwe: makeFrequentWords,
  oolong: makeOolong,
  pairs: makePairs,
  multihop: makeMultihop,
};

/** Every kind of task. */
export const taskKinds: readonly string[] = Object.keys(generators);

/** What to make. */
export interface MakeOptions {
  readonly kind: string;
  /** Lengths of the texts, in tokens. */
  readonly tokens: readonly number[];
  /** Number of samples of each length. */
  readonly samples: number;
  readonly seed: number;
  /** Files for the haystack; empty: noise. */
  readonly haystack: readonly string[];
  /** The folder that is written. */
  readonly output: string;
  readonly configuration: Configuration;
  /** Whether the configured model counts the tokens, with two short calls; else they are estimated. */
  readonly counts: boolean;
  readonly signal: AbortSignal;
  readonly provider?: Provider;
}

/** The tasks that were written. */
export interface MadeTasks {
  /** The file of questions. */
  readonly questions: string;
  readonly samples: number;
  /** Characters per token. */
  readonly perToken: number;
}

/** Characters of a sentence of the haystack, at most; a longer one is left out. */
const longestSentence = 600;

async function readHaystack({ haystack, configuration, signal }: MakeOptions): Promise<readonly string[]> {
  if (haystack.length === 0) return [];
  const context = await openContext({ paths: haystack, configuration, signal });
  try {
    const decoder = new TextDecoder();
    const texts = context.documents.map(({ bytes }, at) => decoder.decode(context.read(at, 0, bytes)));
    const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
    const sentences = texts.flatMap((text) => text.split(/\n\s*\n/).flatMap((part) => [...segmenter.segment(part)]));
    const plain = sentences.map(({ segment }) => segment.replace(/\s+/g, ' ').trim());
    return plain.filter((sentence) => /\p{L}/u.test(sentence) && sentence.length <= longestSentence);
  } finally {
    await context.close();
  }
}

/** Characters per token of English text, for most tokenizers. */
const usualPerToken = 4;

/** Measures the characters per token of a text with two calls that differ by the text alone. */
async function measurePerToken(text: string, { configuration, provider, signal }: MakeOptions): Promise<number> {
  const ask = async (content: string): Promise<number> => {
    const documents = [{ name: 'text', text: content }];
    const options = { configuration, signal, documents, ...(provider && { provider }) };
    const { usage, error } = await askPlainly('Reply with OK.', options);
    if (usage.tokens.input > 0) return usage.tokens.input;
    const { code = 'provider-failed', message = 'the model reports no token counts' } = error ?? {};
    throw new RlmError(code, `the tokens of the model could not be counted: ${message}`, {
      hint: 'Leave --count-tokens out: lengths are estimated then.',
    });
  };
  const short = text.slice(0, Math.ceil(text.length / 10));
  const [all, few] = [await ask(text), await ask(short)];
  return (text.length - short.length) / Math.max(1, all - few);
}

const measuredCharacters = 6_000;

function taskFor(
  options: MakeOptions,
  tokens: number,
  index: number,
  haystack: readonly string[],
  perToken: number,
): Task {
  const random = createRandom(options.seed * 1_000_003 + tokens * 31 + index);
  const sizeOf = (text: string) => (text.length + 1) / perToken;
  return generators[options.kind]!({ random, tokens, sizeOf, haystack, index });
}

const shortLength = (tokens: number): string => (tokens % 1_000 === 0 ? `${tokens / 1_000}k` : String(tokens));

function checkOutput(output: string): string {
  const questions = join(output, 'questions.jsonl');
  if (!existsSync(questions)) return questions;
  throw new RlmError('output-unwritable', `${questions} is there already`, { hint: 'Name another folder with -o.' });
}

/**
 * Writes tasks with known answers. The same options give the same files.
 * @throws RlmError `usage` for an unknown kind, `output-unwritable`, and the errors of the haystack or the model.
 */
export async function makeTasks(options: MakeOptions): Promise<MadeTasks> {
  const { kind, tokens, samples, output } = options;
  if (!Object.hasOwn(generators, kind))
    throw new RlmError('usage', `there is no kind of task "${kind}"`, {
      hint: `The kinds are ${taskKinds.join(', ')}.`,
    });
  const questions = checkOutput(output);
  const haystack = await readHaystack(options);
  const example = taskFor(options, measuredCharacters / usualPerToken, 0, haystack, usualPerToken).text;
  const perToken = options.counts ? await measurePerToken(example, options) : usualPerToken;
  mkdirSync(join(output, 'text'), { recursive: true });
  const lines = tokens.flatMap((length) =>
    Array.from({ length: samples }, (_, index) => {
      const { text, line } = taskFor(options, length, index, haystack, perToken);
      const id = `${kind}-${shortLength(length)}-${index + 1}`;
      writeFileSync(join(output, 'text', `${id}.txt`), text);
      return JSON.stringify({ id, ...line, paths: `text/${id}.txt`, tokens: length });
    }),
  );
  writeFileSync(questions, `${lines.join('\n')}\n`);
  return { questions, samples: lines.length, perToken };
}
