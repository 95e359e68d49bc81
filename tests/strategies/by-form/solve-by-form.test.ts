import { describe, expect, it } from 'vitest';
import { askScripted, variables } from '../../support/scripted-run.ts';

const decomposing = { settings: { strategy: 'decompose', refine: 0 } } as const;
const filler = 'Nothing else happened then, and nobody said anything of it.\n\n'.repeat(4_000);
const documents = [
  { name: 'people.md', text: 'Karel, who mends clocks, was born in Brno.\n\nAnn was born in Graz.\n' },
  { name: 'clocks.md', text: 'The clock of Brno was built in 1410.\n\nThe clock of Graz was built in 1712.\n' },
  { name: 'rest.md', text: 'Nothing else happened then.\n' },
];
const long = [...documents, { name: 'long.md', text: filler }];

/** Answers the parts from their passages. */
const fromText = (request: Parameters<typeof variables>[0]) => {
  const { question } = variables(request, 'answer');
  const known: readonly (readonly [RegExp, string])[] = [
    [/city where Karel was born/, 'Brno'],
    [/built in Brno/, '1410'],
    [/clock of Brno/, 'in 1410'],
    [/clock of Graz/, 'in 1712'],
    [/city where Zoe was born/, 'The text does not say.'],
  ];
  return known.find(([pattern]) => pattern.test(question))?.[1] ?? 'The text does not say.';
};

describe('a question by its form', () => {
  it('asks for the described thing first, then for the rest, and shows both', async () => {
    const asked = 'When was the clock built in the city where Karel was born?';
    const { result, prompts, of } = await askScripted({ answer: fromText }, { documents, ...decomposing }, asked);
    expect(prompts.filter((prompt) => prompt !== 'planner' && prompt !== 'critic')).toEqual(['answer', 'answer']);
    expect(of('answer').map(({ question }) => question)).toEqual([
      'What is the city where Karel was born?',
      'When was the clock built in Brno?',
    ]);
    expect(result.answer).toMatch(/^1410[\s\S]*\n\nThe city where Karel was born: Brno/);
    expect(new Set(result.citations.map(({ source }) => source))).toEqual(new Set(['people.md', 'clocks.md']));
    expect(result.recursionTree!.children.map(({ strategy }) => strategy)).toEqual(['direct', 'direct']);
  });

  it('gives no answer if the described thing is not found', async () => {
    const asked = 'When was the clock built in the city where Zoe was born?';
    const { result, of } = await askScripted({ answer: fromText }, { documents, ...decomposing }, asked);
    expect(of('answer')).toHaveLength(1);
    expect(result).toMatchObject({ answer: null, recursionTree: { children: [{ path: '0.1' }] } });
  });

  it('compares by code what it has asked of each thing', async () => {
    const asked = 'Which was built first, the clock of Graz or the clock of Brno?';
    const { result, calls } = await askScripted({ answer: fromText }, { documents, ...decomposing }, asked);
    expect(calls).toMatchObject({ answer: 2 });
    expect(calls.compose).toBeUndefined();
    expect(result.answer).toMatch(
      /^The clock of Brno\.\n- the clock of Graz: in 1712[\s\S]*\n- the clock of Brno: in 1410/,
    );
  });

  it('lets the model compose what code cannot compare', async () => {
    const asked = 'Which was built first, the clock of Graz or the clock of Wien?';
    const { result, calls } = await askScripted({ answer: fromText }, { documents, ...decomposing }, asked);
    expect(calls).toMatchObject({ answer: 2, compose: 1 });
    expect(result.answer).toBe('All of it.');
  });

  it('asks each document, and keeps those that say yes', async () => {
    const answer = (request: Parameters<typeof variables>[0]) =>
      /born/.test(
        variables(request, 'answer')
          .passages.map(({ text }) => text)
          .join(''),
      )
        ? 'Yes. Karel, who mends clocks, was born in Brno.'
        : 'No.';
    const asked = 'Which files mention where somebody was born?';
    const { result, calls } = await askScripted({ answer }, { documents, ...decomposing }, asked);
    expect(calls).toMatchObject({ answer: 3 });
    expect(result.answer).toMatch(/^1 of 3 files\.\n- people\.md: Karel, who mends clocks, was born in Brno\./);
    expect(result.citations).toMatchObject([{ source: 'people.md' }]);
  });

  it('says which documents were not asked for want of calls', async () => {
    const many = Array.from({ length: 9 }, (_, at) => ({
      name: `n${at}.md`,
      text: `Note ${at} on leave.\n${filler.slice(0, 3_000)}`,
    }));
    const settings = { strategy: 'decompose', refine: 0, budget: { maxCalls: 9 } } as const;
    const { result } = await askScripted(
      { answer: 'Yes.' },
      { documents: many, settings },
      'Which notes are on leave?',
    );
    expect(result.answer).toMatch(
      /^\d of \d notes\. \d notes that match the question less were not asked, for want of calls\.\n- n\d\.md: yes/,
    );
  });

  it('is a step of a small model, too', async () => {
    const asked = 'When was the clock built in the city where Karel was born?';
    const answer = (request: Parameters<typeof variables>[0]) =>
      variables(request, 'answer').question === asked ? 'The text does not say.' : fromText(request);
    const { result, calls } = await askScripted(
      { answer },
      { documents: long, settings: { refine: 0, stages: { planner: 'auto', critic: 'never' } } },
      asked,
    );
    expect(calls).toMatchObject({ answer: expect.any(Number) });
    expect(result.ladder.at(-1)).toMatchObject({ step: 'decompose', isKept: true });
    expect(result.answer).toMatch(/^1410/);
  });
});
