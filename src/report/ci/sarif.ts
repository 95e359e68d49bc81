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

function resultOf({ verdict, level, text, places, fingerprint }: Finding) {
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
 * Formats the claims of a run as SARIF 2.1.0, each at the lines that it cites.
 * @param version the version of this program.
 */
export function toSarif(run: ReportRun, version: string): string {
  const findings = findingsOf(run);
  const verdicts = [...new Set(findings.map(({ verdict }) => verdict))];
  const driver = { name: 'rlm', semanticVersion: version, rules: verdicts.map(ruleOf) };
  const runs = [{ tool: { driver }, invocations: [invocationOf(run)], results: findings.map(resultOf) }];
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs }, null, 2)}\n`;
}
