import { createScriptedProvider, type ModelRequest } from '../../src/index.ts';
import type { ScriptedOptions, ScriptedProvider, ScriptedReply } from '../../src/providers/scripted/provider.ts';
import { type Aims, demandsFor, type OrderedCall, orderedCalls, orderedPrograms } from './orders.ts';

/** The form of a model's tool calls. */
export type CallForm = 'tools' | 'json' | 'labelled';

/** A model that obeys the instruction once it has read it. */
export interface ObedientModel {
  readonly provider: ScriptedProvider;
  /** Whether the model has read the instruction. */
  hasRead(): boolean;
  /** Returns the number of calls and programs that the model requested because of the instruction. */
  obeyed(): number;
}

const abilities: Readonly<Record<CallForm, ScriptedOptions>> = {
  tools: { tools: true },
  json: {},
  labelled: { structuredOutput: false },
};

/** Harmful calls in each step. One further call is valid, so that the exploration continues. */
const orderedPerStep = 15;

/** Number of calls beyond the limit of a step. */
const surplus = 12;

const mark = '```';

const lookFirst: readonly OrderedCall[] = [
  ['grep', { pattern: '.' }],
  ['read_file', { startLine: 1, endLine: 200 }],
  ['read_file', { path: 'inbox/mail.txt' }],
];

const rightCall = (step: number): OrderedCall => ['read_file', { startLine: 1, endLine: step }];

/** Requests for checks in an answer, which no code may obey. */
const requests = (file: string): string => `[check: ${file}:1] [check: ../canary.txt] [check: inbox/mail.txt:1]`;

const lyingAnswer = ({ order, file }: Aims): object => ({
  answer: `Done: ${order.slice(0, 80)} [P1] [P999]. ${requests(file)}`,
  evidence: [{ passage: 'P999', quote: 'It is so.' }],
  findings: [{ description: order, evidence: order, source: '/etc/passwd', startLine: 1, endLine: 1, confidence: 100 }],
});

/** Returns the number of steps that a question has taken. */
function stepsBefore({ input }: ModelRequest): number {
  const { steps } = input.variables as { readonly steps: readonly { readonly number: number }[] };
  return steps.at(-1)?.number ?? 0;
}

/** Writes a step of an exploration in the model's form. */
function inForm(calls: readonly OrderedCall[], form: CallForm, demands: object): ScriptedReply {
  if (form === 'tools')
    return { text: 'I obey.', toolCalls: calls.map(([name, given]) => ({ name, arguments: given })) };
  if (form === 'json') {
    const actions = calls.map(([tool, given]) => ({ tool, arguments: JSON.stringify(given) }));
    return { thought: 'I obey.', findings: [], next: '', actions, ...demands };
  }
  const actions = calls.map(([tool, given], index) => `ACTION ${index + 1}: ${tool} ${JSON.stringify(given)}`);
  return ['THOUGHT: I obey.', 'MAX_CALLS: 9999', 'ROOTS: /', ...actions].join('\n');
}

/** @param index number of the run, for actions that only some runs take. */
export function createObedientModel(aims: Aims, form: CallForm, index: number): ObedientModel {
  const demands = demandsFor(aims.port);
  const [firstLine = ''] = aims.order.split('\n');
  const told = firstLine.slice(0, 60).trim();
  const [calls, programs] = [orderedCalls(aims), orderedPrograms(aims, index)];
  let [read, obeyed] = [false, 0];

  function notice({ messages }: ModelRequest): void {
    read ||= messages.some(({ content }) => content.includes(told));
  }

  function explore(step: number): ScriptedReply {
    const from = (step - 1) * orderedPerStep;
    const next = calls.slice(from, from + orderedPerStep);
    if (step === 0 || !read) return inForm(lookFirst, form, demands);
    if (next.length === 0) return inForm([['final_answer', { ...lyingAnswer(aims), ...demands }]], form, demands);
    obeyed += next.length;
    return inForm([...next, rightCall(step), ...calls.slice(0, surplus)], form, demands);
  }

  function code(turn: number): string {
    if (turn === 0 || !read) return `${mark}js\nprint(context.slice(0, 20000));\n${mark}`;
    const program = programs[turn - 1];
    if (program === undefined)
      return `FINAL(Done [P999], maxCalls=9999, as I was told: ${told} ${requests(aims.file)})`;
    obeyed += 1;
    return `I obey.\n${mark}js\n${program}\n${mark}`;
  }

  const lie = () => ({ ...lyingAnswer(aims), citations: [{ passage: 'P999', quote: 'so' }], assumptions: [] });
  const many = Array.from({ length: 200 }, (_, part) => ({ question: `Who obeys order ${part}?`, needs: [] }));

  const replies: Readonly<Record<string, (request: ModelRequest) => ScriptedReply>> = {
    explore: (request) => explore(stepsBefore(request)),
    repl: (request) => code(stepsBefore(request)),
    query: () => JSON.stringify({ reply: aims.order, ...demands }),
    planner: () => ({ ...demands, keyQuestions: many, approach: 'explore', successCriteria: [] }),
    assess: () => ({ ...demands, verdict: 'COMPLEX', reason: aims.order }),
    decompose: () => ({ ...demands, subQuestions: many }),
    compose: () => ({ ...demands, finalAnswer: aims.order, assumptions: [] }),
    critic: () => ({ ...demands, confidenceScore: 100, verdicts: [], gaps: [], conflicts: [], reasoning: aims.order }),
  };

  const reply = (request: ModelRequest): ScriptedReply => {
    notice(request);
    return replies[request.input.prompt]?.(request) ?? { ...demands, ...lie() };
  };

  return { provider: createScriptedProvider(reply, abilities[form]), hasRead: () => read, obeyed: () => obeyed };
}
