import type { ExploredFinding, ExploreStep } from '../state.ts';
import { exploreTurns } from './explore-turns.ts';
import type { ToolSpec } from './message.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, renderKnown } from './prompt.ts';

/** What an exploration may spend, and what is left of it. */
interface ExploreBudget {
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

const renderBudget = ({ steps, calls, callsPerStep }: ExploreBudget): string =>
  `${steps} steps of at most ${callsPerStep} tool calls each, and about ${calls} model calls, those of sub-queries included`;

/** One step of looking around in the text. */
export const explore = definePrompt<ExploreVariables>()({
  name: 'explore',
  render: {
    question: asIs,
    description: asIs,
    known: renderKnown,
    criteria: bullets,
    tools: (tools) => bullets(tools.map(({ name, about }) => `${name}: ${about}`)),
    steps: (steps) => steps.map(({ number }) => number).join(', '),
    earlier: bullets,
    findings: (findings) => bullets(findings.map(({ description }) => description)),
    notice: asIs,
    budget: renderBudget,
    writesCalls: String,
  },
  required: ['question', 'description', 'known', 'earlier'],
  fields: {
    thought: {
      kind: 'text',
      label: 'THOUGHT',
      about: 'what is known by now and what is missing, in a sentence or two',
      required: false,
    },
    findings: {
      kind: 'facts',
      label: 'FINDINGS',
      about: 'what it says to the question; only findings that are new',
      required: false,
    },
    actions: {
      kind: 'actions',
      label: 'ACTION',
      about: 'the tools to call now; final_answer when the question can be answered',
      required: false,
    },
    // After the calls: a small model that says before them what it would look for makes other ones.
    next: { kind: 'text', label: 'NEXT', about: 'where to look after that, and for what', required: false },
  },
  tools: ({ tools }) => tools,
  // Before anything was seen there are only findings that are made up.
  leavesOut: ({ steps, earlier }) =>
    earlier.length === 0 && steps.every(({ calls }) => calls.length === 0) ? ['findings'] : [],
  writesCalls: ({ writesCalls }) => writesCalls,
  turns: exploreTurns,
});
