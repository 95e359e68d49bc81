/**
 * `npm run bench:spending` counts the calls, prompt characters and reply characters of a question over the handbook. It
 * compares them with one plain call with the whole text and one with the best passages, on the same server in the same
 * run. The simulated server answers correctly if the text in its prompt holds the answer. So the bench measures the
 * requests, not the quality of a model. For runs with three calls or more it reports the share of their prompts that
 * begins like the previous prompt: a server with one slot does not read that share again.
 */
import { join } from 'node:path';
import { askPlainly } from '../src/api/ask-plainly.ts';
import { type AskOptions, ask, type Result } from '../src/index.ts';
import { type ChatCall, promptOf, startOllamaServer } from '../tests/servers/ollama-server.ts';
import { type Label, readLabels } from './extractive/labels.ts';
import { root } from './extractive/texts.ts';

interface Spent {
  readonly isRight: boolean;
  /** The prompts of its calls, in order. */
  readonly prompts: readonly string[];
  readonly replyCharacters: number;
}

const notThere = 'The text does not say.';
const notes = ['examples/handbook'];

const textOf = ({ messages }: ChatCall): string => messages.map(({ content }) => content).join('\n');

/** Ignores white space and Markdown markup. */
const plain = (text: string): string => text.replace(/[`*|]/g, ' ').replace(/\s+/g, ' ');

/** The labels that one fact of the handbook answers. */
async function readQuestions(): Promise<readonly Label[]> {
  const labels = await readLabels();
  return labels.filter(
    ({ id, type, any, all }) => /^handbook:/.test(id) && type === 'lookup' && any.length === 1 && all.length === 0,
  );
}

/** Starts a server whose model answers from its passages. The server stores its requests. */
async function startCounting(model: { readonly name: string; readonly parameterSize: string }) {
  const state = { fact: '', prompts: [] as string[], replied: 0 };
  const server = await startOllamaServer({
    models: [{ ...model, size: 1e9 }],
    reply(call) {
      const text = textOf(call);
      const tells = plain(text).includes(plain(state.fact));
      const [yes, no] = promptOf(call) === 'answerable' ? ['YES', 'NO'] : [state.fact, notThere];
      const reply = tells ? yes : no;
      state.prompts.push(text);
      state.replied += reply.length;
      return reply;
    },
  });
  return { server, state };
}

/** Returns the length of the common beginning of two texts, in characters. */
function sharedPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) if (one[at] !== other[at]) return at;
  return most;
}

/** Returns the share of the characters of all prompts that repeat the beginning of the previous prompt. */
function sharedOf(prompts: readonly string[]): number {
  const all = prompts.reduce((sum, { length }) => sum + length, 0);
  return prompts.slice(1).reduce((sum, one, at) => sum + sharedPrefix(prompts[at]!, one), 0) / all;
}

type Arm = readonly [name: string, ask: (question: string, options: AskOptions) => Promise<Result>];

const arms: readonly Arm[] = [
  ['one call, whole text', (question, options) => askPlainly(question, options)],
  ['one call, best passages', (question, options) => askPlainly(question, options, 'passages')],
  ['auto', ask],
  [
    'direct, every stage',
    (question, options) =>
      ask(question, {
        ...options,
        settings: { ...options.settings, strategy: 'direct', stages: { planner: 'always', critic: 'always' } },
      }),
  ],
];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const cells = (values: readonly (string | number)[]): string =>
  values.map((value, at) => (at === 0 ? String(value).padEnd(26) : String(value).padStart(12))).join('');

function rowOf(name: string, all: readonly Spent[]): string {
  const long = all.filter(({ prompts }) => prompts.length >= 3);
  return cells([
    name,
    `${all.filter(({ isRight }) => isRight).length} of ${all.length}`,
    mean(all.map(({ prompts }) => prompts.length)).toFixed(1),
    Math.round(mean(all.map(({ prompts }) => prompts.join('').length))),
    Math.max(...all.map(({ prompts }) => prompts.join('').length)),
    Math.round(mean(all.map(({ replyCharacters }) => replyCharacters))),
    long.length === 0 ? '–' : `${(100 * mean(long.map(({ prompts }) => sharedOf(prompts)))).toFixed(0)} %`,
  ]);
}

const questions = await readQuestions();
for (const model of [
  { name: 'small:1.5b', parameterSize: '1.5B' },
  { name: 'larger:14b', parameterSize: '14.8B' },
]) {
  const { server, state } = await startCounting(model);
  const settings = { provider: 'ollama', model: model.name, ollama: { host: server.url }, journal: false } as const;
  console.log(`${model.parameterSize}, ${questions.length} look-ups in the handbook (simulated server)`);
  console.log(cells(['', 'right', 'calls', 'prompt', 'most', 'reply', 'read before']));
  for (const [name, answer] of arms) {
    const all: Spent[] = [];
    for (const { ask: question, any } of questions) {
      Object.assign(state, { fact: any[0]!, prompts: [], replied: 0 });
      const { answer: said } = await answer(question, { paths: notes, cwd: join(root), env: {}, settings });
      const isRight = plain(said ?? '').includes(plain(any[0]!));
      all.push({ isRight, prompts: state.prompts, replyCharacters: state.replied });
    }
    console.log(rowOf(name, all));
  }
  console.log();
  await server.close();
}
