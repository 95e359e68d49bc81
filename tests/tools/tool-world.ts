import { createContextStore } from '../../src/context/store/store.ts';
import { createContexts } from '../../src/tools/contexts/named-contexts.ts';
import { tools } from '../../src/tools/index.ts';
import type { Bounds, ToolWorld } from '../../src/tools/tool.ts';
import { createToolbox } from '../../src/tools/toolbox.ts';

const lines = (about: string, count: number) => Array.from({ length: count }, (_, n) => `${about} line ${n + 1}`);

const texts = {
  'notes.md': [...lines('notes', 40), 'The pool limit is 20.', ...lines('rest', 40), 'A limit of time is 5 s.'].join(
    '\n',
  ),
  'src/pool.ts': ['export const poolLimit = 20; // the pool', ...lines('// code', 20)].join('\n'),
  'src/time.ts': ['export const timeLimit = 5;', ''].join('\n'),
};

/** A small text in chunks of 200 bytes, and its tools. */
export function createToolWorld(bounds: Partial<Bounds> = {}) {
  const documents = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const store = createContextStore(documents, { chunkBytes: 200 });
  const shown: string[] = [];
  const contexts = createContexts({
    store,
    chunkBytes: 1_000,
    show: (indexes) =>
      indexes.map((index) => {
        const passage = store.plainPassage(store.chunk(index));
        shown.push(passage.id);
        return passage;
      }),
    retrieve: async () => [],
  });
  const world: ToolWorld = {
    bounds: { characters: 2_000, lines: 60, ...bounds },
    store,
    contexts,
    files: null,
    questions: null,
    cite: () => 'P1',
    signal: new AbortController().signal,
  };
  const toolbox = createToolbox(tools, new Set(['filter_context']));
  let step = 0;
  /** The text that a model gets for one call. */
  async function call(tool: string, given: unknown = {}) {
    step += 1;
    const { calls } = await toolbox.callAll([{ tool, arguments: given }], {
      step,
      firstShown: 1,
      worldFor: () => world,
    });
    return calls[0]!.use;
  }
  return {
    world,
    toolbox,
    shown,
    store,
    call,
    tell: async (tool: string, given?: unknown) => (await call(tool, given)).result,
  };
}
