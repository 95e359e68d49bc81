/** One budget for all answers of an evaluation. */
import type { Allowance } from '../arms/answer.ts';

/** What an answer has spent. */
export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Part of the budget that an answer may spend. */
interface Grant {
  readonly allowance: Allowance;
  /** Gives back what was not spent. */
  settle(spent: Spent): void;
}

export interface SharedBudget {
  /** Null where nothing is left. */
  take(): Grant | null;
  spent(): Spent;
}

const kinds = ['calls', 'tokens', 'usd'] as const;
type Kind = (typeof kinds)[number];

/** With less than that there is no answer. */
const least: Readonly<Record<Kind, number>> = { calls: 1, tokens: 500, usd: 1e-9 };

/** Amounts of money are told with so many digits; calls and tokens are whole. */
const round = (kind: Kind, amount: number) => (kind === 'usd' ? Math.floor(amount * 1e8) / 1e8 : Math.floor(amount));

/**
 * A budget that answers at the same time cannot overspend: each is granted its share of what no other holds.
 * @param limits null: no limit.
 * @param atOnce how many answers hold a grant at the same time, at most.
 * @param before what was spent earlier.
 */
export function createSharedBudget(limits: Allowance, atOnce: number, before: Spent): SharedBudget {
  const spent = { ...before };
  const held = { calls: 0, tokens: 0, usd: 0 };
  let open = 0;

  function shareOf(kind: Kind): number | null {
    const limit = limits[kind];
    if (limit === null) return null;
    return round(kind, (limit - spent[kind] - held[kind]) / Math.max(1, atOnce - open));
  }

  return {
    take() {
      const allowance = { calls: shareOf('calls'), tokens: shareOf('tokens'), usd: shareOf('usd') };
      if (kinds.some((kind) => allowance[kind] !== null && allowance[kind] < least[kind])) return null;
      open += 1;
      for (const kind of kinds) held[kind] += allowance[kind] ?? 0;
      return {
        allowance,
        settle(used) {
          open -= 1;
          for (const kind of kinds) held[kind] -= allowance[kind] ?? 0;
          for (const kind of kinds) spent[kind] += used[kind];
        },
      };
    },
    spent: () => ({ ...spent }),
  };
}
