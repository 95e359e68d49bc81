import { modelName } from '../../roster.ts';
import { type Asked, optionsOf } from '../asked.ts';
import { type CallIdentity, createPlaces } from '../call-identity.ts';
import type { DoorParts, Layer, Obtain, ParsedObtained, Send } from '../layer.ts';

/** Creates the functions that identify a run's calls by their path and request. */
export function createNames({ settings }: Pick<DoorParts, 'settings'>) {
  const places = createPlaces();
  const identityOf = (asked: Asked, isTaken: boolean): CallIdentity => {
    const { model, place, input } = asked;
    const name = places(place, input.prompt, modelName(model), isTaken);
    return model.identify(name, { ...asked, ...optionsOf(asked, settings) });
  };
  return {
    take: (asked: Asked) => identityOf(asked, true),
    /** Returns the identity that the call would have, without counting the call. */
    next: (asked: Asked) => identityOf(asked, false),
  };
}

/** Turns a rendered prompt into a named call. */
export const named =
  (
    { signals }: Pick<DoorParts, 'signals'>,
    names: Pick<ReturnType<typeof createNames>, 'take'>,
  ): Layer<Send, Obtain<ParsedObtained>> =>
  (next) =>
  async (asked) => {
    const signal = signals[asked.place.share];
    signal.throwIfAborted();
    return next({ ...asked, identity: names.take(asked), signal });
  };
