/** Asks the questions with the arms, or replays recordings. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArms } from '../../src/eval/arms/arm.ts';
import { type Evaluation, evaluate } from '../../src/eval/run/evaluate.ts';
import type { Sample } from '../../src/eval/samples/read-samples.ts';

/** The arms, with the kinds of questions where they can win; null: all. */
export const armKinds: Readonly<Record<string, readonly string[] | null>> = {
  rag: null,
  auto: null,
  explore: null,
  repl: null,
  plain: ['meaning', 'change', 'absent'],
  scan: ['meaning'],
};

/** A model of an OpenAI-compatible server, or of a file that this process reads. */
export interface Served {
  readonly model: string;
  /** Null: the model is a GGUF file. */
  readonly baseUrl: string | null;
}

/** The settings that name a model. */
const servedFlags = ({ model, baseUrl }: Served): Readonly<Record<string, string>> =>
  baseUrl === null ? { provider: 'llama-cpp', model } : { provider: 'openai', model, 'openai.baseUrl': baseUrl };

export interface Measuring {
  /** The folder of the texts. Requests contain paths relative to it. */
  readonly folder: string;
  readonly samples: readonly Sample[];
  readonly arms: readonly string[];
  /** Size of the window in tokens. */
  readonly window: number;
  /** The folder of all recordings. */
  readonly recorded: string;
  /** Null: only recordings reply. */
  readonly served: Served | null;
  readonly signal: AbortSignal;
  readonly onAnswer: (line: string) => void;
}

export const kindOf = ({ tags }: Pick<Sample, 'tags'>): string => tags[0]!;

/** Limits in seconds: a person's time for a reply, and an exploration's time for an answer. */
const patience = { 'budget.callTimeout': '3600', 'budget.timeout': '86400' };

/**
 * Settings of all arms. The user's configuration is not read, and calls run one at a time, so that requests and their
 * order are the same on every machine.
 */
const flagsOf = ({ window, served }: Measuring): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries({
      ...patience,
      'context.maxWindowTokens': String(window),
      'cache.enabled': 'false',
      'budget.concurrency': '1',
      ...(served !== null && servedFlags(served)),
    }),
  );

/** The environment of a run, without the user's files. Only the server's key comes from the process. */
function environmentOf(folder: string): Record<string, string> {
  const { PATH = '', OPENAI_API_KEY = 'none', RLM_LLAMA_CPP_FOLDER } = process.env;
  const home = join(folder, '.home');
  mkdirSync(home, { recursive: true });
  return { PATH, HOME: home, OPENAI_API_KEY, ...(RLM_LLAMA_CPP_FOLDER && { RLM_LLAMA_CPP_FOLDER }) };
}

/** Asks the samples that suit an arm; null if none does. */
async function measureArm(name: string, measuring: Measuring): Promise<Evaluation | null> {
  const { folder, window, recorded, served, signal, onAnswer } = measuring;
  const samples = measuring.samples.filter((sample) => armKinds[name]?.includes(kindOf(sample)) !== false);
  if (samples.length === 0) return null;
  const recordings = join(recorded, String(window));
  return evaluate({
    samples,
    arms: parseArms([name], []),
    paths: [],
    flags: flagsOf(measuring),
    limits: { calls: null, tokens: null, usd: null },
    resume: false,
    judge: null,
    record: served === null ? null : recordings,
    replay: served === null ? recordings : null,
    signal,
    cwd: folder,
    env: environmentOf(folder),
    onProgress: ({ done, total, arms: [arm], spent }) =>
      onAnswer(`${window} ${name}: ${done} of ${total}, ${arm!.sum} right, ${spent.calls} calls`),
  });
}

/** Asks with all arms, one after another, and returns all answers. */
export async function measure(measuring: Measuring): Promise<Evaluation> {
  const evaluations: Evaluation[] = [];
  for (const name of measuring.arms) {
    const evaluation = await measureArm(name, measuring);
    if (evaluation === null) continue;
    evaluations.push(evaluation);
    const { stopped } = evaluation;
    if (stopped !== null && stopped.code !== 'call-not-recorded') throw stopped;
  }
  const [first] = evaluations;
  if (first === undefined) throw new Error('none of the questions suits an arm');
  return {
    ...first,
    samples: measuring.samples,
    arms: evaluations.flatMap(({ arms }) => arms),
    outcomes: evaluations.flatMap(({ outcomes }) => outcomes),
    unrecorded: evaluations.flatMap(({ unrecorded }) => unrecorded),
  };
}
