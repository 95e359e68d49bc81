import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/index.ts';
import { explore, lowered, noting } from '../../support/exploring.ts';
import { createGate } from '../../support/gate.ts';
import { failing, finalAnswer, look, variables } from '../../support/scripted-run.ts';

const who = 'Who authored C-1187?';
const filter = ['filter_context', { pattern: 'C-1187 was', name: 'commits' }] as const;
const askCommits = ['sub_query', { question: who, context: 'commits' }] as const;

/** A part that answers from the passage that names the author. */
const author = (request: ModelRequest) => {
  const { passages } = variables(request, 'answer');
  const found = passages.find(({ text }) => text.includes('authored by Mara'));
  const citations = found ? [{ passage: found.id, quote: 'authored by Mara' }] : [];
  return { answer: found ? `Mara [${found.id}].` : 'Not here.', citations, assumptions: [] };
};

describe('a sub-query', () => {
  it('sees its part of the text alone, and brings back its answer with citations', async () => {
    const { tree, results, of, result } = await explore(
      [look(filter, askCommits), finalAnswer('It was Mara [P110].')],
      { script: { answer: author } },
    );
    expect(of('answer').map(({ passages }) => passages.map(({ id }) => id))).toEqual([['P110']]);
    expect(tree.children).toMatchObject([
      {
        path: '0.1',
        question: who,
        depth: 1,
        strategy: 'direct',
        answer: 'Mara [P110].',
        citations: [{ source: 'src/commits.md' }],
      },
    ]);
    expect(results[0]![1]).toBe('Answer: Mara [P110].\nIt rests on:\n- [P110] src/commits.md:2-2 "authored by Mara"');
    expect(result).toMatchObject({
      answer: 'It was Mara [1].',
      citations: [{ source: 'src/commits.md', quote: 'authored by Mara', startLine: 2 }],
    });
  });

  it.each([
    ['a chunk', { context: 'text#1' }, { first: 1, last: 817 }],
    ['some lines', { source: 'log.txt', startLine: 100, endLine: 120 }, { first: 77, last: 120 }],
    ['a chunk of another size', { context: 'text/1000#2' }, { first: 39, last: 75 }],
  ])('may be about %s', async (_, about, { first, last }) => {
    const { of } = await explore([look(['sub_query', { question: 'What happened?', ...about }])]);
    const { passages } = of('answer')[0]!;
    expect(passages[0]).toMatchObject({ source: 'log.txt', startLine: first });
    expect(passages.at(-1)!.endLine).toBeGreaterThanOrEqual(last);
    expect(passages.at(-1)!.endLine).toBeLessThan(last + 45);
  });

  it('about all of the text is answered from passages, and not split: a step asked it', async () => {
    const { prompts, tree } = await explore([look(['sub_query', { question: who }])]);
    expect(prompts).not.toContain('assess');
    expect(tree.children[0]).toMatchObject({
      strategy: 'direct',
      strategyReason: 'a step of its question asked it',
      assessment: null,
    });
    expect(tree.children[0]!.passages.length).toBeGreaterThan(0);
  });

  it('is numbered in the order of the calls, several at once', async () => {
    const batch = {
      queries: [
        { question: 'A?', context: 'text#1' },
        { question: 'B?', context: 'text#2' },
      ],
    };
    const allWait = createGate(3);
    const slow = async (request: ModelRequest) => {
      const { question } = variables(request, 'answer');
      await allWait();
      await new Promise((resolve) => setTimeout(resolve, question === 'A?' ? 30 : 1));
      return { answer: `About ${question}`, citations: [], assumptions: [] };
    };
    const { tree, results, atOnce } = await explore(
      [look(['sub_query', { question: 'First?', context: 'text#3' }], ['sub_query_batch', batch])],
      { script: { answer: slow } },
    );
    expect(tree.children.map(({ path, question }) => [path, question])).toEqual([
      ['0.1', 'First?'],
      ['0.2', 'A?'],
      ['0.3', 'B?'],
    ]);
    expect(results[0]![1]).toBe('Query 1: Answer: About A?\nQuery 2: Answer: About B?');
    expect(atOnce).toBe(3);
  });

  it.each(['Who lowered the pool?', 'who LOWERED pool', 'Who lowered the “pool”'])(
    'that is the question itself is refused, without a call: %s',
    async (question) => {
      const batch = { queries: [{ question: who }, { question, source: 'log.txt' }, { question }] };
      const { tree, results, prompts } = await explore([
        look(['sub_query', { question }], ['llm_query', { text: question }]),
        look(['sub_query_batch', batch]),
      ]);
      expect(tree.children).toEqual([]);
      expect(results[0]![0]).toMatch(/^that is the question itself, about the same text\. Ask for a part of it/);
      expect(results[0]![1]).toMatch(/^that is the question itself, and llm_query sees nothing but its own text/);
      expect(results[1]![0]).toMatch(/^that is the question itself/);
      expect(new Set(prompts)).toEqual(new Set(['planner', 'explore', 'critic']));
    },
  );

  it('about a part of the text may be the question itself', async () => {
    const question = 'Who lowered the pool?';
    const { tree } = await explore([look(['sub_query', { question, context: 'text#1' }])]);
    expect(tree.children).toMatchObject([{ question, strategy: 'direct' }]);
  });

  it('in the words of one that was answered, about the same text, has its answer without a call', async () => {
    const same = ['who authored C-1187', 'Who authored the C-1187?'].map((question) => ({ question }));
    const { tree, results, of } = await explore(
      [
        look(['sub_query', { question: who }], ['sub_query', { question: 'WHO authored C-1187' }]),
        look(['sub_query_batch', { queries: [...same, { question: who, source: 'src/commits.md' }] }]),
      ],
      { script: { answer: author } },
    );
    expect(tree.children).toMatchObject([{ path: '0.1' }, { path: '0.2', question: who }]);
    expect(of('answer')).toHaveLength(2);
    expect(results[0]![1]).toBe(results[0]![0]);
    expect(results[1]![0]!.match(/^Query \d: Answer: Mara/gm)).toHaveLength(3);
  });

  it('that failed may be asked again', async () => {
    let fails = true;
    const answer = (request: ModelRequest) => {
      if (!fails) return author(request);
      fails = false;
      return failing('request-refused');
    };
    const again = look(['sub_query', { question: 'who authored C-1187' }]);
    const { tree } = await explore([look(['sub_query', { question: who }]), again], { script: { answer } });
    expect(tree.children.map(({ status }) => status)).toEqual(['unanswered', 'answered']);
  });

  it('that fails is reported, and the exploration continues', async () => {
    const { results, result } = await explore([look(filter, askCommits), finalAnswer('Nobody knows.')], {
      script: { answer: failing('request-refused') },
    });
    expect(results[0]![1]).toBe('It has no answer: no reply');
    expect(result).toMatchObject({ status: 'answered', answer: 'Nobody knows.' });
  });

  it('is not offered at the deepest level, where one call on a text still is', async () => {
    const { requests, results } = await explore([look(askCommits, ['llm_query', { text: 'Say x.' }])], {
      settings: { budget: { maxDepth: 0 } },
    });
    const { tools } = variables(requests[1]!, 'explore');
    expect(tools.map(({ name }) => name)).not.toContain('sub_query');
    expect(results[0]).toEqual([expect.stringContaining('no tool "sub_query"'), 'It says so.']);
  });

  it('is refused when too few calls are left, and gets its share otherwise', async () => {
    const batch = {
      queries: Array.from({ length: 8 }, (_, n) => ({ question: `Is it ${n}?`, context: `text/1000#${n + 1}` })),
    };
    const { results, tree } = await explore([look(['sub_query_batch', batch]), look(askCommits)], {
      settings: { budget: { maxCalls: 9 } },
    });
    expect(results[0]![0]).toMatch(/only \d model calls are left for sub-queries; ask fewer/);
    expect(tree.children).toEqual([]);
  });

  it('brings what it found into the last answer', async () => {
    const { of, result } = await explore([look(filter, askCommits)], {
      settings: { budget: { maxIterations: 1 } },
      script: { answer: author },
    });
    expect(of('conclude')[0]!.known).toEqual([{ question: who, answer: 'Mara [P110].' }]);
    expect(result).toMatchObject({ status: 'partial', error: { code: 'limit-iterations' } });
  });
});

