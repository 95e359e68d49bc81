import { RlmError } from '../errors.ts';
import { carryCitations } from '../evidence/citations.ts';
import type { Run } from '../run/run.ts';
import { direct } from './direct.ts';
import { agreed, composeFindings, type FromFindings, listFindings } from './scan/compose-findings.ts';
import { asPercentage, pieceBytes, planReading, type ReadingPlan, tooLong } from './scan/plan-reading.ts';
import { type Merged, mergeFindings, readPieces, type ScanReading, whyNothingHolds } from './scan/read-pieces.ts';
import { type Draft, draftBy, type Question } from './strategy.ts';

const hasServer = ({ settings }: Run): boolean => settings.retrieval.server !== null;

/** A server can be searched, but not read as a whole. */
const unreadServer = 'The text on the search server was not read.';

/** Returns the part of the given text that was read, in words, and all that was left out; empty where nothing was. */
function coverageOf({ pieces }: ReadingPlan, { read }: ScanReading, run: Run) {
  const [done, all] = [pieceBytes(read), pieceBytes(pieces)];
  const part = done === all ? '' : `Only ${asPercentage(done, all)} of the text was read.`;
  return { part, said: [part, hasServer(run) ? unreadServer : ''].filter(Boolean).join(' ') };
}

/** The answer, and the error that makes it partial, or null. */
interface Answer extends FromFindings {
  readonly error: RlmError | null;
}

const notFound = 'Not found: nothing that was read is about the question.';
const noneHolds =
  'Not settled: what the model found could not be traced to the text and was left out. The text may well hold an answer.';

async function answerFrom(
  findings: readonly Merged[],
  reading: ScanReading,
  isAll: boolean,
  question: Question,
  run: Run,
): Promise<Answer> {
  const error = findings.length === 0 ? whyNothingHolds(reading) : null;
  if (findings.length === 0) return { text: error === null ? notFound : noneHolds, citations: [], error };
  const asksFor = agreed(reading.asksFor);
  if (asksFor !== 'other') return { ...listFindings(findings, asksFor, isAll), error: null };
  try {
    return { ...(await composeFindings(findings, isAll, question, run)), error: null };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { ...listFindings(findings, 'list', isAll), error };
  }
}

function tellPlan({ pieces, chosen, fewestCalls, mostCalls }: ReadingPlan, path: string, run: Run): void {
  run.events.emit({
    type: 'scan.started',
    path,
    pieces: pieces.length,
    chosen: chosen.length,
    bytes: pieceBytes(pieces),
    chosenBytes: pieceBytes(chosen),
    fewestCalls,
    mostCalls,
    callsLeft: run.budget.callsLeft('kept'),
  });
}

async function toDraft(plan: ReadingPlan, reading: ScanReading, question: Question, run: Run): Promise<Draft> {
  const { part, said } = coverageOf(plan, reading, run);
  if (reading.mayHoldMore) run.events.warn('some replies had no room for all findings in their piece of the text');
  if (part !== '') run.events.warn(`${part.slice(0, -1)}: ${reading.error?.message ?? tooLong(plan, run).message}`);
  const findings = mergeFindings(reading.findings);
  const isAll = said === '' && !reading.mayHoldMore;
  const { text, citations, error } = await answerFrom(findings, reading, isAll, question, run);
  const checked = carryCitations(text, [{ question: question.question, citations }]);
  for (const problem of checked.problems) run.events.warn(problem);
  const why = reading.error ?? (plan.chosen.length < plan.pieces.length ? tooLong(plan, run) : null) ?? error;
  const cited = [...new Set(checked.citations.map(({ passage }) => passage))];
  return draftBy('scan', {
    strategyReason: said || null,
    answer: [checked.answer, said].filter(Boolean).join('\n\n'),
    citations: checked.citations,
    passages: run.passages.byId(cited),
    error: why?.toInfo() ?? null,
  });
}

const noMatch = 'no line of the text has all that the question says';

/** Whether nothing was found by words alone, without a language model: the best sentences may tell all the same. */
const isUnread = ({ findings, error }: ScanReading, { models }: Run): boolean =>
  findings.length === 0 && error === null && models.info('scan', '0').spends === 'nothing';

/** Asks the question about every piece of the text, and composes the findings. */
export async function scan(question: Question, run: Run): Promise<Draft> {
  if (hasServer(run)) run.events.warn('a scan reads only the given text, not the text on the search server');
  const plan = await planReading(question, run);
  if (plan.pieces.length === 0) return { ...(await direct(question, run)), strategyReason: 'there is no text to read' };
  tellPlan(plan, question.path, run);
  const reading = await readPieces(plan.chosen, question, run);
  if (reading.read.length === 0) throw reading.error ?? run.budget.stopped()!;
  if (isUnread(reading, run)) return { ...(await direct(question, run)), strategyReason: noMatch };
  return toDraft(plan, reading, question, run);
}
