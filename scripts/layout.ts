/**
 * All layout rules. A room of src/ imports only from those before it. A contract hides its implementations. The users
 * of the API run nothing below it. No two files import each other, including types and imports through other files.
 * Only descriptors compare the names of strategies and providers. A run with a language model loads no rule that reads
 * English. The linter limits the length of files and functions (biome.json).
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { comparedNames } from './compared-names.ts';

/** The rooms from the ground up: a folder of src/, or a file directly in it. */
const rooms: readonly string[] = [
  'errors',
  'base',
  'secrets',
  'state',
  'config',
  'schema',
  'prompts',
  'roles',
  'context',
  'inputs',
  'providers',
  'evidence',
  'query',
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
  'assemble',
  'report',
  'api',
  'index',
  'mcp',
  'eval',
  'cli',
];

/** A room that allows other rooms to import only a part of it. */
interface Wall {
  readonly room: string;
  /** Files or folders of the room that every later room may import. */
  readonly open: readonly string[];
  /** Rooms that may import more, with the files or folders that they may import. */
  readonly choosers: Readonly<Record<string, readonly string[] | 'all'>>;
}

const walls: readonly Wall[] = [
  {
    room: 'providers',
    // The ranking that answers without a model also selects the excerpts of passages for a model.
    open: ['provider', 'complete', 'embedder', 'compress-passages', 'thinking', 'broken-reply'],
    // The scripted provider is part of the public API. Search servers are asked over the same HTTP.
    choosers: { assemble: 'all', index: ['scripted'], retrievers: ['wire'] },
  },
  {
    room: 'retrievers',
    open: ['retriever'],
    // An index stores the postings of the lexical retriever.
    choosers: { assemble: 'all', indexes: ['lexical'] },
  },
  {
    room: 'inputs',
    open: [],
    // Tools read files in the same way as inputs are read.
    choosers: {
      ...{ assemble: 'all', api: 'all', indexes: 'all', tools: ['find', 'decode'] },
      ...{ index: ['gather-inputs'], mcp: ['gather-inputs'], cli: ['gather-inputs'] },
    },
  },
];

/** What each user of the API may also run: exact code, and code that shapes the text that people type and see. */
const plainRooms: readonly string[] = [
  ...['api', 'errors', 'base', 'config', 'state', 'result'],
  // Text for people, made from results of the API, and limits that all questions of a process share.
  ...['context/description', 'context/computed-passage', 'query/render-tables', 'run/door/limiter'],
];

/**
 * Rooms that use the API. They may import values only from the listed parts of src, and types from every room, because
 * types run nothing.
 */
const users: Readonly<Record<string, readonly string[]>> = {
  mcp: plainRooms,
  // Reports of evaluations use the renderers for runs, which are pure functions.
  eval: [...plainRooms, 'report'],
  cli: [
    ...plainRooms,
    // For text before a question is asked: the room of a prompt, the address of a model file, and the remaining time.
    ...['run/door/window', 'assemble/models/pull-model-file', 'assemble/within-time'],
    // The programs that it starts: the MCP server and the evaluation.
    ...['mcp/stdio', 'mcp/http', 'eval/index'],
  ],
};

/** Folders with rules that read English. They are loaded only for answers without a language model. */
const englishRules: readonly string[] = ['providers/extractive', 'query/translate'];

/** Files that load the rules with a dynamic import, when it is known that no language model answers. */
const rulesDoors: readonly string[] = ['query/worker', 'assemble/models/providers'];

/** The ranking of sentences selects a small model's excerpts, and the quotes if that model gives no answer. */
const rankers: readonly string[] = ['providers/compress-passages'];

/** A forbidden import, an unlisted room, or a compared name. */
export interface Violation {
  readonly file: string;
  /** The imported file; null if the fault is not an import. */
  readonly imports: string | null;
  readonly why: string;
}

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isDynamic: boolean;
  readonly isType: boolean;
}

const importPattern = /(?:\bfrom\s*|\b(import\s*\(\s*)|^import\s+)'(\.[^']+)'/gm;

const roomOf = (path: string): string => path.split('/')[0]!.replace(/\.ts$/, '');

/** Returns the file or folder below the room in a path. */
const partOf = (path: string): string => path.split('/')[1]?.replace(/\.ts$/, '') ?? '';

function judgeOrder({ target }: Import, from: string, to: string): string | null {
  if (!rooms.includes(from)) return `${from} is not in the list of rooms`;
  if (!rooms.includes(to)) return target.startsWith('..') ? null : `${to} is not in the list of rooms`;
  return rooms.indexOf(to) > rooms.indexOf(from) ? `${from} comes before ${to}` : null;
}