describe('a query on a text', () => {
  it('gets that text, with a chunk where one is named', async () => {
    const { of, results } = await explore([
      look(filter, ['llm_query', { text: 'Who?', context: 'commits' }], ['llm_query', { text: 'Say x.' }]),
      look(['llm_query', { text: 'Sum up.', context: 'text' }]),
    ]);
    expect(of('query')).toEqual([
      { text: expect.stringMatching(/^Who\?\n\n<passage id="P110" source="src\/commits\.md"[\s\S]*authored by Mara/) },
      { text: 'Say x.' },
    ]);
    expect(results[0]!.slice(1)).toEqual(['It says so.', 'It says so.']);
    expect(results[1]![0]).toMatch(/text has [\d,]+ bytes, and one call has room for \d+: name a chunk/);
  });
});

describe('reasoner.childTools for an exploration', () => {
  const full = { reasoner: { childTools: 'full' } };
  const ask = ['sub_query', { question: 'What was lowered, and by whom?' }] as const;

  /** The root asks, the child looks and notes, and both answer. */
  const script = {
    explore: (request: ModelRequest) => {
      const { question, steps } = variables(request, 'explore');
      if (question === 'Who lowered the pool?') return steps.length === 0 ? look(ask) : finalAnswer('Done [P55].');
      const further = ['sub_query', { question: 'Who wrote C-1187?' }] as const;
      if (steps.length === 0) return noting(look(['search_context', { words: 'pool lowered' }], further), lowered);
      return finalAnswer('The pool [P55].');
    },
  };

  it('full: children of the root explore, too, with a share of the calls; theirs do not', async () => {
    const { tree, results, requests } = await explore([], { settings: full, script });
    const [child] = tree.children;
    expect(child).toMatchObject({ strategy: 'explore', path: '0.1', steps: [{ number: 1 }, { number: 2 }] });
    expect(child!.children).toMatchObject([{ path: '0.1.1', strategy: 'direct' }]);
    expect(results[0]![0]).toMatch(
      /^Answer: The pool \[P55\]\.\nIt rests on:[\s\S]*It found:\n- \[P55\] It says: lowered to 4/,
    );
    const budgets = requests.flatMap((request) =>
      request.input.prompt === 'explore' ? [variables(request, 'explore').budget.calls] : [],
    );
    expect(new Set(budgets)).toEqual(new Set([47, 22]));
  });

  it('full: documents exactly the tools that the child has', async () => {
    const settings = { ...full, budget: { maxDepth: 1 } };
    const { requests } = await explore([], { settings, script });
    const offered = requests.flatMap((request) =>
      request.input.prompt === 'explore' ? [variables(request, 'explore')] : [],
    );
    for (const { question, tools } of offered)
      expect(tools.some(({ name }) => name === 'sub_query')).toBe(question === 'Who lowered the pool?');
    for (const { input, messages } of requests)
      if (input.prompt === 'explore')
        expect(messages.some(({ content }) => content.includes('- sub_query {'))).toBe(
          input.variables.question === 'Who lowered the pool?',
        );
  });

  it.each(['passages', 'off'] as const)('%s: children answer from passages', async (childTools) => {
    const first = look(['search_context', { words: 'pool lowered' }]);
    const { tree, of } = await explore([first, look(['sub_query', { question: who }])], {
      settings: { reasoner: { childTools } },
    });
    expect(tree.children[0]!.strategy).toBe('direct');
    const ids = of('answer')[0]!.passages.map(({ id }) => id);
    if (childTools === 'off') expect(ids).toEqual(['P55']);
    else expect(ids).toContain('P110');
  });
});
