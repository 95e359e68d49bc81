/** A conversation that looks around in a text, in the form that the model replies in. */
import { counted } from '../base/counted.ts';
import type { ExploredFinding, ExploreStep, ToolUse } from '../state.ts';
import type { Message, ToolSpec } from './message.ts';
import type { KnownAnswer } from './prompt.ts';
import { callLine, withoutRepeats } from './repeats.ts';
import type { ReplyForm } from './reply/fields.ts';

/** What an exploration may spend, and what is left of it. */
export interface ExploreBudget {
  /** In all: these stay the same from step to step. */
  readonly steps: number;
  readonly calls: number;
  readonly callsPerStep: number;
  readonly stepsLeft: number;
  /** Model calls, those of sub-questions included. */
  readonly callsLeft: number;
}

export interface ExploreVariables {
  readonly question: string;
  /** What a model is told of the text in its place. */
  readonly description: string;
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
  readonly tools: readonly ToolSpec[];
  /** The newest steps, which are shown in full. */
  readonly steps: readonly ExploreStep[];
  /** The steps before those, each in a line or two. */
  readonly earlier: readonly string[];
  /** All that was found and stands in the text, word for word. */
  readonly findings: readonly ExploredFinding[];
  /** What the model should know now, such as that it has to answer; empty: nothing. */
  readonly notice: string;
  readonly budget: ExploreBudget;
  /** The first step called no tool, though it could: calls are asked for as text from then on. */
  readonly writesCalls: boolean;
}

const placeOf = ({ source, startLine, endLine }: ExploredFinding) => `${source}:${startLine}-${endLine}`;

/** A finding on one line, with its passage where its evidence stands in one. */
export const renderFinding = (finding: ExploredFinding): string =>
  `${finding.passage === null ? '' : `[${finding.passage}] `}${placeOf(finding)} "${finding.evidence}" | ${finding.confidence} | ${finding.description}`;

/** What a tool returned, between tags that its own words cannot close. */
function renderResult({ tool, result }: ToolUse, number: number): string {
  const body = result.replace(/<(\/?)result/gi, '<$1\u200bresult');
  return `<result of="${number}" tool="${tool.replace(/[^\w.-]/g, '_').slice(0, 60)}">\n${body}\n</result>`;
}

/**
 * The findings of a step that stand in the text. Those that do not are not shown as said: a small model repeats them.
 */
const standingIn = ({ findings }: ExploreStep) => findings.filter(({ passage }) => passage !== null);

function jsonReply(step: ExploreStep): string {
  const { thought, next, calls } = step;
  const said = standingIn(step).map(({ passage: _, ...fact }) => fact);
  const actions = calls.map((call) => ({ tool: call.tool, arguments: call.arguments }));
  return JSON.stringify({ thought, findings: said, actions, next });
}

/** What a step said, with labels, and its calls where they are written down. */
function words(step: ExploreStep, calls: readonly string[] = []): string[] {
  const { thought, next } = step;
  const found = standingIn(step).map(
    (finding) => `- [${placeOf(finding)}] "${finding.evidence}" | ${finding.confidence} | ${finding.description}`,
  );
  return [
    thought === '' ? '' : `THOUGHT: ${thought}`,
    found.length === 0 ? '' : `FINDINGS:\n${found.join('\n')}`,
    ...calls,
    next === '' ? '' : `NEXT: ${next}`,
  ].filter(Boolean);
}

const labelledReply = (step: ExploreStep): string => {
  const calls = step.calls.map((call, index) => `ACTION ${index + 1}: ${callLine(call)}`);
  return words(step, calls).join('\n');
};

/** What the model was told of a finding that does not stand in the text. */
function refused({ findings }: ExploreStep): string[] {
  return findings
    .filter(({ passage }) => passage === null)
    .map(
      (finding) => `This finding does not count, since its evidence does not stand there: ${renderFinding(finding)}`,
    );
}

/**
 * What the newest message says besides the results: what stays true, what is left, and what is asked of the model
 * now.
 */
function standing({ findings, notice, budget, question }: ExploreVariables, repeated: readonly ExploreStep[]): string {
  const found = findings.length === 0 ? '(none)' : findings.map((finding) => `- ${renderFinding(finding)}`).join('\n');
  return [
    ...(repeated.length > 0 ? [repeatedCalls(repeated)] : []),
    `Findings so far:\n${found}`,
    `Left: ${counted(budget.stepsLeft, 'step')}, ${counted(budget.callsLeft, 'model call')}.`,
    `The question was: ${question}\nCall final_answer as soon as the results answer it, or else a tool that was not called like this before.`,
    ...(notice === '' ? [] : [notice]),
  ].join('\n');
}

function repeatedCalls(steps: readonly ExploreStep[]): string {
  const calls = new Set(steps.flatMap((step) => step.calls.map(callLine)));
  return `These calls were made before, and their results stand above: ${[...calls].join('; ')}. Do not make them again.`;
}

const noCall = 'No tool was called. Call one, or final_answer with the answer.';

/** Servers take back only objects. */
const asObject = ({ arguments: given }: ToolUse): object => (typeof given === 'object' && given !== null ? given : {});

/**
 * A step that called tools in the server's own way: a message for each result, the last with what is to be said
 * besides.
 */
function calledTurn(step: ExploreStep, after: readonly string[]): Message[] {
  const id = (index: number) => `step-${step.number}-${index + 1}`;
  const content = words(step).join('\n');
  if (step.calls.length === 0)
    return [
      { role: 'assistant', content: content || '…' },
      { role: 'user', content: [noCall, ...after].join('\n\n') },
    ];
  const toolCalls = step.calls.map((call, index) => ({ id: id(index), name: call.tool, arguments: asObject(call) }));
  const results = step.calls.map((call, index): Message => {
    const rest = index === step.calls.length - 1 ? after : [];
    return {
      role: 'tool',
      callId: id(index),
      name: call.tool,
      content: [renderResult(call, index + 1), ...rest].join('\n\n'),
    };
  });
  return [{ role: 'assistant', content, toolCalls }, ...results];
}

function writtenTurn(step: ExploreStep, form: ReplyForm, after: readonly string[]): Message[] {
  const results = step.calls.length === 0 ? [noCall] : step.calls.map((call, index) => renderResult(call, index + 1));
  return [
    { role: 'assistant', content: form === 'json' ? jsonReply(step) : labelledReply(step) || '…' },
    { role: 'user', content: [`What step ${step.number} came to:`, ...results, ...after].join('\n\n') },
  ];
}

/**
 * The steps so far as messages; the last one tells what was found in all and what is left. A first step that called
 * nothing is not shown to a model that is asked for calls in another way: it would do the same again.
 */
export function exploreTurns(variables: ExploreVariables, form: ReplyForm): Message[] {
  const { steps, writesCalls, notice } = variables;
  const isHidden = writesCalls && (steps.length > 1 || notice === '');
  const shown = withoutRepeats(isHidden ? steps.filter(({ number }) => number > 1) : steps);
  const repeated = steps.slice(steps.lastIndexOf(shown.at(-1)!) + 1);
  return shown.flatMap((step, index) => {
    const after = [...refused(step), ...(index === shown.length - 1 ? [standing(variables, repeated)] : [])];
    return form === 'tools' ? calledTurn(step, after) : writtenTurn(step, form, after);
  });
}
