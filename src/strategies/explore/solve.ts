import { weigh } from '../../context/text-size.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import { renderBegun } from '../../prompts/explore.ts';
import type { Run } from '../../run/run.ts';
import type { FinalAnswer } from '../../tools/final-answer.ts';
import { chooseTools } from '../../tools/index.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { answerAtOnce, type Stepped, stepsDraft, whyNoSteps } from '../steps.ts';
import type { Begun, Draft, Question, Recurse } from '../strategy.ts';
import { meansOf } from '../tool-world.ts';
import { concludeExploring, takeAnswer } from './conclude.ts';
import { createGround, type Ground } from './ground.ts';
import { exploreInSteps } from './loop.ts';
import { begunFor, exploreRoomFor } from './memory.ts';

/** Whether the exploration has nothing to answer from but the passages that it began with. */
const isEmpty = (ground: Ground, begun: Begun | null): boolean =>
  ground.found.length === 0 && ground.seen.size <= (begun?.shown.length ?? 0) && ground.children().length === 0;

/** Answers a question directly after an exploration without findings, with a warning. */
function giveUp(question: Question, why: string, run: Run): Promise<Draft> {
  const instead = question.begun === null ? ', and the question is answered directly from passages' : '';
  run.events.warn(`the exploration failed${instead}: ${why}`);
  return answerAtOnce(question, `the exploration failed: ${why}`, run);
}

/** Returns the conclusion, or the error that prevented it where a direct answer is still possible. */
async function tryToConclude(question: Question, explored: Stepped<FinalAnswer>, ground: Ground, run: Run) {
  if (explored.answer !== null) return takeAnswer(explored.answer, ground, run);
  try {
    return await concludeExploring(question, explored, ground, run);
  } catch (error) {
    if (explored.stopped === null && isForgivable(error)) return error;
    throw error;
  }
}

/** Explores the text for a question. Throws RlmError when there is no answer at all. */
export async function solveWithTools(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings, text } = run;
  const hasText = text.store.chunkCount > 0 || settings.retrieval.server !== null;
  const why = whyNoSteps('explore', hasText, question.path, run);
  if (why !== null) return answerAtOnce(question, why, run);
  const files = await text.files();
  const means = await meansOf(run, files, question.depth < settings.budget.maxDepth);
  // A tool that makes no sense for the text is not offered, and can be called.
  const toolbox = createToolbox(
    chooseTools(means),
    chooseTools({ ...means, texts: 2, hasCode: true, hasRecords: true }),
  );
  const room = exploreRoomFor(question, toolbox.specs, run);
  if (room === null) {
    run.events.warn(
      'the window has too little room to explore the text (name fewer tools with --tools, or raise context.maxWindowTokens); the question is answered directly',
    );
    return answerAtOnce(question, 'the window has too little room to explore', run);
  }
  const ground = createGround(question, files, run, recurse);
  const begun = begunFor(question, room, run);
  ground.keep(begun?.shown ?? []);
  const exploring = { ground, toolbox, begun, room: room - weigh(renderBegun(begun)) };
  const explored = await exploreInSteps(question, exploring, run);
  if (explored.gaveUp !== '' && isEmpty(ground, begun)) return giveUp(question, explored.gaveUp, run);
  const concluded = await tryToConclude(question, explored, ground, run);
  if (concluded instanceof RlmError) return giveUp(question, concluded.message, run);
  if (explored.gaveUp !== '')
    run.events.warn(`the exploration ended early, and the answer was written from its findings: ${explored.gaveUp}`);
  return stepsDraft('explore', question, explored, ground.children(), concluded, [...ground.seen.values()], run);
}
