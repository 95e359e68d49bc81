import { sha256 } from '../../base/sha256.ts';
import { isComputed } from '../../context/computed-passage.ts';
import type { Citation } from '../../state.ts';
import { visible } from '../html/markup.ts';
import { type AnswerClaim, claimsOf, type ReportRun, type VerdictWords, verdictAbout } from '../run.ts';

type Level = 'error' | 'warning' | 'note';

const levels: Readonly<Partial<Record<VerdictWords, Level>>> = {
  partial: 'warning',
  unsupported: 'error',
  contradicted: 'error',
};

/** Creates a finding. Equal claims with equal citations get equal fingerprints in all runs. */
function findingOf(claim: AnswerClaim, places: readonly Citation[]) {
  const { verdict, reason } = claim;
  const words = visible(claim.text.replace(/\s*\[\d+\]/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
  const isChecked = verdict !== 'cited' && verdict !== 'uncited';
  const text = isChecked ? `${words} (${verdict}: ${visible(reason ?? verdictAbout[verdict])})` : words;
  const fingerprint = sha256([words, ...places.map(({ source, hash }) => `${source} ${hash}`)].join('\0'), 32);
  const level: Level = levels[verdict] ?? 'note';
  return { verdict, level, text, places, fingerprint };
}

type CiFinding = ReturnType<typeof findingOf>;

/** Sets the line numbers to 1 if the text was extracted, for example from a PDF. */
const inFile = (citation: Citation): Citation =>
  citation.isExtracted ? { ...citation, startLine: 1, endLine: 1 } : citation;

const rank: Readonly<Record<Level, number>> = { error: 0, warning: 1, note: 2 };

const placesOf = ({ citations }: ReportRun['result']): Citation[] =>
  citations.filter((one) => !isComputed(one)).map(inFile);

function findingsOf({ result }: ReportRun): CiFinding[] {
  const places = placesOf(result);
  const citedBy = ({ citations }: AnswerClaim) =>
    citations.flatMap((number) => places.filter((one) => one.number === number));
  const claims = claimsOf(result).filter(({ verdict }) => verdict !== 'uncited');
  const findings = claims.map((claim) => findingOf(claim, citedBy(claim)));
  return findings.sort((a, b) => rank[a.level] - rank[b.level]);
}

const commands: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** GitHub shows at most this many annotations of each level per step. */
const mostPerLevel = 10;

const escapeData = (text: string): string => visible(text).replace(/%/g, '%25').replace(/\n/g, '%0A');

const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

function annotationOf({ level, verdict, text, places }: CiFinding): string {
  const [place] = places;
  const title = `title=${escapeProperty(`rlm: ${verdict}`)}`;
  const at = place ? `file=${escapeProperty(place.source)},line=${place.startLine},endLine=${place.endLine},` : '';
  return `::${commands[level]} ${at}${title}::${escapeData(text)}`;
}

const problems = ({ result: { error } }: ReportRun): string[] =>
  error === null ? [] : [`::error title=rlm::${escapeData([error.message, error.hint].filter(Boolean).join('\n'))}`];

/** Formats the claims of a run as annotations that GitHub shows at the cited lines. */
export function toGithubAnnotations(run: ReportRun): string {
  const findings = findingsOf(run);
  const ofLevel = (level: Level) => findings.filter((one) => one.level === level).map(annotationOf);
  const levels = [[...problems(run), ...ofLevel('error')], ofLevel('warning'), ofLevel('note')];
  return levels.flatMap((lines) => lines.slice(0, mostPerLevel).map((one) => `${one}\n`)).join('');
}

const severities: Readonly<Record<Level, string>> = { error: 'major', warning: 'minor', note: 'info' };

/** Formats a run as a code quality report, which GitLab shows at the cited lines. Omits claims without citations. */
export function toCodeQuality(run: ReportRun): string {
  const entries = findingsOf(run).flatMap(({ level, verdict, text, places, fingerprint }) =>
    places.slice(0, 1).map(({ source, startLine, endLine }) => ({
      description: text,
      check_name: `claim-${verdict}`,
      fingerprint,
      severity: severities[level],
      location: { path: source, lines: { begin: startLine, end: endLine } },
    })),
  );
  return `${JSON.stringify(entries, null, 2)}\n`;
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const uriOf = (source: string): string => source.toWellFormed().split('/').map(encodeURIComponent).join('/');

const ruleOf = (verdict: VerdictWords) => ({
  id: `claim-${verdict}`,
  shortDescription: { text: `A claim of the answer: ${verdictAbout[verdict]}.` },
});

type Lines = Pick<Citation, 'source' | 'startLine' | 'endLine'>;

/** Returns a place for claims without citations, because GitHub refuses a file in which a result has no location. */
function placeOfAnswer({ result, text }: ReportRun): Lines | null {
  const [first] = placesOf(result);
  const source = text?.first[0]?.name;
  return first ?? (source === undefined ? null : { source, startLine: 1, endLine: 1 });
}

function resultOf({ verdict, level, text, fingerprint }: CiFinding, places: readonly Lines[]) {
  const locations = places.map(({ source, startLine, endLine }) => ({
    physicalLocation: { artifactLocation: { uri: uriOf(source) }, region: { startLine, endLine } },
  }));
  return {
    ruleId: `claim-${verdict}`,
    level,
    message: { text: text.toWellFormed() },
    locations,
    partialFingerprints: { 'claim/v1': fingerprint },
  };
}

function invocationOf({ result: { error, status } }: ReportRun) {
  const notes = error === null ? [] : [{ level: 'error', message: { text: error.message.toWellFormed() } }];
  return { executionSuccessful: status === 'answered', toolExecutionNotifications: notes };
}

/**
 * Formats a run as SARIF 2.1.0. Each result is a claim that the text does not fully support, at the lines that the
 * claim cites. Other claims are left out, because GitHub shows every result as an alert.
 */
export function toSarif(run: ReportRun, version: string): string {
  const failed = findingsOf(run).filter(({ level }) => level !== 'note');
  const elsewhere = placeOfAnswer(run);
  const results = failed.flatMap((finding) => {
    const places = finding.places.length > 0 ? finding.places : elsewhere === null ? [] : [elsewhere];
    return places.length === 0 ? [] : [resultOf(finding, places)];
  });
  const verdicts = [...new Set(failed.map(({ verdict }) => verdict))];
  const driver = { name: 'rlm', semanticVersion: version, rules: verdicts.map(ruleOf) };
  const runs = [{ tool: { driver }, invocations: [invocationOf(run)], results }];
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs }, null, 2)}\n`;
}
