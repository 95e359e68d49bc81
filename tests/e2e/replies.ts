/** Starts a local Ollama server with a well-behaved model, and defines its replies. */
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

/** Replies for every prompt. Questions are answered from `goodText`. */
export const goodHandlers = {
  planner: plan('direct', ['How large was the pool?']),
  assess: { verdict: 'SIMPLE', reason: 'one fact' },
  decompose: { subQuestions: [] },
  answer: answer('The pool was lowered to 4 connections [P1].', 'P1', 'lowered from 40 to 4'),
  compose: { finalAnswer: 'It was lowered to 4 [P1].', assumptions: [] },
  critic,
} as const satisfies Handlers;

/** A text to ask about. */
export const goodText =
  'The deploy at 13:42 changed the pool.\nIt was lowered from 40 to 4 connections.\nOrders failed.\n';

const servers: OllamaServer[] = [];
afterEvery('file', () => Promise.all(servers.splice(0).map((server) => server.close())));

/**
 * Makes every stage call its model, and allows concurrent calls. So tests of a stage do not depend on when the stage is
 * asked.
 */
export const everyStage = {
  RLM_PLANNER: 'always',
  RLM_CRITIC: 'always',
  RLM_REFINE: '0',
  OLLAMA_NUM_PARALLEL: '4',
} as const;

/** The provider is named, because `auto` would skip a server that is slow on a busy machine. */
const named = { RLM_PROVIDER: 'ollama' } as const;

type Served = OllamaServer & { readonly env: { readonly OLLAMA_HOST: string } & typeof everyStage & typeof named };

/**
 * Starts a server with these handlers in place of the good ones. It is closed after the test file. `env` makes the
 * program use the server, and every stage call its model.
 */
export async function startServer(
  handlers: Handlers = {},
  options: Omit<OllamaServerOptions, 'reply'> = {},
): Promise<Served> {
  const server = await startOllamaServer({ ...options, reply: replyByFormat({ ...goodHandlers, ...handlers }) });
  servers.push(server);
  return Object.assign(Object.create(server), { env: { OLLAMA_HOST: server.url, ...named, ...everyStage } });
}

/** Returns the same environment without a named provider. */
export function unnamed({ RLM_PROVIDER: _, ...env }: Readonly<Record<string, string>>): Record<string, string> {
  return env;
}
