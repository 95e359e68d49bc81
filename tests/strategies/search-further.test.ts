import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/index.ts';
import { askScripted, failing, part, splitInto, variables } from '../support/scripted-run.ts';

const facts = {
  'crash.md': 'The orders crash began in the harbour office.',
  'office.md': 'The harbour office uses pool seven.',
  'pool.md': 'Pool seven was lowered by Mara.',
  'mara.md': 'Mara came from Lisbon.',
};

/** Text that does not fit a window of this size; each document is a passage. */
const documents = [
  ...Object.entries(facts).map(([name, text]) => ({ name, text })),
  ...Array.from({ length: 60 }, (_, n) => ({ name: `${n}.txt`, text: `Nothing else happened, says entry ${n}.` })),
];

const task = 'Why did the orders crash?';
const where = 'Where did the crash begin?';
const parts = splitInto(part(where), part('What happened else?'));

const settingsWith = (reasoner: object = {}, budget: object = {}) => ({
  strategy: 'decompose' as const,
  context: { passages: 1, chunkTokens: 700, overlapTokens: 0, maxWindowTokens: 3_000 },
  auto: { firstLookTokens: 1_000 },
  reply: { maxTokens: 64 },
  budget: { concurrency: 1, ...budget },
  reasoner: { childTools: 'full' as const, ...reasoner },
});

const asking = (...searches: string[]) => ({ searches, answer: '', citations: [], assumptions: [] });
const saying = (answer: string) => ({ searches: [], answer, citations: [], assumptions: [] });

/** Replies to the rounds of one question; the others are answered at once. */
const rounds =
  (...replies: (object | (() => Error))[]) =>
  (request: ModelRequest) => {
    const { question, left } = variables(request, 'search');
    const reply = question === where ? replies[3 - left.rounds]! : saying('Nothing.');
    return typeof reply === 'function' ? reply() : reply;
  };

const sources = ({ passages }: { readonly passages: readonly { readonly source: string }[] }) =>
  passages.map(({ source }) => source);

async function askFull(replies: (object | (() => Error))[], settings = settingsWith(), script: object = {}) {
  const asked = await askScripted({ ...parts, search: rounds(...replies), ...script }, { documents, settings }, task);
  const mine = <T extends { readonly question: string }>(all: readonly T[]) =>
    all.filter((one) => one.question === where);
  const child = asked.result.recursionTree!.children[0]!;
  return { ...asked, child, searched: mine(asked.of('search')), answered: mine(asked.of('answer')) };
}

