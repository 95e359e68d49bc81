import { weigh } from '../../context/text-size.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import { type CheckedAnswer, checkCitations, type Uncounted } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import { renderEarlierStep } from '../../prompts/explore.ts';
import type { CitedPassage } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { Passage } from '../../state.ts';
import type { FinalAnswer } from '../../tools/final-answer.ts';
import { chooseTools } from '../../tools/index.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { answerAtOnce } from '../direct.ts';
import { type Concluded, conclude, type Stepped, stepsDraft, whyNoSteps } from '../steps.ts';
import { asKnown, type Draft, type EarlierStep, type Question, type Recurse, toldPassages } from '../strategy.ts';
import { meansOf } from '../tool-world.ts';
import { createGround, type Ground } from './ground.ts';
import { earlierStepFor, exploreInSteps, exploreRoomFor } from './loop.ts';

/** Returns the id `P12` for `[P12]` or `12`. */
const idOf = (passage: string): string => passage.replace(/^\D*(\d+)\D*$/, 'P$1');

const citationsOf = ({ found }: Ground): Uncounted[] => found.flatMap(({ citation }) => citation ?? []);

function behindMarks(answer: string, ground: Ground): CitedPassage[] {
  const marked = new Set(markedIds(answer));
  const all = [...citationsOf(ground), ...ground.children().flatMap(({ citations }) => citations)];
  return all.filter(({ passage }) => marked.has(passage));
}

/** Checks the citations of an answer. If none is right, takes the citations of all findings. */
function check(
  answer: string,
  named: readonly CitedPassage[],
  citable: readonly Passage[],
  ground: Ground,
): CheckedAnswer {
  const checked = checkCitations(answer, [...named, ...behindMarks(answer, ground)], citable);
  if (checked.citations.length > 0) return checked;
  const { citations } = checkCitations(checked.answer, citationsOf(ground), citable);
  return { ...checked, citations };
}

function takeAnswer(final: FinalAnswer, question: Question, ground: Ground): Concluded {
  const named = (final.evidence ?? []).map(({ passage, quote }) => ({ passage: idOf(passage), quote: quote || null }));
  const earlier = toldPassages(question).filter(({ id }) => !ground.seen.has(id));
  const checked = check(final.answer, named, [...ground.seen.values(), ...earlier], ground);
  return { ...checked, assumptions: [], error: null, tells: final.tells ?? null, missing: final.missing ?? [] };
}

const leastPassageBytes = 2_000;

function passagesFor(asked: Question, ground: Ground, takenBytes: number, run: Run) {
  const behind = run.passages.byId([...new Set(citationsOf(ground).map(({ passage }) => passage))]);
  const seen = [...ground.seen.values()].reverse();
  const before: readonly Passage[] = asked.passages ?? asked.inHand;
  const groups = [behind, seen, seen.length === 0 ? before : []];
  // Answers of sub-queries may fill the window. They have their own citations, so no passages are needed.
  const hasRoom = run.models.roomFor('conclude', asked.path) > takenBytes + leastPassageBytes;
  return hasRoom || ground.children().length === 0 ? run.passages.fit(groups, takenBytes) : [];
}

function listFound(ground: Ground): CheckedAnswer | null {
  const found = ground.found.map(({ finding }) => `- ${finding.description} [${finding.passage}]`);
  const answered = ground.children().filter(({ answer }) => answer !== null);
  const answers = answered.map(({ answer, question }) => `- ${question} ${answer}`);
  if (found.length + answers.length === 0) return null;
  return check([...found, ...answers].join('\n'), [], [...ground.seen.values()], ground);
}

const thoughtCharacters = 600;

