import { describe, expect, it } from 'vitest';
import { type ModelRequest, RlmError } from '../../../src/index.ts';
import { authored, explore, fact, lowered, noting } from '../../support/exploring.ts';
import { failing, finalAnswer, look, variables } from '../../support/scripted-run.ts';
import { warned } from '../../support/warned.ts';

const contentOf = ({ messages }: { readonly messages: readonly { readonly content: string }[] }) =>
  messages.map(({ content }) => content).join('\n');

const search = look(['grep', { pattern: 'pool was lowered' }]);
const wrong = look(['grip', { pattern: 'pool' }]);

describe('exploring', () => {
  it('looks, notes its findings, and answers with checked citations', async () => {
    const { result, tree, steps, prompts } = await explore([
      look(['grep', { pattern: 'pool was lowered' }], ['list_files', {}]),
      noting(look(['grep', { pattern: 'C-1187 was' }]), lowered),
      noting(finalAnswer('Mara, who wrote C-1187.'), authored),
    ]);
    expect(prompts).toEqual(['planner', 'explore', 'explore', 'explore', 'critic']);
    expect(result).toMatchObject({ status: 'answered', answer: 'Mara, who wrote C-1187.', warnings: [] });
    expect(tree).toMatchObject({ strategy: 'explore', status: 'answered', calls: 3 });
    expect(steps.map(({ number, thought, calls }) => [number, thought, calls.map(({ tool }) => tool)])).toEqual([
      [1, 'Let me see.', ['grep', 'list_files']],
      [2, 'Let me see.', ['grep']],
      [3, 'Let me see.', ['final_answer']],
    ]);
    expect(result.citations).toMatchObject([
      { source: 'log.txt', startLine: 2_001, quote: 'lowered to 4 by config C-1187' },
      { source: 'src/commits.md', startLine: 2, quote: 'C-1187 was authored by Mara' },
    ]);
    expect(result.confidence).toBeGreaterThan(0);
  });

  it('cites no passage that was found for the question but not shown', async () => {
    const { result } = await explore([finalAnswer('Bob lowered it [P55].')]);
    expect(result).toMatchObject({ answer: 'Bob lowered it.', citations: [], warningCodes: ['evidence'] });
    expect(result.confidence).toBeNull();
  });

  it('treats an empty answer as one that finds nothing', async () => {
    const { result } = await explore([finalAnswer(' ')]);
    expect(result).toMatchObject({ status: 'answered', tells: 'nothing', citations: [] });
    expect(result.answer).toMatch(/^Not found/);
  });

  it('shows the text only through tools', async () => {
    const { requests } = await explore([look(['list_files', {}])]);
    expect(contentOf(requests[1]!)).toContain('log.txt: 4,001 lines');
    expect(contentOf(requests[1]!)).not.toContain('C-1187');
  });

  it.each([
    ['JSON', { structuredOutput: true }, 'user'],
    ['labels', { structuredOutput: false }, 'user'],
    ["the server's own way", { tools: true }, 'tool'],
  ] as const)('takes turns with the model in %s', async (_, scripted, role) => {
    const native = 'tools' in scripted;
    const first = {
      toolCalls: [{ name: 'grep', arguments: '{"pattern": "pool was lowered"}' }],
      text: 'THOUGHT: I look for the pool.',
    };
    const written = 'THOUGHT: I look for the pool.\nACTION 1: grep {"pattern": "pool was lowered"}';
    const { requests, steps, result } = await explore(
      native
        ? [first, { toolCalls: [{ name: 'final_answer', arguments: { answer: 'It was C-1187 [P55].' } }] }]
        : [written, 'ACTION 1: final_answer {"answer": "It was C-1187 [P55]."}'],
      { scripted },
    );
    expect(result).toMatchObject({ answer: 'It was C-1187 [1].', citations: [{ source: 'log.txt' }] });
    expect(steps[0]).toMatchObject({ thought: 'I look for the pool.', calls: [{ outcome: 'done' }] });
    const [, , said, told] = requests[2]!.messages;
    expect(said).toMatchObject({ role: 'assistant', content: expect.stringContaining('I look for the pool.') });
    expect(told).toMatchObject({ role, content: expect.stringContaining('log.txt\n[P55] 2001: The pool was lowered') });
    expect(told!.content).toContain('Left: 19 steps');
    expect(requests[1]!.tools.length > 0).toBe(native);
    expect(contentOf(requests[1]!).includes('- read_file {')).toBe(!native);
  });

  it('binds the arguments to their tool in the schema of a reply', async () => {
    const { requests } = await explore([]);
    const { properties } = requests[1]!.schema as { properties: { actions: { items: { anyOf: object[] } } } };
    expect(properties.actions.items.anyOf).toContainEqual(
      expect.objectContaining({
        properties: expect.objectContaining({ tool: { type: 'string', enum: ['read_file'] } }),
      }),
    );
  });

  it('accepts a finding only if its evidence occurs in the text, and otherwise informs the model', async () => {
    const { steps, requests, result } = await explore([
      noting(search, fact('lowered to 5', 'log.txt', 2_001), lowered, lowered),
      finalAnswer('C-1187.'),
    ]);
    expect(steps[0]!.findings.map(({ passage }) => passage)).toEqual([null, 'P55', 'P55']);
    expect(contentOf(requests[2]!)).toMatch(/does not count.*"lowered to 5"/);
    expect(contentOf(requests[2]!)).toContain('Noted: log.txt:2001-2001 is [P55]; log.txt:2001-2001 is [P55]');
    expect(result.citations).toHaveLength(1);
  });

  it.each([
    ['the wrong lines', { ...lowered, startLine: 3, endLine: 3 }],
    ['no lines', { ...lowered, startLine: 0, endLine: 0 }],
    ['a passage for a source', { ...lowered, source: 'P55' }],
    ['the end of the path', { ...lowered, source: 'log.txt' }],
  ])('finds the evidence of a finding with %s in the shown text', async (_, given) => {
    const { steps } = await explore([search, noting(finalAnswer('C-1187.'), given)]);
    expect(steps[1]!.findings).toMatchObject([{ source: 'log.txt', startLine: 2_001, passage: 'P55' }]);
  });

  it('drops wrong marks and quotes, with a warning', async () => {
    const { result } = await explore([
      search,
      finalAnswer('It was C-1187 [P55], says [P3].', { evidence: [{ passage: 'P55', quote: 'raised to 9' }] }),
    ]);
    expect(result.answer).toBe('It was C-1187, says. [1]');
    expect(result.citations).toMatchObject([{ origin: 'code', quote: expect.stringContaining('C-1187') }]);
    expect(warned(result, 'evidence')).toMatch(/"raised to 9"[\s\S]*P3/);
  });

  it('emits each call and step as it happens, and keeps them in the tree', async () => {
    const { events, steps } = await explore([search, noting(finalAnswer('C-1187.'), lowered)]);
    expect(events.filter(({ type }) => type === 'tool.called')).toMatchObject([
      { path: '0', step: 1, call: 1, tool: 'grep', arguments: { pattern: 'pool was lowered' }, outcome: 'done' },
      { path: '0', step: 2, call: 1, tool: 'final_answer' },
    ]);
    expect(events.filter(({ type }) => type === 'step.completed')).toMatchObject([
      { step: 1, findings: [] },
      { step: 2, findings: steps[1]!.findings },
    ]);
  });
});

