/** Finds replies without a request: in an identical call, in the run's journal or recording, or in the cache. */
import { optionsOf, type Started, spendingOf } from '../asked.ts';
import type { CallIdentity } from '../call-identity.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain, Obtained } from '../layer.ts';
import type { Ledger } from '../ledger.ts';

/** Creates a function that returns whether a call is in the journal or in a recording of the run. */
export function createPeek({ archives }: Pick<DoorParts, 'archives'>) {
  return async (identity: CallIdentity): Promise<boolean> => {
    const searches = archives.filter(({ replays }) => replays).map((archive) => archive.find(identity));
    const found = await Promise.all(searches.map((search) => search.catch(() => null)));
    return found.some((reply) => reply !== null);
  };
}

/**
 * Takes a reply from the journal or a recording. Charges its cost again, even beyond the limits, because it is paid
 * for. A reply that was itself reused is free.
 */
export const replayed =
  (
    { archives }: Pick<DoorParts, 'archives'>,
    ledger: Pick<Ledger, 'chargeReply'>,
    start: (call: IdentifiedCall) => Started,
  ): Layer<Obtain> =>
  (next) =>
  async (call) => {
    for (const archive of archives) {
      const reply = archive.replays ? await archive.find(call.identity) : null;
      if (reply === null) continue;
      const from = archive.name as 'journal' | 'cassette';
      if (reply.tries === 0) return { reply, from, number: null };
      ledger.chargeReply(call, spendingOf(reply.tries, reply.tokens, call.model.price));
      return { reply, from, ...start(call) };
    }
    return next(call);
  };

/** Takes a reply to an equal request of another run from the cache. It costs nothing. */
export const cached =
  ({ archives }: Pick<DoorParts, 'archives'>): Layer<Obtain> =>
  (next) =>
  async (call) => {
    for (const archive of archives) {
      const reply = archive.replays ? null : await archive.find(call.identity);
      if (reply !== null) return { reply, from: 'cache', number: null };
    }
    return next(call);
  };

/**
 * Lets identical calls share one reply, even while the first call is in progress. If `holds` is true for a call, the
 * journal or a recording contains its own reply, and the call takes this reply.
 */
export function twins(
  { settings }: Pick<DoorParts, 'settings'>,
  holds: (identity: CallIdentity) => Promise<boolean>,
): Layer<Obtain> {
  const first = new Map<string, Promise<Obtained>>();

  /** Whether equal calls may share a reply. Otherwise, the user may want independent samples. */
  const mayShare = (call: IdentifiedCall) =>
    optionsOf(call, settings).temperature === 0 || settings.seed !== null || settings.cache.enabled;

  return (next) =>
    async function obtain(call): Promise<Obtained> {
      if (!mayShare(call)) return next(call);
      const { hash } = call.identity;
      const twin = first.get(hash);
      if (twin === undefined) {
        const mine = next(call);
        first.set(hash, mine);
        mine.catch(() => first.delete(hash));
        return mine;
      }
      if (await holds(call.identity)) return next(call);
      const { reply } = await twin.catch(() => ({ reply: null }));
      return reply === null ? obtain(call) : { reply, from: 'run', number: null };
    };
}
