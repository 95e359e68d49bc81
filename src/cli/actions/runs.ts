import { counted } from '../../base/counted.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { exportRun, listRuns, pruneRuns, removeRuns, searchRuns, showRun } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output/output-file.ts';
import { outputFileOf } from '../output/output-options.ts';
import { size } from '../render/progress-lines.ts';
import { renderRun } from '../render/run-details.ts';
import { renderRuns } from '../render/run-list.ts';
import { escapeControls, oneLine, toJson } from '../terminal.ts';

/** The input and output of an action. */
interface Request extends Pick<Invocation, 'options' | 'stdout' | 'stderr' | 'redactor'> {
  /** The arguments after the action. */
  readonly names: readonly string[];
  readonly asJson: boolean;
}

/** An action of `rlm runs`. */
interface Action {
  /** Its options by their camelCase name. */
  readonly takes: readonly string[];
  /** An example command line for error messages. */
  readonly example: string;
  /** How many names it takes. */
  readonly names: 'none' | 'one' | 'some';
  run(request: Request): Promise<void>;
}

const note = ({ stderr }: Request, text: string) => stderr.write(`rlm: ${text}\n`);

async function list(request: Request): Promise<void> {
  const { stdout, asJson, options } = request;
  const runs = await listRuns({ all: options['all'] === true });
  stdout.write(asJson ? toJson(runs, 2) : renderRuns(runs, stdout));
  if (runs.length === 0) note(request, 'no run is recorded yet; rlm ask "…" records one');
}

/** Returns the given run. Null stands for the newest run (--last). */
const wantedRun = ({ names, options }: Request): string | null => (options['last'] === true ? null : names[0]!);

async function show(request: Request): Promise<void> {
  const { stdout, asJson } = request;
  const run = await showRun(wantedRun(request));
  stdout.write(asJson ? toJson(run, 2) : renderRun(run, stdout));
}

async function search({ names, stdout, stderr, asJson }: Request): Promise<void> {
  const words = names.join(' ');
  const found = await searchRuns(words);
  const lines = found.map(({ runId, task, match }) => {
    const where = match.in === 'question' ? '' : `    ${match.in}: ${oneLine(match.line, 500)}\n`;
    return `${stdout.style('bold', oneLine(runId))}  ${oneLine(task ?? '', 500)}\n${where}`;
  });
  stdout.write(asJson ? toJson(found, 2) : lines.join(''));
  if (found.length === 0) stderr.write(`rlm: no run contains ${oneLine(words)}\n`);
}

/** JSON without characters that control a terminal. */
const toText = (value: unknown) => escapeControls(JSON.stringify(value));

async function writeRecord(request: Request): Promise<void> {
  const lines = await exportRun(wantedRun(request), { toText });
  const output = openOutputFile(outputFileOf(request.options), request.stdout, request.redactor);
  for (const line of lines) output.write(line);
  output.close();
}

async function remove(request: Request): Promise<void> {
  note(request, `removed ${counted(await removeRuns(request.names), 'run')}`);
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Parses an age such as `30d`.
 * @returns the age in ms.
 * @throws RlmError `usage` when the age is missing or invalid.
 */
export function parseAge(text: string | undefined): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text ?? '') ?? [];
  if (count !== undefined) return Number(count) * unitsMs[unit as keyof typeof unitsMs];
  throw new RlmError('usage', text === undefined ? '--older-than is missing' : `--older-than cannot be "${text}"`, {
    hint: 'Give a number with m (minutes), h, d or w: rlm runs prune --older-than 30d',
  });
}

async function prune(request: Request): Promise<void> {
  const { options, stdout } = request;
  const dryRun = options['dryRun'] === true;
  const olderThanMs = parseAge(options['olderThan'] as string | undefined);
  const { runs, evaluations, bytes } = await pruneRuns({ olderThanMs, dryRun });
  if (dryRun) {
    const listed = (await listRuns({ all: true })).filter(({ runId }) => runs.includes(runId));
    stdout.write(`${renderRuns(listed, stdout)}${evaluations.map((id) => `${id} evaluation\n`).join('')}`);
  }
  const all = [
    counted(runs.length, 'run'),
    ...(evaluations.length > 0 ? [counted(evaluations.length, 'evaluation')] : []),
  ];
  note(request, `${dryRun ? 'would remove' : 'removed'} ${all.join(' and ')}, ${size(bytes)}`);
}

const actions: Readonly<Record<string, Action>> = {
  list: { takes: ['json', 'all'], names: 'none', example: 'rlm runs list', run: list },
  show: { takes: ['json', 'last'], names: 'one', example: 'rlm runs show --last', run: show },
  search: { takes: ['json'], names: 'some', example: 'rlm runs search pool exhausted', run: search },
  export: { takes: ['last', 'output'], names: 'one', example: 'rlm runs export --last -o run.jsonl', run: writeRecord },
  rm: { takes: [], names: 'some', example: 'rlm runs rm 20261121T010842-3f9a2c', run: remove },
  prune: { takes: ['olderThan', 'dryRun'], names: 'none', example: 'rlm runs prune --older-than 30d', run: prune },
};

const misuse = (message: string, { example }: Action) =>
  new RlmError('usage', message, { hint: `For example: ${example}` });

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Throws RlmError `usage` for an option that the action does not take. Otherwise `rm --dry-run` would remove runs. */
function checkOptions(name: string, action: Action, options: Invocation['options']): void {
  const given = Object.keys(options).filter((option) => option !== 'color');
  const foreign = given.find((option) => !action.takes.includes(option));
  if (foreign !== undefined) throw misuse(`rlm runs ${name} does not take ${flagOf(foreign)}`, action);
}

function checkNames(name: string, action: Action, { names, options }: Pick<Request, 'names' | 'options'>): void {
  const isLast = options['last'] === true;
  if (names.length === 0 && action.names !== 'none' && !isLast) {
    throw misuse(`rlm runs ${name} needs ${name === 'search' ? 'words' : 'a run'}`, action);
  }
  const most = action.names === 'some' ? Number.POSITIVE_INFINITY : action.names === 'none' || isLast ? 0 : 1;
  if (names.length > most) throw misuse(`rlm runs ${name} does not take "${names[most]}"`, action);
}

/** Runs `rlm runs`. */
export async function runRuns({ args, options, stdout, stderr, redactor }: Invocation): Promise<ExitCode> {
  const name = args[0] as string;
  const names = (args[1] ?? []) as readonly string[];
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new RlmError('usage', `rlm runs has no action "${name}"`, {
      hint: `The actions are ${Object.keys(actions).join(', ')}.`,
    });
  }
  checkOptions(name, action, options);
  checkNames(name, action, { names, options });
  await action.run({ names, options, stdout, stderr, redactor, asJson: options['json'] === true });
  return 0;
}
