import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/index.ts';
import { explore, lowered, noting } from '../../support/exploring.ts';
import { createGate } from '../../support/gate.ts';
import { failing, finalAnswer, look, variables } from '../../support/scripted-run.ts';

const who = 'Who authored C-1187?';
const askCommits = ['sub_query', { queries: [{ question: who, path: 'src/commits.md', endLine: 4 }] }] as const;

/** A part's answer from the passage that names the author. */
const author = (request: ModelRequest) => {
  const { passages } = variables(request, 'answer');
  const found = passages.find(({ text }) => text.includes('authored by Mara'));
  const citations = found ? [{ passage: found.id, quote: 'authored by Mara' }] : [];
  return { answer: found ? `Mara [${found.id}].` : 'Not here.', citations, assumptions: [] };
};

describe('a sub-query', () => {
  it('sees exactly its part of the text, and returns its answer with citations', async () => {
    const { tree, results, of, result } = await explore(
      [
        look(askCommits),
        (request: ModelRequest) => {
          const [, id] = /\[(P\d+)\]/.exec(variables(request, 'explore').steps[0]!.calls[0]!.result)!;
          return finalAnswer(`It was Mara [${id}].`);
        },
      ],
      { script: { answer: author } },
    );
    const { passages } = of('answer')[0]!;
    expect(passages.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([[1, 4]]);
    const { id } = passages[0]!;
    expect(tree.children).toMatchObject([
      { path: '0.1', question: who, depth: 1, strategy: 'direct', answer: `Mara [${id}].` },
    ]);
    expect(results[0]![0]).toBe(`Answer: Mara [${id}].\nIt rests on:\n- [${id}] src/commits.md:2-2 "authored by Mara"`);
    expect(result).toMatchObject({
      answer: 'It was Mara [1].',
      citations: [{ source: 'src/commits.md', quote: 'authored by Mara', startLine: 2 }],
    });
  });

  it.each([
    ['some lines', { path: 'log.txt', startLine: 100, endLine: 120 }, { first: 100, last: 120 }, 1],
    ['lines from the first on', { path: 'log.txt', endLine: 40 }, { first: 1, last: 40 }, 1],
  ])('may be about %s', async (_, about, { first, last }, within) => {
    const { of } = await explore([look(['sub_query', { question: 'What happened?', ...about }])]);
    const { passages } = of('answer')[0]!;
    expect(passages[0]).toMatchObject({ source: 'log.txt', startLine: first });
    expect(passages.at(-1)!.endLine).toBeGreaterThanOrEqual(last);
    expect(passages.at(-1)!.endLine).toBeLessThan(last + within);
  });

  it('says that its part was too large to be read whole, and how to read all of it', async () => {
    const { results, requests } = await explore([
      look(['sub_query', { queries: [{ question: 'What happened?', path: 'log.txt' }] }]),
      look(['sub_query', { queries: [{ question: 'What happened?', path: 'log.txt', endLine: 9 }] }]),
    ]);
    const every = Number(/too large for one call.*"every": (\d+) reads all of it/.exec(results[0]![0]!)![1]);
    expect(every).toBeGreaterThan(200);
    expect(every).toBeLessThan(4_001);
    expect(results[1]![0]).not.toContain('too large');
    const [, prompt] = requests[1]!.messages;
    expect(prompt!.content).toMatch(/a sub-query reads about [\d,]+ characters whole/);
  });

  it('is asked about each piece of so many lines, none twice, and no answer is cut', async () => {
    const long = `${'It is said at length. '.repeat(40)}End.`;
    const every = { question: 'What happened?', path: 'log.txt', endLine: 500, every: 200 };
    const { of, results } = await explore([look(['sub_query', { queries: [every] }])], {
      settings: { context: { maxWindowTokens: 8_192 } },
      script: { answer: { answer: long, citations: [], assumptions: [] } },
    });
    const spans = of('answer').map(({ passages }) => [passages[0]!.startLine, passages.at(-1)!.endLine]);
    expect(spans).toEqual([
      [1, 200],
      [201, 400],
      [401, 500],
    ]);
    expect(results[0]![0]!.split(long)).toHaveLength(4);
    expect(results[0]![0]).toContain('Query 2 (log.txt, lines 201-400): Answer:');
  });

  it('is asked about pieces that end between letters, not within one', async () => {
    const letter = (n: number) => `Letter ${n}\n\nDear all,\n\n${'It rains.\n'.repeat(5)}`;
    const text = Array.from({ length: 12 }, (_, n) => letter(n + 1)).join('');
    const { of } = await explore(
      [look(['sub_query', { queries: [{ question: 'Who?', path: 'letters.txt', every: 30 }] }])],
      { documents: [{ name: 'letters.txt', text: text }] },
    );
    expect(of('answer').map(({ passages }) => passages[0]!.startLine)).toEqual([1, 28, 55, 82]);
    expect(of('answer').every(({ mayNeedAll }) => !mayNeedAll)).toBe(true);
  });

  it('with answers that begin with a number has the numbers added up by code, in a table', async () => {
    const every = { question: 'How many?', path: 'log.txt', endLine: 500, every: 200 };
    const { results, result } = await explore(
      [
        look(['sub_query', { queries: [every] }]),
        look(['query', { sql: 'select count(*), sum(answer) from answers' }]),
        (request: ModelRequest) => {
          const [, id] = /\[(P\d+)\] The numbers/.exec(variables(request, 'explore').steps[0]!.calls[0]!.result)!;
          return finalAnswer(`They are 51 [${id}].`);
        },
      ],
      { script: { answer: { answer: '17 of them.', citations: [], assumptions: [] } } },
    );
    expect(results[0]![0]).toContain('add up to 51.');
    expect(results[1]![0]).toContain('3 | 51');
    expect(result.citations).toMatchObject([{ source: 'computed:sub_query' }]);
  });

  it('about all of the text is answered from passages, and not split', async () => {
    const { prompts, tree } = await explore([look(['sub_query', { question: who }])]);
    expect(prompts).not.toContain('assess');
    expect(tree.children[0]).toMatchObject({
      strategy: 'direct',
      strategyReason: 'a step of the parent question asked it',
      assessment: null,
    });
    expect(tree.children[0]!.passages.length).toBeGreaterThan(0);
  });

  it('is numbered in the order of the calls, several concurrently', async () => {
    const batch = {
      queries: [
        { question: 'A?', path: 'log.txt', endLine: 9 },
        { question: 'B?', path: 'log.txt', startLine: 10, endLine: 19 },
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
      [look(['sub_query', { question: 'First?', path: 'log.txt', startLine: 20, endLine: 29 }], ['sub_query', batch])],
      { script: { answer: slow } },
    );
    expect(tree.children.map(({ path, question }) => [path, question])).toEqual([
      ['0.1', 'First?'],
      ['0.2', 'A?'],
      ['0.3', 'B?'],
    ]);
    expect(results[0]![1]).toMatch(
      /^Query 1 \(log\.txt, lines 1-9\): Answer: About A\?\nQuery 2 \(log\.txt, lines 10-19\): Answer: About B\?\n/,
    );
    expect(atOnce).toBe(3);
  });

  it.each(['Who lowered the pool?', 'who LOWERED pool', 'Who lowered the “pool”'])(
    'that repeats the question is refused, without a call: %s',
    async (question) => {
      const batch = { queries: [{ question: who }, { question, path: 'log.txt' }, { question }] };
      const { tree, results, prompts } = await explore([look(['sub_query', { question }]), look(['sub_query', batch])]);
      expect(tree.children).toEqual([]);
      expect(results[0]![0]).toMatch(/^that is the question itself, about the same text\. Ask for a part of it/);
      expect(results[1]![0]).toMatch(/^that is the question itself/);
      expect(new Set(prompts)).toEqual(new Set(['planner', 'explore', 'critic']));
    },
  );

  it('about a part of the text may repeat the question', async () => {
    const question = 'Who lowered the pool?';
    const { tree } = await explore([look(['sub_query', { question, path: 'log.txt', endLine: 400 }])]);
    expect(tree.children).toMatchObject([{ question, strategy: 'direct' }]);
  });

  it('in the words of an answered one, about the same text, gets its answer without a call', async () => {
    const same = ['who authored C-1187', 'Who authored the C-1187?'].map((question) => ({ question }));
    const { tree, results, of } = await explore(
      [
        look(['sub_query', { question: who }], ['sub_query', { question: 'WHO authored C-1187' }]),
        look(['sub_query', { queries: [...same, { question: who, path: 'src/commits.md' }] }]),
      ],
      { script: { answer: author } },
    );
    expect(tree.children).toMatchObject([{ path: '0.1' }, { path: '0.2', question: who }]);
    expect(of('answer')).toHaveLength(2);
    expect(results[0]![1]).toBe(results[0]![0]);
    expect(results[1]![0]!.match(/^Query \d \(.*\): Answer: Mara/gm)).toHaveLength(3);
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
    const { results, result } = await explore([look(askCommits), finalAnswer('Nobody knows.')], {
      script: { answer: failing('request-refused') },
    });
    expect(results[0]![0]).toBe('It has no answer: no reply');
    expect(result).toMatchObject({ status: 'answered', answer: 'Nobody knows.' });
  });

  it('is not offered at the deepest level', async () => {
    const { requests, results } = await explore([look(askCommits)], { settings: { budget: { maxDepth: 0 } } });
    const { tools } = variables(requests[1]!, 'explore');
    expect(tools.map(({ name }) => name)).not.toContain('sub_query');
    expect(results[0]).toEqual([expect.stringContaining('no tool "sub_query"')]);
  });

  it('is refused if too few calls are left, and otherwise gets its share', async () => {
    const batch = {
      queries: Array.from({ length: 8 }, (_, n) => ({ question: `Is it ${n}?`, path: 'log.txt', endLine: n + 9 })),
    };
    const { results, tree } = await explore([look(['sub_query', batch]), look(askCommits)], {
      settings: { budget: { maxCalls: 9 } },
    });
    expect(results[0]![0]).toMatch(/only \d model calls are left for sub-queries; ask fewer/);
    expect(tree.children).toMatchObject([{ question: who }]);
  });

  it('adds its findings to the last answer', async () => {
    const { of, result } = await explore([look(askCommits)], {
      settings: { budget: { maxIterations: 1 } },
      script: { answer: author },
    });
    expect(of('conclude')[0]!.known).toEqual([{ question: who, answer: expect.stringMatching(/^Mara \[P\d+\]\.$/) }]);
    expect(result).toMatchObject({ status: 'partial', error: { code: 'limit-iterations' } });
  });
});

describe('reasoner.childTools for an exploration', () => {
  const full = { reasoner: { childTools: 'full' } };
  const ask = ['sub_query', { question: 'What was lowered, and by whom?' }] as const;

  /** Replies in which the root asks, the child looks and notes, and both answer. */
  const script = {
    explore: (request: ModelRequest) => {
      const { question, steps } = variables(request, 'explore');
      if (question === 'Who lowered the pool?') return steps.length === 0 ? look(ask) : finalAnswer('Done [P55].');
      const further = ['sub_query', { question: 'Who wrote C-1187?' }] as const;
      if (steps.length === 0) return noting(look(['grep', { pattern: 'pool was lowered' }], further), lowered);
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

  it('full: documents the same tools as those of the child', async () => {
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

  it('full: findings of a child can be cited, even if its answer does not cite them', async () => {
    const idIn = (request: ModelRequest, pattern: RegExp) =>
      pattern.exec(variables(request, 'explore').steps[0]!.calls[0]!.result)![1];
    const { results, result } = await explore(
      [
        look(['sub_query', { question: who }]),
        noting(look(['grep', { pattern: 'authored' }], ['grep', { pattern: 'was lowered' }]), lowered),
        (request: ModelRequest) => finalAnswer(`Mara [${idIn(request, /\[(P\d+)\]/)}].`),
        (request: ModelRequest) => finalAnswer(`This and that [${idIn(request, /It found:\n- \[(P\d+)\]/)}].`),
      ],
      { settings: full },
    );
    expect(results[0]![0]).not.toMatch(/It rests on:[^:]*log\.txt/);
    expect(result).toMatchObject({ answer: 'This and that [1].', citations: [{ source: 'log.txt' }], warnings: [] });
  });

  it.each(['passages', 'off'] as const)('%s: children answer from passages', async (childTools) => {
    const first = look(['grep', { pattern: 'pool was lowered' }]);
    const { tree, of } = await explore([first, look(['sub_query', { question: who }])], {
      settings: { reasoner: { childTools } },
    });
    expect(tree.children[0]!.strategy).toBe('direct');
    const ids = of('answer')[0]!.passages.map(({ id }) => id);
    if (childTools === 'off') expect(ids).toEqual(['P55']);
    else expect(ids).toContain('P110');
  });
});
