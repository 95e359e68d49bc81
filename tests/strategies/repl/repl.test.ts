import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../../src/journal/trajectory.ts';
import type { ScriptedReply } from '../../../src/providers/scripted/provider.ts';
import { createGate } from '../../support/gate.ts';
import { askScripted, failing, type Script, variables } from '../../support/scripted-run.ts';
import { warned } from '../../support/warned.ts';

const filler = (count: number) =>
  Array.from({ length: count }, (_, n) => `Entry ${n}: nothing of note happened on day ${n % 28}.\n`).join('');

const documents = [
  { name: 'log.md', text: `${filler(2_000)}The pool was lowered to 4 connections by release 4.2.\n${filler(2_000)}` },
  { name: 'notes.md', text: 'Mara decided it in March.\nShe was sure.\n' },
];

const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

/** Asks a model whose replies are these turns of code. */
async function askCode(
  turns: readonly ScriptedReply[],
  script: Script = {},
  settings: object = {},
  onTrajectory: (trajectory: Trajectory) => void = () => {},
) {
  const asked = await askScripted(
    { repl: turns, ...script },
    { documents, onTrajectory, settings: { strategy: 'repl', ...settings } },
    'How large was the pool?',
  );
  const node = asked.result.recursionTree!;
  return { ...asked, node, outputs: node.steps.flatMap(({ calls }) => calls.map(({ result }) => result)) };
}

describe('code over a text', () => {
  it('is run turn by turn, and its output is shown, until there is an answer', async () => {
    const { node, result, of, requests } = await askCode([
      `I search.\n${js('const hit = context.match(/lowered to (\\d+) connections/);\nprint(hit[1], hit.index > 0);')}`,
      js('FINAL("The pool had \\"lowered to " + hit[1] + " connections\\".");'),
    ]);
    expect(result).toMatchObject({ status: 'answered', answer: 'The pool had "lowered to 4 connections".' });
    expect(result.citations).toMatchObject([
      { source: 'log.md', startLine: 2001, endLine: 2001, quote: 'lowered to 4 connections' },
    ]);
    expect(node).toMatchObject({ strategy: 'repl', strategyReason: 'asked for by --strategy', calls: 2 });
    expect(node.steps).toMatchObject([
      { number: 1, thought: 'I search.', calls: [{ tool: 'code', result: '4 true', outcome: 'done' }] },
      { number: 2, calls: [{ result: '(answered)' }] },
    ]);
    expect(of('repl').map(({ steps }) => steps.length)).toEqual([0, 1]);
    const second = requests.filter(({ input }) => input.prompt === 'repl')[1]!.messages;
    expect(second.at(-1)!.content).toMatch(
      /^<output of="1">\n4 true\n<\/output>\n\nVariables: hit \(list of 2\)\n\nLeft: \d+ turns, \d+ model calls, room for [\d,]+ characters .*\n\nThe question was: How large was the pool\?\n\n.*FINAL.*one more block/,
    );
    expect(second[0]!.content).not.toContain('nothing of note');
  });

  it('may be answered with very long words without digits', async () => {
    const { result } = await askCode([js('FINAL("ACGT".repeat(20_000));')]);
    expect(result.answer).toMatch(/^(ACGT){20000}$/);
  });

  it('cites no passage that was found for the question but not shown', async () => {
    const { result } = await askCode(['FINAL(Bob lowered it [P55].)']);
    expect(result).toMatchObject({ answer: 'Bob lowered it.', citations: [], warningCodes: ['evidence'] });
  });

  it('asks the model about pieces concurrently, within the budget, and cites the pieces', async () => {
    const bothWait = createGate(2);
    const { node, result, of, atOnce } = await askCode(
      [
        js(
          'const r = await Promise.all(context.chunks(100_000).map((c) => llm_query("Pool? " + c.slice(0, 200))));\nprint(r.length);',
        ),
        js('print(cite("lowered to 4 connections"))'),
        'FINAL(It was 4 [P1].)',
      ],
      { query: () => bothWait().then(() => 'nothing') },
    );
    expect(of('query').length).toBeGreaterThan(1);
    expect(atOnce).toBeGreaterThan(1);
    expect(node.calls).toBe(3 + of('query').length);
    // The mark is not the one that `cite` gave. Its passage was shown, but is no evidence for the number.
    expect(result.answer).toContain('It was 4');
  });

  it('returns marks for places of the text, which the answer may contain', async () => {
    const { result } = await askCode([
      js('const mark = cite("Mara decided it in March");\nconst answer = "Mara decided it " + mark + ".";'),
      'FINAL_VAR(answer)',
    ]);
    expect(result.answer).toBe('Mara decided it [1].');
    expect(result.citations).toMatchObject([
      { number: 1, source: 'notes.md', startLine: 1, quote: 'Mara decided it in March' },
    ]);
  });

  it('has a bare value cited if it occurs at one place only', async () => {
    const { result } = await askCode([js('FINAL(context.match(/release ([\\d.]+\\d)/)[0])')]);
    expect(result.answer).toMatch(/^release 4\.2/);
    expect(result.citations).toMatchObject([{ source: 'log.md', startLine: 2001, quote: 'release 4.2' }]);
    const everywhere = await askCode([js('FINAL("nothing of note happened")')]);
    expect(everywhere.result.citations).toEqual([]);
  });

  it('has no value cited that is only a part of a word or a longer number', async () => {
    for (const value of ['1999. day', 'over', 'lowe'])
      expect((await askCode([js(`FINAL(${JSON.stringify(value)});`)])).result.citations).toEqual([]);
    const { result } = await askCode([js('FINAL("Mara");')]);
    expect(result.citations).toMatchObject([{ source: 'notes.md', quote: 'Mara' }]);
  });

  it('asks a question about a part of the text with the whole procedure, with real citations', async () => {
    const { node, result } = await askCode(
      [js('const at = context.indexOf("Mara");\nFINAL(rlm_query("Who decided it?", context.slice(at)))')],
      {
        answer: (request) => {
          const { passages } = variables(request, 'answer');
          const { id } = passages.find(({ text }) => text.includes('Mara'))!;
          return { answer: `Mara [${id}].`, citations: [{ passage: id, quote: 'Mara decided it' }], assumptions: [] };
        },
      },
    );
    expect(node.children).toMatchObject([
      { path: '0.1', question: 'Who decided it?', depth: 1, strategy: 'direct', passages: [{ source: 'notes.md' }] },
    ]);
    expect(result.answer).toBe('Mara [1].');
    expect(result.citations).toMatchObject([{ source: 'notes.md', quote: 'Mara decided it' }]);
  });

  it('asks a question about a text that the code has made', async () => {
    const { node, of } = await askCode([js('FINAL(rlm_query("Who?", "A list that was made: one, two, three."))')]);
    expect(node.children).toMatchObject([{ path: '0.1', question: 'Who?' }]);
    expect(of('answer')[0]!.passages.map(({ text }) => text)).toEqual(['A list that was made: one, two, three.']);
  });
});

