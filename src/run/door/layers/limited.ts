import type { Layer, Obtain } from '../layer.ts';

/** Waits for a place among the calls that the model's server takes at once. */
export const limited: Layer<Obtain> = (next) => (call) =>
  call.model.limiter(() => next(call), call.place.path, call.signal);
