import { now } from '../../../base/time.ts';
import { toRlmError } from '../../../errors.ts';
import type { Exchange } from '../../events.ts';
import { type Asked, servedBy } from '../asked.ts';
import type { DoorParts, IdentifiedCall, Layer, Obtain, ParsedObtained } from '../layer.ts';
import { costOf } from '../prices.ts';

function exchangeOf({ input, place, model, messages }: Asked, startedAt: number, more: Partial<Exchange>): Exchange {
  const timeMs = Math.round(now() - startedAt);
  return {
    ...{ call: null, path: place.path, prompt: input.prompt, ...servedBy(model) },
    messages: model.info.spends === 'nothing' ? null : messages,
    ...{ reply: null, toolCalls: [], error: null, from: 'model', tokens: { input: 0, output: 0 }, cost: 0 },
    at: new Date(Date.now() - timeMs).toISOString(),
    timeMs,
    ...more,
  };
}

/** Emits an event when a call has its reply. Passes the call's exchange to `onExchange`, also if the call fails. */
export function told({ emit, onExchange }: Pick<DoorParts, 'emit' | 'onExchange'>): Layer<Obtain<ParsedObtained>> {
  function tell(call: IdentifiedCall, read: ParsedObtained): void {
    const { input, turns, place, model } = call;
    const { reply, number, from, parsed } = read;
    const about = { path: place.path, prompt: input.prompt };
    const { tokens, text, toolCalls = [] } = reply;
    if (number === null) {
      emit({ type: 'call.reused', ...about, from: from === 'cache' ? from : 'run' });
      onExchange?.(exchangeOf(call, now(), { reply: text, toolCalls, from }));
      return;
    }
    const { startedAt } = read;
    const spent = { call: number, tokens, cost: model.price ? costOf(tokens, model.price) : null };
    const understood = turns.length > 0 && parsed.class === 'ok' ? 'repaired' : parsed.class;
    const timeMs = Math.round(now() - startedAt);
    emit({ type: 'call.completed', ...about, ...servedBy(model), from, reply: understood, ...spent, timeMs });
    onExchange?.(exchangeOf(call, startedAt, { ...spent, reply: text, toolCalls, from }));
  }

  return (next) => async (call) => {
    const askedAt = now();
    const read = await next(call).catch((error: unknown) => {
      onExchange?.(exchangeOf(call, askedAt, { error: toRlmError(error).message }));
      throw error;
    });
    tell(call, read);
    return read;
  };
}
