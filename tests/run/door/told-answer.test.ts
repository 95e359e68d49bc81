import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/index.ts';
import { noQueries } from '../../../src/prompts/answer.ts';
import type { Asked } from '../../../src/run/door/asked.ts';
import { createToldAnswer } from '../../../src/run/door/layers/sent.ts';
import type { EventBody } from '../../../src/run/events.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { askScripted, part } from '../../support/scripted-run.ts';

const asked = {
  input: { prompt: 'answer', variables: noQueries },
  form: 'plain',
  place: { path: '0', share: 'ordinary' },
} as unknown as Asked;

/** Returns the text that a listener shows after each event. */
function shownAfterEach(events: readonly (EventBody | RunEvent)[]): string[] {
  let shown = '';
  return events.flatMap((event) => {
    if (event.type !== 'answer.progress') return [];
    shown = shown.slice(0, event.from) + event.text;
    return [shown];
  });
}

/** Emits the events of a reply that arrives in pieces, and returns the texts shown. */
function tell(pieces: readonly string[], secrets: readonly string[] = []): string[] {
  const events: EventBody[] = [];
  const told = createToldAnswer(asked, 1, createRedactor(secrets), (event) => events.push(event));
  let text = '';
  for (const piece of pieces) {
    text += piece;
    told.come(text);
  }
  told.end(text);
  return shownAfterEach(events);
}

describe('the words of an answer', () => {
  it('are emitted as they arrive, without thinking', () => {
    const pieces = ['<thi', 'nk>Hm.</think>The ', 'pool [P1', '] ran out.'];
    expect(tell(pieces)).toEqual(['The', 'The pool [P1', 'The pool [P1] ran out.']);
  });

  it('are not emitted for a reply that has a form', () => {
    expect(tell(['```', 'json\n{"answer"', ': "x"}\n```'])).toEqual([]);
    expect(tell(['**ANSWER:**', ' It ran out.\nCITATIONS: none'])).toEqual([]);
  });

  it('contain no part of a secret, however it is cut and whatever surrounds it', () => {
    const secret = fc.string({ minLength: 8, maxLength: 20, unit: fc.constantFrom('a', 'b', '7', '-') });
    const words = fc.string({ maxLength: 20, unit: fc.constantFrom('a', 'b', '7', '-', ' ', 'é') });
    const cuts = fc.array(fc.nat({ max: 90 }), { maxLength: 12 });
    fc.assert(
      fc.property(secret, words, words, cuts, fc.boolean(), (key, before, after, at, isEncoded) => {
        const text = `It is ${before}${isEncoded ? encodeURIComponent(key) : key}${after}`;
        const ends = [0, ...at.toSorted((a, b) => a - b), text.length];
        const shown = tell(
          ends.slice(1).map((end, index) => text.slice(ends[index], end)),
          [key],
        );
        const last = shown.at(-1)!;
        expect(last).toContain('[secret]');
        for (const one of shown) expect(last.startsWith(one)).toBe(true);
      }),
    );
  });

  it('wait if escapes may spell a secret', () => {
    const shown = tell(['The key is h%7', '5nter-', '%7', '8-42 now.'], ['hunter-x-42']);
    expect(shown).toEqual(['The key is', 'The key is [secret] now.']);
  });
});

describe('in a run', () => {
  const told = (events: readonly RunEvent[]) => shownAfterEach(events).at(-1);

  it('only the answer of the task is emitted, and its check emits it with numbers', async () => {
    const { events, result } = await askScripted({ answer: 'The pool was limited to 20 [P1].' });
    expect(told(events)).toBe('The pool was limited to 20 [P1].');
    expect(events.filter(({ type }) => type === 'answer.progress')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'evidence.checked')).toMatchObject({ answer: result.answer });
    expect(result.answer).toContain('[1]');
  });

  it('parts of the question are not emitted; the composed answer is', async () => {
    const parts = { planner: { keyQuestions: [part('How large was it?'), part('When?')], approach: 'decompose' } };
    const { events } = await askScripted(
      { ...parts, answer: 'It was 20 [P1].', compose: 'It was 20 at first.' },
      { settings: { strategy: 'decompose' } },
    );
    expect(shownAfterEach(events)).toEqual(['It was 20 at first.']);
  });
});
