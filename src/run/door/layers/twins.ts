import { optionsOf } from '../asked.ts';
import type { CallIdentity } from '../call-identity.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain, Obtained } from '../layer.ts';

/** Merges identical calls into one, also in progress, except where `holds` finds the call itself recorded. */
export function twins(
  { settings }: Pick<DoorParts, 'settings'>,
  holds: (identity: CallIdentity) => Promise<boolean>,
): Layer<Obtain> {
  const first = new Map<string, Promise<Obtained>>();

  /** Otherwise they would be independent samples, which may be intended. */
  const areOne = (call: IdentifiedCall) =>
    optionsOf(call, settings).temperature === 0 || settings.seed !== null || settings.cache.enabled;

  return (next) =>
    async function obtain(call): Promise<Obtained> {
      if (!areOne(call)) return next(call);
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
