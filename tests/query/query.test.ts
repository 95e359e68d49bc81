import { describe, expect, it } from 'vitest';
import { createView } from '../../src/context/store/view.ts';
import { describeTableList } from '../../src/query/describe-tables.ts';
import { describeTables, query, translateQuestion } from '../../src/query/query.ts';
import { hasRecords } from '../../src/query/records/index.ts';
import { renderTables } from '../../src/query/render-tables.ts';
import { limits, rowsOf, run, sqlite, storeOf, type Texts } from './support.ts';

const never = new AbortController().signal;
const texts = {
  'orders.csv': 'id,customer,total\n1,Ana,10\n2,Bo,20.5\n3,Ana,5\n',
  'a.log': '2026-03-17 10:00:00 INFO web-1 up\n2026-03-17 10:00:01 ERROR web-1 down\n',
};
const inThread = (sql: string, given: Partial<typeof limits> = {}, signal = never) =>
  query(storeOf(texts), sql, { ...limits, ...given }, signal);

describe('a number stored as text', () => {
  const csv =
    'name,price,when,size\nbolt,"1,234.50",2024-01-03,12 km\nnut,99,2024-02-03,9 km\nscrew,"2,000",2024-03-01,x\n';
  const notesOf = async (sql: string, text = csv) => (await run(sql, { 't.csv': text })).notes;

  it.each([
    ['sum(price)', 'price', 2],
    ['avg(distinct t.price)', 'price', 2],
    ['total("price") + min("when")', 'price', 2],
    ['sum(cast(price as real))', 'price', 2],
    ['max(size)', 'size', 2],
    ['sum(size), max(size)', 'size', 3],
  ])('is noted if a query uses it as a number: %s', async (columns, column, count) => {
    expect(await notesOf(`select ${columns} from t`)).toEqual([
      expect.stringMatching(new RegExp(`^t\\.${column} has ${count} values that are no numbers \\(the first: '`)),
    ]);
  });

  it.each([
    'count(price)',
    'min("when"), max(name)',
    'price',
    "sum(replace(price, ',', ''))",
    'max(cast(price as text))',
  ])('is not noted otherwise: %s', async (columns) => {
    expect(await notesOf(`select ${columns} from t`)).toEqual([]);
  });

  it('has a note on how it was read if its points may separate thousands', async () => {
    const doubtful = await notesOf('select sum(kg) from t', 'kg,n\n1.000,1\n12.250,2\n3,3\n');
    expect(doubtful).toEqual([expect.stringContaining('t.kg has 1.000 read as 1')]);
    expect(await notesOf('select sum(n) from t', 'kg,n\n1.000,1\n')).toEqual([]);
    expect(await notesOf('select sum(kg) from t', 'kg,n\n1.000,1\n0.5,2\n')).toEqual([]);
  });
});

describe('a table that is wider than SQLite allows', () => {
  const row = (cell: (at: number) => number | string) => Array.from({ length: 2_100 }, (_, at) => cell(at)).join(',');
  const wide = { 'wide.csv': `${row((at) => `c${at}`)}\n${row((at) => at)}\n${row((at) => 2 * at)}\n` };

  it('has the first columns, and a note counts the others', async () => {
    const { rows, notes } = await run('select sum(c7), max(c1997) from wide', wide);
    expect(rows).toEqual([[21, 3994]]);
    expect(notes).toEqual([expect.stringContaining('102 columns (the first: c1998)')]);
  });

  it('has the first keys of JSON objects, and a note counts the others', async () => {
    const keyed = (at: number) => `${JSON.stringify({ id: at, [`k${at}`]: at })}\n`;
    const text = Array.from({ length: 1_200 }, (_, at) => keyed(at)).join('');
    const { rows, notes } = await run('select sum(id), max(k998) from many', { 'many.jsonl': text });
    expect(rows).toEqual([[719_400, 998]]);
    expect(notes).toEqual([expect.stringContaining('201 columns (the first: k999)')]);
  });
});

