import { noQueries } from '../../src/prompts/answer.ts';
import { type PromptInput, prompts } from '../../src/prompts/index.ts';
import { replySchema } from '../../src/prompts/reply/reply-form.ts';
import type { ModelRequest } from '../../src/providers/provider.ts';
import type { Passage } from '../../src/state.ts';

const text = 'At 02:14 the payment service ran out of connections.\nThe pool was limited to 20 by release 4.2.\n';

const passage: Passage = {
  id: 'P1',
  source: 'incident.log',
  startLine: 1,
  endLine: 2,
  startByte: 0,
  endByte: Buffer.byteLength(text),
  text,
  score: 3.2,
  hash: '0123456789abcdef',
};

const question = 'Why did the payment service run out of connections?';
const parts = [
  { question: 'When did it run out of connections?', answer: 'At 02:14 [P1]' },
  { question: 'What limited the pool?', answer: 'Release 4.2 [P1]' },
];

const budget = { calls: 9, levels: 2 };

/** A plausible input for every prompt. */
export const sampleInputs: readonly PromptInput[] = [
  {
    prompt: 'planner',
    variables: {
      task: question,
      documents: '- incident.log: 2 lines, 99 bytes, log',
      approaches: ['direct', 'decompose'],
      budget,
    },
  },
  { prompt: 'assess', variables: { question, known: [], budget } },
  { prompt: 'decompose', variables: { question: `${question} And when did it happen?`, known: [], budget } },
  { prompt: 'answer', variables: { question, passages: [passage], known: [], criteria: [], ...noQueries } },
  {
    prompt: 'scan',
    variables: {
      question: 'How often did it run out of connections?',
      passages: [passage],
      most: 12,
      isNumbered: false,
    },
  },
  { prompt: 'compose', variables: { question, parts, criteria: [] } },
  {
    prompt: 'critic',
    variables: {
      task: question,
      answer: 'Release 4.2 [P1]',
      claims: ['Release 4.2 [P1]'],
      passages: [passage],
      leftOut: 0,
      unanswered: [],
    },
  },
];

/** Creates the request for an input, as the door to the models would send it. */
export function sampleRequest(input: PromptInput, changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    input,
    messages: [
      { role: 'system', content: 'You answer with JSON.' },
      { role: 'user', content: `${input.prompt}: ${question}` },
    ],
    schema: replySchema(prompts[input.prompt].fields),
    tools: [],
    temperature: 0.5,
    seed: null,
    logprobs: false,
    reasoning: null,
    maxOutputTokens: 512,
    windowTokens: 8192,
    ...changes,
  };
}

/** A suitable reply to each prompt, by name. */
export const sampleReplies = {
  planner: {
    taskDecomposition: ['find the limit'],
    keyQuestions: [{ question: 'What limited the pool?', needs: [] }],
    requiredInformation: [],
    successCriteria: [],
    approach: 'direct',
  },
  assess: { verdict: 'SIMPLE', reason: 'one passage says it' },
  decompose: { subQuestions: [{ question: 'What limited the pool?', needs: [] }] },
  answer: {
    answer: 'Release 4.2 limited the pool [P1]',
    citations: [{ passage: 'P1', quote: 'limited to 20' }],
    assumptions: [],
  },
  scan: {
    findings: [{ passage: 'P1', quote: 'ran out of connections', key: '02:14', finding: 'It ran out at 02:14.' }],
    lines: [],
    more: 'no',
    asksFor: 'count',
  },
  compose: { finalAnswer: 'Release 4.2, at 02:14 [P1]', assumptions: [] },
  critic: { confidenceScore: 80, verdicts: [], gaps: [], conflicts: [], reasoning: 'the passage says so' },
  search: {
    searches: ['release 4.2'],
    answer: 'Release 4.2 limited the pool [P1]',
    citations: [{ passage: 'P1', quote: 'limited to 20' }],
    assumptions: [],
  },
} as const;

/** The sample request for the prompt `answer`. */
export function answerRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  const input = sampleInputs.find(({ prompt }) => prompt === 'answer');
  if (input === undefined) throw new Error('no sample for the prompt answer');
  return sampleRequest(input, changes);
}
