import { type CheckedAnswer, checkCitations, type Uncounted } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import type { CitedPassage } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { Passage } from '../../state.ts';
import type { FinalAnswer } from '../../tools/final-answer.ts';
import { type Concluded, conclude, type Stepped } from '../steps.ts';
import { asKnown, type Question } from '../strategy.ts';
import type { Ground } from './ground.ts';

/** Returns the id `P12` for `[P12]` or `12`. */
const idOf = (passage: string): string => passage.replace(/^\D*(\d+)\D*$/, 'P$1');

const citationsOf = ({ found }: Ground): Uncounted[] => found.flatMap(({ citation }) => citation ?? []);

/** Returns the citations of findings and sub-queries that an answer marks. */
function behindMarks(answer: string, ground: Ground): CitedPassage[] {
  const marked = new Set(markedIds(answer));
  const all = [...citationsOf(ground), ...ground.children().flatMap(({ citations }) => citations)];
  return all.filter(({ passage }) => marked.has(passage));
}

/** Checks the citations of an answer, by name and by mark; where none hold, takes those of all findings. */
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

/** Returns the passages that an answer may cite: those that were shown, and those of the run that it names. */
function citableFor(answer: string, named: readonly CitedPassage[], ground: Ground, run: Run): readonly Passage[] {
  const ids = [...markedIds(answer), ...named.map(({ passage }) => passage)].filter((id) => !ground.seen.has(id));
  return [...ground.seen.values(), ...run.passages.byId([...new Set(ids)])];
}

/** Takes the answer with which the model ended its exploration. */
export function takeAnswer(final: FinalAnswer, ground: Ground, run: Run): Concluded {
  const named = (final.evidence ?? []).map(({ passage, quote }) => ({ passage: idOf(passage), quote: quote || null }));
  const checked = check(final.answer, named, citableFor(final.answer, named, ground, run), ground);
  return { ...checked, assumptions: [], error: null, tells: final.tells ?? null, missing: final.missing ?? [] };
}

/** Room for passages, at least, in bytes. */
const leastPassageBytes = 2_000;

/** Returns the passages of the findings, then those seen last, then those retrieved for the question. */
function passagesFor(asked: Question, ground: Ground, takenBytes: number, run: Run) {
  const behind = run.passages.byId([...new Set(citationsOf(ground).map(({ passage }) => passage))]);
  const seen = [...ground.seen.values()].reverse();
  const before: readonly Passage[] = asked.passages ?? asked.inHand;
  const groups = [behind, seen, seen.length === 0 ? before : []];
  // Answers of sub-queries may fill the window; they carry their own citations.
  const hasRoom = run.models.roomFor('conclude', asked.path) > takenBytes + leastPassageBytes;
  return hasRoom || ground.children().length === 0 ? run.passages.fit(groups, takenBytes) : [];
}

/** Lists the findings as the answer, for when no call can be made; null when there are none. */
function listFound(ground: Ground): CheckedAnswer | null {
  const found = ground.found.map(({ finding }) => `- ${finding.description} [${finding.passage}]`);
  const answers = ground
    .children()
    .flatMap(({ answer, question }) => (answer === null ? [] : [`- ${question} ${answer}`]));
  if (found.length + answers.length === 0) return null;
  return check([...found, ...answers].join('\n'), [], [...ground.seen.values()], ground);
}

/** Characters of a step's thought that the conclusion is shown. */
const thoughtCharacters = 600;

async function askToConclude(
  asked: Question,
  { steps }: Stepped<FinalAnswer>,
  ground: Ground,
  run: Run,
): Promise<Concluded> {
  const { question, criteria, path, depth } = asked;
  const known = [...asked.known, ...ground.children().map(asKnown)];
  const findings = ground.found.map(({ finding }) => finding);
  const notes = steps.flatMap(({ calls }) =>
    calls.filter(({ tool, outcome }) => tool === 'note' && outcome === 'done'),
  );
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

/** Answers from the findings in one last call, or lists them. Throws RlmError when nothing was found. */
export const concludeExploring = (
  asked: Question,
  explored: Stepped<FinalAnswer>,
  ground: Ground,
  run: Run,
): Promise<Concluded> =>
  conclude(
    explored.stopped,
    () => askToConclude(asked, explored, ground, run),
    () => listFound(ground),
    run,
  );