describe('a result', () => {
  it('has columns, rows, and the lines that the rows are from', async () => {
    const result = await inThread("select customer, total from orders where customer = 'Ana'");
    expect(result).toMatchObject({
      columns: ['customer', 'total'],
      rows: [
        ['Ana', 10],
        ['Ana', 5],
      ],
      rowCount: 2,
      isCounted: true,
      isAggregate: false,
      citations: [
        { document: 'orders.csv', startLine: 2, endLine: 2 },
        { document: 'orders.csv', startLine: 4, endLine: 4 },
      ],
      moreCitations: 0,
      notes: [],
    });
  });

  it('cites the query if rows are computed from many', async () => {
    const sql = 'select customer, sum(total) from orders group by 1 order by 1';
    expect(await inThread(sql)).toMatchObject({
      rows: [
        ['Ana', 15],
        ['Bo', 20.5],
      ],
      isAggregate: true,
      citations: [],
      sql,
    });
    expect(await inThread('select count(*) from orders')).toMatchObject({ isAggregate: true, citations: [] });
  });

  it.each([
    ['select distinct level from log', []],
    ["select level from log union select 'x'", []],
    ['select a.id from orders a join orders b on a.id = b.id', []],
    ['select text from lines where number = 2 order by document', [2, 2]],
    ['select document, line from log', [1]],
    ['select message from log order by 1', [2, 1]],
  ])('cites only certain lines: %s', async (sql, lines) => {
    expect((await inThread(sql)).citations.map(({ startLine }) => startLine)).toEqual(lines);
  });

  it('cites at most 20 places, and counts the others', async () => {
    const csv = `n\n${Array.from({ length: 99 }, (_, n) => `${n}\n`).join('')}`;
    const { citations, moreCitations } = await run('select n from t where n % 2', { 't.csv': csv });
    expect([citations.length, moreCitations]).toEqual([20, 29]);
  });

  it('cites lines of the whole text if a part of it is queried', async () => {
    const text = `id,n\n${Array.from({ length: 2_000 }, (_, n) => `${n},${n}\n`).join('')}`;
    const store = storeOf({ 'a.txt': text });
    const { startLine } = store.chunk(1);
    const { rows } = await query(createView(store, [1]), 'select document, min(number) from lines', limits, never);
    expect(rows).toEqual([['a.txt', startLine]]);
  });

  it('says which rows are left out, and how to show them', async () => {
    const { rows, rowCount, notes } = await run(
      'select number from lines',
      { 'a.txt': 'x\n'.repeat(50) },
      { rows: 10 },
    );
    expect([rows.length, rowCount]).toEqual([10, 50]);
    expect(notes).toEqual([expect.stringContaining('LIMIT 10 OFFSET 10')]);
  });

  it('limits the characters, and says so', async () => {
    const cut = await run("select printf('%.*c', 1000, 'x')", {}, { characters: 100 });
    expect(cut.rows[0]![0]).toHaveLength(101);
    expect(cut.notes).toEqual([expect.stringContaining('substr')]);
    const fewer = await run(
      'select text from lines',
      { 'a.txt': `${'x'.repeat(40)}\n`.repeat(9) },
      { characters: 100 },
    );
    expect([fewer.rows.length, fewer.rowCount]).toEqual([2, 9]);
  });

  it('keeps as text numbers and blobs that JavaScript or JSON cannot represent', async () => {
    expect(await rowsOf("select 9007199254740993, x'00ff', 1.5, null, -1e400", {})).toEqual([
      ['9007199254740993', "x'00ff'", 1.5, null, '-Infinity'],
    ]);
  });

  it('keeps all digits of long numbers in JSON, so that ids stay distinct', async () => {
    const ids = ['9007199254740993', '9007199254740992', '9999999999999999'];
    const text = ids.map((id) => `{"id":${id}}\n`).join('');
    expect((await rowsOf('select id from many', { 'many.jsonl': text })).flat().map(String)).toEqual(ids);
    expect(await rowsOf('select count(distinct id) from many', { 'many.jsonl': text })).toEqual([[3]]);
  });
});

describe('the parts that a query names', () => {
  it.each([
    ['select * from log', 8],
    ['select level from log', 1],
    ['select count(*) from log where level in (select level from log)', 1],
    ['select l.* from log l', 8],
  ])('are the only ones read: %s', async (sql, columns) => {
    const { rows, columns: names } = await run(sql, texts);
    expect(names).toHaveLength(columns);
    expect(rows.flat().filter((value) => value === null)).toHaveLength(columns === 8 ? 2 : 0);
  });

  it('may include functions for patterns and times', async () => {
    const sql = `select text regexp '^2.*(INFO|WARN)', regexp_extract(text, '(web)-(\\d)', 2), utc('17/Mar/2026:13:42:26 +0100')
      from lines where document = 'a.log' limit 1`;
    expect(await rowsOf(sql, texts)).toEqual([[1, '1', '2026-03-17T12:42:26.000Z']]);
  });
});

