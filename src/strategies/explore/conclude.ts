import { RlmError } from '../../errors.ts';
import { type CheckedAnswer, checkCitations, type Uncounted } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import type { KnownAnswer } from '../../prompts/prompt.ts';
import type { CitedPassage } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import { refitting } from '../../run/text/refit.ts';
import type { Passage } from '../../state.ts';
import type { FinalAnswer } from '../../tools/final-answer.ts';
import type { Question } from '../strategy.ts';
import { checkFact } from './findings.ts';
import type { Ground } from './ground.ts';
import type { Explored } from './loop.ts';

/** An answer with its assumptions, and the error that makes it partial, or null. */
export interface Conclusion extends CheckedAnswer {
  readonly assumptions: readonly string[];
  readonly error: RlmError | null;
}

const asCited = ({ passage, quote }: Uncounted): CitedPassage => ({ passage, quote });

/** Returns the id `P12` for `[P12]` or `12`. */
const idOf = (passage: string): string => passage.replace(/^\D*(\d+)\D*$/, 'P$1');

const citationsOf = ({ found }: Explored): Uncounted[] => found.flatMap(({ citation }) => citation ?? []);

/** Returns the citations of findings and sub-queries that an answer marks. */
function behindMarks(answer: string, explored: Explored, ground: Ground): CitedPassage[] {
  const marked = new Set(markedIds(answer));
  const all = [...citationsOf(explored), ...ground.children().flatMap(({ citations }) => citations)];
  return all.filter(({ passage }) => marked.has(passage)).map(asCited);
}

/**
 * Checks the citations of an answer: those it names and those of its marks; where none hold, those of all findings.
 */
function check(
  answer: string,
  named: readonly CitedPassage[],
  explored: Explored,
  citable: readonly Passage[],
  ground: Ground,
): CheckedAnswer {
  const checked = checkCitations(answer, [...named, ...behindMarks(answer, explored, ground)], citable);
  if (checked.citations.length > 0) return checked;
  const { citations } = checkCitations(checked.answer, citationsOf(explored).map(asCited), citable);
  return { ...checked, citations };
}

/** Takes the answer with which the model ended its exploration. */
export function takeAnswer(final: FinalAnswer, explored: Explored, ground: Ground, run: Run): Conclusion {
  const facts = (final.findings ?? []).map(({ startLine = 0, endLine = startLine, confidence = 50, ...fact }) =>
    checkFact({ ...fact, startLine, endLine, confidence }, ground.seen, run),
  );
  ground.note(facts.flatMap(({ finding }) => finding.passage ?? []));
  const named = (final.evidence ?? []).map(({ passage, quote }) => ({ passage: idOf(passage), quote: quote || null }));
  const cited = [...named, ...facts.flatMap(({ citation }) => citation ?? []).map(asCited)];
  const checked = check(final.answer, cited, explored, [...ground.seen.values()], ground);
  const left = facts.filter(({ citation }) => citation === null);
  const problems = left.map(
    ({ finding }) =>
      `a finding was left out, because the text does not contain its evidence: ${JSON.stringify(finding.description.slice(0, 100))}`,
  );
  return { ...checked, problems: [...checked.problems, ...problems], assumptions: [], error: null };
}

/** Returns the passages of the findings, then those seen last, then those retrieved for the question. */
function passagesFor(asked: Question, explored: Explored, ground: Ground, takenBytes: number, run: Run) {
  const behind = run.passages.byId([...new Set(citationsOf(explored).map(({ passage }) => passage))]);
  const seen = [...ground.seen.values()].reverse();
  const before: readonly Passage[] = asked.passages ?? asked.inHand;
  const groups = [behind, seen, seen.length === 0 ? before : []];
  return run.passages.fit(groups, takenBytes);
}

/** Lists the findings as the answer, for when no call can be made; null when there are none. */
function listFound(explored: Explored, ground: Ground): CheckedAnswer | null {
  const found = explored.found.map(({ finding }) => `- ${finding.description} [${finding.passage}]`);
  const answers = ground
    .children()
    .flatMap(({ answer, question }) => (answer === null ? [] : [`- ${question} ${answer}`]));
  if (found.length + answers.length === 0) return null;
  return check([...found, ...answers].join('\n'), [], explored, [...ground.seen.values()], ground);
}

async function askToConclude(asked: Question, explored: Explored, ground: Ground, run: Run): Promise<Conclusion> {
  const { question, criteria, path, depth } = asked;
  const answers: KnownAnswer[] = ground.children().map(({ question: sub, answer }) => ({ question: sub, answer }));
  const known = [...asked.known, ...answers];
  const findings = explored.found.map(({ finding }) => finding);
  const thoughts = explored.steps.map(({ thought }) => thought.slice(0, 300)).filter(Boolean);
  const taken = Buffer.byteLength(JSON.stringify([known, findings, thoughts]));
  const passages = passagesFor(asked, explored, ground, taken, run);
  const place = { path, share: depth === 0 ? 'kept' : 'ordinary', part: 'conclusion' } as const;
  const variables = { question, known, criteria, findings, thoughts, passages };
  const reply = await run.ask('conclude', variables, place);
  const citable = [...ground.seen.values(), ...passages];
  return {
    ...check(reply.answer, reply.citations, explored, citable, ground),
    assumptions: reply.assumptions,
    error: null,
  };
}

/**
 * Answers from the findings in one last call; where that cannot be made, lists them.
 * @throws RlmError when nothing was found.
 */
export async function conclude(asked: Question, explored: Explored, ground: Ground, run: Run): Promise<Conclusion> {
  try {
    return await refitting(run, () => askToConclude(asked, explored, ground, run));
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    const listed = listFound(explored, ground);
    if (listed === null) throw explored.stopped ?? error;
    return { ...listed, assumptions: [], error };
  }
}
