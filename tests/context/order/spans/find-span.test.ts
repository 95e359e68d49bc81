import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpan } from '../../../../src/context/order/spans/find-span.ts';
import { readSpanQuestion } from '../../../../src/context/order/spans/read-span.ts';
import { createContextStore } from '../../../../src/context/store/store.ts';

const { signal } = new AbortController();
const storeOf = (text: string) => createContextStore([{ name: 'a.log', bytes: Buffer.from(text) }]);

const log = `2026-03-02 09:00:00 gate-1 barrier: door B2 jammed
2026-03-02 09:01:00 gate-2 barrier: door A1 opened
2026-03-02 09:02:00 gate-1 alert: will door B2 be repaired today?
2026-03-02 09:10:00 gate-2 barrier: door A1 repaired
2026-03-02 09:20:00 gate-1 barrier: door B2 repaired by nina
2026-03-02 09:30:00 crane: lift of container K-77 begun
2026-03-02 09:31:30 crane: sensor warning
2026-03-02 09:45:00 crane: lift of container K-77 done
2026-03-02 09:50:00 nina: inspection of container K-77 took 4 min
2026-03-02 10:00:00 office: invoice for K-77 mailed
`;

async function minutes(question: string): Promise<number | null> {
  const found = await findSpan(question, storeOf(log), signal);
  return found && found.ms / 60_000;
}

describe('the time between two things', () => {
  it.each([
    ['How long after door B2 jammed was it repaired by nina?', 20],
    ['How many minutes from the end of the lift of K-77 until the invoice was sent?', 15],
    ['How much time lay between the start of the container lift and the sensor alarm?', 1.5],
    ['From opening door A1 to fixing it, how long did they need?', 9],
    ['How long was K-77 on the crane before the invoice was mailed?', 30],
  ])('%s', async (question, wanted) => {
    expect(await minutes(question)).toBe(wanted);
  });

  it('is, for one thing, the time until a line reports its end; questions do not count', async () => {
    expect(await minutes('How long was door B2 stuck?')).toBe(20);
  });

  it('may be stated by the line that best matches it', async () => {
    const found = await findSpan('How long did the inspection of the container go on?', storeOf(log), signal);
    expect(found).toMatchObject({ ms: 240_000, isStated: true });
  });

  it('is not given where lines say too little of either end, or the question asks for something else', async () => {
    expect(await minutes('How long after the ferry docked did the captain resign?')).toBeNull();
    expect(await minutes('How long does a lift take on average?')).toBeNull();
    expect(await minutes('Who repaired door B2?')).toBeNull();
  });
});

it('reads any words without failing, and in time in proportion to them', async () => {
  const words = fc.constantFrom(
    'how long',
    'after',
    'did',
    'before',
    'from',
    'to',
    'until',
    'door',
    'B2',
    '[',
    '\\',
    '(',
    'ü',
    '?',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 14 }), async (all) => {
      const found = await findSpan(all.join(' '), storeOf(log), signal);
      expect(found === null || (found.ms >= 0 && found.certainty <= 1)).toBe(true);
    }),
    { numRuns: 30 },
  );
  expect(readSpanQuestion(`how long after ${'did it '.repeat(20_000)}`)).not.toBeUndefined();
});