describe('a small model', () => {
  const native = { tools: true, structuredOutput: true };

  it('that makes no native calls is asked to write its calls', async () => {
    const { requests, steps, result } = await explore(
      [{ text: 'THOUGHT: It was surely Mara.' }, search, finalAnswer('C-1187 [P55].')],
      { scripted: native },
    );
    expect(requests.slice(1, 4).map(({ tools, schema }) => [tools.length > 0, schema !== null])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
    expect(contentOf(requests[2]!)).not.toContain('surely Mara');
    expect(steps.map(({ calls }) => calls.length)).toEqual([0, 1, 1]);
    expect(result).toMatchObject({ status: 'answered', answer: 'C-1187 [1].' });
  });

  it('is asked for findings only after it has seen something, and must name a tool', async () => {
    const { requests } = await explore([search, finalAnswer('C-1187 [P55].')]);
    const [first, second] = requests.slice(1).map(({ schema }) => (schema as { properties: object }).properties);
    expect(Object.keys(first!)).toEqual(['thought', 'actions']);
    expect(Object.keys(second!)).toEqual(['thought', 'findings', 'actions']);
    expect(first).toMatchObject({ actions: { minItems: 1 } });
  });

  it('is not shown its own words if it only repeats itself or invents findings', async () => {
    const { requests } = await explore([
      noting(search, fact('lowered to 5', 'log.txt', 2_001)),
      { ...search, thought: 'Once more.' },
      finalAnswer('C-1187 [P55].'),
    ]);
    const { messages } = requests[3]!;
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
    expect(messages.find(({ role }) => role === 'assistant')!.content).not.toContain('lowered to 5');
    expect(messages.at(-1)!.content).toMatch(/were made before[\s\S]*grep[\s\S]*Do not make them again/);
  });
});

describe('calls that are wrong', () => {
  it('are answered with the right form; after three in a row the model must answer', async () => {
    const { results, requests, result } = await explore([wrong, wrong, wrong, finalAnswer('I do not know.')]);
    expect(results[0]![0]).toMatch(/no tool "grip"\. Did you mean grep\? The form of a call: grep \{/);
    expect(contentOf(requests[3]!)).not.toContain('Call final_answer now');
    expect(contentOf(requests[4]!)).toContain('Call final_answer now');
    expect(result).toMatchObject({ status: 'answered', answer: 'I do not know.' });
  });

  it('end it if the model continues with them, and the findings are used for the answer', async () => {
    const { result, prompts, steps } = await explore([noting(search, lowered), wrong, wrong, wrong, wrong, wrong]);
    expect(steps).toHaveLength(5);
    expect(prompts.at(-2)).toBe('conclude');
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'About Who lowered the pool?',
      citations: [{ quote: lowered.evidence }],
    });
    expect(result.warningCodes).toContain('ended-early');
  });

  it('are forgiven after a right one', async () => {
    const { requests } = await explore([wrong, wrong, search, wrong]);
    expect(contentOf(requests[5]!)).not.toContain('Call final_answer now');
  });

  it('include steps without a call, and steps that repeat', async () => {
    const { results, steps, result } = await explore([search, search, look(), search, search]);
    expect(results[1]).toEqual(['The same as step 1, call 1.']);
    expect(steps).toHaveLength(5);
    expect(result.answer).toBe('About Who lowered the pool?');
  });

  it('are not forgiven for a repeated one among them', async () => {
    const again = ['grep', { pattern: 'pool was lowered' }] as const;
    const { requests } = await explore([search, wrong, look(['grip', { pattern: 'limit' }], again), search, search]);
    expect(contentOf(requests[4]!)).not.toContain('Call final_answer now');
    expect(contentOf(requests[5]!)).toContain('Call final_answer now');
  });

  it('beyond the limit of a step are reported', async () => {
    const many = look(
      ...Array.from({ length: 10 }, (_, n) => ['grep', { pattern: `entry ${n}:` }] as [string, object]),
    );
    const { steps, requests } = await explore([many]);
    expect(steps[0]!.calls).toHaveLength(8);
    expect(contentOf(requests[2]!)).toContain('2 calls too many for one step: not made.');
    const fewer = await explore([many], { settings: { budget: { maxPerIteration: 2 } } });
    expect(fewer.steps[0]!.calls).toHaveLength(2);
  });
});

