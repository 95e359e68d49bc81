/** Tests SQL statements that try to reach files or to write, and statements that exceed the limits of a query. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computedPassage } from '../../src/context/computed-passage.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import { RlmError } from '../../src/errors.ts';
import { query } from '../../src/query/query.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { queryForCode } from '../../src/tools/query.ts';
import type { WallCheck, WallReport } from './check.ts';

const secret = 'canary-4b1c77';
const limits = { megabytes: 10, timeoutMs: 1_000, memoryMb: 128, rows: 100, characters: 100_000 };
/** In ms after its time limit, a query must have ended. Threads start and end slowly on a busy machine. */
const graceMs = 1_000;
const megabyte = 1024 * 1024;
/** Memory that the process may use in addition to the memory of the query, in MB. */
const graceMb = 400;

const store = createContextStore([
  { name: 'a.csv', bytes: Buffer.from('id,name\n1,Ana\n2,Bo\n') },
  { name: 'a.txt', bytes: Buffer.from(`${'a'.repeat(20_000)}!\n`.repeat(20)) },
]);

/** Returns statements that try to open a file, or to change a folder. */
const reaching = (file: string, folder: string): readonly string[] => [
  `attach '${file}' as x`,
  `attach database '${folder}/made.db' as x`,
  `/* select */ attach '${folder}/made.db' as x`,
  `select 1; attach '${folder}/made.db' as x`,
  `with a as (select 1) attach '${folder}/made.db' as x`,
  `vacuum into '${folder}/made.db'`,
  `vacuum main into '${folder}/made.db'`,
  `select load_extension('${folder}/x.so')`,
  `select load_extension('${folder}/x', 'entry') from a`,
  `select readfile('${file}')`,
  `select writefile('${folder}/made', 'x')`,
  `select edit('x', 'cat ${file}')`,
  `select fts3_tokenizer('simple')`,
  `select * from fsdir('${folder}')`,
  `select * from dbstat`,
  `select * from pragma_database_list`,
  `select * from csv('${file}')`,
  `create virtual table temp.x using csv(filename = '${file}')`,
  `pragma temp_store_directory = '${folder}'`,
  'pragma writable_schema = on',
  'pragma query_only = off',
  'pragma main.journal_mode = wal',
  'explain pragma query_only = off',
  'begin',
  'commit',
  'detach main',
  'drop table a',
  'delete from a',
  "update a set name = 'x'",
  "insert into a values ('x', 1, 1, 'x')",
  "replace into a values ('x', 1, 1, 'x')",
  'with b as (select 1) delete from a',
  "with b as (select 1) update a set name = 'x'",
  'with b as (select 1) insert into a select * from a',
  'select * from a; drop table a',
  'alter table a add column x',
  'create table x as select 1',
  'create temp view x as select 1',
  'reindex',
  'analyze',
];

