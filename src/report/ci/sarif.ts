import type { Citation } from '../../state.ts';
import { type Verdict, verdictAbout } from '../claims.ts';
import type { ReportRun } from '../run.ts';
import { type Finding, findingsOf } from './findings.ts';

/** The JSON Schema of the format. */
const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Converts a path to a URI reference. */
const uriOf = (source: string): string =>
  source
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');

const ruleOf = (verdict: Verdict) => ({
  id: `claim-${verdict}`,
  shortDescription: { text: `A claim of the answer: ${verdictAbout[verdict]}.` },
});

/** The lines of a document. */
type Lines = Pick<Citation, 'source' | 'startLine' | 'endLine'>;

/**
 * Where a claim without citations is shown: at the first lines that the answer cites, else at the first document. Null
 * without either. GitHub refuses a file in which one result has no location.
 */
function placeOfAnswer({ result, text }: ReportRun): Lines | null {
  const [first] = result.citations;
  const source = text?.first[0]?.name;
  return first ?? (source === undefined ? null : { source, startLine: 1, endLine: 1 });
}

function resultOf({ verdict, level, text, fingerprint }: Finding, places: readonly Lines[]) {
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

/** Describes whether the run succeeded, and its error if it has one. */
function invocationOf({ result: { error, status } }: ReportRun) {
  const notes = error === null ? [] : [{ level: 'error', message: { text: error.message.toWellFormed() } }];
  return { executionSuccessful: status === 'answered', toolExecutionNotifications: notes };
}

/**
 * Formats the claims of a run that did not hold as SARIF 2.1.0, each at the lines that it cites. Others are left out,
 * because GitHub shows every result as an alert.
 * @param version the version of this program.
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
