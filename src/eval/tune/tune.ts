/**
 * Finds the best settings for a text and a model: successive halving over one half of the questions (Jamieson &
 * Talwalkar, arXiv 1502.07943), then a comparison of the winner with the present settings over the other half.
 */

import { createHash } from 'node:crypto';
import { counted } from '../../base/counted.ts';
import { loadConfiguration, RlmError } from '../../index.ts';
import type { Allowance } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import { evaluate } from '../run/evaluate.ts';
import type { Evaluation, EvaluationOptions } from '../run/evaluation.ts';
import type { Outcome } from '../run/outcome.ts';
import { readSamples } from '../samples/read-samples.ts';
import type { Sample } from '../samples/sample.ts';
import { mean } from '../statistics/intervals.ts';
import { comparisonInWords, isShown } from '../summary/in-words.ts';
import { type Comparison, summarise } from '../summary/summarise.ts';
import { asItIs, choicesFor, type TuningChoice } from './choices.ts';

export interface TuneOptions extends Omit<EvaluationOptions, 'samples' | 'arms'> {
  /** The file of questions. */
  readonly questions: string;
  /** Names of the choices to try; null: all. */
  readonly choices: readonly string[] | null;
}

/** One round of the halving. */
interface TuneRound {
  /** Number of choosing questions so far. */
  readonly questions: number;
  /** The best first. */
  readonly choices: readonly { readonly name: string; readonly accuracy: number; readonly tokens: number }[];
}

/** The result of tuning. */
export interface Tuning {
  readonly rounds: readonly TuneRound[];
  /** The best choice; `as-it-is` where none was better. */
  readonly winner: TuningChoice;
  /**
   * Comparison on the other half of the questions; null where the winner is the present configuration, or the budget
   * was spent.
   */
  readonly confirmation: Comparison | null;
  /** Whether the confirmation shows that the winner is better. */
  readonly isShown: boolean;
  /** In plain words. */
  readonly sentences: readonly string[];
  readonly stopped: RlmError | null;
}

const fewestQuestions = 8;
const firstRound = 4;

/** Splits samples into halves, independently of their order in the file. */
function split(samples: readonly Sample[]): readonly [Sample[], Sample[]] {
  const hash = ({ id }: Sample) => createHash('sha256').update(id).digest('hex');
  const sorted = [...samples].sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)];
}

const toArm = ({ name, settings: { strategy = 'auto', ...settings } }: TuningChoice): Arm => ({
  name,
  kind: 'ask',
  settings: { ...settings, strategy },
});

/** Evaluates, and resumes an earlier evaluation where there is one. */
async function evaluateOrGoOn(options: EvaluationOptions): Promise<Evaluation> {
  try {
    return await evaluate(options);
  } catch (error) {
    if (!options.resume || !(error instanceof RlmError) || error.code !== 'run-missing') throw error;
    return evaluate({ ...options, resume: false });
  }
}

const less = (limit: number | null, spent: number) => (limit === null ? null : Math.max(0, limit - spent));

/** Creates the evaluation in parts under one budget, which collects all outcomes. */
function createParts(options: TuneOptions) {
  const spent = { calls: 0, tokens: 0, usd: 0 };
  const outcomes: Outcome[] = [];
  return {
    outcomes,
    async add(samples: readonly Sample[], choices: readonly TuningChoice[]): Promise<Evaluation> {
      const { calls, tokens, usd } = options.limits;
      const limits: Allowance = {
        calls: less(calls, spent.calls),
        tokens: less(tokens, spent.tokens),
        usd: less(usd, spent.usd),
      };
      const found = await evaluateOrGoOn({ ...options, samples, arms: choices.map(toArm), limits });
      for (const kind of ['calls', 'tokens', 'usd'] as const) spent[kind] += found.spent[kind];
      outcomes.push(...found.outcomes);
      return found;
    },
  };
}

/**
 * Ranks choices, best first: by accuracy, then by tokens, then by their order, so that the present configuration wins
 * a tie.
 */
