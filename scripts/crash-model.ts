/**
 * The model of the crash test: a local server that answers by prompt and question only, and counts the calls. Its
 * answers make a tree of 24 calls with concurrent parts, dependent parts and a repair turn.
 */
import { createHash } from 'node:crypto';
import { type ChatCall, promptOf, replyByFormat, startOllamaServer } from '../tests/servers/ollama-server.ts';

/** A request as it arrived. */
interface Arrival {
  /** The call's name, the same in every run: prompt, question, and whether it is a repair turn. */
  readonly call: string;
  /** The time when the model sent the reply, by `performance.now()`; null before. */
  answeredAt: number | null;
}

/** A running model that counts its calls. */
export interface CountingModel {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  openSockets(): number;
  close(): Promise<void>;
}

export const task = 'What are they all?';

/** The piped text, and the text of a file. Answers quote both. */
export const pipedText = 'Alpha is the first of them.\nBeta follows.\n';
export const fileText = 'Gamma rests on alpha and beta.\nDelta is the last.\n';

interface Part {
  readonly question: string;
  readonly needs: readonly number[];
}

const part = (question: string, ...needs: number[]): Part => ({ question, needs });

/** The parts of each question that is split; every other question is SIMPLE. */
const partsOf: Readonly<Record<string, readonly Part[]>> = {
  [task]: [part('What is alpha?'), part('What is beta?'), part('What is gamma?', 1, 2), part('What is delta?')],
  'What is alpha?': [
    part('What is part 1 of alpha-set?'),
    part('What is part 2 of alpha-set?'),
    part('What is part 3 of alpha-set?', 1, 2),
  ],
  'What is gamma?': [part('What is part 1 of gamma-set?'), part('What is part 2 of gamma-set?')],
};

/** The question whose first answer cannot be parsed. */
const garbled = 'What is beta?';

const nameOf = (prompt: string, question: string, isRepair: boolean) =>
  `${prompt}: ${question}${isRepair ? ' (repair)' : ''}`;

/** A recorded call by its name. */
export const recordedName = ({ prompt, question, place }: { prompt: string; question: string; place: string }) =>
  nameOf(prompt, question, !place.endsWith(' 1'));

/** Returns the name of the call that gives a question its answer. */
function lastCallOf(question: string): string {
  if (partsOf[question] !== undefined) return nameOf('compose', question, false);
  return nameOf('answer', question, question === garbled);
}

/** Returns the calls whose replies a call needs: each must be recorded before it. */
function directNeeds(): Map<string, string[]> {
  const needs = new Map<string, string[]>([[nameOf('critic', task, false), [lastCallOf(task)]]]);
  const add = (call: string, ...others: string[]) => needs.set(call, [...(needs.get(call) ?? []), ...others]);
  for (const [parent, parts] of Object.entries(partsOf)) {
    const split = parent === task ? nameOf('planner', task, false) : nameOf('decompose', parent, false);
    if (parent !== task) add(split, nameOf('assess', parent, false));
    for (const { question, needs: numbers } of parts) {
      const first = nameOf('assess', question, false);
      add(first, split, ...numbers.map((number) => lastCallOf(parts[number - 1]!.question)));
      if (partsOf[question] === undefined) add(nameOf('answer', question, false), first);
      add(nameOf('compose', parent, false), lastCallOf(question));
    }
  }
  add(nameOf('answer', garbled, true), nameOf('answer', garbled, false));
  return needs;
}

/** For each call, the calls that must be recorded before it is made. */
export const needsOf: ReadonlyMap<string, readonly string[]> = directNeeds();

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

const questionOf = ({ messages }: ChatCall): string => /^The question:\n(.*)$/m.exec(messages[1]!.content)?.[1] ?? '';

/** Returns the name of a call from its request. */
function arrivedName(call: ChatCall): string {
  return nameOf(promptOf(call) ?? 'none', questionOf(call), call.messages.length > 2);
}

function answerTo(call: ChatCall): object | string {
  const question = questionOf(call);
  if (question === garbled && call.messages.length === 2) return '{"error": "I would rather not say it."}';
  const quote = hashOf(question) < '8' ? 'first of them' : 'Delta is the last';
  const passage = quote === 'first of them' ? 'P1' : 'P2';
  return { answer: `${question} ${quote} [${passage}].`, citations: [{ passage, quote }], assumptions: [] };
}

/** The reply depends on every byte of its prompt, so a difference anywhere in the tree changes the root's answer. */
const composed = ({ messages }: ChatCall) => {
  const marks = [...new Set(messages[1]!.content.match(/\[P\d\]/g))].sort().join(' ');
  return { finalAnswer: `Taken together: ${hashOf(messages[1]!.content)} ${marks}.`, assumptions: [] };
};

const reply = replyByFormat({
  planner: {
    taskDecomposition: [],
    keyQuestions: partsOf[task]!,
    requiredInformation: [],
    successCriteria: ['all are named'],
    approach: 'decompose',
  },
  assess: (call) => ({ verdict: partsOf[questionOf(call)] ? 'COMPLEX' : 'SIMPLE', reason: 'as it is' }),
  decompose: (call) => ({ subQuestions: partsOf[questionOf(call)] ?? [] }),
  answer: answerTo,
  compose: composed,
  critic: ({ messages }) => ({
    confidenceScore: 50,
    gaps: [],
    verdicts: [],
    conflicts: [],
    reasoning: hashOf(messages[1]!.content),
  }),
});

/** Starts the model. Each call takes 4 to 20 ms, depending on its name and the seed. */
export async function startCountingModel(seed: number): Promise<CountingModel> {
  const arrivals: Arrival[] = [];
  const server = await startOllamaServer({
    reply: async (call) => {
      const arrival: Arrival = { call: arrivedName(call), answeredAt: null };
      arrivals.push(arrival);
      const latencyMs = 4 + (Number.parseInt(hashOf(`${seed} ${arrival.call}`).slice(0, 6), 16) % 17);
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      arrival.answeredAt = performance.now();
      return reply(call);
    },
  });
  return { url: server.url, arrivals, openSockets: server.openSockets, close: server.close };
}
