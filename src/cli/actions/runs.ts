import { checkRunOutputs } from '../../api/check-outputs.ts';
import { exportRun, listRuns, pruneRuns, removeRuns, searchRuns, showRun } from '../../api/runs/recorded-runs.ts';
import { type ReportFormat, renderReport } from '../../api/runs/reports.ts';
import { counted } from '../../base/text.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { type ActionRequest, type CommandAction, type Invocation, runAction, textOption } from '../command.ts';
import { openOutputFile, outputFileOf } from '../output/output-options.ts';
import { size } from '../render/progress.ts';
import { renderRun, renderRuns } from '../render/runs.ts';
import { escapeControls, oneLine, say, toJson, withoutCommands, withoutCommandsInHtml } from '../terminal.ts';

async function list(request: ActionRequest): Promise<void> {
  const { stdout, asJson, options } = request;
  const runs = await listRuns({ all: options['all'] === true });
  stdout.write(asJson ? toJson(runs, 2) : renderRuns(runs, stdout));
  if (runs.length === 0) say(request, 'no run is recorded yet; rlm ask "…" records one');
}

/** Returns the id that was given; null for the newest run (--last). */
const wantedRun = ({ names, options }: ActionRequest): string | null => (options['last'] === true ? null : names[0]!);

async function show(request: ActionRequest): Promise<void> {
  const { stdout, asJson } = request;
  const run = await showRun(wantedRun(request));
  stdout.write(asJson ? toJson(run, 2) : renderRun(run, stdout));
}

async function search(request: ActionRequest): Promise<void> {
  const { names, stdout, asJson } = request;
  const words = names.join(' ');
  const found = await searchRuns(words);
  const lines = found.map(({ runId, task, match }) => {
    const where = match.in === 'question' ? '' : `    ${match.in}: ${oneLine(match.line, 500)}\n`;
    return `${stdout.style('bold', oneLine(runId))}  ${oneLine(task ?? '', 500)}\n${where}`;
  });
  stdout.write(asJson ? toJson(found, 2) : lines.join(''));
  if (found.length === 0) say(request, `no run contains ${oneLine(words)}`);
}

async function writeRecord(request: ActionRequest): Promise<void> {
  const toText = (value: unknown) => escapeControls(JSON.stringify(value));
  const [runId, file] = [wantedRun(request), outputFileOf(request.options)];
  await checkRunOutputs(file === null ? [] : [file], runId);
  const lines = await exportRun(runId, toText);
  const output = openOutputFile(file, request.stdout, request.redactor);
  for (const line of lines) output.write(line);
  await output.close();
}

async function remove(request: ActionRequest): Promise<void> {
  say(request, `removed ${counted(await removeRuns(request.names), 'run')}`);
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Returns an age such as `30d` in ms. Throws RlmError `usage` when it is missing or invalid. */
export function parseAge(text: string | null): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text ?? '') ?? [];
  if (count !== undefined) return Number(count) * unitsMs[unit as keyof typeof unitsMs];
  throw new RlmError('usage', text === null ? '--older-than is missing' : `--older-than cannot be "${text}"`, {
    hint: 'Give a number with m (minutes), h, d or w: rlm runs prune --older-than 30d',
  });
}

async function prune(request: ActionRequest): Promise<void> {
  const { options, stdout } = request;
  const dryRun = options['dryRun'] === true;
  const olderThanMs = parseAge(textOption(options, 'olderThan'));
  const { runs, evaluations, bytes } = await pruneRuns({ olderThanMs, dryRun });
  if (dryRun) {
    const listed = (await listRuns({ all: true })).filter(({ runId }) => runs.includes(runId));
    stdout.write(`${renderRuns(listed, stdout)}${evaluations.map((id) => `${id} evaluation\n`).join('')}`);
  }
  const others = evaluations.length > 0 ? ` and ${counted(evaluations.length, 'evaluation')}` : '';
  say(request, `${dryRun ? 'would remove' : 'removed'} ${counted(runs.length, 'run')}${others}, ${size(bytes)}`);
}

const many = Number.POSITIVE_INFINITY;
const oneRun = { what: 'a run', least: 1, most: 1 };

const actions: Readonly<Record<string, CommandAction>> = {
  list: { example: 'rlm runs list', run: list },
  show: { names: oneRun, example: 'rlm runs show --last', run: show },
  search: { names: { what: 'words', least: 1, most: many }, example: 'rlm runs search pool exhausted', run: search },
  export: { names: oneRun, example: 'rlm runs export --last -o run.jsonl', run: writeRecord },
  rm: { names: { ...oneRun, most: many }, example: 'rlm runs rm 20261121T010842-3f9a2c', run: remove },
  prune: { example: 'rlm runs prune --older-than 30d', run: prune },
};

export const runRuns = (invocation: Invocation): Promise<ExitCode> => runAction('runs', actions, invocation);

export async function runReport({ args, options, stdout, redactor }: Invocation): Promise<ExitCode> {
  const format = (options['format'] as ReportFormat | undefined) ?? 'html';
  const { runId, text } = await renderReport((args[0] as string | undefined) ?? null, format);
  const defaultFile = format === 'markdown' ? null : `rlm-report-${runId}.html`;
  const file = options['output'] === undefined ? defaultFile : outputFileOf(options);
  await checkRunOutputs(file === null ? [] : [file], runId);
  const output = openOutputFile(file, stdout, redactor);
  output.write(format === 'markdown' ? withoutCommands(text) : withoutCommandsInHtml(text));
  await output.close();
  if (file !== null) stdout.write(`${oneLine(file, 4_096)}\n`);
  return 0;
}
