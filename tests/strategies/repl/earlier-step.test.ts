import { expect, it } from 'vitest';
import { askBy } from '../../../src/api/ask.ts';
import { createScriptedProvider, RlmError } from '../../../src/index.ts';
import { strategies } from '../../../src/strategies/index.ts';
import type { Draft, EarlierStep, Question } from '../../../src/strategies/strategy.ts';

const filler = 'Nothing else happened then.\n'.repeat(3_000);
const text = `The pool was limited to 20 by Mara.\n${filler}It ran out at 02:14.\n${filler}`;

/** Solves a question with code, beginning with the passages that contain some words. */
async function begin(replies: readonly string[], found: readonly string[], earlierStep: Omit<EarlierStep, 'shown'>) {
  const provider = createScriptedProvider({ repl: replies });
  const drafts: Draft[] = [];
  const options = { documents: [{ name: 'log.md', text }], env: { HOME: '/dev/null/nowhere' }, provider };
  await askBy('When did the pool run out?', options, async (state, run) => {
    const { store } = run.text;
    const indexes = Array.from({ length: store.chunkCount }, (_, index) => index);
    const shown = run.passages.at(indexes).filter((passage) => found.some((words) => passage.text.includes(words)));
    const asked: Question = {
      ...{
        question: state.task,
        path: '0',
        depth: 0,
        ancestors: [],
        known: [],
        criteria: [],
        passages: null,
        inHand: [],
      },
      ...{ earlierStep: { shown, ...earlierStep }, hasOwnText: false, parts: [], allotment: 10 },
    };
    const recurse = () => Promise.reject(new Error('it asks nothing below'));
    drafts.push(await strategies.repl(asked, run, recurse));
    return { state, stopped: new RlmError('interrupted', 'enough').toInfo() };
  });
  const first = provider.requests[0]!.messages.at(-1)!.content;
  return { draft: drafts[0]!, first, requests: provider.requests };
}

const missing = ['When did the pool run out?', 'Who saw it?'];

it('begins with the earlier passages, answer and missing questions, and its passages can be cited', async () => {
  const { draft, first } = await begin(
    [
      '```js\nFINAL("Mara set it " + "[P1]" + ", and it ran out at 02:14 " + cite("ran out at 02:14"), { tells: "part", missing: ["Who saw it?"] })\n```',
    ],
    ['Mara'],
    { answer: 'Mara limited it [P1].', missing },
  );
  expect(first).toContain('<passage id="P1" source="log.md"');
  expect(first).toContain('The pool was limited to 20 by Mara.');
  expect(first).toContain('Mara limited it [P1].');
  for (const question of missing) expect(first).toContain(`- ${question}`);
  expect(draft).toMatchObject({ status: 'answered', tells: 'part', missing: ['Who saw it?'] });
  const line = 3_002;
  expect(draft.citations.map(({ startLine, endLine, quote }) => [startLine, endLine, quote])).toContainEqual([
    line,
    line,
    'ran out at 02:14',
  ]);
  expect(draft.citations.map(({ passage }) => passage)).toContain('P1');
});

it('shows no more of the passages than a third of its room', async () => {
  const { first } = await begin(['FINAL(So.)'], ['Nothing else'], { answer: null, missing: [] });
  const shown = first.match(/<passage /g)!.length;
  expect(shown).toBeGreaterThan(2);
  expect(shown).toBeLessThan(30);
  const whole = first.slice(first.indexOf('<passage '), first.lastIndexOf('</passage>'));
  expect(whole.length).toBeLessThan(16_384 * 3 * 0.34);
});

it('leaves out empty parts', async () => {
  const { first } = await begin(['FINAL(So.)'], [], { answer: null, missing: [] });
  expect(first).not.toMatch(/passage|answered from them|did not tell/);
});