describe('the end of an exploration', () => {
  const look1 = (n: number) => look(['grep', { pattern: `entry ${n}:` }]);
  const endless = (_: unknown, index: number) => (index === 0 ? noting(search, lowered) : look1(index));

  it.each([
    ['steps', { maxIterations: 3 }, 'limit-iterations', 3],
    ['calls', { maxCalls: 7 }, 'limit-calls', 4],
    ['tokens', { maxTokens: 90_000 }, 'limit-tokens', null],
  ])('by the limit of %s has a partial answer from the findings', async (_, budget, code, steps) => {
    const { result, tree, prompts } = await explore([], { settings: { budget }, script: { explore: endless } });
    expect(result).toMatchObject({ status: 'partial', error: { code }, answer: 'About Who lowered the pool?' });
    expect(result.citations).toMatchObject([{ quote: lowered.evidence }]);
    expect(tree.status).toBe('partial');
    expect(prompts).toContain('conclude');
    if (steps !== null) expect(tree.steps).toHaveLength(steps);
  });

  it('is announced to the model in advance', async () => {
    const { requests } = await explore([search, look1(2)], { settings: { budget: { maxIterations: 3 } } });
    expect(contentOf(requests[2]!)).not.toContain('This is the last step');
    expect(contentOf(requests[3]!)).toContain('This is the last step');
  });

  it('lists the findings if no model can be asked any more', async () => {
    const { result, tree } = await explore([noting(search, lowered), new RlmError('provider-failed', 'gone')], {
      script: { conclude: failing('provider-failed') },
    });
    expect(tree).toMatchObject({ status: 'partial', answer: '- It says: lowered to 4 by config C-1187 [P55]' });
    expect(result.citations).toMatchObject([{ source: 'log.txt', quote: lowered.evidence }]);
    expect(result.error).toMatchObject({ code: 'provider-failed' });
  });

  it('is an answer from the findings if a reply cannot be used', async () => {
    const { result, tree } = await explore([noting(search, lowered), 'I look.', 'I look.']);
    expect(tree).toMatchObject({ status: 'answered', answer: 'About Who lowered the pool?' });
    expect(warned(result, 'ended-early')).toContain('cannot be used');
  });

  it('comes at once if there is no text', async () => {
    const { tree } = await explore([], { documents: [] });
    expect(tree).toMatchObject({ strategy: 'direct', strategyReason: 'there is no text to explore' });
  });
});

