/** A local Ollama server with a well-behaved model, and its replies. */
import type { StrategyName } from '../../src/state.ts';
import {
  type OllamaServer,
  type OllamaServerOptions,
  replyByFormat,
  startOllamaServer,
} from '../servers/ollama-server.ts';
import { afterEvery } from '../support/afterwards.ts';

type Handlers = Parameters<typeof replyByFormat>[0];

export const plan = (approach: StrategyName, questions: readonly (string | [string, number[]])[] = []) => ({
  taskDecomposition: [],
  keyQuestions: questions.map((one) => {
    const [question, needs] = typeof one === 'string' ? [one, []] : one;
    return { question, needs };
  }),
  requiredInformation: [],
  successCriteria: [],
  approach,
});

export const answer = (text: string, passage = 'P1', quote = '') => ({
  answer: text,
  citations: quote === '' ? [] : [{ passage, quote }],
  assumptions: [],
});

const critic = {
  confidenceScore: 70,
  verdicts: [{ claim: 1, verdict: 'supported', quote: 'lowered from 40 to 4', wrong: '' }],
  gaps: ['the date is missing'],
  conflicts: [],
  reasoning: 'It holds.',
};

/** Replies for every prompt; a question is answered with what `goodText` says. */
export const goodHandlers = {
  planner: plan('direct', ['How large was the pool?']),
  assess: { verdict: 'SIMPLE', reason: 'one fact' },
  decompose: { subQuestions: [] },
  answer: answer('The pool was lowered to 4 connections [P1].', 'P1', 'lowered from 40 to 4'),
  compose: { finalAnswer: 'It was lowered to 4 [P1].', assumptions: [] },
  critic,
} as const satisfies Handlers;

/** Something to ask about. */
export const goodText =
  'The deploy at 13:42 changed the pool.\nIt was lowered from 40 to 4 connections.\nOrders failed.\n';

const servers: OllamaServer[] = [];
afterEvery('file', () => Promise.all(servers.splice(0).map((server) => server.close())));

/**
 * Every stage makes its call, and calls are made at once: a test of what one of them does is not one of when it is
 * asked.
 */
export const everyStage = {
  RLM_PLANNER: 'always',
  RLM_CRITIC: 'always',
  RLM_REFINE: '0',
  OLLAMA_NUM_PARALLEL: '4',
} as const;

/** Asked for by name, it is waited for; `auto` would pass over a server that a busy machine makes slow. */
const named = { RLM_PROVIDER: 'ollama' } as const;

type Served = OllamaServer & { readonly env: { readonly OLLAMA_HOST: string } & typeof everyStage & typeof named };

/**
 * A server with these handlers in place of the good ones, closed after the test file. Its `env` leads the program
 * there, and has every stage make its call.
 */
export async function startServer(
  handlers: Handlers = {},
  options: Omit<OllamaServerOptions, 'reply'> = {},
): Promise<Served> {
  const server = await startOllamaServer({ ...options, reply: replyByFormat({ ...goodHandlers, ...handlers }) });
  servers.push(server);
  return Object.assign(Object.create(server), { env: { OLLAMA_HOST: server.url, ...named, ...everyStage } });
}

/** The same environment where nobody is asked for by name. */
export function unnamed({ RLM_PROVIDER: _, ...env }: Readonly<Record<string, string>>): Record<string, string> {
  return env;
}
