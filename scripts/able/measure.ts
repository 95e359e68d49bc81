/** Asks the questions with the arms, or replays what was recorded. */
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
  /** The folder of the texts: requests name them relative to it. */
  readonly folder: string;
  readonly samples: readonly Sample[];
  readonly arms: readonly string[];
  /** Tokens of the window. */
  readonly window: number;
  /** The folder of all recordings. */
  readonly recorded: string;
  /** Null: recordings alone reply. */
  readonly served: Served | null;
  readonly signal: AbortSignal;
  readonly onAnswer: (line: string) => void;
}

export const kindOf = ({ tags }: Pick<Sample, 'tags'>): string => tags[0]!;

/** Seconds that a person may take for a reply, and an exploration for an answer. */
const patience = { 'budget.callTimeout': '3600', 'budget.timeout': '86400' };

/**
 * Settings of all arms. A user's own configuration is not read, and calls follow each other, so that requests and their
 * order are the same everywhere.
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

/** Environment without the user's own files; the key of the server alone comes from outside. */
function environmentOf(folder: string): Record<string, string> {
  const { PATH = '', OPENAI_API_KEY = 'none', RLM_LLAMA_CPP_FOLDER } = process.env;
  const home = join(folder, '.home');
  mkdirSync(home, { recursive: true });
  return { PATH, HOME: home, OPENAI_API_KEY, ...(RLM_LLAMA_CPP_FOLDER && { RLM_LLAMA_CPP_FOLDER }) };
}

/** Asks the samples that suit an arm; null where none does. */
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

/** Asks all arms, one after another, and returns their answers together. */
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
