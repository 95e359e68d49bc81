import type { CallTokens } from '../../state.ts';
import type { RunModel } from '../roster.ts';
import type { CallSpending } from './archive.ts';
import { servedBy } from './asked.ts';
import type { Spending } from './budget.ts';
import { callKey } from './call-identity.ts';
import type { DoorParts, IdentifiedCall } from './layer.ts';
import { costOf } from './prices.ts';

/** Returns the spending for recorded replies with the real cost in place of the highest possible one of the journal. */
export function withCosts(replied: ReadonlyMap<string, CallSpending>, models: readonly RunModel[]) {
  const prices = new Map(models.map((model) => [JSON.stringify(servedBy(model)), model.price]));
  return new Map(
    [...replied].map(([key, spent]) => {
      const { provider, model, tokens } = spent;
      const price = prices.get(JSON.stringify({ provider, model }));
      return [key, price ? { ...spent, cost: costOf(tokens, price) } : spent];
    }),
  );
}

/**
 * Creates the ledger. It charges what earlier sessions of the run spent. It records the spending of a call in the
 * journal; the call's reply replaces this record.
 */
export function createLedger(parts: Pick<DoorParts, 'archives' | 'lost' | 'replied' | 'budget'>) {
  const { archives, lost, replied: unused, budget } = parts;
  let hasRequested = false;
  const amountOf = ({ requests, tokens, cost }: CallSpending): Spending => ({
    ...{ calls: requests, tokens: tokens.input + tokens.output, usd: cost ?? 0 },
  });
  return {
    /** Charges the cost of a recorded reply. */
    chargeReply({ identity }: Pick<IdentifiedCall, 'identity'>, cost: Spending): void {
      const charged = hasRequested ? unused.get(callKey(identity)) : undefined;
      unused.delete(callKey(identity));
      // An estimate was charged before; it becomes the cost.
      budget.charge(charged ? { calls: 0, tokens: 0, usd: cost.usd - amountOf(charged).usd } : cost);
    },
    /**
     * Charges what earlier sessions spent on calls without a reply, and on replies that this session has not used. Runs
     * only before a request, so that replayed calls lead to the same decisions as before.
     */
    chargeEarlier(): void {
      if (hasRequested) return;
      hasRequested = true;
      for (const earlier of [...lost, ...unused.values()]) budget.charge(amountOf(earlier));
    },
    note({ identity, model }: IdentifiedCall, requests: number, tokens: CallTokens, isOver: boolean) {
      const spent = { tokens, cost: model.price ? costOf(tokens, model.price) : null };
      const isFree = model.info.spends === 'nothing';
      for (const archive of isFree ? [] : archives)
        archive.spend?.(identity, { ...servedBy(model), requests, ...spent }, isOver);
      return spent;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