describe('a text', () => {
  it('of 16 MB is described by its beginning, and no note mentions the record that is cut off there', async () => {
    const bytes = Buffer.from('{"id":1,"text":"a record of a hundred"}\n'.repeat(420_000));
    const documents = [{ name: 'a.jsonl', bytes: bytes.length, lines: 420_000 }];
    const source = { documents, read: (_: number, start: number, end: number) => bytes.subarray(start, end) };
    const text = { source, origins: [{ name: 'a.jsonl', linesBefore: 0 }] };
    const { tables, notes } = describeTableList(await sqlite, text);
    expect(tables[0]).toMatchObject({ name: 'a', rows: 3_276, isCounted: false });
    expect(notes).toEqual([]);
  });

  it('of many small documents is read completely', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${n}.csv`, `a,b\n${n},x\n`]));
    const sql = 'select count(*), count(distinct document) from lines';
    expect((await query(storeOf(many), sql, limits, never)).rows).toEqual([[4_000, 2_000]]);
  });

  it.each([
    [{ 'a.csv': 'a,b\n1,2\n' }, true],
    [{ 'a.md': '# A\n\nText.\n', 'a.log': '2026-03-17 10:00:00 INFO up\n2026-03-17 10:00:01 INFO on\n' }, true],
    [{ 'a.md': '# A\n\nText.\n', 'b.ts': 'export const a = 1;\n', 'c.txt': 'Some words.\nMore.\n' }, false],
  ])('has records or not: %j', (given, holds) => {
    expect(hasRecords(storeOf(given as Texts))).toBe(holds);
  });
});

describe('wrong SQL', () => {
  it.each([
    [
      'select * from ordrs',
      /no such table: ordrs/,
      /Did you mean orders\?.*orders\(document, line, id, customer, total\)/,
    ],
    ['select custmer from orders', /no such column: custmer/, /Did you mean customer\?/],
    ['select level from lines', /no such column: level/, /level is a column of log\. The tables are/],
    ['selec 1', /SELEC is not allowed/, /SELECT/],
    ['select from', /syntax error/, /The tables are/],
    ['', /empty/, /SELECT/],
    ['select 1; select 2', /more than one/, /one statement/],
    ["select text regexp '(' from lines", /\)/, /The tables are/],
  ])('is reported with the right form: %s', async (sql, message, hint) => {
    const error = await inThread(sql).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'query-invalid',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });
});

it('names some columns of a wide table', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `c${at}`);
  const error = await run('select d from wide', { 'wide.csv': `${names.join(',')}\n${names.join(',')}\n` }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ hint: expect.stringMatching(/c27, and 72 more columns\)/) });
});

describe('the walls of a query', () => {
  it.each([
    ["attach '/tmp/x.db' as x"],
    ['pragma journal_mode = wal'],
    ['delete from lines'],
    ['with a as (select 1) delete from lines'],
    ['with a(x) as (select 1) insert into lines select x, x, x from a'],
    ['create table x(a)'],
    ['vacuum into "/tmp/x.db"'],
    ["select load_extension('/tmp/x.so')"],
    ["select readfile('/etc/passwd')"],
    ["select writefile('/tmp/x', 'y')"],
    ["select 1; attach '/tmp/x.db' as x"],
    ['explain delete from lines; delete from lines'],
  ])('queries only read, and reach no files: %s', async (sql) => {
    await expect(inThread(sql)).rejects.toMatchObject({ code: 'query-invalid' });
  });

  it.each([
    ['select length(hex(randomblob(500000000)))'],
    ['select randomblob(900000000)'],
    ["with recursive a(x, y) as (select 1, 'x' union all select x + 1, y || y from a) select max(length(y)) from a"],
    [
      "with recursive a(x) as (select 1 union all select x + 1 from a limit 200000) select x from a order by printf('%.*c', 1000, x)",
    ],
  ])('memory is limited: %s', async (sql) => {
    await expect(inThread(sql, { memoryMb: 64, timeoutMs: 60_000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^query-(?:limit|invalid)$/),
    });
  });

  it.each([
    ['the translation of a question', translateQuestion, 'How many rows have n 7?'],
    ['a query', query, 'select * from t order by text'],
  ])('memory is also limited for %s, and the error names the limit', async (_, ask, asked) => {
    const bytes = Buffer.from(`n,text\n${'7,a text of some characters in each of its rows\n'.repeat(200_000)}`);
    const documents = [{ name: 't.csv', bytes: bytes.length, lines: 200_001 }];
    const source = { documents, read: (_: number, start: number, end: number) => bytes.subarray(start, end) };
    await expect(ask(source, asked, { ...limits, memoryMb: 17, timeoutMs: 60_000 }, never)).rejects.toMatchObject({
      code: 'query-limit',
      message: 'the query needs more than 17 MB of memory',
      hint: expect.stringContaining('query.memory'),
    });
  });

  it('time is limited', async () => {
    const sql = 'with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a';
    await expect(inThread(sql, { timeoutMs: 500 })).rejects.toMatchObject({
      code: 'query-limit',
      hint: expect.stringContaining('query.timeout'),
    });
  });

  it('endless rows are cut', async () => {
    const sql = 'with recursive a(x) as (select 1 union all select x + 1 from a) select x from a';
    const { rows, isCounted, notes } = await inThread(sql, { rows: 3 });
    expect([rows, isCounted]).toEqual([[[1], [2], [3]], false]);
    expect(notes).toHaveLength(1);
  });

  it('a pattern takes time linear in the text', async () => {
    const { rows } = await run(`select text regexp '^(a+)+$' from lines`, { 'a.txt': `${'a'.repeat(50_000)}b\n` });
    expect(rows).toEqual([[0]]);
  });

  it('text is limited, and the setting is named', async () => {
    const big = { 'a.txt': 'x'.repeat(1_200_000) };
    await expect(run('select count(*) from lines', big, { megabytes: 1 })).rejects.toMatchObject({
      code: 'query-limit',
      hint: expect.stringContaining('query.maxMegabytes'),
    });
  });

  it('lines are limited', async () => {
    const texts = { 'a.txt': `${'x'.repeat(70_000_000)}\n` };
    await expect(run('select count(*) from lines', texts, { megabytes: 100 })).rejects.toMatchObject({
      code: 'query-limit',
      message: expect.stringContaining('a.txt'),
    });
  });

  it('reads empty, small and large documents whole and in any order', async () => {
    const sizes = [0, 1, 30, 7_000, 6_552, 0, 400, 130_000, 2, 7_000, 7_000, 7_000, 0];
    const many: [string, string][] = Array.from({ length: 26 }, (_, at) => {
      const lines = Array.from({ length: sizes[at % sizes.length]! }, (_, line) => `${at} ${line}\n`);
      return [`d${at}.txt`, lines.join('')];
    });
    const all = storeOf(Object.fromEntries(many));
    const sql = 'select document, count(*), sum(length(text)), max(text) from lines group by document';
    const { rows } = await query(all, sql, { ...limits, rows: 1_000 }, never);
    const filled = many.filter(([, text]) => text !== '');
    expect(Object.fromEntries(rows.map(([name, ...facts]) => [name, facts]))).toEqual(
      Object.fromEntries(
        filled.map(([name, text]) => {
          const lines = text.split('\n').slice(0, -1);
          return [name, [lines.length, text.length - lines.length, lines.toSorted().at(-1)]];
        }),
      ),
    );
  });

  it('ends at once when the signal aborts', async () => {
    const controller = new AbortController();
    const sql = 'with recursive a(x) as (select 1 union all select x + 1 from a) select count(*) from a';
    const running = inThread(sql, {}, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 200);
    await expect(running).rejects.toThrow('enough');
    await expect(inThread('select 1', {}, controller.signal)).rejects.toThrow('enough');
  });
});

describe('the description of tables', () => {
  const described = (given: Texts) => describeTables(storeOf(given), limits, never);

  it('lists the formats of times in the text, with an example of each', async () => {
    const many = await described({
      'a.log': '2026-03-17T13:42:26Z ERROR one\n2026-03-17T13:42:27Z ERROR two\n',
      'b.log': 'Mar 17 13:42:28 host app[1]: three\nMar 17 13:42:29 host app[1]: four\n',
    });
    expect(many.notes.join()).toMatch(/2 formats \(2026-03-17T13:42:26Z; Mar 17 13:42:28\)/);
    const one = await described({ 'a.log': '2026-03-17T13:42:26Z ERROR one\n2026-03-17T13:42:27Z ERROR two\n' });
    expect(one.notes.join()).not.toContain('formats');
  });

  it('lists names, types, first rows, numbers of rows and times', async () => {
    const { tables } = await described(texts);
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['log', 2],
      ['orders', 3],
      ['lines', 6],
    ]);
    expect(tables[0]).toMatchObject({ times: { first: '2026-03-17T10:00:00.000Z', last: '2026-03-17T10:00:01.000Z' } });
    expect(tables[1]).toMatchObject({
      columns: [
        { name: 'document', type: 'TEXT' },
        { name: 'line', type: 'INTEGER' },
        { name: 'id', type: 'INTEGER' },
        { name: 'customer', type: 'TEXT' },
        { name: 'total', type: 'REAL' },
      ],
      samples: [
        ['orders.csv', 2, 1, 'Ana', 10],
        ['orders.csv', 3, 2, 'Bo', 20.5],
        ['orders.csv', 4, 3, 'Ana', 5],
      ],
    });
  });

  it('stays within its limit of characters', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`${'folder/'.repeat(20)}file${n}.csv`, `a${n},b\n1,${'x'.repeat(300)}\n`]),
    );
    const description = await described(many);
    const text = renderTables(description, 2_500);
    expect(text.length).toBeLessThanOrEqual(2_500);
    expect(text).toMatch(/and \d\d more tables/);
    expect(text).toContain('lines: ');
  });

  it('does not count the rows of large documents', async () => {
    const { tables } = await described({ 'big.csv': `n\n${'1234567\n'.repeat(2_100_000)}` });
    expect(tables[0]).toMatchObject({ name: 'big', isCounted: false });
  });
});
