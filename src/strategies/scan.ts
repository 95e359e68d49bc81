import { listed } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import { carryCitations, type Uncounted } from '../evidence/citations.ts';
import { withoutMarks } from '../evidence/marks.ts';
import type { KnownAnswer } from '../prompts/prompt.ts';
import type { Run } from '../run/run.ts';
import { direct } from './direct.ts';
import { asPercentage, pieceBytes, planReading, type ReadingPlan, tooLong } from './scan/plan-reading.ts';
import {
  type AsksFor,
  type Merged,
  mergeFindings,
  readPieces,
  type ScanReading,
  whyNothingHolds,
} from './scan/read-pieces.ts';
import { type Draft, draftBy, type Question, unreadServer } from './strategy.ts';

const mostPlaces = 3;

/** Maximum number of findings, and of documents with counts, in the answer to "how many". */
const mostListed = 20;

const citationsOf = (findings: readonly Merged[]): Uncounted[] =>
  findings.flatMap(({ places }) => places.slice(0, mostPlaces));

interface FromFindings {
  readonly text: string;
  readonly citations: readonly Uncounted[];
}

function agreed(asksFor: readonly AsksFor[]): AsksFor {
  const votes = (wanted: AsksFor) => asksFor.filter((one) => one === wanted).length;
  const kinds = ['count', 'list'] as const;
  return kinds.find((kind) => votes(kind) * 2 > asksFor.length) ?? 'other';
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function lineOf({ finding, places }: Merged): string {
  const marks = places.slice(0, mostPlaces).map(({ passage }) => ` [${passage}]`);
  const others = places.length > mostPlaces ? ` (at ${places.length} places)` : '';
  return `${oneLine(finding)}${others}${marks.join('')}`;
}

const bulleted = (findings: readonly Merged[]): string => findings.map((one) => `- ${lineOf(one)}`).join('\n');

/** States the number of findings. `isAll`: the whole text was read, and every reply had room for all findings. */
function tally(findings: readonly Merged[], isAll: boolean): string {
  const places = findings.reduce((total, one) => total + one.places.length, 0);
  const found = places > findings.length ? `different ones found, at ${places} places in the text` : 'found';
  return `${isAll ? '' : 'at least '}${findings.length} ${found}`;
}

function byDocument(findings: readonly Merged[]): string[] {
  const counts = new Map<string, number>();
  for (const { source } of findings.flatMap(({ places }) => places)) counts.set(source, (counts.get(source) ?? 0) + 1);
  if (counts.size < 2) return [];
  const ranked = [...counts].sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
  const shown = ranked.slice(0, mostListed).map(([source, count]) => `${withoutMarks(oneLine(source))} ${count}`);
  return [`By document: ${listed(shown, ranked.length - shown.length, 'document')}.`];
}

function listFindings(findings: readonly Merged[], asksFor: AsksFor, isAll: boolean): FromFindings {
  const counted = tally(findings, isAll);
  const header = `${counted.charAt(0).toUpperCase()}${counted.slice(1)}:`;
  const listed = asksFor === 'count' ? findings.slice(0, mostListed) : findings;
  const more = findings.length - listed.length;
  const rest = more > 0 ? [`- … and ${more} more (ask for a list to see them all)`] : [];
  const lines = [header, ...(asksFor === 'count' ? byDocument(findings) : []), bulleted(listed), ...rest];
  return { text: lines.join('\n'), citations: citationsOf(listed) };
}

/** A range of findings as text for a prompt: a list, or an answer composed from them. */
interface Part {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/**
 * Groups parts for prompts of `room` bytes. Each group except the last has at least two parts, even if they exceed
 * `room`.
 */
function pack(parts: readonly Part[], room: number): Part[][] {
  const groups: Part[][] = [];
  let left = 0;
  for (const part of parts) {
    const bytes = Buffer.byteLength(part.text) + 1;
    const group = groups.at(-1);
    if (group === undefined || (bytes > left && group.length > 1)) {
      groups.push([part]);
      left = room - bytes;
    } else {
      group.push(part);
      left -= bytes;
    }
  }
  return groups;
}

const joinParts = (group: readonly Part[]): Part => ({
  first: group[0]!.first,
  last: group.at(-1)!.last,
  text: group.map(({ text }) => text).join('\n'),
});

/** Lets the model compose one answer from the findings. If they do not fit one prompt, makes a tree of calls. */
async function composeFindings(
  findings: readonly Merged[],
  isAll: boolean,
  { question, path, depth, criteria }: Question,
  run: Run,
): Promise<FromFindings> {
  const citations = citationsOf(findings);
  const taken = Buffer.byteLength([question, ...criteria].join('\n'));
  const counted: KnownAnswer = {
    question: 'How many findings are there? (counted by a program: take the number from here)',
    answer: tally(findings, isAll),
  };
  const asKnown = ({ first, last, text }: Part): KnownAnswer => ({
    question: `What are findings ${first} to ${last} of ${findings.length}, in the order of the text?`,
    answer: text,
  });

  async function compose(group: readonly Part[], part: string, isLast: boolean): Promise<Part> {
    const share = isLast && depth === 0 ? 'kept' : 'ordinary';
    const joined = joinParts(group);
    const variables = { question, parts: [counted, asKnown(joined)], criteria };
    const { finalAnswer } = await run.ask('compose', variables, { path, share, part, isPiece: !isLast });
    const { answer, problems } = carryCitations(finalAnswer, [{ question, citations }]);
    for (const problem of problems) run.events.warn('evidence', problem);
    return { ...joined, text: answer };
  }

  let parts = findings.map((one, index) => ({ first: index + 1, last: index + 1, text: `- ${lineOf(one)}` }));
  for (let level = 1; ; level += 1) {
    const groups = pack(parts, run.models.roomFor('compose', path) - taken);
    if (groups.length === 1) return { text: (await compose(groups[0]!, 'all', true)).text, citations };
    parts = await Promise.all(groups.map((group, index) => compose(group, `${level}.${index + 1}`, false)));
  }
}

const hasServer = ({ settings }: Run): boolean => settings.retrieval.server !== null;

/**
 * Returns `part`, which says how much of the text was read, and `said`, which also says that a search server was not
 * read. Both are empty if everything was read.
 */
function coverageOf({ pieces }: ReadingPlan, { read }: ScanReading, run: Run) {
  const [done, all] = [pieceBytes(read), pieceBytes(pieces)];
  const part = done === all ? '' : `Only ${asPercentage(done, all)} of the text was read.`;
  return { part, said: [part, hasServer(run) ? unreadServer : ''].filter(Boolean).join(' ') };
}

const notFound = 'Not found: nothing that was read is about the question.';
const noneHolds =
  'Not settled: what the model found could not be traced to the text and was left out. The text may well hold an answer.';

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
  if (reading.mayHoldMore)
    run.events.warn('unread', 'some replies had no room for all findings in their piece of the text');
  if (part !== '')
    run.events.warn('unread', `${part.slice(0, -1)}: ${reading.error?.message ?? tooLong(plan, run).message}`);
  const findings = mergeFindings(reading.findings);
  const isAll = said === '' && !reading.mayHoldMore;

  async function answerFrom() {
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

  const { text, citations, error } = await answerFrom();
  const checked = carryCitations(text, [{ question: question.question, citations }]);
  for (const problem of checked.problems) run.events.warn('evidence', problem);
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

const noMatch = 'no sentence of the text has enough words of the question';

const isWithoutMatch = ({ findings, error }: ScanReading, { models }: Run): boolean =>
  findings.length === 0 && error === null && models.info('scan', '0').spends === 'nothing';

/** Asks the question about pieces of the text, and composes the answer from the findings. */
export async function scan(question: Question, run: Run): Promise<Draft> {
  if (hasServer(run)) run.events.warn('unread', 'a scan reads only the given text, not the text on the search server');
  const plan = await planReading(question, run);
  if (plan.pieces.length === 0) return { ...(await direct(question, run)), strategyReason: 'there is no text to read' };
  tellPlan(plan, question.path, run);
  const reading = await readPieces(plan.chosen, question, run);
  if (reading.read.length === 0) throw reading.error ?? run.budget.stopped()!;
  // The best sentences may still contain the answer.
  if (isWithoutMatch(reading, run)) return { ...(await direct(question, run)), strategyReason: noMatch };
  return toDraft(plan, reading, question, run);
}
