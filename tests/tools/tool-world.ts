import { computedPassage } from '../../src/context/computed-passage.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import type { Passage } from '../../src/state.ts';
import { tools } from '../../src/tools/index.ts';
import type { Bounds, Shown, Tool, ToolWorld } from '../../src/tools/tool.ts';
import { createToolbox } from '../../src/tools/toolbox.ts';

const lines = (about: string, count: number) => Array.from({ length: count }, (_, n) => `${about} line ${n + 1}`);

export const texts = {
  'notes.md': [...lines('notes', 40), 'The pool limit is 20.', ...lines('rest', 40), 'A limit of time is 5 s.'].join(
    '\n',
  ),
  'src/pool.ts': ['export const poolLimit = 20; // the pool', ...lines('// code', 20)].join('\n'),
  'src/time.ts': ['export const timeLimit = 5;', ''].join('\n'),
};

/** Returns the page that a tool shows within the bounds of its world. */
export async function shownBy<A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<Shown> {
  const result = await tool.run(given, world);
  return typeof result === 'string' ? { text: result, passages: [] } : result(world.bounds);
}

/** Returns the text that a tool shows. */
export const tell = async <A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<string> =>
  (await shownBy(tool, given, world)).text;

/** Creates the world of tools over documents, in chunks of 200 bytes. */
export function worldOf(documents: Readonly<Record<string, string>>, changes: Partial<ToolWorld> = {}): ToolWorld {
  const store = createContextStore(
    Object.entries(documents).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { chunkBytes: 200 },
  );
  return {
    bounds: { characters: 2_000, lines: 60 },
    store,
    files: null,
    pieceBytes: 1_000,
    questions: null,
    find: async () => [],
    note: () => 'Noted.',
    compute: computedPassage,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** A small text, and its tools. */
export function createToolWorld(bounds: Partial<Bounds> = {}, changes: Partial<ToolWorld> = {}) {
  const kept: string[] = [];
  const world = worldOf(texts, { bounds: { characters: 2_000, lines: 60, ...bounds }, ...changes });
  const toolbox = createToolbox(tools);
  let step = 0;
  const keep = (passages: readonly Passage[]) => void kept.push(...passages.map(({ id }) => id));
  /** Returns what a model gets for one call. */
  async function call(tool: string, given: unknown = {}) {
    step += 1;
    const { calls } = await toolbox.callAll([{ tool, arguments: given }], { step, firstShown: 1, world, keep });
    return calls[0]!.use;
  }
  return {
    world,
    toolbox,
    kept,
    call,
    tell: async (tool: string, given?: unknown) => (await call(tool, given)).result,
  };
}
