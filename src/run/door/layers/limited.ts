import type { Layer, Obtain } from '../layer.ts';

/** Waits for a slot among the concurrent calls of the model's server. */
export const limited: Layer<Obtain> = (next) => (call) =>
  call.model.limiter(() => next(call), call.place.path, call.signal);
