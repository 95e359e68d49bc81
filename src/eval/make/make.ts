import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openContext } from '../../api/open-context.ts';
import { makeFolder } from '../../base/files/system.ts';
import type { Configuration } from '../../config/layers.ts';
import { RlmError, unwritable } from '../../errors.ts';
import { makeMultihop, makeNeedles } from './needles.ts';
import { makeOolong, makePairs } from './oolong.ts';
import { createRandom, type Generator, type Task } from './task.ts';

const generators: Readonly<Record<string, Generator>> = {
  niah: makeNeedles,
  oolong: makeOolong,
  pairs: makePairs,
  multihop: makeMultihop,
};

export const taskKinds: readonly string[] = Object.keys(generators);

export interface MakeOptions {
  readonly kind: string;
  /** Lengths of the texts, in tokens. */
  readonly tokens: readonly number[];
  /** Number of tasks for each length. */
  readonly samples: number;
  readonly seed: number;
  /** Files whose sentences make up the haystack; without files, the haystack is noise. */
  readonly haystack: readonly string[];
  readonly output: string;
  readonly configuration: Configuration;
  readonly signal: AbortSignal;
}

/** Maximum length of a sentence, in characters. Longer sentences of the haystack are left out. */
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
const perToken = 4;

function taskFor(options: MakeOptions, tokens: number, index: number, haystack: readonly string[]): Task {
  const random = createRandom(options.seed * 1_000_003 + tokens * 31 + index);
  const sizeOf = (text: string) => (text.length + 1) / perToken;
  return generators[options.kind]!({ random, tokens, sizeOf, haystack, index });
}

function write(path: string, content: string): void {
  try {
    makeFolder(dirname(path), 0o777);
    writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    throw unwritable(path, error, 'Name another folder with -o, or make it writable.');
  }
}

const shortLength = (tokens: number): string => (tokens % 1_000 === 0 ? `${tokens / 1_000}k` : String(tokens));

/**
 * Writes tasks with known answers. The same options give the same files.
 * @throws RlmError `usage` for an unknown kind, `output-unwritable`, and errors of reading the haystack.
 */
export async function makeTasks(options: MakeOptions) {
  const { kind, tokens, samples, output } = options;
  if (!Object.hasOwn(generators, kind))
    throw new RlmError('usage', `there is no kind of task "${kind}"`, {
      hint: `The kinds are ${taskKinds.join(', ')}.`,
    });
  const questions = join(output, 'questions.jsonl');
  if (existsSync(questions))
    throw new RlmError('output-unwritable', `${questions} already exists`, { hint: 'Name another folder with -o.' });
  const haystack = await readHaystack(options);
  const lines = tokens.flatMap((length) =>
    Array.from({ length: samples }, (_, index) => {
      const { text, line } = taskFor(options, length, index, haystack);
      const id = `${kind}-${shortLength(length)}-${index + 1}`;
      write(join(output, 'text', `${id}.txt`), text);
      return JSON.stringify({ id, ...line, paths: `text/${id}.txt`, tokens: length });
    }),
  );
  write(questions, `${lines.join('\n')}\n`);
  return { questions, samples: lines.length };
}