describe('a part that may search further', () => {
  it('is asked again with the new passages, until it asks for no more', async () => {
    const { child, searched, answered, result } = await askFull([
      asking('harbour office pool', 'who lowered pool seven'),
      asking('Lisbon'),
      saying('In Lisbon [P4].'),
    ]);
    expect(searched.map(sources)).toEqual([
      ['crash.md'],
      ['office.md', 'pool.md', 'crash.md'],
      ['mara.md', 'office.md', 'pool.md', 'crash.md'],
    ]);
    expect(searched.map(({ left }) => left)).toEqual([
      { rounds: 3, searches: 9 },
      { rounds: 2, searches: 6 },
      { rounds: 1, searches: 3 },
    ]);
    expect(searched[2]!.searched).toEqual(child.searches);
    expect(child).toMatchObject({
      answer: 'In Lisbon [P4].',
      citations: [{ source: 'mara.md' }],
      searches: [
        { query: 'harbour office pool', found: ['P2'] },
        { query: 'who lowered pool seven', found: ['P3'] },
        { query: 'Lisbon', found: ['P4'] },
      ],
      calls: 4,
    });
    expect(sources(child)).toEqual(['mara.md', 'office.md', 'pool.md', 'crash.md']);
    expect(answered).toEqual([]);
    expect(result.recursionTree!.children[1]!.searches).toEqual([]);
  });

  it('is not offered a search in the end, when it has asked as often as it may', async () => {
    const { child, searched, answered } = await askFull([asking('office'), asking('Mara'), asking('Lisbon')]);
    expect(searched).toHaveLength(3);
    expect(answered.map(sources)).toEqual([child.passages.map(({ source }) => source)]);
    expect(child).toMatchObject({ answer: `About ${where}`, searches: [{}, {}, {}] });
  });

  it('makes no search twice, at most three at once, and is informed of those that find nothing', async () => {
    const { child, searched } = await askFull([
      asking('office', ' Office ', 'xylophone', 'Mara', 'Lisbon'),
      asking('MARA', 'office'),
    ]);
    expect(child.searches.map(({ query, found }) => [query, found.length])).toEqual([
      ['office', 1],
      ['xylophone', 0],
      ['Mara', 1],
    ]);
    expect(searched).toHaveLength(2);
    expect(child.answer).toBe(`About ${where}`);
  });

  it('emits an event for each search as it happens', async () => {
    const { events } = await askFull([asking('office'), saying('There.')]);
    expect(events.filter(({ type }) => type === 'search.completed')).toMatchObject([
      { path: '0.1', query: 'office', found: ['P2'] },
    ]);
  });

  it('keeps the passages within the window, each search in its turn', async () => {
    const long = documents.map(({ name, text }) => ({ name, text: `${text} ${'So they say of it all. '.repeat(80)}` }));
    const settings = {
      ...settingsWith(),
      context: { passages: 2, chunkTokens: 670, overlapTokens: 0, maxWindowTokens: 4_000 },
    };
    const script = { ...parts, search: rounds(asking('pool seven', 'Lisbon'), saying('There.')) };
    const { of, result } = await askScripted(script, { documents: long, settings }, task);
    const [first, second] = of('search').filter(({ question }) => question === where);
    expect(sources(first!)[0]).toBe('crash.md');
    expect(sources(second!)).toHaveLength(3);
    expect(sources(second!)).toEqual(expect.arrayContaining(['mara.md', 'crash.md']));
    expect(result.warnings).toEqual([]);
  });

  it('answers plainly when the offer gets no usable reply, with a warning', async () => {
    const { child, result } = await askFull([failing('call-timeout')]);
    expect(child).toMatchObject({ status: 'answered', answer: `About ${where}`, searches: [] });
    expect(result.warnings).toEqual([`no reply; "${where}" is answered without further searches`]);
  });

  it('keeps the answer of an earlier round when it can be asked no more', async () => {
    const draft = { ...asking('office'), answer: 'In the office [P1].' };
    const { child, result } = await askFull([draft, failing('request-refused')]);
    expect(child).toMatchObject({
      status: 'answered',
      answer: 'In the office [P1].',
      citations: [{ source: 'crash.md' }],
    });
    expect(sources(child)).toEqual(['crash.md']);
    expect(result.warnings).toEqual([expect.stringContaining('answered from what was known')]);
  });

  it('has no answer when it could be asked nothing at all', async () => {
    const { child } = await askFull([failing('request-refused')]);
    expect(child).toMatchObject({ status: 'unanswered', error: { code: 'request-refused' } });
  });

  it('keeps to the searches and the calls of the run', async () => {
    const fetches = await askFull([asking('office', 'Mara'), asking('Lisbon')], settingsWith({}, { maxFetches: 4 }));
    expect(fetches.child.searches).toEqual([{ query: 'office', found: ['P2'] }]);
    expect(fetches.child.answer).toBe(`About ${where}`);
    const calls = await askFull([asking('office'), asking('Mara')], settingsWith({}, { maxCalls: 9 }));
    expect(calls.child).toMatchObject({ calls: 3, searches: [{ query: 'office' }], status: 'answered' });
    expect(calls.searched).toHaveLength(1);
  });

  it('is not offered searches where the whole text is there', async () => {
    const { of, prompts } = await askScripted(parts, {
      settings: { strategy: 'decompose', reasoner: { childTools: 'full' } },
    });
    expect(of('answer')).toHaveLength(2);
    expect(prompts).not.toContain('search');
  });
});

describe('reasoner.childTools', () => {
  const deeper = {
    assess: ({ input }: ModelRequest) => ({
      verdict: 'question' in input.variables && input.variables.question === where ? 'COMPLEX' : 'SIMPLE',
      reason: '',
    }),
    decompose: { subQuestions: [part('Which office?'), part('Which pool?')] },
    search: saying('There.'),
  };

  it.each([
    [1, { search: ['What happened else?'], answer: ['Which office?', 'Which pool?'] }],
    [2, { search: ['Which office?', 'Which pool?', 'What happened else?'], answer: [] }],
  ])('is full down to depth %i', async (fullToolsDepth, expected) => {
    const settings = settingsWith({ fullToolsDepth });
    const { of } = await askScripted({ ...parts, ...deeper }, { documents, settings }, task);
    const questions = (prompt: 'search' | 'answer') => of(prompt).map(({ question }) => question);
    expect(questions('search').sort()).toEqual([...expected.search].sort());
    expect(questions('answer').sort()).toEqual([...expected.answer].sort());
  });

  it('off: gives every part the passages of the question above, and makes no search', async () => {
    const settings = settingsWith({ childTools: 'off' }, { maxFetches: 1 });
    const { of, result } = await askScripted({ ...parts, ...deeper }, { documents, settings }, task);
    expect(of('answer').map(sources)).toEqual([['crash.md'], ['crash.md'], ['crash.md']]);
    expect(result.status).toBe('answered');
  });

  it('passages: offers no searches to the model', async () => {
    const { prompts } = await askScripted(parts, { documents, settings: settingsWith({ childTools: 'passages' }) });
    expect(prompts).not.toContain('search');
  });
});
