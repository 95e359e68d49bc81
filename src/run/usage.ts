import type { Tokens } from '../state.ts';
import type { EventBody } from './events.ts';

/** What a run, or a place in it, has cost. */
export interface Usage {
  /** Requests to the provider, repair turns included, retries not. */
  readonly calls: number;
  /** Of these, the calls below the root. */
  readonly subCalls: number;
  readonly failedCalls: number;
  readonly retries: number;
  readonly tokens: Tokens;
  /** From the start of the run to its end, in ms. */
  readonly wallTimeMs: number;
}

/** Adds up events as they come; also by place in the tree. */
export interface UsageMeter {
  add(event: EventBody): void;
  total(wallTimeMs: number): Usage;
  /** Calls and tokens of one place, without its children. */
  at(path: string): { readonly calls: number; readonly tokens: Tokens };
}

interface Tally {
  calls: number;
  input: number;
  output: number;
}

const isBelowRoot = (path: string) => path.includes('.');

/** A meter at zero. */
export function createUsageMeter(): UsageMeter {
  const byPath = new Map<string, Tally>();
  const all = { failedCalls: 0, retries: 0 };
  const tallyAt = (path: string): Tally => {
    const tally = byPath.get(path) ?? { calls: 0, input: 0, output: 0 };
    byPath.set(path, tally);
    return tally;
  };
  const sum = (pick: (tally: Tally) => number, where = (_path: string) => true) =>
    [...byPath].reduce((total, [path, tally]) => (where(path) ? total + pick(tally) : total), 0);

  return {
    add(event) {
      if (event.type === 'call.started') tallyAt(event.path).calls += 1;
      if (event.type === 'call.failed') all.failedCalls += 1;
      if (event.type === 'call.retried') all.retries += 1;
      if (event.type !== 'call.completed') return;
      const tally = tallyAt(event.path);
      tally.input += event.tokens.input;
      tally.output += event.tokens.output;
    },
    total: (wallTimeMs) => ({
      calls: sum((tally) => tally.calls),
      subCalls: sum((tally) => tally.calls, isBelowRoot),
      ...all,
      tokens: { input: sum((tally) => tally.input), output: sum((tally) => tally.output) },
      wallTimeMs: Math.round(wallTimeMs),
    }),
    at(path) {
      const { calls, input, output } = byPath.get(path) ?? { calls: 0, input: 0, output: 0 };
      return { calls, tokens: { input, output } };
    },
  };
}