describe('a window with too little room to explore', () => {
  it('leads to an answer from passages, without queries if their results have no room either', async () => {
    const rows = Array.from({ length: 600 }, (_, n) => `${n},pool-${n % 7},lowered to ${n % 5}`);
    const documents = [{ name: 'pools.csv', text: `id,pool,change\n${rows.join('\n')}\n` }];
    const settings = { context: { maxWindowTokens: 4_096 } };
    const { result, tree, prompts, of } = await explore([], { settings, documents });
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(tree.strategy).toBe('direct');
    expect(prompts).not.toContain('explore');
    expect(of('answer')[0]!.passages).not.toEqual([]);
    expect(warned(result, 'answered-directly')).toContain('too little room to explore');
    expect(warned(result, 'left-out')).toContain('too little room to query');
  });
});

describe('a long exploration', () => {
  const peek = (n: number) => look(['read_file', { path: 'log.txt', startLine: n * 100 + 1, endLine: n * 100 + 90 }]);

  const small = { context: { maxWindowTokens: 8_192 } };

  it('keeps notes word for word, names and counts hidden parts, and every prompt fits', async () => {
    const many = Array.from({ length: 18 }, (_, n) => peek(n));
    const first = noting({ ...search, thought: 'The pool is named [P55].' }, lowered);
    const { requests, steps, result } = await explore([first, ...many], { settings: small });
    expect(result).toMatchObject({ status: 'answered' });
    expect(steps).toHaveLength(20);
    expect(steps.map(({ summarisedTo }) => summarisedTo)).toEqual(
      [...steps.map(({ summarisedTo }) => summarisedTo)].sort((a, b) => a - b),
    );
    expect(steps.at(-1)!.summarisedTo).toBeGreaterThan(5);
    const last = contentOf(requests.findLast(({ input }) => input.prompt === 'explore')!);
    expect(last).toContain('- Step 1: The pool is named [P55].');
    expect(last).toContain('- [P55] log.txt:2001-2001 "lowered to 4 by config C-1187"');
    expect(last).toMatch(/<passage id="P55"[\s\S]*The pool was lowered to 4/);
    const named = last.split('read_file {"path":"log.txt","startLine":').length - 1;
    const counted = Number(/(\d+) results? of (?:an )?older calls?/.exec(last)?.[1] ?? 0);
    const repeats = requests.findLast(({ input }) => input.prompt === 'explore')!.messages.length;
    expect(named + counted + repeats).toBeGreaterThanOrEqual(18);
    for (const { messages } of requests)
      expect(Buffer.byteLength(messages.map(({ content }) => content).join('')) / 3).toBeLessThan(8_192 - 1_024);
  });

  it('only appends until the window is full, and then shortens once, to about half', async () => {
    const many = Array.from({ length: 12 }, (_, n) => peek(n));
    const { requests, steps } = await explore(many, { settings: small });
    const explores = requests.filter(({ input }) => input.prompt === 'explore');
    const turns = explores.map(({ messages }) => messages.slice(0, -1).map(({ content }) => content));
    for (let step = 1; step < steps.length; step++) {
      if (steps[step]!.summarisedTo !== steps[step - 1]!.summarisedTo) continue;
      const before = turns[step - 1]!;
      expect(turns[step]!.slice(0, before.length)).toEqual(before);
    }
    const changes = new Set(steps.map(({ summarisedTo }) => summarisedTo)).size;
    expect(changes).toBeLessThan(steps.length / 1.5);
  });

  it('keeps notes and answers of sub-queries completely', async () => {
    const answer = `About it: ${'long '.repeat(60)}end.`;
    const asking = look(['sub_query', { queries: [{ question: 'What of it?', path: 'src/commits.md' }] }]);
    const note = look(['note', { text: 'C-1187 did it [P55].', quote: 'lowered to 4' }]);
    const many = Array.from({ length: 12 }, (_, n) => peek(n));
    const { requests, steps, result } = await explore([search, note, asking, ...many], {
      settings: small,
      script: { answer: { answer, citations: [], assumptions: [] } },
    });
    expect(steps[1]!.calls[0]).toMatchObject({ outcome: 'done', result: 'Noted, with [P55].' });
    expect(steps[1]!.findings).toMatchObject([{ passage: 'P55', startLine: 2_001 }]);
    const last = contentOf(requests.findLast(({ input }) => input.prompt === 'explore')!);
    expect(steps.at(-1)!.summarisedTo).toBeGreaterThan(3);
    expect(last).toContain('C-1187 did it [P55].');
    expect(last).toContain(answer);
    expect(result.citations).toMatchObject([{ quote: 'lowered to 4' }]);
  });

  it('refuses a note whose quote does not occur in the text', async () => {
    const { results } = await explore([look(['note', { text: 'It was Ben.', quote: 'lowered by Ben' }])]);
    expect(results[0]![0]).toContain('do not stand in what was shown');
  });

  it('states the room of a step, which is at least a quarter of the window, and shares it', async () => {
    const { requests, results } = await explore(
      [look(['read_file', { path: 'log.txt' }], ['grep', { pattern: 'pool was' }])],
      { settings: small },
    );
    const told = Number(/about ([\d,]+) characters, shared/.exec(contentOf(requests[1]!))![1]!.replace(',', ''));
    expect(told).toBeGreaterThan(4_000);
    expect(results[0]![0]!.length).toBeGreaterThan(told * 0.8);
    expect(results[0]![1]).toContain('The pool was lowered');
  });

  it('returns the result of a repeated call again if it is no longer shown', async () => {
    const many = Array.from({ length: 12 }, (_, n) => peek(n));
    const { results } = await explore([search, ...many, search], { settings: { context: { maxWindowTokens: 8_192 } } });
    expect(results[13]![0]).toBe(results[0]![0]);
  });

  it('limits the shown text of a tool by the settings', async () => {
    const { results } = await explore([peek(0), look(['grep', { pattern: 'entry' }])], {
      settings: { tools: { maxCharacters: 600, maxLines: 8 } },
    });
    for (const result of results.slice(0, 2).flat()) {
      expect(result.length).toBeLessThanOrEqual(600);
      expect(result.split('\n').length).toBeLessThanOrEqual(8);
    }
    expect(results[0]![0]).toMatch(/to see it: "startLine": \d+/);
    expect(results[1]![0]).toMatch(/Left out: 4,?29\d more/);
  });
});

