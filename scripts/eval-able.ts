/**
 * Asks an able model forty questions of eight kinds about long text (scripts/able), in several ways. Prints tables for
 * docs/results.md. Without a model it replays examples/recorded, and needs no network.
 *
 *   npm run eval:able                                             replays the recordings: the same tables
 *   npm run eval:able -- --model NAME --base-url URL              asks unrecorded questions, and records them
 *   npm run eval:able -- … --arms auto --window 8192              one arm; other arms can run in other processes
 *   npm run eval:able -- … --half dev --first 8                   a half, or all; the first questions, kinds in turn
 *   npm run eval:able -- … --kinds look-up,records --model F.gguf  some kinds, with a model file in this process
 *   npm run eval:able -- --picture docs/pictures/able             also draws able-light.svg and able-dark.svg
 *   npm run eval:able -- --sheet FILE                             also writes 100 citations of auto for a judge
 *
 * Each reply is recorded before it is used, so after a kill, the same command continues. If a replay lacks answers, it
 * lists them and the exit status is 5.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { mapConcurrent } from '../src/base/map-concurrent.ts';
import { RlmError } from '../src/errors.ts';
import type { Evaluation } from '../src/eval/run/evaluate.ts';
import { readSamples, type Sample } from '../src/eval/samples/read-samples.ts';
import { drawn, drawStatements, readJudged } from './able/citations.ts';
import { goalsOf } from './able/goals.ts';
import { armKinds, kindOf, measure, type Served } from './able/measure.ts';
import { kinds } from './able/question.ts';
import { standalone } from './able/standalone.ts';
import { makeSuite, type Suite } from './able/suite.ts';
import { armTable, differenceTable, goalTable, kindTable, picture } from './able/tables.ts';
import { writeSuite } from './able/write-suite.ts';

const options = {
  arms: { type: 'string', default: Object.keys(armKinds).join(',') },
  window: { type: 'string', default: '8192,32768' },
  half: { type: 'string', default: 'test' },
  kinds: { type: 'string', default: kinds.join(',') },
  first: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  recorded: { type: 'string', default: fileURLToPath(new URL('../examples/recorded', import.meta.url)) },
  prices: { type: 'string', default: 'openai/gpt-5.4,anthropic/claude-sonnet-5-5' },
  picture: { type: 'string' },
  sheet: { type: 'string' },
} as const;

const readFlags = (args: readonly string[]) => parseArgs({ args: [...args], options }).values;
type Flags = ReturnType<typeof readFlags>;
type Print = (text: string) => void;

const listOf = (text: string): readonly string[] => text.split(',').map((one) => one.trim());

/** Throws for an unknown value. */
function checked(flag: string, given: readonly string[], known: readonly string[]): readonly string[] {
  const wrong = given.find((one) => !known.includes(one));
  if (wrong !== undefined) throw new Error(`${flag} cannot be "${wrong}"; it takes ${known.join(', ')}`);
  return given;
}

/** Returns the server to ask; null: only recordings reply. */
function servedBy({ model, 'base-url': baseUrl }: Flags): Served | null {
  const isFile = model?.endsWith('.gguf') === true;
  if ((model === undefined || isFile) !== (baseUrl === undefined))
    throw new Error('--model needs --base-url, except for a .gguf file, which takes none');
  return model === undefined ? null : { model: isFile ? resolve(model) : model, baseUrl: baseUrl ?? null };
}

/** Returns the questions of a half and of some kinds, the kinds in turn, and with `--first` only the first ones. */
function chosen(samples: readonly Sample[], flags: Flags): readonly Sample[] {
  const [half = ''] = checked('--half', [flags.half], ['dev', 'test', 'all']);
  const wanted = checked('--kinds', listOf(flags.kinds), kinds);
  const ofHalf = samples.filter((one) => (half === 'all' || one.tags.includes(half)) && wanted.includes(kindOf(one)));
  const turn = (sample: Sample) => ofHalf.filter((one) => kindOf(one) === kindOf(sample)).indexOf(sample);
  const place = (sample: Sample) => turn(sample) * kinds.length + (kinds as readonly string[]).indexOf(kindOf(sample));
  const inTurns = [...ofHalf].sort((a, b) => place(a) - place(b));
  return flags.first === undefined ? inTurns : inTurns.slice(0, Number(flags.first));
}

