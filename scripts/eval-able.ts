/**
 * Forty questions of eight kinds over long text (scripts/able), asked of an able model in several ways. Prints tables
 * for docs/results.md. Without a model it answers from examples/recorded, and needs no network.
 *
 *   npm run eval:able                                             replay what is recorded: the same tables
 *   npm run eval:able -- --model NAME --base-url URL              ask what is not recorded yet, and record it
 *   npm run eval:able -- … --arms auto --window 8192              one arm; others in processes of their own
 *   npm run eval:able -- … --half dev --first 8                   the other half, or all; its first questions, in turns
 *   npm run eval:able -- … --kinds look-up,records --model F.gguf  some kinds, with a model file in this process
 *   npm run eval:able -- --picture docs/pictures/able             also draw able-light.svg and able-dark.svg
 *   npm run eval:able -- --sheet FILE                             also write 100 citations of auto, to be judged
 *
 * Each reply is recorded before it is used: after a kill, the same command continues. The exit status is 5 where a
 * replay lacks answers; which ones, is printed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

const { values } = parseArgs({
  options: {
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
  },
});

const listOf = (text: string): readonly string[] => text.split(',').map((one) => one.trim());

/** Throws for a value that is not among the known ones. */
function checked(flag: string, given: readonly string[], known: readonly string[]): readonly string[] {
  const wrong = given.find((one) => !known.includes(one));
  if (wrong !== undefined) throw new Error(`${flag} cannot be "${wrong}"; it takes ${known.join(', ')}`);
  return given;
}

/** The server to ask; null: recordings alone reply. */
function servedBy({ model, 'base-url': baseUrl }: typeof values): Served | null {
  const isFile = model?.endsWith('.gguf') === true;
  if ((model === undefined || isFile) !== (baseUrl === undefined))
    throw new Error('--model needs --base-url, except for a .gguf file, which takes none');
  return model === undefined ? null : { model: isFile ? resolve(model) : model, baseUrl: baseUrl ?? null };
}

/** Takes the questions of a half and of some kinds, and the first of them in turns over the kinds. */
function chosen(samples: readonly Sample[]): readonly Sample[] {
  const [half = ''] = checked('--half', [values.half], ['dev', 'test', 'all']);
  const wanted = checked('--kinds', listOf(values.kinds), kinds);
  const ofHalf = samples.filter((one) => (half === 'all' || one.tags.includes(half)) && wanted.includes(kindOf(one)));
  const turn = (sample: Sample) => ofHalf.filter((one) => kindOf(one) === kindOf(sample)).indexOf(sample);
  const place = (sample: Sample) => turn(sample) * kinds.length + (kinds as readonly string[]).indexOf(kindOf(sample));
  const inTurns = [...ofHalf].sort((a, b) => place(a) - place(b));
  return values.first === undefined ? inTurns : inTurns.slice(0, Number(values.first));
}

function halfOf(evaluation: Evaluation, half: string): Evaluation {
  const samples = evaluation.samples.filter(({ tags }) => tags.includes(half));
  const ids = new Set(samples.map(({ id }) => id));
  return { ...evaluation, samples, outcomes: evaluation.outcomes.filter(({ sample }) => ids.has(sample)) };
}

/** Prints the tables of one window. */
function print(evaluation: Evaluation, window: string, { texts }: Suite): void {
  const judged = readJudged(join(values.recorded, 'citations.jsonl'));
  console.log(`## Windows of ${window} tokens\n`);
  for (const part of ['test', 'dev']) {
    const own = halfOf(evaluation, part);
    if (own.outcomes.length === 0) continue;
    console.log(`### ${part} half, ${own.samples.length} questions\n`);
    const tables = [armTable(own, texts, listOf(values.prices)), kindTable(own), differenceTable(own)];
    const goals = part === 'test' ? [goalTable(goalsOf(own, judged))] : [];
    process.stdout.write([...tables, ...goals].join(''));
  }
}

/** Prints which answers a replay lacks, and returns how many. */
function printLacking({ arms, unrecorded }: Evaluation, window: string): number {
  for (const { name } of arms) {
    const ids = unrecorded.filter(({ arm }) => arm === name).map(({ sample }) => sample);
    if (ids.length > 0) console.log(`To be asked again, ${window} ${name}: ${ids.join(', ')}`);
  }
  return unrecorded.length;
}

/** Writes the picture and the sheet that were asked for; the picture shows the first window, and its test half. */
function writeFiles(evaluations: ReadonlyMap<string, Evaluation>, { texts }: Suite): void {
  const [[, first]] = [...evaluations] as [[string, Evaluation]];
  if (values.picture !== undefined)
    for (const theme of ['light', 'dark'] as const)
      writeFileSync(`${values.picture}-${theme}.svg`, `${standalone(picture(halfOf(first, 'test'))!, theme)}\n`);
  if (values.sheet === undefined) return;
  const statements = [...evaluations].flatMap(([window, { outcomes }]) =>
    drawStatements(
      outcomes.filter(({ arm }) => arm === 'auto'),
      Number(window),
      texts,
    ),
  );
  writeFileSync(
    values.sheet,
    drawn(statements, 100)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
}

async function run(folder: string, signal: AbortSignal): Promise<number> {
  const arms = checked('--arms', listOf(values.arms), Object.keys(armKinds));
  const served = servedBy(values);
  const suite = makeSuite(7);
  const samples = chosen(readSamples(writeSuite(suite, folder)));
  const evaluations = new Map<string, Evaluation>();
  let lacking = 0;
  for (const window of checked('--window', listOf(values.window), ['8192', '32768'])) {
    const recorded = resolve(values.recorded);
    const common = { folder, samples, arms, recorded, served, signal };
    const evaluation = await measure({ ...common, window: Number(window), onAnswer: (line) => console.error(line) });
    evaluations.set(window, evaluation);
    print(evaluation, window, suite);
    lacking += printLacking(evaluation, window);
  }
  writeFiles(evaluations, suite);
  return lacking;
}

const folder = mkdtempSync(join(tmpdir(), 'rlm-able-'));
const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => controller.abort(new RlmError('interrupted', 'interrupted; the same command continues')));
try {
  process.exitCode = (await run(folder, controller.signal)) > 0 ? 5 : 0;
} catch (error) {
  if (!(error instanceof RlmError)) throw error;
  console.error(`${error.message}\n${error.hint}`);
  process.exitCode = error.exitCode;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
