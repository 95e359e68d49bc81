import { counted, grouped } from '../base/text.ts';
import type { ExploredFinding, ExploreStep, Passage, ToolUse } from '../state.ts';
import {
  asIs,
  bullets,
  definePrompt,
  type KnownAnswer,
  type Message,
  renderKnown,
  renderPassages,
  type ToolSpec,
} from './prompt.ts';
import { field, type ReplyForm } from './reply/fields.ts';

/** Renders a call in one line. */
export const callLine = ({ tool, arguments: given }: ToolUse): string =>
  `${tool} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`;

/**
 * Removes steps that only repeat calls of earlier steps, because a model that sees a repeat goes on repeating. Keeps a
 * repeat if the step that made the call first is no longer among `steps`.
 */
export function withoutRepeats(steps: readonly ExploreStep[]): readonly ExploreStep[] {
  const above = new Set<string>();
  return steps.filter(({ calls }) => {
    const isRepeat = calls.length > 0 && calls.every((call) => call.outcome === 'same' && above.has(callLine(call)));
    for (const call of calls) if (call.outcome !== 'same') above.add(callLine(call));
    return !isRepeat;
  });
}

interface ExploreBudget {
  readonly steps: number;
  readonly calls: number;
  readonly callsPerStep: number;
  /** Room for the results of a step, in characters. */
  readonly characters: number;
  /** Size of the largest text that one sub-query reads whole, in characters. */
  readonly subQueryCharacters: number;
  readonly stepsLeft: number;
  /** Model calls that are left, including those of sub-questions. */
  readonly callsLeft: number;
  /** How much room is left before older results are shortened, such as `about 12,000 characters`. */
  readonly roomLeft: string;
}

/** What an earlier step for the same question read and found. */
interface EarlierLook {
  readonly shown: readonly Passage[];
  readonly answer: string | null;
  /** What was not found, as questions. */
  readonly missing: readonly string[];
}

export interface ExploreVariables {
  readonly question: string;
  /** A description of the text. The prompt contains it in place of the text. */
  readonly description: string;
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
  readonly tools: readonly ToolSpec[];
  /** What was read before the first step. */
  readonly begun: EarlierLook | null;
  /** The newest steps, which are shown in full. */
  readonly steps: readonly ExploreStep[];
  /** What is kept of the steps before the newest ones. */
  readonly earlier: readonly string[];
  /** An instruction for this step; empty: none. */
  readonly notice: string;
  readonly budget: ExploreBudget;
  /** Whether the model has to write calls as text, because it called no tool in the first step. */
  readonly writesCalls: boolean;
}

