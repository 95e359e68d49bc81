import type { ReportRun } from '../run.ts';
import { type Finding, findingsOf, type Level } from './findings.ts';

const commands: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** GitHub shows at most this many annotations of each level per step. */
const mostPerLevel = 10;

const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

function line({ level, verdict, text, places }: Finding): string {
  const [place] = places;
  const title = `title=${property(`rlm: ${verdict}`)}`;
  const at = place ? `file=${property(place.source)},line=${place.startLine},endLine=${place.endLine},` : '';
  return `::${commands[level]} ${at}${title}::${data(text)}`;
}

/** Returns an annotation for the error of the run, if it has one. */
const problems = ({ result: { error } }: ReportRun): string[] =>
  error === null ? [] : [`::error title=rlm::${data([error.message, error.hint].filter(Boolean).join('\n'))}`];

/** Formats the claims of a run as annotations that GitHub shows at the cited lines, at most 10 of each level. */
export function toGithubAnnotations(run: ReportRun): string {
  const errors = problems(run);
  const findings = findingsOf(run);
  const ofLevel = (level: Level, room: number) =>
    findings
      .filter((one) => one.level === level)
      .slice(0, room)
      .map(line);
  const lines = [
    ...errors,
    ...ofLevel('error', mostPerLevel - errors.length),
    ...ofLevel('warning', mostPerLevel),
    ...ofLevel('note', mostPerLevel),
  ];
  return lines.map((one) => `${one}\n`).join('');
}

const severities: Readonly<Record<Level, string>> = { error: 'major', warning: 'minor', note: 'info' };

/** Formats the claims of a run that have citations as a code quality report, which GitLab shows at the cited lines. */
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