describe('the marks of an answer', () => {
  it('cite their lines, each its own, in whatever passage these are', async () => {
    const { result } = await askCode([
      js(`const marks = ["decided it in\\nMarch", "She was  sure"].map((words) => cite(words));
FINAL("Mara decided it " + marks[0] + ". She was sure " + marks[1] + ".");`),
    ]);
    expect(result.answer).toBe('Mara decided it [1]. She was sure [2].');
    expect(result.citations).toMatchObject([
      { number: 1, source: 'notes.md', startLine: 1, endLine: 1, quote: 'decided it in March' },
      { number: 2, source: 'notes.md', startLine: 2, endLine: 2, quote: 'She was sure' },
    ]);
    expect(new Set(result.citations.map(({ passage }) => passage)).size).toBe(2);
  });

  it('support the numbers of the headings above their lines', async () => {
    const rules = { name: 'rules.md', text: `# Rules\n\n${filler(50)}\n## 77. Snow\n\n${filler(5)}Paths are swept.\n` };
    const { result } = await askScripted(
      {
        repl: [
          js(
            'FINAL("It is section 77 " + cite("Paths are swept") + ". It is section 78 " + cite("Paths are swept") + ".")',
          ),
        ],
      },
      { documents: [...documents, rules], settings: { strategy: 'repl' } },
      'Which section is it?',
    );
    expect(result.claims.map(({ reason }) => reason)).toEqual([null, 'not in the cited text: 78']);
    expect(result.citations[0]!.under).toEqual(['# Rules', '## 77. Snow']);
  });

  it('cite a computed value, with its code and its output', async () => {
    const trajectories: Trajectory[] = [];
    const { result } = await askCode(
      [
        js('const days = context.match(/on day 7\\b/g);\nconst other = 1;'),
        js('const count = days.length;\nprint(evidence(count))'),
        js('FINAL("There are " + count + " " + evidence(count) + ".")'),
      ],
      {},
      {},
      (trajectory) => trajectories.push(trajectory),
    );
    expect(result.answer).toBe('There are 144 [1].');
    expect(result.citations).toMatchObject([
      { number: 1, source: 'computed:code', quote: expect.stringMatching(/^const days[^→]*→\n144$/) },
    ]);
    expect(trajectories[0]!.excerpts).toMatchObject([{ number: 1, source: 'computed:code' }]);
    const { text } = trajectories[0]!.excerpts[0]!;
    expect(text).toMatch(/^const days = .*\nconst count = days\.length;.*evidence\(count\).*\n→\n144$/s);
    expect(result.warnings).toEqual([]);
  });

  it('with bad quotes are left out, and the answer stands, with a warning', async () => {
    const { result, outputs } = await askCode([
      js(
        'FINAL("Mara did it " + cite("Mara decided it in June") + cite("She was sure") + ".", { tells: "part", missing: ["When?"] })',
      ),
    ]);
    expect(result.answer).toMatch(/^Mara did it \[1\]/);
    expect(result.citations).toMatchObject([{ source: 'notes.md', startLine: 2 }]);
    expect(outputs[0]).toMatch(/notes\.md:1: .*June/);
    expect(warned(result, 'evidence')).toContain('June');
    expect(result.recursionTree).toMatchObject({ tells: 'part', missing: ['When?'] });
  });

  it('may be in an answer outside of the code, which also says how much it tells', async () => {
    const { node } = await askCode([
      js('print(cite("She was sure"))'),
      'FINAL(It is not told, { tells: "nothing", missing: ["How large was it?"] })',
    ]);
    expect(node).toMatchObject({ answer: 'It is not told', tells: 'nothing', missing: ['How large was it?'] });
  });
});

