import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import { askRouted, namedProvider } from '../support/routed-run.ts';
import {
  askScripted,
  failing,
  finalAnswer,
  long,
  look,
  type Script,
  short,
  variables,
} from '../support/scripted-run.ts';
import { warned } from '../support/warned.ts';

const auto = { stages: { planner: 'auto', critic: 'never' }, refine: 0 } as const;
const question = 'Which release limited the pool, and who asked for it?';
const missing = ['Who asked for the limit of the pool?'];

const told = (answer: string, changes: object = {}) => ({
  ...{ answer, citations: [], assumptions: [], tells: 'all', missing: [], needsAll: 'no' },
  ...changes,
});
const part = told('The pool was limited to 20 by release 4.2 [P1].', { tells: 'part', missing });
const nothing = told('That does not stand here.', { tells: 'nothing' });

const later = 'Nobody asked for it: release 4.2 cannot do without a limit, which is 0.35 of 57.';
const explore = [look(['grep', { pattern: 'pool' }]), finalAnswer(later)];

/** Asks with the default stages about text that fits no window, unless the options give another text. */
const climbing = (script: Script, options: Parameters<typeof askScripted>[1] = {}, asked = question) =>
  askScripted(script, { documents: long, settings: auto, ...options }, asked);

/** Asks a model of 1.5 billion weights. */
async function askSmall(script: Script, documents = long) {
  const model = namedProvider('small', script, { weights: 1.5e9 });
  const settings = { refine: 0, stages: { planner: 'auto', critic: 'auto' } } as const;
  const { result } = await askRouted([model], settings, { documents });
  return { result, requests: model.requests, prompts: model.requests.map(({ input }) => input.prompt) };
}

describe('a small model over records', () => {
  const orders = [{ name: 'orders.csv', text: 'id,customer,status\n1,Acme,open\n2,Bolt,closed\n3,Acme,open\n' }];
  const asking = async (asked: string) => {
    const model = namedProvider('small', { answer: 'There are 2 orders.' }, { weights: 1.5e9 });
    const { result } = await askRouted([model], auto, { documents: orders }, asked);
    return { result, sent: JSON.stringify(model.requests[0]!.messages) };
  };

  it('is shown the SQL of the question with its result, and cites it', async () => {
    const { result, sent } = await asking('How many orders are open?');
    expect(sent).toContain("status = 'open'");
    expect(result.citations).toMatchObject([{ source: 'computed:query' }]);
  });

  it('cites the query if it states its value in other words, and is not asked once more', async () => {
    const changes = [
      { name: 'changes.csv', text: 'id,started\nD-2289,2026-03-01\nD-2299,2026-03-05\nD-2290,2026-03-03\n' },
    ];
    const said = { answer: 'The one at the end of that list is D-2299.', answerable: { verdict: 'NO' } };
    const model = namedProvider('small', said, { weights: 1.5e9 });
    const { result } = await askRouted(
      [model],
      auto,
      { documents: changes },
      'Which change was started last? Give its id.',
    );
    expect(result.answer).toContain('D-2299');
    expect(result.citations.map(({ source }) => source)).toContain('computed:query');
    expect(model.requests.map(({ input }) => input.prompt)).toEqual(['answer']);
  });

  it('is shown no query if a word of the question has no part in it', async () => {
    const { sent } = await asking('How many orders are open and late?');
    expect(sent).not.toContain('SELECT');
  });
});