function judgeWall({ target }: Import, from: string, to: string): string | null {
  const wall = walls.find(({ room }) => room === to);
  if (wall === undefined || from === to || wall.open.includes(partOf(target))) return null;
  const allowed = wall.choosers[from] ?? [];
  if (allowed === 'all' || allowed.includes(partOf(target))) return null;
  return `${target} is behind a contract; only ${Object.keys(wall.choosers).join(' and ')} may name it`;
}

/** Whether the names contain a path, without its extension, or a folder above it. */
const isNamed = (path: string, names: readonly string[]): boolean => {
  const plain = path.replace(/\.ts$/, '');
  return names.some((name) => plain === name || plain.startsWith(`${name}/`));
};

function judgeUser({ target, isType }: Import, from: string, to: string): string | null {
  const allowed = users[from];
  if (allowed === undefined || isType || from === to || isNamed(target, allowed) || !rooms.includes(to)) return null;
  return `${from} uses api, what is listed beside it, and nothing else of src`;
}

/** No room may use the interface for programs outside src. */
const judgeIndex = (to: string): string | null => (to === 'index' ? 'index is for programs outside src' : null);

/** Types count like values: a file that needs the types of the rules works with their results. */
function judgeRules({ file, target, isDynamic }: Import): string | null {
  if (!isNamed(target, englishRules) || isNamed(file, [...englishRules, ...rankers])) return null;
  if (!isNamed(file, rulesDoors)) return 'rules that read English are for answers without a language model';
  return isDynamic ? null : 'rules that read English are loaded by a dynamic import, where no language model answers';
}

function judge(found: Import): string | null {
  const [from, to] = [roomOf(found.file), roomOf(found.target)];
  const byRoom =
    judgeOrder(found, from, to) ?? judgeWall(found, from, to) ?? judgeUser(found, from, to) ?? judgeIndex(to);
  return byRoom ?? judgeRules(found);
}

/** Reads every file below a source folder, including scripts and style sheets of pages. Returns texts by path. */
export async function readSource(source: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(source, file), 'utf8')] as const)),
  );
}

/** Whether the import statement at the end of a text imports only types. */
function isTypeImport(before: string): boolean {
  const [, keyword, names] = /(?:^|\n)(?:import|export)( type)?\s*(\{[^}]*\})?\s*$/.exec(before) ?? [];
  const all = names?.slice(1, -1).split(',') ?? [];
  return keyword !== undefined || (names !== undefined && all.every((name) => /^\s*(?:type\s.*)?$/s.test(name)));
}

const importsOf = (source: string, file: string, text: string): Import[] =>
  [...text.matchAll(importPattern)].map((match) => {
    const target = relative(source, join(source, dirname(file), match[2]!)).replaceAll('\\', '/');
    return { file, target, isDynamic: match[1] !== undefined, isType: isTypeImport(text.slice(0, match.index)) };
  });

/** Returns the first path of imports from `file` back to itself, by depth-first search; null without one. */
function circleFrom(file: string, targets: ReadonlyMap<string, readonly string[]>, done: Set<string>): string[] | null {
  const path: string[] = [];
  const visit = (at: string): string[] | null => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (done.has(at)) return null;
    path.push(at);
    for (const target of targets.get(at) ?? []) {
      const circle = visit(target);
      if (circle !== null) return circle;
    }
    path.pop();
    done.add(at);
    return null;
  };
  return visit(file);
}

/** Returns the cycles of imports, including types and lazy imports. */
function findCircles(imports: readonly Import[]): Violation[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const done = new Set<string>();
  return [...targets.keys()].flatMap((file): Violation[] => {
    const circle = circleFrom(file, targets, done);
    for (const visited of circle ?? []) done.add(visited);
    return circle === null ? [] : [{ file: circle[0]!, imports: circle[1]!, why: `a circle: ${circle.join(' → ')}` }];
  });
}

/** Returns every violation below a source folder. */
export async function findViolations(source: string): Promise<Violation[]> {
  const texts = [...(await readSource(source))].filter(([file]) => file.endsWith('.ts'));
  const imports = texts.flatMap(([file, text]) => importsOf(source, file, text));
  const forbidden = imports.flatMap((found): Violation[] => {
    const why = judge(found);
    return why === null ? [] : [{ file: found.file, imports: found.target, why }];
  });
  const compared = texts.flatMap(([file, text]) =>
    comparedNames(file, text).map((why): Violation => ({ file, imports: null, why })),
  );
  return [...forbidden, ...findCircles(imports), ...compared];
}
