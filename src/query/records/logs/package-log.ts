import type { Value } from '../../query-result.ts';
import {
  columnsNamed,
  type FindTables,
  firstLines,
  type ReadRows,
  recordLines,
  rowsByLine,
  tableOf,
} from '../reader.ts';

const columns = columnsNamed('time timeText action package architecture oldVersion newVersion command');

const dpkgLine =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?:(startup) (.+)|(install|upgrade|remove|purge|configure|trigproc) (\S+?)(?::(\w+))? (\S+) (\S+)|status (\S+) (\S+?)(?::(\w+))? (\S+)|conffile (\S+) (\S+))$/;

const version = (text: string | undefined): string | null => (text === undefined || text === '<none>' ? null : text);

/** Returns action, package, architecture, old version, new version and command of a dpkg log line. */
function dpkgValues(found: RegExpExecArray): Value[] {
  const [, , startup, startupOf, action, name, architecture, before, after] = found;
  const [, status, statusOf, statusArchitecture, statusVersion, conffile, decision] = found.slice(8);
  if (startup !== undefined) return [startup, null, null, null, null, startupOf!];
  if (action !== undefined) return [action, name!, architecture ?? null, version(before), version(after), null];
  if (conffile !== undefined) return ['conffile', null, null, null, null, `${conffile} ${decision}`];
  return [`status ${status}`, statusOf!, statusArchitecture ?? null, null, version(statusVersion), null];
}

const dpkgRows = rowsByLine((text, times) => {
  const found = dpkgLine.exec(text);
  if (found === null) return 'that dpkg does not write';
  return [times.read(found[1]!)?.time ?? null, found[1]!, ...dpkgValues(found)];
});

const aptActions: readonly string[] = ['Install', 'Reinstall', 'Upgrade', 'Downgrade', 'Remove', 'Purge'];
/** Matches `bash:amd64 (5.2.15-2+b2, 5.2.15-2+b7)`. Dependencies also have `, automatic` after the versions. */
const aptPackage = /([^\s,]+?)(?::(\w+))? \(([^)]*)\)/g;

function* aptPackages(action: string, list: string): Generator<Value[]> {
  for (const [, name, architecture, inside] of list.matchAll(aptPackage)) {
    const versions = inside!.split(', ').filter((one) => one !== 'automatic');
    const [before, after] = /install$/i.test(action) ? [undefined, versions[0]] : versions;
    yield [action.toLowerCase(), name!, architecture ?? null, before ?? null, after ?? null];
  }
}

const aptRows: ReadRows = function* (document, reading) {
  const times = reading.times();
  let when: readonly (string | null)[] = [null, null];
  let command: string | null = null;
  for (const { line, text } of recordLines(document)) {
    const [, key, value = ''] = /^([A-Z][\w-]*): (.*)$/.exec(text) ?? [];
    if (key === 'Start-Date') {
      when = [times.read(value)?.time ?? null, value];
      command = null;
    } else if (key === 'Commandline') command = value;
    else if (key !== undefined && aptActions.includes(key))
      for (const values of aptPackages(key, value)) yield { line, values: [...when, ...values, command] };
    else if (key === undefined && text.trim() !== '') yield { line, problem: 'that apt does not write' };
  }
};

export const findPackageLog: FindTables = (document) => {
  const lines = firstLines(document, 20);
  if (lines.length === 0) return [];
  const isDpkg = lines.every((line) => dpkgLine.test(line));
  if (!isDpkg && !/^Start-Date: /.test(lines[0]!)) return [];
  return tableOf('packages', columns, document, isDpkg ? dpkgRows : aptRows);
};
