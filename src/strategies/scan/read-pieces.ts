import { terms } from '../../context/words/terms.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import { dropBareMarks } from '../../evidence/bare-marks.ts';
import { checkCitation, type Uncounted } from '../../evidence/citations.ts';
import { withoutMarks } from '../../evidence/marks.ts';
import type { Reply } from '../../prompts/index.ts';
import type { Finding } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import { chunksIn, hasLineNumbers, type ScanPiece } from '../../run/text/whole-text.ts';
import type { Passage } from '../../state.ts';
import type { Question } from '../strategy.ts';

export interface LocatedFinding {
  readonly finding: string;
  /** What distinguishes the finding from others; empty if the reply does not say. */
  readonly key: string;
  readonly citation: Uncounted;
}

/** Equal findings, merged. Has the wording of the first finding, and the places of all findings in text order. */
export interface Merged {
  readonly finding: string;
  readonly places: readonly Uncounted[];
}

/** Returns a key in lower case, without an article and outer punctuation: `big cat` for `The Big-Cat`. */
function plainKey(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s"'`“”‘’*]+|[\s"'`“”‘’*.,;:]+$/gu, '')
    .replace(/^(?:the|an?)\s+(?=\S)/, '')
    .replace(/(?<=[\p{L}\p{N}])[\s_–—-]+(?=[\p{L}\p{N}])/gu, ' ');
}

/** Returns a key that is equal for sentences with the same words in any order and form. */
const wordsOf = (text: string): string => [...new Set(terms(text))].sort().join(' ') || text.trim().toLowerCase();

const sourcePlaceOf = ({ source, startByte, endByte }: Uncounted): string => `${startByte} ${endByte} ${source}`;

function labelsOf({ finding, key, citation }: LocatedFinding): [string, string] {
  const words = wordsOf(finding);
  const plain = plainKey(key);
  return [plain === '' ? `words ${words}` : `key ${plain}`, `place ${sourcePlaceOf(citation)} ${words}`];
}

const numberOf = ({ passage }: Uncounted): number => Number(passage.slice(1));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares findings in a total order, so that the order of arrival does not matter. */
function byPlace(a: LocatedFinding, b: LocatedFinding): number {
  return (
    numberOf(a.citation) - numberOf(b.citation) ||
    a.citation.startByte - b.citation.startByte ||
    a.citation.endByte - b.citation.endByte ||
    compareTexts(a.finding, b.finding) ||
    compareTexts(a.key, b.key)
  );
}

/** Groups findings that share a label of `labelsOf`, directly or through other findings. */
function groupByLabels(findings: readonly LocatedFinding[]): LocatedFinding[][] {
  const groupOf = new Map<string, LocatedFinding[]>();
  const groups = new Set<LocatedFinding[]>();
  for (const finding of findings) {
    const labels = labelsOf(finding);
    const met = new Set(labels.map((label) => groupOf.get(label)).filter((group) => group !== undefined));
    const [into = [], ...others] = met;
    for (const other of others) {
      groups.delete(other);
      for (const member of other) {
        into.push(member);
        for (const label of labelsOf(member)) groupOf.set(label, into);
      }
    }
    into.push(finding);
    groups.add(into);
    for (const label of labels) groupOf.set(label, into);
  }
  return [...groups];
}

/** Merges equal findings, and returns them in text order. */
export function mergeFindings(findings: readonly LocatedFinding[]): readonly Merged[] {
  const placesOf = (group: readonly LocatedFinding[]) =>
    new Map(group.map(({ citation }) => [sourcePlaceOf(citation), citation])).values();
  return groupByLabels(findings)
    .map((group) => group.toSorted(byPlace))
    .sort(([one], [other]) => byPlace(one!, other!))
    .map((group) => ({ finding: group[0]!.finding, places: [...placesOf(group)] }));
}

export type AsksFor = Reply<'scan'>['asksFor'];

export interface ScanReading {
  readonly findings: readonly LocatedFinding[];
  /** Why findings were left out. */
  readonly dropped: readonly string[];
  /** What the question asks for, according to each reply. */
  readonly asksFor: readonly AsksFor[];
  /** Pieces, or parts of pieces, that were read. */
  readonly read: readonly ScanPiece[];
  /** Whether the text may have findings that a reply had no room for. */
  readonly mayHoldMore: boolean;
  /** The first failure that left some text unread; null without a failure. */
  readonly error: RlmError | null;
}

/** Maximum number of pieces that are read concurrently. src/run/door/ limits concurrent calls further. */
const ahead = 64;