describe('the ladder of auto', () => {
  it.each([
    ['says that it tells all', told('By release 4.2 [P1].')],
    ['says nothing of that', 'By release 4.2 [P1].'],
    ['tells all, and names something missing', told('By release 4.2 [P1].', { missing })],
  ])('ends after one call if the reply %s', async (_, answer) => {
    const { result, prompts } = await climbing({ answer });
    expect(prompts).toEqual(['answer']);
    expect(result.plan).toMatchObject({ madeBy: 'code', approach: 'direct' });
    expect(result.ladder).toEqual([
      { step: 'answer', reason: expect.stringContaining('comes first'), doubt: null, answerable: null, isKept: true },
    ]);
  });

  it('has no rule for words of an answer: words like "not found" are an answer', async () => {
    const { prompts } = await climbing({ answer: told('Not found: the text does not say. Unknown, no, cannot.') });
    expect(prompts).toEqual(['answer']);
  });

  it('reads labels below an answer in prose as the fields of the reply', async () => {
    const answer = `By release 4.2 [P1].\n\nTELLS: part\nMISSING:\n- ${missing[0]}\nNEEDS ALL: no`;
    const { result } = await climbing({ answer: [answer], explore });
    expect(result.ladder.map(({ step, doubt }) => [step, doubt])).toEqual([
      ['answer', `missing: ${missing[0]}`],
      ['explore', null],
    ]);
  });

  it.each([
    ['a part', part, `missing: ${missing[0]}`],
    ['a part, and not what is missing', told('By 4.2.', { tells: 'part' }), 'the answer tells only a part'],
    ['nothing', nothing, 'the passages do not answer the question'],
  ])('explores with the largest window if the reply tells %s', async (_, answer, reason) => {
    const { result, events, requests, prompts } = await climbing({ answer, explore });
    expect(prompts).toEqual(['answer', 'explore', 'explore']);
    expect(result.answer).toMatch(/^Nobody asked for it: release 4\.2 cannot do without a limit, which is 0\.35 of 57/);
    expect(result.ladder).toMatchObject([
      { step: 'answer', doubt: reason, isKept: false },
      { step: 'explore', reason, doubt: null, isKept: true },
    ]);
    expect(result.recursionTree).toMatchObject({ strategy: 'explore', strategyReason: reason });
    expect(events.filter(({ type }) => type === 'ladder.climbed')).toHaveLength(1);
    expect(requests.at(-1)!.windowTokens).toBeGreaterThan(requests[0]!.windowTokens);
  });

  it('reads all of the text with code if the answer needs that, and the model is capable of it', async () => {
    const answer = told('About twelve.', { needsAll: 'yes' });
    const repl = 'FINAL(Two releases.)';
    const { result, prompts } = await climbing({ answer, repl }, { scripted: { tools: true } });
    expect(prompts.slice(0, 2)).toEqual(['answer', 'repl']);
    expect(result.ladder).toMatchObject([
      { doubt: 'the answer needs all of the text', isKept: false },
      { step: 'repl', isKept: true },
    ]);
  });

  it.each([
    ['nothing', ['answer', 'repl']],
    ['all', ['answer']],
  ] as const)('reads again a text that was shown whole if the reply needs that and tells %s', async (tells, asked) => {
    const answer = told('About twelve.', { needsAll: 'yes', tells });
    const options = {
      scripted: { tools: true },
      documents: [
        { name: 'short.md', text: `4.1 is out.\n${'Nothing happened on that day.\n'.repeat(150)}4.2 is out.\n` },
      ],
    };
    const { result, prompts, of } = await climbing({ answer, repl: 'FINAL(Two releases.)' }, options);
    expect(prompts.slice(0, 2)).toEqual(asked);
    expect(result.answer).toMatch(tells === 'all' ? /^About twelve/ : /^Two releases/);
    const coded = JSON.stringify(of('repl'));
    expect(coded.includes('4.1 is out')).toBe(tells !== 'all');
    expect(coded).not.toContain('4.2 is out');
  });

  it('reads all of the text if the answer needs that, and the model writes no code', async () => {
    const answer = told('About twelve.', { needsAll: 'yes' });
    const { result, prompts } = await climbing({ answer });
    expect(prompts[1]).toBe('scan');
    expect(result.ladder.at(-1)).toMatchObject({ step: 'scan', reason: 'the answer needs all of the text' });
  });

  it('asks missing questions in turn, without splitting again, of a model that calls no tools', async () => {
    const three = ['Who asked for it?', 'When was it?', 'Where was that?'];
    const first = told('By release 4.2 [P1].', { tells: 'part', missing: three });
    const { result, calls, of } = await climbing(
      {
        answer: (request) => (variables(request, 'answer').question === question ? first : told('Mara, on Friday.')),
        compose: { finalAnswer: 'By release 4.2 [P1], for Mara.', assumptions: [], tells: 'all', missing: [] },
      },
      { scripted: { structuredOutput: false } },
    );
    expect(result.ladder.at(-1)).toMatchObject({ step: 'decompose', reason: `missing: ${three.join('; ')}` });
    expect(result.recursionTree!.children.map((child) => child.question)).toEqual(three);
    expect(calls.decompose).toBeUndefined();
    const known = new Map(of('answer').map((asked) => [asked.question, asked.known.map((one) => one.question)]));
    expect(three.map((one) => known.get(one))).toEqual([[], [three[0]], [three[0], three[1]]]);
    expect(of('compose')[0]!.parts[0]).toEqual({ question, answer: 'By release 4.2 [P1].' });
    expect(result).toMatchObject({ answer: 'By release 4.2 [1], for Mara.', citations: [{ source: 'long.md' }] });
  });

  it.each([
    [
      'tells less by its own fields',
      { finalAnswer: 'Nothing.', assumptions: [], tells: 'nothing', missing: [] },
      false,
    ],
    ['tells as much', { finalAnswer: 'By 4.2.', assumptions: [], tells: 'part', missing }, true],
    ['does not say how much it tells', { finalAnswer: 'By 4.2.', assumptions: [] }, true],
  ])('keeps a later answer that %s: %s', async (_, compose, isKept) => {
    const { result } = await climbing(
      {
        answer: (request) => (variables(request, 'answer').question === question ? part : told('Mara.')),
        compose: { missing: [], ...compose },
      },
      { scripted: { structuredOutput: false } },
    );
    expect(result.ladder.map((rung) => rung.isKept)).toEqual([!isKept, isKept]);
    expect(result.recursionTree!.strategy).toBe(isKept ? 'decompose' : 'direct');
  });

  it('cites the citations of the earlier answer, even if not all of it has room', async () => {
    const documents = Array.from({ length: 60 }, (_, day) => ({
      name: `day-${day}.md`,
      text: `Release 4.2 limited the pool on day ${day}. ${'It was asked for then, and nobody objected. '.repeat(25)}`,
    }));
    let answer = '';
    const script: Script = {
      answer: (request) => {
        answer = variables(request, 'answer')
          .passages.map(({ id }) => `It was limited [${id}].`)
          .join(' ');
        return told(answer, { tells: 'part', missing });
      },
      explore: (_, index) => (index === 0 ? look(['list_files', {}]) : finalAnswer(answer)),
    };
    const settings = { ...auto, context: { maxWindowTokens: 8_192 } };
    const { result, of } = await climbing(script, { documents, settings });
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer', 'explore']);
    expect(result.warnings).toEqual([]);
    expect(result.citations).toHaveLength(answer.split('[').length - 1);
    expect(of('explore')[0]!.begun!.shown.length).toBeLessThan(result.citations.length);
  });

  it('keeps the answer if the next step fails', async () => {
    const { result } = await climbing({ answer: [part], explore: [] });
    expect(result).toMatchObject({ status: 'answered', answer: 'The pool was limited to 20 by release 4.2 [1].' });
    expect(result.ladder.map(({ step, isKept }) => [step, isKept])).toEqual([
      ['answer', true],
      ['explore', false],
    ]);
  });

  it.each(['rate-limited', 'credentials-refused'] as const)(
    'is partial if the server fails in the next step: %s',
    async (code) => {
      const { result } = await climbing({ answer: [part], explore: failing(code), conclude: failing(code) });
      const answer = 'The pool was limited to 20 by release 4.2 [1].';
      expect(result).toMatchObject({ status: 'partial', stopReason: code, answer, error: { code } });
      expect(warned(result, 'left-out')).toContain('no reply');
    },
  );

  it('takes one step at most', async () => {
    const { result, prompts } = await climbing(
      { answer: (request) => (variables(request, 'answer').question === question ? part : nothing), compose: nothing },
      { scripted: { structuredOutput: false } },
    );
    expect(result.ladder).toHaveLength(2);
    expect(prompts).not.toContain('explore');
  });

  it.each([
    ['a text that was read whole', short, {}],
    ['the last call', long, { budget: { maxCalls: 1 } }],
    ['a strategy that was asked for', long, { strategy: 'direct' }],
  ] as const)('does not continue from %s', async (_, documents, changes) => {
    const settings = { ...auto, ...changes };
    const { prompts, result } = await climbing({ answer: nothing }, { documents, settings });
    expect(prompts).toEqual(['answer']);
    expect(result.status).toBe('answered');
  });

  it('skips a step that does not fit the remaining time, judged by the speed so far, with a warning', async () => {
    const timed = (readMs: number) =>
      climbing(
        { answer: part, explore },
        {
          settings: { ...auto, budget: { timeout: 60 } },
          scripted: { timing: { readMs, writeMs: 1_000 } },
        },
      );
    expect((await timed(1_000)).result.ladder).toHaveLength(2);
    const { result } = await timed(50_000);
    expect(result.ladder).toHaveLength(1);
    expect(warned(result, 'left-out')).toMatch(/takes about [\d.]+ .*s are left/);
  });
});

