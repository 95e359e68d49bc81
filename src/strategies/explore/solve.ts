import type { Run } from '../../run/run.ts';
import { chooseTools, makers } from '../../tools/index.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { answerAtOnce, lookedDraft } from '../looked.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import { conclude, takeAnswer } from './conclude.ts';
import { roomFor } from './conversation.ts';
import { createGround } from './ground.ts';
import { exploreText } from './loop.ts';

/** Explores the text for a question. Throws RlmError when there is nothing to show for it. */
export async function explore(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings, store } = run;
  if (store.chunkCount === 0 && settings.retrieval.server === null)
    return answerAtOnce(question, 'there is no text to look into', run, recurse);
  const mayRecurse = question.depth < settings.budget.maxDepth;
  const files = await run.files();
  const tools = chooseTools({ allow: settings.tools.allow, hasFiles: files !== null, mayRecurse });
  const toolbox = createToolbox(tools, makers);
  const room = roomFor(question, toolbox.specs, run);
  if (room === null) {
    run.warn(
      'the window has too little room to explore the text (name fewer tools with --tools, or raise context.maxWindowTokens); the question is answered directly',
    );
    return answerAtOnce(question, 'the window has too little room to explore', run, recurse);
  }
  const ground = createGround(question, files, run, recurse);
  const explored = await exploreText(question, ground, toolbox, room, run);
  const concluded =
    explored.answer === null
      ? await conclude(question, explored, ground, run)
      : takeAnswer(explored.answer, explored, ground, run);
  const draft = lookedDraft('explore', explored, concluded, run);
  if (explored.gaveUp !== '')
    run.warn(`the exploration ended early, and was answered from its findings: ${explored.gaveUp}`);
  return { ...draft, children: ground.children() };
}
