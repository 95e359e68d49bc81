import { counted, grouped } from '../base/text.ts';
import { type ExploreBudget, type ExploreVariables, exploreTurns, renderBegun } from './explore-turns.ts';
import { asIs, bullets, definePrompt, renderKnown } from './prompt.ts';
import { field } from './reply/fields.ts';

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
    begun: renderBegun,
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
    // After the calls: a small model that announces its next step first makes worse calls.
    next: field('text', 'NEXT', 'where to look after that, and for what'),
  },
  tools: ({ tools }) => tools,
  // Before anything was read, any finding would be invented. A next step is read where a model announces one.
  leavesOut: ({ steps, earlier, begun }) =>
    begun === null && earlier.length === 0 && steps.every(({ calls }) => calls.length === 0)
      ? ['findings', 'next']
      : ['next'],
  writesCalls: ({ writesCalls }) => writesCalls,
  turns: exploreTurns,
});
