import type { Allowance } from '../arms/arm.ts';

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

const kinds = ['calls', 'tokens', 'usd'] as const;
type Kind = (typeof kinds)[number];

/** The minimum of each kind that an answer needs. */
const least: Spent = { calls: 1, tokens: 500, usd: 1e-9 };

const round = (kind: Kind, amount: number) => (kind === 'usd' ? Math.floor(amount * 1e8) / 1e8 : Math.floor(amount));

/** Creates a budget for concurrent answers. Each grant is an equal share of the amount not yet spent or granted. */
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
    take() {
      const allowance = { calls: shareOf('calls'), tokens: shareOf('tokens'), usd: shareOf('usd') };
      if (kinds.some((kind) => allowance[kind] !== null && allowance[kind] < least[kind])) return null;
      open += 1;
      for (const kind of kinds) held[kind] += allowance[kind] ?? 0;
      return {
        allowance,
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