function halfOf(evaluation: Evaluation, half: string): Evaluation {
  const samples = evaluation.samples.filter(({ tags }) => tags.includes(half));
  const ids = new Set(samples.map(({ id }) => id));
  return { ...evaluation, samples, outcomes: evaluation.outcomes.filter(({ sample }) => ids.has(sample)) };
}

/** Prints the tables of one window. */
function printTables(evaluation: Evaluation, window: string, { texts }: Suite, flags: Flags, print: Print): void {
  const judged = readJudged(join(flags.recorded, 'citations.jsonl'));
  print(`## Windows of ${window} tokens\n\n`);
  for (const part of ['test', 'dev']) {
    const own = halfOf(evaluation, part);
    if (own.outcomes.length === 0) continue;
    print(`### ${part} half, ${own.samples.length} questions\n\n`);
    const tables = [armTable(own, texts, listOf(flags.prices)), kindTable(own), differenceTable(own)];
    const goals = part === 'test' ? [goalTable(goalsOf(own, judged))] : [];
    print([...tables, ...goals].join(''));
  }
}

/** Lists the answers that a replay lacks, and returns their number. */
function printLacking({ arms, unrecorded }: Evaluation, window: string, print: Print): number {
  for (const { name } of arms) {
    const ids = unrecorded.filter(({ arm }) => arm === name).map(({ sample }) => sample);
    if (ids.length > 0) print(`Not recorded for ${name} at ${window}: ${ids.join(', ')}\n`);
  }
  return unrecorded.length;
}

/** Writes the picture and the sheet that the flags name. The picture shows the test half of the first window. */
function writeFiles(evaluations: ReadonlyMap<string, Evaluation>, { texts }: Suite, flags: Flags): void {
  const [[, first]] = [...evaluations] as [[string, Evaluation]];
  if (flags.picture !== undefined)
    for (const theme of ['light', 'dark'] as const)
      writeFileSync(`${flags.picture}-${theme}.svg`, `${standalone(picture(halfOf(first, 'test'))!, theme)}\n`);
  if (flags.sheet === undefined) return;
  const statements = [...evaluations].flatMap(([window, { outcomes }]) =>
    drawStatements(
      outcomes.filter(({ arm }) => arm === 'auto'),
      Number(window),
      texts,
    ),
  );
  writeFileSync(
    flags.sheet,
    drawn(statements, 100)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
}

async function measureAll(flags: Flags, folder: string, print: Print, signal: AbortSignal): Promise<number> {
  const arms = checked('--arms', listOf(flags.arms), Object.keys(armKinds));
  const served = servedBy(flags);
  const suite = makeSuite(7);
  const samples = chosen(readSamples(writeSuite(suite, folder)), flags);
  const common = { folder, samples, arms, recorded: resolve(flags.recorded), served };
  const onAnswer = (line: string) => console.error(line);
  const windows = checked('--window', listOf(flags.window), ['8192', '32768']);
  const atOnce = served === null ? windows.length : 1; // Recordings can reply to any number of concurrent requests.
  const measured = await mapConcurrent(windows, atOnce, signal, (window, during) =>
    measure({ ...common, window: Number(window), signal: during, onAnswer }),
  );
  let lacking = 0;
  for (const [index, window] of windows.entries()) {
    printTables(measured[index]!, window, suite, flags, print);
    lacking += printLacking(measured[index]!, window, print);
  }
  writeFiles(new Map(windows.map((window, index) => [window, measured[index]!])), suite, flags);
  return lacking;
}

/** Runs with these arguments, and returns the exit status. */
export async function evalAble(args: readonly string[], print: Print, signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-able-'));
  try {
    return (await measureAll(readFlags(args), folder, print, signal)) > 0 ? 5 : 0;
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    console.error(`${error.message}\n${error.hint}`);
    return error.exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => controller.abort(new RlmError('interrupted', 'interrupted; the same command continues')));
  const print = (text: string) => void process.stdout.write(text);
  process.exitCode = await evalAble(process.argv.slice(2), print, controller.signal);
}
