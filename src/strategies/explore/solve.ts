import type { Run } from '../../run/run.ts';
import { chooseTools, makers } from '../../tools/index.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { direct } from '../direct.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import { type Conclusion, conclude, takeAnswer } from './conclude.ts';
import { roomFor } from './conversation.ts';
import { createGround } from './ground.ts';
import { type Explored, exploreText } from './loop.ts';

/** What is left where there is nothing to look into, or no room to look. */
async function answerAtOnce(question: Question, why: string, run: Run, recurse: Recurse): Promise<Draft> {
  return { ...(await direct.solve(question, run, recurse)), strategyReason: why };
}

function toDraft({ steps, stopped, gaveUp }: Explored, concluded: Conclusion, run: Run): Omit<Draft, 'children'> {
  for (const problem of concluded.problems) run.warn(problem);
  if (gaveUp !== '') run.warn(`the exploration ended early, and was answered from its findings: ${gaveUp}`);
  const { answer, citations, assumptions } = concluded;
  const error = stopped ?? concluded.error;
  return {
    strategy: 'explore',
    strategyReason: null,
    status: error === null ? 'answered' : 'partial',
    answer,
    citations,
    assumptions,
    passages: run.passages([...new Set(citations.map(({ passage }) => passage))]),
    searches: [],
    steps,
    error: error?.toInfo() ?? null,
  };
}

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
  return { ...toDraft(explored, concluded, run), children: ground.children() };
}