describe('the window', () => {
  const systemOf = (requests: Awaited<ReturnType<typeof askCode>>['requests']) =>
    requests.find(({ input }) => input.prompt === 'repl')!.messages[0]!.content;
  const windows = { 8: { tokens: 8_192, least: 2_500 }, 32: { tokens: 32_768, least: 6_000 } } as const;
  const many = Array.from({ length: 40 }, (_, n) => `Line ${n} of a file says a thing or two, and no more.`).join('\n');

  it.each([8, 32] as const)('of %sk tokens has room for this much output, as the prompt states', async (size) => {
    const { tokens, least } = windows[size];
    const { requests, outputs } = await askScriptedCode(tokens, [
      js('print(context)'),
      js('print("x".repeat(100_000))'),
      js('print(printed(2).length)'),
      'FINAL(So.)',
    ]);
    const told = Number(/At most ([\d,]+) characters of a turn/.exec(systemOf(requests))![1]!.replace(',', ''));
    expect(told).toBeGreaterThanOrEqual(least);
    expect(outputs[0]).toBe(many);
    expect(outputs[1]!.length).toBeGreaterThan(told - 10);
    expect(outputs[1]!.length).toBeLessThan(told + 200);
    expect(outputs[1]).toContain('print(printed(2).slice(');
    expect(outputs[2]).toBe('100001');
  });

  it('lets a reply with an answer be twice as long as others', async () => {
    const { requests } = await askCode([js('llm_query("Is " + context.slice(0, 9))'), 'FINAL(So.)']);
    const most = (prompt: string) => requests.find(({ input }) => input.prompt === prompt)!.maxOutputTokens;
    expect(most('repl')).toBe(2 * most('query'));
  });

  it('has one capacity for a sub-call, which the prompt and the error state equally', async () => {
    const { requests, outputs, of } = await askScriptedCode(8_192, [
      js('print(llm_query_batched(["ok?", "x ".repeat(60_000)]))'),
      'FINAL(So.)',
    ]);
    const told = /One text may have ([\d,]+) characters/.exec(systemOf(requests))![1]!.replace(',', '');
    expect(outputs[0]).toMatch(new RegExp(`^It says so\\.\\n\\[no reply: .*120000 characters.* ${told}:`));
    expect(of('query')).toHaveLength(1);
    const fits = await askScriptedCode(8_192, [js(`print(llm_query("x ".repeat(${Number(told) / 2})))`), 'FINAL(So.)']);
    expect(fits.outputs[0]).toBe('It says so.');
  });

  it('makes each prompt the beginning of the next, until older output is hidden, which is stated', async () => {
    const letters = 'abcdefghijkl';
    const turns = Array.from({ length: 12 }, (_, n) =>
      js(`const v${n} = "${letters[n]}".repeat(1_500);\nprint(v${n});`),
    );
    const { requests, outputs, result } = await askScriptedCode(8_192, [
      ...turns,
      js('print(printed(1).slice(0, 5))'),
      'FINAL(So.)',
    ]);
    const asked = requests.filter(({ input }) => input.prompt === 'repl').map(({ messages }) => messages);
    expect(result.warnings).toEqual([]);
    let kept = 0;
    for (const [index, messages] of asked.entries()) {
      const before = asked[index - 1]?.slice(0, -1) ?? [];
      if (JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before)) kept += 1;
      expect(messages).toHaveLength(2 + 2 * index);
    }
    expect(kept).toBeGreaterThanOrEqual(asked.length - 4);
    expect(kept).toBeLessThan(asked.length);
    const last = asked.at(-1)!.map(({ content }) => content);
    expect(last[2]).toContain('const v0 = "a".repeat(1_500);');
    expect(last[3]).toMatch(/a{300}\n\[… 1\d{3} characters .* print\(printed\(1\)\)/);
    expect(last.at(-1)).toMatch(/Variables: v11 \(text of 1500 characters\), v10 /);
    expect(outputs.at(-1)).toBe('aaaaa');
  });

  /** Asks about one short document, with a model with this window. */
  async function askScriptedCode(tokens: number, repl: readonly string[]) {
    const asked = await askScripted(
      { repl },
      {
        documents: [{ name: 'a.txt', text: many }],
        scripted: { maxWindowTokens: tokens },
        settings: { strategy: 'repl', context: { maxWindowTokens: tokens } },
      },
    );
    const { steps } = asked.result.recursionTree!;
    return { ...asked, outputs: steps.flatMap(({ calls }) => calls.map(({ result }) => result)) };
  }
});

