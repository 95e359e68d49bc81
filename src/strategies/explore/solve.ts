import { isForgivable, RlmError } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import { chooseTools, makers } from '../../tools/index.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { answerAtOnce, stepsDraft } from '../steps-draft.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import { conclude, takeAnswer } from './conclude.ts';
import { roomFor } from './conversation.ts';
import { createGround, type Ground } from './ground.ts';
import { type Explored, exploreText } from './loop.ts';

/** Whether the exploration has nothing to answer from. */
const isEmpty = ({ found }: Explored, ground: Ground): boolean =>
  found.length === 0 && ground.seen.size === 0 && ground.children().length === 0;

/** Answers a question directly after an exploration without findings, with a warning. */
function giveUp(question: Question, why: string, run: Run, recurse: Recurse): Promise<Draft> {
  const instead = question.begun === null ? ', and the question is answered directly from passages' : '';
  run.events.warn(`the exploration failed${instead}: ${why}`);
  return answerAtOnce(question, `the exploration failed: ${why}`, run, recurse);
}

/** Returns the conclusion, or the error that prevented it where a direct answer is still possible. */
async function tryToConclude(question: Question, explored: Explored, ground: Ground, run: Run) {
  if (explored.answer !== null) return takeAnswer(explored.answer, explored, ground, run);
  try {
    return await conclude(question, explored, ground, run);
  } catch (error) {
    if (explored.stopped === null && isForgivable(error)) return error;
    throw error;
  }
}

/** Explores the text for a question. Throws RlmError when there is no answer at all. */
export async function explore(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings, text } = run;
  if (text.store.chunkCount === 0 && settings.retrieval.server === null)
    return answerAtOnce(question, 'there is no text to explore', run, recurse);
  const mayRecurse = question.depth < settings.budget.maxDepth;
  const files = await text.files();
  const tools = chooseTools({ allow: settings.tools.allow, hasFiles: files !== null, mayRecurse });
  const toolbox = createToolbox(tools, makers);
  const room = roomFor(question, toolbox.specs, run);
  if (room === null) {
    run.events.warn(
      'the window has too little room to explore the text (name fewer tools with --tools, or raise context.maxWindowTokens); the question is answered directly',
    );
    return answerAtOnce(question, 'the window has too little room to explore', run, recurse);
  }
  const ground = createGround(question, files, run, recurse);
  const explored = await exploreText(question, ground, toolbox, room, run);
  if (explored.gaveUp !== '' && isEmpty(explored, ground)) return giveUp(question, explored.gaveUp, run, recurse);
  const concluded = await tryToConclude(question, explored, ground, run);
  if (concluded instanceof RlmError) return giveUp(question, concluded.message, run, recurse);
  const asked = { question: question.question, seen: [...ground.seen.values()] };
  const came = { ...explored, children: ground.children() };
  const draft = stepsDraft('explore', came, concluded, asked, run);
  if (explored.gaveUp !== '')
    run.events.warn(`the exploration ended early, and the answer was written from its findings: ${explored.gaveUp}`);
  return draft;
}
