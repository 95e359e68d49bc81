/** The calls that a run would make, foreseen without asking a model. */
import type { Measured } from '../assemble/measure-run.ts';
import type { Settings } from '../config/settings.ts';
import type { PromptName } from '../prompts/index.ts';
import { worstCase } from '../run/door/asked.ts';
import { dearestOf, type Spending } from '../run/door/budget.ts';
import { type Roster, smallestWindow, widen } from '../run/roster.ts';
import { cutIntoPieces, roomForPieces } from '../run/text/whole-text.ts';
import { followingStrategy } from '../stages/choose-strategy.ts';
import { type StrategyName, strategyTraits, wayOf } from '../state.ts';
import { scanCalls } from '../strategies/scan/plan-reading.ts';

/** What it takes to read all of the text, were there no limit; calls of the whole run. */
export interface ReadingCalls {
  readonly pieces: number;
  readonly fewestCalls: number;
  readonly mostCalls: number;
}

/** Calls of the planner and the critic, and for the form of the answer, at most. */
const callsAround = ({ approach, critic }: Measured, { schema }: Settings): number =>
  Number(approach.isPlanned) + Number(critic !== 'no') + Number(schema !== null);

/** The critic may not be asked: the check by code decides. */
export const mayBeSpared = ({ critic }: Measured): number => Number(critic === 'inDoubt');

/** The answer and the calls around it. */
export const directCallsOf = (settings: Settings, measured: Measured): number => 1 + callsAround(measured, settings);

/** Each call may need a repair turn, and each of both two further tries. */
const triesOfTurn = 3;
const triesPerCall = 2 * triesOfTurn;

export function readingOf(
  approach: StrategyName | null,
  measured: Measured,
  task: string,
  settings: Settings,
): ReadingCalls | null {
  const { store, roster } = measured;
  if (approach === null || wayOf(approach) !== 'all' || store.documents.length === 0) return null;
  const roomOf = (prompt: PromptName) => smallestWindow(roster.modelsFor(prompt, '0'));
  const { info } = roster.modelsFor('scan', '0')[0]!;
  const pieces = cutIntoPieces(store, roomForPieces(roomOf('scan').passageBytes, task, store, info));
  const { fewestCalls, mostCalls } = scanCalls(pieces, { settings, passageBytes: roomOf('compose').passageBytes });
  const around = callsAround(measured, settings);
  return {
    pieces: pieces.length,
    fewestCalls: around - mayBeSpared(measured) + fewestCalls,
    mostCalls: around * triesPerCall + mostCalls * triesOfTurn,
  };
}

/** Whether a round at what an answer names as missing may follow, with as many calls as the budget has. */
const mayRefine = ({ roster, window }: Measured, { refine, budget }: Settings): boolean =>
  !window.fits &&
  refine > 0 &&
  budget.maxDepth > 0 &&
  followingStrategy(roster.modelsFor('explore', '0.1')[0]!.info) !== null;

/** The most calls that a small model takes for a second look: its searches, and whether the passages tell, twice. */
const secondLookCalls = 4;

/**
 * The most calls that a run takes, were there no limit; null where that is not known.
 * @param pictures pages that a model reads first.
 */
export function mostCallsOf(
  measured: Measured,
  directCalls: number,
  reading: ReadingCalls | null,
  pictures: number,
  settings: Settings,
): number | null {
  const { plannerMayChoose, mayClimbTo, approach } = measured.approach;
  if (plannerMayChoose.length > 0 || mayClimbTo.some((one) => wayOf(one) !== 'passages')) return null;
  if (mayRefine(measured, settings)) return null;
  const calls = directCalls + mayClimbTo.length * secondLookCalls;
  const most = approach !== null && wayOf(approach) === 'passages' ? calls * triesPerCall : reading?.mostCalls;
  return most === undefined ? null : most + pictures * triesPerCall;
}

/** The models with the windows that they may come to have. */
export const widestOf = ({ roster, approach: { plannerMayChoose, mayClimbTo } }: Measured): Roster =>
  [...plannerMayChoose, ...mayClimbTo].some((one) => strategyTraits[one].widens) ? widen(roster) : roster;

export function worstOf(most: number | null, measured: Measured, settings: Settings) {
  const roster = widestOf(measured);
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const calls = Math.min(maxCalls, most ?? maxCalls);
  const one: Spending = dearestOf(roster.models.map((model) => worstCase(model, settings)));
  const isKnown = roster.models.every(({ price }) => price !== null);
  return {
    calls,
    tokens: Math.min(calls * one.tokens, maxTokens ?? Number.POSITIVE_INFINITY),
    usd: isKnown ? Math.min(calls * one.usd, maxCost ?? Number.POSITIVE_INFINITY) : null,
  };
}