async function askToConclude(asked: Question, { steps }: Stepped<FinalAnswer>, ground: Ground, run: Run) {
  const { question, criteria, path, depth } = asked;
  const known = [...asked.known, ...ground.children().map(asKnown)];
  const findings = ground.found.map(({ finding }) => finding);
  const calls = steps.flatMap((step) => step.calls);
  const notes = calls.filter(({ tool, outcome }) => tool === 'note' && outcome === 'done');
  const noted = notes.map((call) => (call.arguments as { readonly text: string }).text);
  const thoughts = [...steps.map(({ thought }) => thought.slice(0, thoughtCharacters)).filter(Boolean), ...noted];
  const taken = Buffer.byteLength(JSON.stringify([known, findings, thoughts]));
  const passages = passagesFor(asked, ground, taken, run);
  const place = { path, share: depth === 0 ? 'kept' : 'ordinary', part: 'conclusion' } as const;
  const variables = { question, known, criteria, findings, thoughts, passages };
  const { answer, citations, assumptions, tells, missing } = await run.ask('conclude', variables, place);
  const citable = [...ground.seen.values(), ...passages];
  const checked = check(answer, citations, citable, ground);
  return { ...checked, assumptions, error: null, tells: tells === 'unknown' ? null : tells, missing };
}

/** Whether the exploration found nothing beyond the passages that it began with. */
const isEmpty = (ground: Ground, earlierStep: EarlierStep | null): boolean =>
  ground.found.length === 0 && ground.seen.size <= (earlierStep?.shown.length ?? 0) && ground.children().length === 0;

function giveUp(question: Question, why: string, run: Run): Promise<Draft> {
  const instead = question.earlierStep === null ? ', and the question is answered directly from passages' : '';
  run.events.warn('answered-directly', `the exploration failed${instead}: ${why}`);
  return answerAtOnce(question, `the exploration failed: ${why}`, run);
}

/** Returns the conclusion. If the call fails and a direct answer is still possible, returns the error. */
async function tryToConclude(question: Question, explored: Stepped<FinalAnswer>, ground: Ground, run: Run) {
  if (explored.answer !== null) return takeAnswer(explored.answer, question, ground);
  try {
    const ask = () => askToConclude(question, explored, ground, run);
    return await conclude(explored.stopped, ask, () => listFound(ground), run);
  } catch (error) {
    if (explored.stopped === null && isForgivable(error)) return error;
    throw error;
  }
}

/** Explores the text for a question. Throws RlmError if there is no answer at all. */
export async function solveWithTools(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings, text } = run;
  const hasText = text.store.chunkCount > 0 || settings.retrieval.server !== null;
  const why = whyNoSteps('explore', hasText, question.path, run);
  if (why !== null) return answerAtOnce(question, why, run);
  const files = await text.files();
  const means = await meansOf(run, files, question.depth < settings.budget.maxDepth);
  // Tools that make no sense for the text are not offered, but can still be called.
  const toolbox = createToolbox(
    chooseTools(means),
    chooseTools({ ...means, documentCount: 2, hasCode: true, hasRecords: true }),
  );
  const room = exploreRoomFor(question, toolbox.specs, run);
  if (room === null) {
    run.events.warn(
      'answered-directly',
      'the window has too little room to explore the text (name fewer tools with --tools, or raise context.maxWindowTokens); the question is answered directly',
    );
    return answerAtOnce(question, 'the window has too little room to explore', run);
  }
  const ground = createGround(question, files, run, recurse);
  const earlierStep = earlierStepFor(question, room, run);
  ground.keep(earlierStep?.shown ?? []);
  const exploring = { ground, toolbox, earlierStep, room: room - weigh(renderEarlierStep(earlierStep)) };
  const explored = await exploreInSteps(question, exploring, run);
  if (explored.gaveUp !== '' && isEmpty(ground, earlierStep)) return giveUp(question, explored.gaveUp, run);
  const concluded = await tryToConclude(question, explored, ground, run);
  if (concluded instanceof RlmError) return giveUp(question, concluded.message, run);
  if (explored.gaveUp !== '')
    run.events.warn(
      'ended-early',
      `the exploration ended early, and the answer was written from its findings: ${explored.gaveUp}`,
    );
  return stepsDraft('explore', question, explored, ground.children(), concluded, [...ground.seen.values()], run);
}
