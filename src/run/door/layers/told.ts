import { now } from '../../../base/time.ts';
import { toRlmError } from '../../../errors.ts';
import type { Exchange } from '../../events.ts';
import { type Asked, servedBy } from '../asked.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain, ParsedObtained } from '../layer.ts';
import { costOf } from '../prices.ts';

/** In USD; null when the price is not known. */
const costAt = ({ model }: Asked, { reply: { tokens } }: ParsedObtained): number | null =>
  model.price ? costOf(tokens, model.price) : null;

/** Starts the exchange of a request and its reply; a provider without a language model has no messages. */
function exchangeOf({ input, place, model, messages }: Asked, startedAt: number): Exchange {
  const timeMs = Math.round(now() - startedAt);
  return {
    call: null,
    path: place.path,
    prompt: input.prompt,
    ...servedBy(model),
    messages: model.info.spends === 'nothing' ? null : messages,
    reply: null,
    toolCalls: [],
    error: null,
    from: 'model',
    at: new Date(Date.now() - timeMs).toISOString(),
    timeMs,
    tokens: { input: 0, output: 0 },
    cost: 0,
  };
}

function obtainedExchange(call: IdentifiedCall, read: ParsedObtained): Exchange {
  const { reply, number, from } = read;
  const about = exchangeOf(call, number === null ? now() : read.startedAt);
  const spent = number === null ? {} : { tokens: reply.tokens, cost: costAt(call, read) };
  const told = { reply: reply.text, toolCalls: reply.toolCalls ?? [], from: from === 'recording' ? 'run' : from };
  return { ...about, call: number, ...told, ...spent };
}

/** Emits an event when a call ends, and passes its exchange to `onExchange`. */
export function told({ emit, onExchange }: Pick<DoorParts, 'emit' | 'onExchange'>): Layer<Obtain<ParsedObtained>> {
  function tell({ input, turns, place, model }: IdentifiedCall, read: ParsedObtained, cost: number | null): void {
    const about = { path: place.path, prompt: input.prompt };
    const { reply, number, from, parsed } = read;
    if (number === null) {
      emit({ type: 'call.reused', ...about, from: from === 'cache' ? from : 'run' });
      return;
    }
    emit({
      type: 'call.completed',
      call: number,
      ...about,
      ...servedBy(model),
      from,
      reply: turns.length > 0 && parsed.class === 'ok' ? 'repaired' : parsed.class,
      tokens: reply.tokens,
      cost,
      timeMs: Math.round(now() - read.startedAt),
    });
  }

  return (next) => async (call) => {
    const askedAt = now();
    const read = await next(call).catch((error: unknown) => {
      onExchange?.({ ...exchangeOf(call, askedAt), error: toRlmError(error).message });
      throw error;
    });
    tell(call, read, costAt(call, read));
    onExchange?.(obtainedExchange(call, read));
    return read;
  };
}