it('knows only the allowed tools, also by their old names', async () => {
  const settings = { tools: { allow: ['read_file', 'grep'] } };
  const { requests, results } = await explore([look(['sub_query', { question: 'Who?' }])], { settings });
  expect(contentOf(requests[1]!)).not.toContain('sub_query {');
  expect(results[0]![0]).toMatch(/no tool "sub_query".*The tools are grep, read_file, final_answer\./);
  await expect(explore([], { settings: { tools: { allow: ['peek'] } } })).rejects.toMatchObject({
    code: 'config-invalid',
    hint: expect.stringContaining('tools are'),
  });
});

it('says with its answer how much it tells, and what is missing', async () => {
  const { tree } = await explore([search, finalAnswer('C-1187 [P55].', { tells: 'part', missing: ['Who wrote it?'] })]);
  expect(tree).toMatchObject({ tells: 'part', missing: ['Who wrote it?'] });
  const silent = await explore([search, finalAnswer('C-1187 [P55].', { tells: 'so so' })]);
  expect(silent.tree).toMatchObject({ tells: null, missing: [] });
});

it('ranks passages of the text, or of a part of it, by words', async () => {
  const words = 'who authored C-1187';
  const { results, result } = await explore([
    look(['grep', { words }], ['grep', { words, path: 'log.txt' }], ['grep', { words, path: 'src/**' }]),
    finalAnswer('Mara [P110].'),
  ]);
  expect(results[0]![0]).toContain('C-1187 was authored by Mara');
  expect(results[0]![1]).toContain('lowered to 4 by config C-1187');
  expect(results[0]![1]).not.toContain('Mara');
  expect(results[0]![2]).toContain('<passage id="P110" source="src/commits.md"');
  expect(result.citations).toMatchObject([{ source: 'src/commits.md' }]);
});

