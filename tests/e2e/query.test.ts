import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { QueryResult, TablesDescription } from '../../src/index.ts';
import { shaped } from '../support/shapes.ts';
import { createFolder, rlm } from './run-rlm.ts';

const files = {
  'orders.csv': 'id,customer,total\n1,Ana,10\n2,"Bo, Lee",20.5\n',
  'logs/a.log': '2026-03-17 10:00:00 INFO web-1 up\n2026-03-17 10:00:01 ERROR web-1 down\n',
};
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'examples');

/** The commands of docs/query.md, with their output. */
const documented = [
  ...readFileSync(join(root, 'docs/query.md'), 'utf8').matchAll(/^\$ rlm (.+)\n((?:(?!\$ |```).*\n)+)/gm),
].map(
  ([, line, printed]) =>
    [[...line!.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!), printed!] as const,
);

describe.concurrent('rlm query', () => {
  it('prints aligned columns, CSV, or one object', async () => {
    const cwd = createFolder(files);
    const sql = 'select customer, total from orders order by id';
    const text = await rlm(['query', sql, 'orders.csv'], { cwd });
    expect(text).toMatchObject({ code: 0, stdout: 'customer  total\nAna       10\nBo, Lee   20.5\n', stderr: '' });
    const csv = await rlm(['query', sql, '.', '--csv'], { cwd });
    expect(csv.stdout).toBe('customer,total\nAna,10\n"Bo, Lee",20.5\n');
    const { stdout } = await rlm(['query', sql, '.', '--json'], { cwd });
    const result = shaped<QueryResult>('query', JSON.parse(stdout));
    expect(result).toMatchObject({
      rows: [
        ['Ana', 10],
        ['Bo, Lee', 20.5],
      ],
      citations: [{ startLine: 2, endLine: 3 }],
    });
  });

  it('shows the tables without SQL: an existing path is a path', async () => {
    const cwd = createFolder({ ...files, 'select 1': 'x\n' });
    const text = await rlm(['query', 'logs', 'orders.csv'], { cwd });
    expect(text.stdout).toMatch(/^log: 2 rows; times 2026-03-17T10:00:00\.000Z/m);
    expect(text.stdout).toMatch(/^ {2}id INTEGER, customer TEXT, total REAL$/m);
    const { stdout } = await rlm(['query', '*.csv', '--json'], { cwd });
    expect(shaped<TablesDescription>('tables', JSON.parse(stdout)).tables.map(({ name }) => name)).toEqual([
      'orders',
      'lines',
    ]);
    expect((await rlm(['query', 'select 1'], { cwd })).stdout).toMatch(/^lines: .*1 row/m);
    expect(await rlm(['query', 'gone.csv'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gone.csv'),
    });
  });

  it('queries piped text', async () => {
    const run = await rlm(['query', 'select count(*) n, max(b) from stdin'], { stdin: 'a,b,c\n1,2,3\n1,5,3\n1,4,3\n' });
    expect(run).toMatchObject({ code: 0, stdout: 'n  max(b)\n3  5\n' });
  });

  it('says what is left out, on stderr', async () => {
    const run = await rlm(['query', 'select number from lines', '.', '--max-rows', '1'], { cwd: createFolder(files) });
    expect(run.stdout).toBe('number\n1\n');
    expect(run.stderr).toMatch(/1 of 5 rows .*LIMIT 1 OFFSET 1/);
  });

  it.each([
    [['select * from ordrs', '.'], /ordrs[\s\S]*orders/],
    [['delete from lines', '.'], /DELETE/],
    [['select 1', '.', '--max-rows', '0'], /--max-rows/],
    [['select 1', '--no-stdin'], /no text/],
  ])('ends with 2 for wrong use: %j', async (args, stderr) => {
    const run = await rlm(['query', ...args], { cwd: createFolder(files) });
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(stderr) });
  });

  it('ends with 6 at a limit, and names its setting', async () => {
    const sql = 'with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a';
    const env = { RLM_QUERY_TIMEOUT: '1' };
    const run = await rlm(['query', sql, '.'], { cwd: createFolder(files), env });
    expect(run).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('query.timeout') });
  });

  it.each(documented)('prints the output of its page: %j', async (args, printed) => {
    expect((await rlm(args, { cwd: root })).stdout).toBe(printed);
  });

  it('finds the minute in which retries multiplied the orders of the example most', async () => {
    const sql = `select substr(time, 12, 5) minute, round(total(fields->>'attempts') / sum(fields->>'requests'), 3) ratio
      from log where fields->>'route' = 'orders' group by 1
      order by total(fields->>'attempts') / sum(fields->>'requests') desc limit 1`;
    const { stdout } = await rlm(['query', sql, join(examples, 'incident'), '--csv']);
    expect(stdout).toBe('minute,ratio\n14:06,3.545\n');
  });
});
