import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/index.ts';
import { askScripted, part, splitInto } from '../support/scripted-run.ts';

const facts = {
  'crash.md': 'The orders crash began in the harbour office.',
  'harbour.md': 'The harbour office uses pool seven.',
  'pool.md': 'Pool seven was lowered by Mara.',
  'mara.md': 'Mara lowered pool seven on Tuesday.',
};

/** Text that does not fit this window. Each document is a passage. */
const documents = [
  ...Object.entries(facts).map(([name, text]) => ({ name, text })),
  ...Array.from({ length: 60 }, (_, n) => ({ name: `${n}.txt`, text: `Nothing else happened, says entry ${n}.` })),
];

/** A prompt has room for one passage of the usual size. */
const settings = {
  strategy: 'decompose',
  context: { passages: 1, chunkTokens: 250, overlapTokens: 0, maxWindowTokens: 2_048 },
  reply: { maxTokens: 230 },
} as const;

const said = { answer: 'It is so.', citations: [], assumptions: [] };

/** Returns the sources from which each part was answered. */
async function sourcesOf(parts: ReturnType<typeof part>[], question = 'Why did the orders crash?') {
  const { result, of } = await askScripted({ ...splitInto(...parts), answer: said }, { documents, settings }, question);
  expect(result.status).toBe('answered');
  return Object.fromEntries(of('answer').map((asked) => [asked.question, asked.passages.map(({ source }) => source)]));
}

const other = part('What happened else?');
const office = part('What does the harbour office use?');
const who = (...needs: number[]) => part('Who lowered pool seven?', ...needs);

describe('passages in hand', () => {
  it('are passed on to a part if they fit it, in addition to the usual number of passages', async () => {
    expect(await sourcesOf([office, other])).toMatchObject({ [office.question]: ['harbour.md', 'crash.md'] });
  });

  it('are left out if others fit better', async () => {
    expect(await sourcesOf([who(), other])).toMatchObject({ [who().question]: ['pool.md'] });
  });

  it('include the passages of the parts that a part needs, and of no others', async () => {
    const first = part('Is pool seven lowered on Tuesday?');
    const question = 'What of the crash?';
    expect(await sourcesOf([first, who(1)], question)).toEqual({
      [first.question]: ['mara.md'],
      [who().question]: ['pool.md', 'mara.md'],
    });
    expect(await sourcesOf([first, who()], question)).toMatchObject({ [who().question]: ['pool.md'] });
  });

  it('also include the passages of the parts of a part', async () => {
    const script = {
      ...splitInto(part('Is all well?'), who(1)),
      assess: ({ input }: ModelRequest) => ({
        verdict: 'question' in input.variables && input.variables.question === 'Is all well?' ? 'COMPLEX' : 'SIMPLE',
        reason: '',
      }),
      decompose: { subQuestions: [part('Is pool seven lowered on Tuesday?'), other] },
      answer: said,
    };
    const { of } = await askScripted(script, { documents, settings }, 'What of the crash?');
    expect(
      of('answer')
        .at(-1)!
        .passages.map(({ source }) => source),
    ).toEqual(['pool.md', 'mara.md']);
  });

  it('can be cited, and go to the critic', async () => {
    const answer = {
      answer: 'In the office [P1].',
      citations: [{ passage: 'P1', quote: 'harbour office' }],
      assumptions: [],
    };
    const script = { ...splitInto(office, other), answer, compose: { finalAnswer: 'There [P1].', assumptions: [] } };
    const { result, of } = await askScripted(script, { documents, settings }, 'Why did the orders crash?');
    expect(result.citations).toMatchObject([{ source: 'crash.md', quote: 'harbour office' }]);
    expect(of('critic')[0]!.passages.map(({ source }) => source)).toEqual(['crash.md']);
  });
});

describe('the question above', () => {
  it('decides between passages that fit a part equally well', async () => {
    const twins = ['green', 'red'].map((colour) => ({ name: `${colour}.md`, text: `The ${colour} valve leaks.` }));
    const ask = async (question: string) => {
      const script = splitInto(part('What leaks?'), other);
      const { of } = await askScripted(script, { documents: [...twins, ...documents], settings }, question);
      return of('answer')[0]!.passages.map(({ source }) => source);
    };
    expect((await ask('What is red, and what else?'))[0]).toBe('red.md');
    expect((await ask('What is green, and what else?'))[0]).toBe('green.md');
  });
});
