/** Answers one question of the tree with its strategy. */

import { now } from '../base/time.ts';
import { RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import { type StrategyName, type TreeNode, wayOf } from '../state.ts';
import { strategies } from '../strategies/index.ts';
import { type Draft, draftBy, type Question, type Recurse } from '../strategies/strategy.ts';
import { chooseForChild, chosen, type StrategyChoice, usesModel } from './choose-strategy.ts';
import { retrieverPath } from './retriever.ts';

const unanswered = (strategy: StrategyName, error: RlmError): Draft =>
  draftBy(strategy, { status: 'unanswered', error: error.toInfo() });

/**
 * Computes the answer. Returns null in five cases: a language model answers, the setting `strategy` is neither `auto`
 * nor `scan`, the question is split, it is a part of a question whose other parts may have conditions for it, or it
 * does not translate to SQL.
 */
async function computeAnswer(question: Question, chosen: StrategyName, run: Run): Promise<Draft | null> {
  const { strategy } = run.settings;
  const mayCompute = wayOf(chosen) !== 'parts' && (strategy === 'auto' || wayOf(strategy) === 'all');
  // "How many errors, and how many warnings in May?" asks for the errors in May. The two words "and why" add nothing.
  const [all, own] = [question.ancestors[0] ?? question.question, question.question].map((one) => one.split(/\s+/));
  if (usesModel(run) || !mayCompute || all!.length - own!.length > 2) return null;
  const { compute } = await import('../strategies/computed.ts');
  return compute(question, run);
}

/** Computes the answer or runs a strategy. A failure is recorded in the draft. */
export async function attempt(question: Question, run: Run, choice: StrategyChoice): Promise<Draft> {
  try {
    const { step: _, ...judged } = choice;
    run.events.emit({ type: 'node.judged', path: question.path, ...judged });
    const computed = await computeAnswer(question, choice.strategy, run);
    return computed ?? (await strategies[choice.strategy](question, run, recurseFrom(question, run)));
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return unanswered(choice.strategy, error);
  }
}

/** The strategy and the draft of a question, from which its node is created. */
export interface Worked {
  readonly choice: StrategyChoice;
  readonly draft: Draft;
}

async function work(question: Question, run: Run, choosing: Promise<StrategyChoice>): Promise<Worked> {
  try {
    const choice = await choosing;
    return { choice, draft: await attempt(question, run, choice) };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { choice: chosen('direct', ''), draft: unanswered('direct', error) };
  }
}

/** Answers a question and records its node. Rejects only on bugs. */
export async function recordNode(
  { question, path, depth }: Pick<Question, 'question' | 'path' | 'depth'>,
  run: Run,
  answer: () => Promise<Worked>,
): Promise<TreeNode> {
  const startedAt = now();
  run.events.emit({ type: 'node.started', path, depth, question });
  const { choice, draft } = await answer();
  const timeMs = Math.round(now() - startedAt);
  const { passages, shown: _, needsAll: __, ...rest } = draft;
  const places = depth === 0 ? [retrieverPath, path] : [path];
  const node: TreeNode = {
    ...{ path, question, depth },
    ...rest,
    strategyReason: draft.strategyReason ?? choice.reason,
    assessment: choice.assessment,
    passages: passages.map(({ text, ...reference }) => reference),
    searches: places.flatMap(run.passages.searchedAt),
    ...run.events.usage.at(path),
    timeMs,
  };
  const { status, calls, cacheHits, tokens, error } = node;
  run.events.emit({ type: 'node.completed', path, status, calls, cacheHits, tokens, timeMs, error });
  return node;
}

function recurseFrom(parent: Question, run: Run): Recurse {
  const ancestors = [...parent.ancestors, parent.question];
  return ({ text, explores = false, isQuery = false, ...child }) => {
    const hasOwnText = text !== undefined || parent.hasOwnText;
    const fresh = { criteria: [], passages: null, parts: [], earlierStep: null, hasOwnText };
    const question = { ...child, ...fresh, depth: parent.depth + 1, ancestors };
    const part = text === undefined ? run : run.within(text);
    const origin = { ownText: text !== undefined, explores, isQuery };
    return recordNode(question, part, () => work(question, part, chooseForChild(question, origin, part)));
  };
}
