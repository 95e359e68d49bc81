/** The budget that the answers of an evaluation share. */
import type { Allowance } from '../arms/arm.ts';

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

const kinds = ['calls', 'tokens', 'usd'] as const;
type Kind = (typeof kinds)[number];

/** The least of each kind that an answer needs. */
const least: Spent = { calls: 1, tokens: 500, usd: 1e-9 };

/** Rounds an amount down: money to 8 decimals; calls and tokens to whole numbers. */
const round = (kind: Kind, amount: number) => (kind === 'usd' ? Math.floor(amount * 1e8) / 1e8 : Math.floor(amount));

/**
 * Creates a budget for concurrent answers. A grant is an equal share of the amount that is neither spent nor granted.
 * @param limits null: no limit.
 * @param atOnce the number of answers that may hold a grant at the same time.
 * @param before what was spent earlier.
 */
export function createSharedBudget(limits: Allowance, atOnce: number, before: Spent) {
  const spent = { ...before };
  const held = { calls: 0, tokens: 0, usd: 0 };
  let open = 0;

  function shareOf(kind: Kind): number | null {
    const limit = limits[kind];
    if (limit === null) return null;
    return round(kind, (limit - spent[kind] - held[kind]) / Math.max(1, atOnce - open));
  }

  return {
    /** Takes a grant; null where too little is left. */
    take() {
      const allowance = { calls: shareOf('calls'), tokens: shareOf('tokens'), usd: shareOf('usd') };
      if (kinds.some((kind) => allowance[kind] !== null && allowance[kind] < least[kind])) return null;
      open += 1;
      for (const kind of kinds) held[kind] += allowance[kind] ?? 0;
      return {
        allowance,
        /** Records what was spent, and returns the rest to the budget. */
        settle(used: Spent): void {
          open -= 1;
          for (const kind of kinds) held[kind] -= allowance[kind] ?? 0;
          for (const kind of kinds) spent[kind] += used[kind];
        },
      };
    },
    spent: (): Spent => ({ ...spent }),
  };
}