describe('the ladder of a small model', () => {
  const found = 'By release 4.2 [P1].';
  const answer = told(found, { tells: 'unsaid' });

  it('ends if the model says that the passages hold the answer', async () => {
    const { result, prompts, requests } = await askSmall({ answer });
    expect(prompts).toEqual(['answer', 'answerable']);
    expect(requests[0]!.messages.at(-1)!.content).not.toContain('TELLS');
    expect(result.ladder).toMatchObject([{ step: 'answer', doubt: null }]);
  });

  it('looks once more, at the results of its own searches, if it says that they do not', async () => {
    const documents = [
      {
        name: 'a.md',
        text: `${long[0]!.text}\n\nThe zeppelin landed in Tromso.\n\n${'Nothing at all.\n\n'.repeat(9_000)}`,
      },
    ];
    const script = {
      answer: [told('No idea.', { tells: 'unsaid' }), answer],
      answerable: ['NO', 'YES'],
      hop: 'zeppelin Tromso\nrelease limited pool',
    };
    const { result, prompts, requests } = await askSmall(script, documents);
    expect(prompts).toEqual(['answer', 'answerable', 'hop', 'answer', 'answerable']);
    const [first, second] = requests
      .filter(({ input }) => input.prompt === 'answer')
      .map((request) => variables(request, 'answer').passages);
    expect(first!.some(({ text }) => text.includes('zeppelin'))).toBe(false);
    expect(second!.some(({ text }) => text.includes('zeppelin'))).toBe(true);
    expect(second!.slice(0, first!.length)).toEqual(first);
    expect(result.ladder.map(({ step, isKept }) => [step, isKept])).toEqual([
      ['answer', false],
      ['wider', true],
    ]);
  });

  it('ends with "not found" if neither look holds the answer', async () => {
    const { result } = await askSmall({ answer, answerable: 'NO', hop: 'zeppelin' });
    expect(result).toMatchObject({ status: 'answered', citations: [] });
    expect(result.answer).toMatch(/^Not found: /);
    expect(result.warningCodes).toContain('not-held');
  });

  it.each([
    ['names no searches', { hop: failing('reply-unusable') }],
    ['names no searches in time', { hop: failing('call-timeout') }],
    ['fails at the second look', { hop: 'else happened then', answer: [answer, new RlmError('call-timeout', 'slow')] }],
  ])('keeps the answer if the model denies it and %s', async (_, script) => {
    const { result, prompts } = await askSmall({ answer, answerable: 'NO', ...script });
    expect(prompts.slice(0, 3)).toEqual(['answer', 'answerable', 'hop']);
    expect(result).toMatchObject({ status: 'answered', answer: 'By release 4.2 [1].' });
    expect(result.warningCodes).not.toContain('not-held');
  });
});
