import { modelName } from '../../roster.ts';
import { type Asked, optionsOf } from '../asked.ts';
import { type CallIdentity, createPlaces } from '../call-identity.ts';
import type { DoorParts, Layer, Obtain, ParsedObtained, Send } from '../layer.ts';

/** Names the calls of a run: by where in the tree they are made, and by what is asked. */
export function createNames({ settings }: Pick<DoorParts, 'settings'>) {
  const places = createPlaces();
  const identityOf = (asked: Asked, at: 'next' | 'take'): CallIdentity => {
    const { model, place, input } = asked;
    const name = places[at](place, input.prompt, modelName(model));
    return model.identify(name, { ...asked, ...optionsOf(asked, settings) });
  };
  return {
    /** The identity of a call that is made now. */
    take: (asked: Asked) => identityOf(asked, 'take'),
    /** The identity that it would have. */
    next: (asked: Asked) => identityOf(asked, 'next'),
  };
}

/** Makes a call of what is asked, and of its reply what was said. */
export const named =
  (
    { signals }: Pick<DoorParts, 'signals'>,
    names: Pick<ReturnType<typeof createNames>, 'take'>,
  ): Layer<Send, Obtain<ParsedObtained>> =>
  (next) =>
  async (asked) => {
    const signal = signals[asked.place.share];
    signal.throwIfAborted();
    const { reply, parsed } = await next({ ...asked, identity: names.take(asked), signal });
    return { text: reply.text, parsed, cutShort: reply.cutShort === true };
  };