it('may cite a value that a tool computed', async () => {
  const counting = look(['grep', { pattern: 'early entry', count: true }]);
  const { results, result } = await explore([
    counting,
    (request: ModelRequest) => {
      const [, id] = /\[(P\d+)\]/.exec(variables(request, 'explore').steps[0]!.calls[0]!.result)!;
      return finalAnswer(`There are 2,000 [${id}].`);
    },
  ]);
  expect(results[0]![0]).toMatch(/^\[P\d+\] 2,000 matching lines in 1 file:\n2000 log\.txt\n/);
  expect(result).toMatchObject({ answer: 'There are 2,000 [1].', citations: [{ source: 'computed:grep' }] });
});

describe('an exploration that fails', () => {
  it.each(['call-timeout', 'reply-unusable'] as const)('(%s) is answered directly from passages', async (code) => {
    const { result, tree, prompts, of } = await explore([failing(code)()]);
    expect(prompts).toEqual(['planner', 'explore', 'answer', 'critic']);
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(
      of('answer')[0]!
        .passages.map(({ text }) => text)
        .join(),
    ).toContain('lowered to 4');
    expect(tree).toMatchObject({ status: 'answered', strategyReason: expect.stringContaining('exploration failed') });
    expect(warned(result, 'answered-directly')).toContain('from passages');
  });

  it('after it has seen something is also answered so, if no conclusion is possible', async () => {
    const options = { script: { conclude: failing('call-timeout') } };
    const { result, prompts } = await explore([search, failing('call-timeout')()], options);
    expect(prompts).toEqual(['planner', 'explore', 'explore', 'conclude', 'answer', 'critic']);
    expect(result).toMatchObject({ status: 'answered', error: null });
  });

  it('keeps its findings', async () => {
    const { result, prompts } = await explore([noting(search, lowered), failing('call-timeout')()], {
      script: { conclude: failing('call-timeout') },
    });
    expect(prompts).not.toContain('answer');
    expect(result.answer).toContain('lowered to 4');
  });
});
