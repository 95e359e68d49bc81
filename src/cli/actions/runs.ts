import { dirname } from 'node:path';
import { runsFolderOf } from '../../api/resume.ts';
import { detailedRun, listedRun } from '../../api/runs.ts';
import { counted } from '../../base/counted.ts';
import { evaluationsFolder } from '../../config/folders.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { encodeRecord, type JournalRecord } from '../../journal/records.ts';
import { outlineRun, outlineRuns } from '../../journal/run-outline.ts';
import { findRun, type KeptRun, readRun, removeRuns } from '../../journal/runs.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output/output-file.ts';
import { outputFileOf } from '../output/output-options.ts';
import { size } from '../render/progress-lines.ts';
import { renderRun } from '../render/run-details.ts';
import { renderRuns } from '../render/run-list.ts';
import { escapeControls, oneLine, toJson } from '../terminal.ts';
import { oldRuns, parseAge, removeOld } from './prune-runs.ts';
import { matchRun, wordsOf } from './search-runs.ts';

/** What an action works with. */
interface Request extends Pick<Invocation, 'options' | 'stdout' | 'stderr' | 'redactor'> {
  /** The folder of all runs. */
  readonly runs: string;
  /** What stands behind the action. */
  readonly names: readonly string[];
  readonly asJson: boolean;
}

/** One of the things that `rlm runs` can do. */
interface Action {
  /** Its options by their camelCase name. */
  readonly takes: readonly string[];
  /** An example of it, for who has used it wrongly. */
  readonly example: string;
  /** How many names it takes. */
  readonly names: 'none' | 'one' | 'some';
  run(request: Request): Promise<void>;
}

const note = ({ stderr }: Request, text: string) => stderr.write(`rlm: ${text}\n`);

async function list(request: Request): Promise<void> {
  const { runs, stdout, asJson } = request;
  const outlines = await outlineRuns(runs);
  stdout.write(asJson ? toJson(outlines.map(listedRun), 2) : renderRuns(outlines, stdout));
  if (outlines.length === 0) note(request, 'no run is recorded yet; rlm ask "…" records one');
}

/** The run that is named, or the newest with --last. */
const wantedRun = ({ runs, names, options }: Request): Promise<KeptRun> =>
  findRun(runs, options['last'] === true ? null : names[0]!);

async function show(request: Request): Promise<void> {
  const { stdout, asJson } = request;
  const run = await wantedRun(request);
  const details = { outline: await outlineRun(run), content: await readRun(run) };
  stdout.write(asJson ? toJson(detailedRun(details.outline, details.content), 2) : renderRun(details, stdout));
}

async function search(request: Request): Promise<void> {
  const { runs, names, stdout, stderr, asJson } = request;
  const words = wordsOf(names);
  if (words.length === 0) throw new RlmError('usage', 'there are no words to search for', { hint: 'Name some.' });
  const found = (await outlineRuns(runs)).flatMap((outline) => {
    const match = matchRun(outline, words);
    return match === null ? [] : [{ ...listedRun(outline), match }];
  });
  const lines = found.map(({ runId, task, match }) => {
    const where = match.in === 'question' ? '' : `    ${match.in}: ${oneLine(match.line, 500)}\n`;
    return `${stdout.style('bold', oneLine(runId))}  ${oneLine(task ?? '', 500)}\n${where}`;
  });
  stdout.write(asJson ? toJson(found, 2) : lines.join(''));
  if (found.length === 0) stderr.write(`rlm: no run contains ${oneLine(words.join(' '))}\n`);
}

/** JSON that steers no terminal; its checksum is that of what is written. */
const toText = (value: unknown) => escapeControls(JSON.stringify(value));

async function exportRun(request: Request): Promise<void> {
  const run = await wantedRun(request);
  const [{ isEnded, end }, content] = [await outlineRun(run), await readRun(run)];
  const calls = new Map(content.calls.map((call) => [`${call.place} ${call.hash}`, call]));
  const records: JournalRecord[] = [content.run, ...calls.values(), ...(isEnded && end ? [end] : [])];
  const output = openOutputFile(outputFileOf(request.options), request.stdout, request.redactor);
  for (const record of records) output.write(encodeRecord(record, toText));
  output.close();
}

/** Every named run, or one error about all the names that are wrong. */
async function namedRuns({ runs, names }: Request): Promise<KeptRun[]> {
  const found = await Promise.allSettled(names.map((name) => findRun(runs, name)));
  const errors = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as RlmError] : []));
  const [first] = errors;
  if (first) {
    const message = errors.map((error) => error.message).join('; ');
    throw new RlmError(first.code, message, { hint: `${first.hint} Nothing was removed.` });
  }
  const byId = new Map(found.flatMap((one) => (one.status === 'fulfilled' ? [[one.value.id, one.value]] : [])));
  return [...byId.values()];
}

async function remove(request: Request): Promise<void> {
  const named = await namedRuns(request);
  await removeRuns(named);
  note(request, `removed ${counted(named.length, 'run')}`);
}

async function prune(request: Request): Promise<void> {
  const { runs, options, stdout } = request;
  const isDry = options['dryRun'] === true;
  const age = parseAge(options['olderThan'] as string | undefined);
  const old = await oldRuns(runs, age);
  const oldEvaluations = await oldRuns(evaluationsFolder(dirname(runs)), age);
  if (isDry) stdout.write(renderRuns(await Promise.all(old.map(outlineRun)), stdout));
  if (isDry) for (const { id } of oldEvaluations) stdout.write(`${id} evaluation\n`);
  const gone = isDry ? old : await removeOld(old);
  const evaluations = isDry ? oldEvaluations : await removeOld(oldEvaluations);
  const bytes = [...gone, ...evaluations].reduce((total, one) => total + one.bytes, 0);
  const all = [
    counted(gone.length, 'run'),
    ...(evaluations.length > 0 ? [counted(evaluations.length, 'evaluation')] : []),
  ];
  note(request, `${isDry ? 'would remove' : 'removed'} ${all.join(' and ')}, ${size(bytes)}`);
}

const actions: Readonly<Record<string, Action>> = {
  list: { takes: ['json'], names: 'none', example: 'rlm runs list', run: list },
  show: { takes: ['json', 'last'], names: 'one', example: 'rlm runs show --last', run: show },
  search: { takes: ['json'], names: 'some', example: 'rlm runs search pool exhausted', run: search },
  export: { takes: ['last', 'output'], names: 'one', example: 'rlm runs export --last -o run.jsonl', run: exportRun },
  rm: { takes: [], names: 'some', example: 'rlm runs rm 20261121T010842-3f9a2c', run: remove },
  prune: { takes: ['olderThan', 'dryRun'], names: 'none', example: 'rlm runs prune --older-than 30d', run: prune },
};

const misuse = (message: string, { example }: Action) =>
  new RlmError('usage', message, { hint: `Such as: ${example}` });

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An option that an action does not know must not be passed over: `rm --dry-run` would remove. */
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
      hint: `Its actions: ${Object.keys(actions).join(', ')}.`,
    });
  }
  checkOptions(name, action, options);
  checkNames(name, action, { names, options });
  const runs = runsFolderOf(process.env, process.cwd());
  await action.run({ runs, names, options, stdout, stderr, redactor, asJson: options['json'] === true });
  return 0;
}
