/**
 * The rules of the house, which are here and nowhere else: a folder of src/ imports only from those before it, and what
 * does a job behind a contract is named only by the file that chooses it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** From the ground up; a name is a folder of src/ or a file in it. */
const layers: readonly string[] = [
  'clock',
  'errors',
  'replace-file',
  'secrets',
  'state',
  'config',
  'prompts',
  'roles',
  'context',
  'providers',
  'evidence',
  'retrievers',
  'tools',
  'sandbox',
  'run',
  'strategies',
  'stages',
  'controller',
  'result',
  'journal',
  'cache',
  'indexes',
  'audit',
  'choose-provider',
  'presets',
  'choose-models',
  'choose-embedder',
  'choose-vectors',
  'choose-retriever',
  'measure-run',
  'open-archives',
  'create-run',
  'read-text',
  'ask-options',
  'prepare',
  'carry-out',
  'ask',
  'open-context',
  'dry-run',
  'resume',
  'index',
  'cli',
];

/** What of a folder anybody above it may import, and who may import the rest of it. */
interface Wall {
  readonly folder: string;
  /** Contracts, and what every user of them needs. */
  readonly open: readonly string[];
  /** Importers outside the folder, with what they may name. */
  readonly choosers: Readonly<Record<string, readonly string[] | 'all'>>;
}

const walls: readonly Wall[] = [
  {
    folder: 'providers',
    open: ['provider', 'embedder', 'abort'],
    // The scripted provider is part of the public API, for tests.
    choosers: {
      'choose-provider': 'all',
      'choose-embedder': 'all',
      index: ['scripted'],
      // Search servers are asked over the same HTTP.
      retrievers: ['http', 'http-errors', 'json'],
    },
  },
  {
    folder: 'retrievers',
    open: ['retriever'],
    choosers: {
      'choose-retriever': 'all',
      // What an index keeps is what the lexical retriever makes.
      indexes: ['chunk-bytes', 'lexical', 'postings', 'ranking', 'segment'],
    },
  },
  {
    // What reads, decodes and stores; what works on words or is a type may be used by all.
    folder: 'context',
    open: [
      'document',
      'windows',
      'description',
      'peek',
      'search',
      'terms',
      'stem',
      'stopwords',
      'identifier',
      'memo',
      'pacer',
      'map-concurrent',
      'spool',
      'growing-array',
      'text-hash',
    ],
    choosers: {
      'measure-run': ['gather-inputs'],
      'open-archives': ['gather-inputs'],
      'create-run': ['gather-inputs'],
      // Tools look at files as the readers of the input do, and at code as the chunkers do.
      tools: [
        'chunkers',
        'decode',
        'glob',
        'ignore-rules',
        'kinds',
        'missing-input',
        'paths',
        'shown-text',
        'skipped',
        'view',
      ],
      indexes: [
        'store',
        'chunk-table',
        'chunkers',
        'find-inputs',
        'read-inputs',
        'reading',
        'urls',
        'chunk',
        'input-total',
        'decode',
        'skipped',
        'paths',
      ],
      strategies: ['view'],
      'read-text': ['gather-inputs', 'store'],
      'ask-options': ['gather-inputs'],
      'dry-run': ['gather-inputs'],
      resume: ['gather-inputs'],
      index: ['gather-inputs'],
    },
  },
];

/** An import that a rule forbids, or a place that the list does not know. */
export interface Violation {
  readonly file: string;
  readonly imports: string;
  readonly why: string;
}

const importPattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)'(\.[^']+)'/gm;

const layerOf = (path: string): string => path.split('/')[0]!.replace(/\.ts$/, '');

/** The part of a folder that a path leads to: `ollama-host`, or `extractive` for all that lies in it. */
const partOf = (path: string): string => path.split('/')[1]?.replace(/\.ts$/, '') ?? '';

function judgeOrder(from: string, to: string, target: string): string | null {
  if (!layers.includes(from)) return `${from} is not in the list of layers`;
  if (!layers.includes(to)) return target.startsWith('..') ? null : `${to} is not in the list of layers`;
  return layers.indexOf(to) > layers.indexOf(from) ? `${from} comes before ${to}` : null;
}

function judgeWall(from: string, to: string, target: string): string | null {
  const wall = walls.find(({ folder }) => folder === to);
  const part = partOf(target);
  if (wall === undefined || from === to || wall.open.includes(part)) return null;
  const allowed = wall.choosers[from] ?? [];
  if (allowed === 'all' || allowed.includes(part)) return null;
  const choosers = Object.keys(wall.choosers).map((name) => `${name}.ts`);
  return `${target} is behind a contract; only ${choosers.join(' and ')} may name it`;
}

function judge(file: string, target: string): string | null {
  const [from, to] = [layerOf(file), layerOf(target)];
  return judgeOrder(from, to, target) ?? judgeWall(from, to, target);
}

/** Every violation below a source folder. */
export async function findViolations(source: string): Promise<Violation[]> {
  const entries = await readdir(source, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => entry.replaceAll('\\', '/'));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(source, file), 'utf8');
      return [...text.matchAll(importPattern)].flatMap((match): Violation[] => {
        const target = relative(source, join(source, dirname(file), match[1]!)).replaceAll('\\', '/');
        const why = judge(file, target);
        return why === null ? [] : [{ file, imports: target, why }];
      });
    }),
  );
  return found.flat();
}