/** Statements that use all available time or memory. */
const exhausting: readonly string[] = [
  'with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a',
  'with recursive a(x) as (select 1 union select x + 1 from a) select max(x) from a',
  "with recursive a(x, y) as (select 1, 'x' union all select x + 1, y || y from a) select length(y) from a",
  'with recursive a(x) as (select 1 union all select x + 1 from a), b as (select a.x from a, a c) select sum(x) from b',
  'select count(*) from lines a, lines b, lines c, lines d, lines e, lines f, lines g',
  'select length(randomblob(2000000000))',
  'select length(zeroblob(2000000000))',
  'select randomblob(1000000000)',
  'select hex(zeroblob(500000000))',
  "select group_concat(printf('%.*c', 100000000, 'x')) from lines a, lines b",
  "select replace(printf('%.*c', 1000000, 'x'), 'x', printf('%.*c', 1000000, 'y'))",
  "select printf('%.*c', 2147483647, 'x')",
  'select json_group_array(randomblob(10000000)) from lines a, lines b',
  `select ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  `select ${Array(40_000).fill('1').join('+')}`,
  "select count(*) from lines where text like '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b'",
  "select count(*) from lines where text glob '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b'",
];

/** Patterns that take exponential time on a backtracking engine. They must end within the limit, with a result. */
const patterns: readonly string[] = ['^(a+)+$', '^(a|aa)+$', '^(a|a)*b', '(a*)*b', '^([a-z]+)*[0-9]$', '(.*a){12}b'];

/** Runs a statement. Returns its cells as text, or the error. */
async function outcome(sql: string): Promise<string | Error> {
  try {
    const { rows } = await query(store, sql, limits, new AbortController().signal);
    return JSON.stringify(rows);
  } catch (error) {
    return error as Error;
  }
}

async function checkReaching(): Promise<WallReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-query-walls-'));
  const file = join(folder, 'canary.db');
  writeFileSync(file, secret);
  const statements = reaching(file, folder);
  const breaches: string[] = [];
  let refused = 0;
  for (const sql of statements) {
    const came = await outcome(sql);
    if (came instanceof RlmError && came.code === 'query-invalid') refused += 1;
    else if (came instanceof Error) breaches.push(`failed otherwise: ${sql}: ${came.message}`);
    else if (came.includes(secret)) breaches.push(`read a file: ${sql}`);
    if (readdirSync(folder).length !== 1) breaches.push(`wrote a file: ${sql}`);
  }
  const kept = await outcome('select count(*) from a');
  if (kept !== '[[2]]') breaches.push(`a table changed: ${kept}`);
  rmSync(folder, { recursive: true });
  return {
    figures: [
      ['statements', statements.length],
      ['statements that were refused', refused],
      ['breaches', breaches.length],
    ],
    breaches,
  };
}

async function checkExhausting(): Promise<WallReport> {
  const breaches: string[] = [];
  let [slowest, largest] = [0, 0];
  for (const sql of [
    ...exhausting,
    ...patterns.map((one) => `select count(*) from lines where text regexp '${one}'`),
  ]) {
    const startedAt = performance.now();
    const came = await outcome(sql);
    const ms = performance.now() - startedAt;
    slowest = Math.max(slowest, ms);
    largest = Math.max(largest, process.memoryUsage().rss / megabyte);
    const shown = sql.slice(0, 100);
    if (ms > limits.timeoutMs + graceMs) breaches.push(`took ${Math.round(ms)} ms: ${shown}`);
    if (largest > limits.memoryMb + graceMb) breaches.push(`took ${Math.round(largest)} MB: ${shown}`);
    if (came instanceof Error && !(came instanceof RlmError && came.code.startsWith('query-')))
      breaches.push(`failed otherwise: ${shown}: ${came.message}`);
    if (sql.includes('regexp') && came instanceof Error) breaches.push(`did not end: ${shown}`);
  }
  return {
    figures: [
      ['statements', exhausting.length + patterns.length],
      ['limit in ms', limits.timeoutMs],
      ['slowest end in ms', Math.round(slowest)],
      ['largest process in MB', Math.round(largest)],
      ['breaches', breaches.length],
    ],
    breaches,
  };
}

/** The time for a query from code, and the statements from code. They are few, because all queries share a thread. */
const turnQueriesMs = 1_000;
const fromCode: readonly string[] = [
  exhausting[0]!,
  'select length(zeroblob(2000000000))',
  'select length(randomblob(2000000000))',
  "select replace(printf('%.*c', 1000000, 'x'), 'x', printf('%.*c', 1000000, 'y'))",
  ...patterns.slice(0, 2).map((one) => `select count(*) from lines where text regexp '${one}'`),
  'select a.number from lines a, lines b, lines c, lines d, lines e',
];

/** Creates a sandbox whose code may query the text. */
const openSandbox = (): Sandbox =>
  createSandbox({
    source: store,
    limits: { turnMs: 1_000, memoryMb: 64, calls: 100, outputCharacters: 100_000 },
    seed: 1,
    signal: new AbortController().signal,
    async answer({ args: [sql = ''] }) {
      const bounds = { lines: 10_000, characters: 1_000_000 };
      const world = { store, bounds, compute: computedPassage, signal: new AbortController().signal };
      return JSON.stringify((await queryForCode(sql, world, turnQueriesMs)).given);
    },
  });

/** Sends every statement from code. Each must end in time, with rows or an error that the code can catch. */
async function checkFromCode(): Promise<WallReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-query-walls-'));
  const file = join(folder, 'canary.db');
  writeFileSync(file, secret);
  const statements = [...reaching(file, folder), ...fromCode];
  const sandbox = openSandbox();
  const breaches: string[] = [];
  let [refused, slowest] = [0, 0];
  for (const sql of statements) {
    const code = `try { print("rows", query(${JSON.stringify(sql)})); } catch (error) { print("refused", error.message); }`;
    const startedAt = performance.now();
    const { output, error } = await sandbox.run(code);
    const ms = performance.now() - startedAt;
    slowest = Math.max(slowest, ms);
    const shown = sql.slice(0, 100);
    if (error !== null) breaches.push(`was not told to the code: ${shown}: ${error}`);
    if (output.includes(secret)) breaches.push(`read a file: ${shown}`);
    if (output.startsWith('refused')) refused += 1;
    if (readdirSync(folder).length !== 1) breaches.push(`wrote a file: ${shown}`);
    if (ms > turnQueriesMs + graceMs) breaches.push(`took ${Math.round(ms)} ms: ${shown}`);
  }
  const { output } = await sandbox.run('print(query("select count(*) n from a")[0].n)');
  if (output.trim() !== '2') breaches.push(`left no sandbox that queries: ${output}`);
  sandbox.close();
  rmSync(folder, { recursive: true });
  return {
    figures: [
      ['statements', statements.length],
      ['statements that were refused', refused],
      ['slowest end in ms', Math.round(slowest)],
      ['breaches', breaches.length],
    ],
    breaches,
  };
}

/** The checks of queries. */
export const queryChecks: readonly WallCheck[] = [
  { name: 'query: statements that reach for files or write', run: checkReaching },
  { name: 'query: statements without end', run: checkExhausting },
  { name: 'query: statements of code in the sandbox', run: checkFromCode },
];
