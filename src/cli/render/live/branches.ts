import { now } from '../../../base/clock.ts';
import { type RunEvent, strategyTraits } from '../../../index.ts';
import { asksModel } from '../model-calls.ts';
import { promptWords } from './words.ts';

/** A question of the tree, as known so far. */
export interface Branch {
  readonly path: string;
  readonly question: string;
  readonly startedAt: number;
  readonly parts: Branch[];
  state: 'working' | 'answered' | 'partial' | 'unanswered';
  /** The current activity. Empty when it is unknown. */
  doing: string;
  /** The number of characters of the current reply so far. */
  characters: number;
  calls: number;
  timeMs: number;
}

/** Returns the path of the parent question: `0.2` for `0.2.1`. */
const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/** Compares paths number by number. */
const byPath = (a: Branch, b: Branch): number => a.path.localeCompare(b.path, 'en', { numeric: true });

function update(branch: Branch, event: RunEvent): void {
  if (event.type === 'node.judged') branch.doing = strategyTraits[event.strategy].doing;
  if (event.type === 'ladder.climbed') branch.doing = 'trying another way';
  if (event.type === 'tool.called') branch.doing = `looking around (${event.tool})`;
  if (event.type === 'call.progress') branch.characters = event.characters;
  if (event.type === 'call.completed') branch.characters = 0;
  if (event.type === 'call.started') {
    branch.doing = promptWords[event.prompt];
    branch.characters = 0;
    if (asksModel(event)) branch.calls += 1;
  }
}

/** Builds the tree of questions from events. */
export function createBranches() {
  const byName = new Map<string, Branch>();
  const roots: Branch[] = [];
  let isModelRun = true;
  function add({ path, question }: Extract<RunEvent, { type: 'node.started' }>): void {
    const fresh = { startedAt: now(), parts: [], doing: '', characters: 0, calls: 0, timeMs: 0 };
    const branch: Branch = { path, question, state: 'working', ...fresh };
    byName.set(path, branch);
    const parent = byName.get(above(path));
    if (parent) parent.doing = 'answering its parts';
    const siblings = parent?.parts ?? roots;
    siblings.push(branch);
    siblings.sort(byPath);
  }
  return {
    roots: roots as readonly Branch[],
    onEvent(event: RunEvent): void {
      if (event.type === 'run.started') isModelRun = asksModel(event);
      if (event.type === 'node.started') add(event);
      const branch = 'path' in event ? byName.get(event.path) : undefined;
      if (branch === undefined) return;
      update(branch, event);
      if (event.type !== 'node.completed') return;
      Object.assign(branch, { state: event.status, timeMs: event.timeMs, characters: 0 });
      if (isModelRun) branch.calls = event.calls;
    },
  };
}