describe('a question to a model', () => {
  it('that repeats the question, about all of the text, is refused without a call', async () => {
    const tried = (call: string) => `try { ${call} } catch (e) { print(e.message); }`;
    const { outputs, node, prompts } = await askCode([
      js(`${tried('llm_query("how large was the pool")')}\n${tried('rlm_query("How large was the POOL?", context)')}`),
    ]);
    expect(outputs[0]).toMatch(
      /^that is the question itself, and llm_query.*\nthat is the question itself, about the same/,
    );
    expect(node.children).toEqual([]);
    expect(prompts).not.toContain('query');
    expect(prompts).not.toContain('answer');
  });

  it('in the words of an answered one, about the same text, gets its answer without a call', async () => {
    const part = 'context.slice(context.indexOf("Mara"))';
    const { node, of } = await askCode([
      js(`print(rlm_query("Who decided it?", ${part}), rlm_query("who decided it", ${part}));`),
      js(`FINAL(rlm_query("WHO decided it?!", ${part}))`),
    ]);
    expect(node.children).toMatchObject([{ path: '0.1', question: 'Who decided it?' }]);
    expect(of('answer')).toHaveLength(1);
  });
});

describe('faults', () => {
  it('lead to a warning if the same code is written again, and to a forced answer if that continues', async () => {
    const again = js('print(context.lines(1, 1));');
    const { outputs, result, requests } = await askCode([again, again, again, again, 'FINAL(It is not told.)']);
    expect(outputs[0]).toContain('Entry 0');
    expect(outputs.slice(1)).toEqual(Array(3).fill(expect.stringContaining('the code of turn 1')));
    const last = requests.filter(({ input }) => input.prompt === 'repl').at(-1)!.messages;
    expect(last.filter(({ role }) => role === 'assistant')).toHaveLength(1);
    expect(last.at(-1)!.content).toMatch(/Entry 0[\s\S]*the code of turn 1[\s\S]*Write FINAL\(answer\) now/);
    expect(result.answer).toBe('It is not told.');
  });

  it('include words without code, which later turns do not show', async () => {
    const { requests, result } = await askCode([
      'It was surely 5.',
      'Surely.',
      js('print(1)'),
      'FINAL(It is not told.)',
    ]);
    const [, second, third, fourth] = requests
      .filter(({ input }) => input.prompt === 'repl')
      .map(({ messages }) => messages.map(({ content }) => content).slice(2));
    expect(second).toEqual(['…', expect.stringContaining('There was no code in your reply')]);
    expect(third).toEqual(second!.map((content) => (content === '…' ? content : expect.stringContaining('no code'))));
    expect(fourth).toEqual([expect.stringContaining('print(1)'), expect.stringContaining('<output of="3">')]);
    expect(result.answer).toBe('It is not told.');
  });

  it('do not include the same code that prints something else', async () => {
    const next = js('var at = (globalThis.at ?? 0) + 1;\nprint("turn", at);');
    const { outputs } = await askCode([next, next, 'FINAL(Done.)']);
    expect(outputs).toEqual(['turn 1', 'turn 2']);
  });

  it('are shown: errors with their lines, missing variables, replies without code', async () => {
    const { outputs, requests, result } = await askCode([
      js('const a = 1;\nnope(a);'),
      'FINAL_VAR(result)',
      'I do not know where to look.',
      'FINAL(done)',
    ]);
    expect(outputs).toEqual([
      "ReferenceError: 'nope' is not defined\n  in line 2: nope(a);",
      'FINAL_VAR: there is no variable result. Set it at the top level of the code, or write FINAL(answer).',
    ]);
    const asked = requests
      .filter(({ input }) => input.prompt === 'repl')
      .map(({ messages }) => messages.at(-1)!.content);
    expect(asked[3]).toContain('There was no code in your reply');
    expect(asked[3]).toContain('3 turns in a row came to nothing');
    expect(result).toMatchObject({ status: 'answered', answer: 'done' });
  });

  it('include an answer next to code that failed', async () => {
    const { result, outputs } = await askCode([`${js('nope()')}\nFINAL(guessed)`, 'FINAL(known)']);
    expect(outputs[0]).toMatch(/^ReferenceError/);
    expect(result.answer).toBe('known');
  });

  it('do not include an answer in place of code, or the name of a variable in its place', async () => {
    expect((await askCode(['```\nFINAL(It was the pool, of course.)\n```'])).result.answer).toBe(
      'It was the pool, of course.',
    );
    expect((await askCode([js('const pool = "It was 4."'), 'FINAL(pool)'])).result.answer).toBe('It was 4.');
    const { result, outputs } = await askCode(['```\nFINAL(pool)\n```', 'FINAL(4 connections)']);
    expect(outputs[0]).toMatch(/^ReferenceError: 'pool' is not defined/);
    expect(result.answer).toBe('4 connections');
  });

  it('lead to an answer from the findings when the turns are used up', async () => {
    const { result, of } = await askCode(
      Array.from({ length: 9 }, (_, turn) => js(`print(context.slice(0, ${20 + turn}))`)),
      {},
      { budget: { maxIterations: 2 } },
    );
    expect(result).toMatchObject({
      status: 'partial',
      answer: 'About How large was the pool?',
      stopReason: 'limit-iterations',
    });
    expect(of('conclude')[0]!.known).toMatchObject([
      { question: 'What did the code of turn 1 print?', answer: expect.stringMatching(/^Entry 0: nothing/) },
      { question: 'What did the code of turn 2 print?' },
    ]);
  });

  it('give an error in the code when the budget is used up, and an answer from the findings', async () => {
    const loop = 'let n = 0;\ntry { for (;;) { llm_query("again " + n); n += 1; } } catch (e) { print(n, e.message); }';
    const { result, outputs } = await askCode([js(loop), js(loop)], { query: 'yes' }, { budget: { maxCalls: 8 } });
    expect(outputs[0]).toMatch(/^[1-5] the budget/);
    expect(result.usage.calls).toBeLessThanOrEqual(8);
    expect(result).toMatchObject({ status: 'partial', answer: expect.any(String) });
  });

  it('leave a question without an answer only if no model can be asked', async () => {
    const none = failing('provider-failed');
    const { result } = await askCode([js('print(1)')], { conclude: none });
    expect(result).toMatchObject({ status: 'partial', answer: '1' });
  });

  it('keep long conversations within the window', async () => {
    const { of, result } = await askCode(
      [...Array.from({ length: 12 }, (_, turn) => js(`print(context.slice(${turn}, 100_000))`)), 'FINAL(done)'],
      {},
      { context: { maxWindowTokens: 8_192 } },
    );
    expect(result).toMatchObject({ status: 'answered', answer: 'done' });
    expect(of('repl').at(-1)!.shortTo).toBeGreaterThan(0);
  });
});