/** After this many consecutive failures of the provider or the run, the remaining pieces are left unread. */
const failuresInARow = 3;

const findingTokens = 75;
const otherTokens = 60;

const mostFindings = ({ settings }: Run): number =>
  Math.max(1, Math.floor((settings.reply.maxTokens - otherTokens) / findingTokens));

const nothing: ScanReading = { findings: [], dropped: [], asksFor: [], read: [], mayHoldMore: false, error: null };

const join = (readings: readonly ScanReading[]): ScanReading => ({
  findings: readings.flatMap(({ findings }) => findings),
  dropped: readings.flatMap(({ dropped }) => dropped),
  asksFor: readings.flatMap(({ asksFor }) => asksFor),
  read: readings.flatMap(({ read }) => read),
  mayHoldMore: readings.some(({ mayHoldMore }) => mayHoldMore),
  error: readings.find(({ error }) => error !== null)?.error ?? null,
});

function checkFinding(found: Finding, passages: readonly Passage[], nth: number) {
  const checked = checkCitation(found, passages, nth);
  if ('citation' in checked) return checked;
  const own = checkCitation({ passage: found.passage, quote: found.finding }, passages, nth);
  return 'citation' in own ? own : checked;
}

/** Finds the places of findings in the text. Equal quotes are matched to successive places. */
function locate(findings: readonly Finding[], passages: readonly Passage[], run: Run) {
  const texts = passages.map(({ text }) => text);
  const counts = new Map<string, number>();
  const dropped: string[] = [];
  const located = findings.flatMap((found): LocatedFinding[] => {
    const key = `${found.passage} ${found.quote}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    const checked = checkFinding(found, passages, nth);
    const finding = withoutMarks(dropBareMarks(found.finding, texts).answer);
    if ('citation' in checked) return [{ finding, key: found.key, ...checked }];
    dropped.push(checked.problem);
    run.events.warn('evidence', `a finding was left out: ${checked.problem}`);
    return [];
  });
  return { findings: located, dropped };
}

/** Returns the error for findings that were all left out; null if nothing was found. */
export function whyNothingHolds({ dropped }: Pick<ScanReading, 'dropped'>): RlmError | null {
  if (dropped.length === 0) return null;
  const many = dropped.length === 1 ? '1 finding was' : `${dropped.length} findings were`;
  return new RlmError('reply-unusable', `${many} left out for lack of evidence in the text: ${dropped[0]}`, {
    hint: 'Use a model that copies quotes more exactly, or ask with --strategy direct.',
  });
}

function withNumbers(passage: Passage): Passage {
  const lines = passage.text.trimEnd().split('\n');
  return { ...passage, text: lines.map((line, at) => `${passage.startLine + at}| ${line}`).join('\n') };
}

/** Removes line numbers that a model copied into a quote. */
const withoutNumber = (finding: Finding): Finding => ({
  ...finding,
  quote: finding.quote?.replace(/^\d+\| /gm, '') ?? null,
});

const longestRange = 500;

/** Returns a finding for each line that a reply names by number, such as `12` or `15-17`. */
function onLines(named: readonly string[], passages: readonly Passage[]): Finding[] {
  const numbers = named.flatMap((item) =>
    [...item.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)].flatMap(([, first, last = first]) => {
      const [from, to] = [Number(first), Number(last)];
      return Array.from({ length: Math.min(longestRange, Math.max(0, to - from + 1)) }, (_, at) => from + at);
    }),
  );
  return [...new Set(numbers)].flatMap((number): Finding[] => {
    const holder = passages.find(({ startLine, endLine }) => number >= startLine && number <= endLine);
    const line = holder?.text.split('\n')[number - holder.startLine]?.trim() ?? '';
    return holder === undefined || line === ''
      ? []
      : [{ passage: holder.id, quote: line, key: `line ${number} of ${holder.source}`, finding: line }];
  });
}

/** Reads a piece in one call. `isUnfinished`: the rest of the piece, or its halves, must be read, too. */
async function scanPiece(piece: ScanPiece, { question, path }: Question, run: Run) {
  const passages = run.passages.at(chunksIn(piece));
  const most = mostFindings(run);
  const isNumbered = hasLineNumbers(run.text.store, run.models.info('scan', path));
  const shown = isNumbered ? passages.map(withNumbers) : passages;
  try {
    const place = { path, share: 'ordinary', part: piece.name } as const;
    const reply = await run.ask('scan', { question, passages: shown, most, isNumbered }, place);
    const { more, asksFor } = reply;
    const findings = isNumbered
      ? [...reply.findings.map(withoutNumber), ...onLines(reply.lines, passages)]
      : reply.findings;
    const mayHoldMore = more === 'yes' || reply.findings.length >= most;
    const located = locate(findings, passages, run);
    return {
      reading: { ...located, asksFor: [asksFor], read: [piece], mayHoldMore, error: null },
      isUnfinished: mayHoldMore,
    };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { reading: { ...nothing, error }, isUnfinished: isForgivable(error) };
  }
}

/** Derives the reading of a half that could not be read by itself from the reading of the whole piece. */
function fallBack(half: ScanPiece, whole: ScanReading, run: Run): ScanReading {
  const isInHalf = ({ citation }: LocatedFinding) => run.text.holds(half, citation.passage);
  return { ...whole, findings: whole.findings.filter(isInHalf), read: whole.error === null ? [half] : [] };
}

/**
 * Returns the rest of a piece, from the chunk of its last finding on. Null if there are no findings, or if the rest is
 * the whole piece.
 */
function restAfter(piece: ScanPiece, { findings, error }: ScanReading, run: Run): ScanPiece | null {
  if (error !== null) return null;
  const numbers = findings.map(({ citation }) => run.text.store.indexOf(citation.passage));
  const last = findings[numbers.indexOf(Math.max(...numbers))];
  return last === undefined ? null : run.text.from(piece, last.citation.passage);
}

function byQuote(findings: readonly LocatedFinding[]): Map<string, LocatedFinding[]> {
  const groups = new Map<string, LocatedFinding[]>();
  for (const one of findings) {
    const place = sourcePlaceOf(one.citation);
    groups.set(place, [...(groups.get(place) ?? []), one]);
  }
  return groups;
}

/**
 * Joins the readings of a piece and of its rest. Both readings contain the chunk of the last finding, and may word the
 * findings and keys of this chunk differently. For each quoted place, keeps the findings of the reading that has more
 * findings there.
 */
function continued(before: ScanPiece, reading: ScanReading, rest: ScanReading): ScanReading {
  const [first, second] = [byQuote(reading.findings), byQuote(rest.findings)];
  const hasMore = (place: string) => second.get(place)!.length > (first.get(place)?.length ?? 0);
  const findings = [...new Map([...first, ...[...second].filter(([place]) => hasMore(place))]).values()].flat();
  return { ...join([reading, rest]), findings, read: [before, ...rest.read], mayHoldMore: rest.mayHoldMore };
}

/** Reads a piece. After a full reply, continues from the last finding; after an unusable reply, reads in halves. */
async function readPiece(piece: ScanPiece, question: Question, run: Run): Promise<ScanReading> {
  const { reading, isUnfinished } = await scanPiece(piece, question, run);
  if (!isUnfinished) return reading;
  const rest = restAfter(piece, reading, run);
  if (rest !== null) {
    const more = await readPiece(rest, question, run);
    const before = { ...piece, end: rest.start, bytes: piece.bytes - rest.bytes };
    return more.read.length > 0 ? continued(before, reading, more) : { ...reading, error: more.error };
  }
  const halves = run.text.halve(piece);
  if (halves === null) return reading;
  const parts = await Promise.all(halves.map((half) => readPiece(half, question, run)));
  const isUnread = ({ read }: ScanReading) => read.length === 0;
  if (parts.every(isUnread)) return { ...reading, error: reading.error && parts[0]!.error };
  return join(
    parts.map((part, at) =>
      isUnread(part) ? { ...fallBack(halves[at]!, reading, run), error: reading.error && part.error } : part,
    ),
  );
}

/** Asks the question about many pieces concurrently. Stops when the provider or the run keeps failing. */
export async function readPieces(pieces: readonly ScanPiece[], question: Question, run: Run): Promise<ScanReading> {
  const readings: ScanReading[] = [];
  let next = 0;
  let failures = 0;
  async function work(): Promise<void> {
    while (next < pieces.length && run.budget.stopped() === null && failures < failuresInARow) {
      const index = next++;
      const reading = await readPiece(pieces[index]!, question, run);
      readings[index] = reading;
      failures = reading.error === null || isForgivable(reading.error) ? 0 : failures + 1;
    }
  }
  await Promise.all(Array.from({ length: Math.min(ahead, pieces.length) }, work));
  return join(readings.filter((reading) => reading !== undefined));
}