/** Renders what an earlier step read, answered and named as missing; empty when there was no earlier step. */
export function renderEarlierStep(earlierStep: EarlierLook | null): string {
  if (earlierStep === null) return '';
  const { shown, answer, missing } = earlierStep;
  const parts = [
    shown.length > 0 && `Passages that a first look found and cites; you can cite them, too:\n${renderPassages(shown)}`,
    answer !== null && `What a first look at the best matching passages told, which may be incomplete:\n${answer}`,
    missing.length > 0 && `What it named as missing:\n${bullets(missing)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

const placeOf = ({ source, startLine, endLine }: ExploredFinding) => `${source}:${startLine}-${endLine}`;

/** Renders a finding on one line. */
export const renderFinding = (finding: ExploredFinding): string =>
  `${finding.passage === null ? '' : `[${finding.passage}] `}${placeOf(finding)} "${finding.evidence}" | ${finding.confidence} | ${finding.description}`;

/** Renders the result of a tool between tags. Words of the result cannot close these tags. */
function renderResult({ tool, result }: ToolUse, number: number): string {
  const body = result.replace(/<(\/?)result/gi, '<$1\u200bresult');
  return `<result of="${number}" tool="${tool.replace(/[^\w.-]/g, '_').slice(0, 60)}">\n${body}\n</result>`;
}

/** Leaves out unsupported findings, because a small model would repeat them. */
const supportedIn = ({ findings }: ExploreStep) => findings.filter(({ passage }) => passage !== null);

function jsonReply(step: ExploreStep): string {
  const { thought, calls } = step;
  const said = supportedIn(step).map(({ passage: _, ...fact }) => fact);
  const actions = calls.map((call) => ({ tool: call.tool, arguments: call.arguments }));
  return JSON.stringify({ thought, findings: said, actions });
}

function labelledReply(step: ExploreStep, writesCalls: boolean): string {
  const { thought, calls } = step;
  const found = supportedIn(step).map(
    (finding) => `- [${placeOf(finding)}] "${finding.evidence}" | ${finding.confidence} | ${finding.description}`,
  );
  return [
    ...(thought === '' ? [] : [`THOUGHT: ${thought}`]),
    ...(found.length === 0 ? [] : [`FINDINGS:\n${found.join('\n')}`]),
    ...(writesCalls ? calls.map((call, index) => `ACTION ${index + 1}: ${callLine(call)}`) : []),
  ].join('\n');
}

function linesOnFindings({ findings }: ExploreStep): string[] {
  const noted = findings.flatMap((one) => (one.passage === null ? [] : [`${placeOf(one)} is [${one.passage}]`]));
  const refused = findings
    .filter(({ passage }) => passage === null)
    .map((one) => `This finding does not count, since its evidence does not stand there: ${renderFinding(one)}`);
  return [...(noted.length > 0 ? [`Noted: ${noted.join('; ')}`] : []), ...refused];
}

function renderState({ notice, budget, question }: ExploreVariables, repeated: readonly ExploreStep[]): string {
  const { stepsLeft, callsLeft, roomLeft } = budget;
  return [
    ...(repeated.length > 0 ? [repeatedCalls(repeated)] : []),
    `Left: ${counted(stepsLeft, 'step')}, ${counted(callsLeft, 'model call')}, and ${roomLeft} before older results are shortened.`,
    `The question: ${question}\nCall final_answer when the results answer it, or else the tools that show what is missing.`,
    ...(notice === '' ? [] : [notice]),
  ].join('\n');
}

function repeatedCalls(steps: readonly ExploreStep[]): string {
  const calls = new Set(steps.flatMap((step) => step.calls.map(callLine)));
  return `These calls were made before, and their results stand above: ${[...calls].join('; ')}. Do not make them again.`;
}

const noCall = 'No tool was called. Call one, or final_answer with the answer.';

/** Returns a call's arguments as an object, since servers accept nothing else. */
const asObject = ({ arguments: given }: ToolUse): object => (typeof given === 'object' && given !== null ? given : {});

/** Renders a step for the server's tool interface. */
function calledTurn(step: ExploreStep, after: readonly string[]): Message[] {
  const id = (index: number) => `step-${step.number}-${index + 1}`;
  const content = labelledReply(step, false);
  if (step.calls.length === 0)
    return [
      { role: 'assistant', content: content || '…' },
      { role: 'user', content: [noCall, ...after].join('\n\n') },
    ];
  const toolCalls = step.calls.map((call, index) => ({ id: id(index), name: call.tool, arguments: asObject(call) }));
  const results = step.calls.map((call, index): Message => {
    const rest = index === step.calls.length - 1 ? after : [];
    const shown = [renderResult(call, index + 1), ...rest].join('\n\n');
    return { role: 'tool', callId: id(index), name: call.tool, content: shown };
  });
  return [{ role: 'assistant', content, toolCalls }, ...results];
}

function writtenTurn(step: ExploreStep, form: ReplyForm, after: readonly string[]): Message[] {
  const results = step.calls.length === 0 ? [noCall] : step.calls.map((call, index) => renderResult(call, index + 1));
  return [
    { role: 'assistant', content: form === 'json' ? jsonReply(step) : labelledReply(step, true) || '…' },
    { role: 'user', content: [`What step ${step.number} came to:`, ...results, ...after].join('\n\n') },
  ];
}

function exploreTurns(variables: ExploreVariables, form: ReplyForm): Message[] {
  const { steps, writesCalls, notice } = variables;
  // If the first step made no call, it is hidden, because the model would repeat it.
  const isHidden = writesCalls && (steps.length > 1 || notice === '');
  const shown = withoutRepeats(isHidden ? steps.filter(({ number }) => number > 1) : steps);
  const repeated = steps.slice(steps.lastIndexOf(shown.at(-1)!) + 1);
  return shown.flatMap((step, index) => {
    const after = [...linesOnFindings(step), ...(index === shown.length - 1 ? [renderState(variables, repeated)] : [])];
    return form === 'tools' ? calledTurn(step, after) : writtenTurn(step, form, after);
  });
}

const renderBudget = ({ steps, calls, callsPerStep, characters, subQueryCharacters }: ExploreBudget): string =>
  `${counted(steps, 'step')} of at most ${counted(callsPerStep, 'tool call')} each, and about ${counted(calls, 'model call')}, those of sub-queries included. Results of a step have room for about ${grouped(characters)} characters, shared by its calls; a sub-query reads about ${grouped(subQueryCharacters)} characters whole`;

/** Asks for one step of exploring the text. */
export const explore = definePrompt<ExploreVariables>()({
  name: 'explore',
  render: {
    question: asIs,
    description: asIs,
    known: renderKnown,
    criteria: bullets,
    tools: (tools) => bullets(tools.map(({ name, about }) => `${name}: ${about}`)),
    begun: renderEarlierStep,
    steps: (steps) => steps.map(({ number }) => number).join(', '),
    earlier: bullets,
    notice: asIs,
    budget: renderBudget,
    writesCalls: String,
  },
  required: ['question', 'description', 'known', 'begun', 'earlier'],
  fields: {
    thought: field(
      'text',
      'THOUGHT',
      'what is known by now and what is missing, in a sentence or two; it is kept word for word',
    ),
    findings: field('facts', 'FINDINGS', 'what it says to the question; only findings that are new'),
    actions: field('actions', 'ACTION', 'the tools to call now; final_answer when the question can be answered'),
    next: field('text', 'NEXT', 'where to look after that, and for what'),
  },
  tools: ({ tools }) => tools,
  // Before anything was read, any finding would be invented. `next` is not requested, but it is read if present.
  leavesOut: ({ steps, earlier, begun }) =>
    begun === null && earlier.length === 0 && steps.every(({ calls }) => calls.length === 0)
      ? ['findings', 'next']
      : ['next'],
  writesCalls: ({ writesCalls }) => writesCalls,
  turns: exploreTurns,
});