function rank(choices: readonly TuningChoice[], outcomes: readonly Outcome[]) {
  const ranked = choices.map((choice, at) => {
    const own = outcomes.filter(({ arm }) => arm === choice.name);
    const tokens = mean(own.map((one) => one.tokens.input + one.tokens.output));
    return { choice, at, accuracy: mean(own.map(({ score }) => score.lenient)), tokens: Math.round(tokens) };
  });
  return ranked.sort((a, b) => b.accuracy - a.accuracy || a.tokens - b.tokens || a.at - b.at);
}

/** Returns the better half; the present configuration stays until the end for comparison. */
function bestHalf(ranked: ReturnType<typeof rank>): TuningChoice[] {
  const kept = ranked.slice(0, Math.ceil(ranked.length / 2)).map(({ choice }) => choice);
  const base = ranked.find(({ choice }) => choice.name === asItIs)!.choice;
  return kept.includes(base) ? kept : [...kept.slice(0, -1), base];
}

type Parts = ReturnType<typeof createParts>;

async function halve(all: readonly TuningChoice[], choosing: readonly Sample[], parts: Parts, rounds: TuneRound[]) {
  let choices = all;
  let size = Math.min(firstRound, choosing.length);
  let from = 0;
  for (;;) {
    const { stopped } = await parts.add(choosing.slice(from, size), choices);
    const ranked = rank(choices, parts.outcomes);
    rounds.push({
      questions: size,
      choices: ranked.map(({ choice, accuracy, tokens }) => ({ name: choice.name, accuracy, tokens })),
    });
    if (stopped !== null || size === choosing.length || choices.length <= 2)
      return { winner: ranked[0]!.choice, stopped };
    choices = bestHalf(ranked);
    from = size;
    size = Math.min(choosing.length, size * 2);
  }
}

/** Returns the JSON for rlm.config.json. */
export function configurationOf({ settings }: TuningChoice): object {
  const root: Record<string, Record<string, unknown> | unknown> = {};
  for (const [key, text] of Object.entries(settings)) {
    const [group, name] = key.split('.') as [string, string | undefined];
    const value = /^\d+$/.test(text) ? Number(text) : text === 'true' ? true : text;
    root[group] = name === undefined ? value : { ...(root[group] as object | undefined), [name]: value };
  }
  return root;
}

function inWords({ winner, confirmation, stopped }: Pick<Tuning, 'winner' | 'confirmation' | 'stopped'>): string[] {
  if (stopped !== null) return [`It ended early: ${stopped.message}. Nothing is recommended.`];
  if (winner.name === asItIs || confirmation === null)
    return ['No choice was better than the settings in force. Leave them as they are.'];
  const said = `On questions that did not choose it: ${comparisonInWords(confirmation)}`;
  if (isShown(confirmation) && confirmation.difference > 0)
    return [said, `Put into rlm.config.json: ${JSON.stringify(configurationOf(winner))}`];
  return [`${winner.name} was best on the questions that chose.`, said, 'Leave the settings as they are.'];
}

/**
 * Tunes.
 * @throws RlmError `usage` for fewer than 8 questions, and the errors of an evaluation that cannot begin.
 */
export async function tune(options: TuneOptions): Promise<Tuning> {
  const samples = readSamples(options.questions);
  if (samples.length < fewestQuestions)
    throw new RlmError(
      'usage',
      `${counted(samples.length, 'question')} cannot tell choices apart: ${fewestQuestions} at least`,
      {
        hint: 'One half chooses, the other confirms: with 40 a large difference can be shown, with 200 one of 10 points.',
      },
    );
  const { flags, cwd, env } = options;
  const configuration = loadConfiguration({ flags, ...(cwd && { cwd }), ...(env && { env }) });
  const choices = choicesFor(configuration, options.choices);
  const [choosing, confirming] = split(samples);
  const parts = createParts(options);
  const rounds: TuneRound[] = [];
  const found = await halve(choices, choosing, parts, rounds);
  let { stopped } = found;
  let confirmation: Comparison | null = null;
  if (stopped === null && found.winner.name !== asItIs) {
    const last = await parts.add(confirming, [choices[0], found.winner]);
    stopped = last.stopped;
    confirmation = summarise(last, asItIs).comparisons[0] ?? null;
  }
  const result = { rounds, winner: found.winner, confirmation, stopped };
  const shown = confirmation !== null && isShown(confirmation) && confirmation.difference > 0;
  return { ...result, isShown: shown, sentences: inWords(result) };
}
