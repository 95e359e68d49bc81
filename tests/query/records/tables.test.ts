import { describe, expect, it } from 'vitest';
import { rowsOf, run } from '../support.ts';

describe('tables', () => {
  it('reads CSV with types, quoted line ends and lines', async () => {
    const csv = `id,Unit Price,zip,note
1,9.50,01234,"two
lines"
2,10,99999,
3,n/a,10115,x
`;
    const { columns, rows, notes } = await run('select * from t_2024_orders', { 'data/2024-orders.csv': csv });
    expect(columns).toEqual(['document', 'line', 'id', 'Unit Price', 'zip', 'note']);
    expect(rows).toEqual([
      ['data/2024-orders.csv', 2, 1, '9.50', '01234', 'two\nlines'],
      ['data/2024-orders.csv', 4, 2, '10', '99999', null],
      ['data/2024-orders.csv', 5, 3, 'n/a', '10115', 'x'],
    ]);
    expect(notes).toEqual([]);
  });

  it('reports the values of a column of numbers that are not numbers', async () => {
    const csv = `id,amount\n${[1, 2, 3, 4].map((id) => `${id},${id}.50\n`).join('')}5,pending\n`;
    const { rows, notes } = await run('select sum(amount), typeof(max(amount)) from orders', { 'orders.csv': csv });
    expect(rows).toEqual([[12, 'text']]);
    expect(notes).toEqual([expect.stringMatching(/orders\.amount .*'pending', line 6 of orders\.csv/)]);
  });

  it('reads JSON whose first line is longer than the head of a document', async () => {
    const objects = Array.from({ length: 3_000 }, (_, id) => ({ id, kind: id % 3 === 0 ? 'b' : 'a' }));
    expect(await rowsOf('select kind, count(*) from a group by 1', { 'a.json': JSON.stringify(objects) })).toEqual([
      ['a', 2_000],
      ['b', 1_000],
    ]);
    const line = JSON.stringify({ id: 1, pad: 'z'.repeat(40_000) });
    expect(await rowsOf('select count(*), max(length(pad)) from a', { 'a.jsonl': `${line}\n${line}\n` })).toEqual([
      [2, 40_000],
    ]);
  });

  it('keeps fractions as they are written if they are names', async () => {
    const versions = 'host,python,release,price\na,3.10,1.5,1.50\nb,3.9,2.0,2.5\nc,3.10,3,3\n';
    expect(await rowsOf('select python, release, count(*) from a group by 1, 2', { 'a.csv': versions })).toEqual([
      ['3.10', '1.5', 1],
      ['3.10', '3', 1],
      ['3.9', '2.0', 1],
    ]);
    expect(await rowsOf('select sum(price) from a', { 'a.csv': versions })).toEqual([[7]]);
    const late = `python\n${'3.9\n'.repeat(600)}3.10\n`;
    const { notes } = await run('select count(python) from a', { 'a.csv': late });
    expect(notes).toEqual([expect.stringMatching(/a\.python has 3\.10 read as 3\.1\b/)]);
  });

  it('counts rows that do not fit, which lines has', async () => {
    const { rows, notes } = await run('select count(*) from a', { 'a.csv': 'x,y\n1,2\n1,2,3\n4,5\n' });
    expect(rows).toEqual([[2]]);
    expect(notes).toEqual([expect.stringMatching(/a lacks 1 row .*line 3 of a\.csv/)]);
  });

  it.each([
    ['a.csv', 'city,rain,wind\n,[mm],[m/s]\nBern,1.5,3\nRom,2.5,4\n', 'units (the first: line 2'],
    ['a.csv', 'city,rain,wind\n-,mm,m/s\nBern,1.5,3\nRom,2.5,4\n', 'units (the first: line 2'],
    [
      'a.md',
      '| city | rain | wind |\n|---|---|---|\n| (name) | (mm) | |\n| Bern | 1.5 | 3 |\n| Rom | 2.5 | 4 |\n',
      'units',
    ],
    ['a.csv', 'city,rain,wind\nBern,1.5,3\n# the south\nRom,2.5,4\n', 'comments (the first: line 3'],
    ['a.csv', 'city,rain,wind\nBern,1.5,3\nRom,2.5,4\n# end, checked\n', 'comments (the first: line 4'],
  ])('leaves out the units and comments of %s %j', async (name, text, note) => {
    const { rows, notes } = await run('select count(*), sum(rain), typeof(max(rain)) from a', { [name]: text });
    expect(rows).toEqual([[2, 4, 'real']]);
    expect(notes).toEqual([expect.stringContaining(`a lacks 1 row of ${note}`)]);
  });

  it('keeps rows that only look like units or comments', async () => {
    const texts = { 'a.csv': 'tag,n\n#1,n/a\n# 2,5\n4,6\n', 'b.csv': 'x,y\nn/a,-\n1,2\n', 'c.csv': 'c\n(a)\n#b\n' };
    expect(await rowsOf('select tag, n from a', texts)).toEqual([
      ['#1', 'n/a'],
      ['# 2', '5'],
      ['4', '6'],
    ]);
    expect(await rowsOf('select (select count(*) from b), (select count(*) from c)', texts)).toEqual([[2, 2]]);
  });

  it('puts documents with the same columns in one table, and names others by their folder', async () => {
    const texts = { 'jan/sales.csv': 'sku,n\na,1\n', 'feb/sales.csv': 'sku,n\na,2\n', 'old/sales.csv': 'item\nb\n' };
    expect(await rowsOf('select sum(n), count(distinct document) from sales', texts)).toEqual([[3, 2]]);
    expect(await rowsOf('select item from old_sales', texts)).toEqual([['b']]);
  });

  it('reads a compressed file as the file in it', async () => {
    const texts = {
      'a.csv.gz': 'n\n1\n2\n',
      'b.log.1.gz': '2026-01-01T10:00:00Z ERROR x\n2026-01-01T10:00:01Z INFO y\n',
    };
    expect(await rowsOf('select n from a', texts)).toEqual([[1], [2]]);
    expect(await rowsOf('select count(*) from log', texts)).toEqual([[2]]);
  });

  it('does not give the name of a shared table or a keyword to a document', async () => {
    const texts = { 'lines.csv': 'a,b\n1,2\n', 'order.tsv': 'a\tb\n3\t4\n' };
    expect(await rowsOf('select count(*) from lines', texts)).toEqual([[4]]);
    expect(await rowsOf('select a from lines_2', texts)).toEqual([[1]]);
    expect(await rowsOf('select b from order_', texts)).toEqual([[4]]);
  });

  it('keeps its own columns if a table has columns with that name', async () => {
    const { columns, rows } = await run('select * from calls', { 'calls.csv': 'Line,document\n7,x\n8,y\n' });
    expect(columns).toEqual(['document', 'line', 'Line_2', 'document_2']);
    expect(rows[0]).toEqual(['calls.csv', 2, 7, 'x']);
  });

  it('reads tables of Markdown, each with its name', async () => {
    const text = `# Deploys\n\n| id | minutes |\n|---|---:|\n| D-1 | 5 |\n| D-2 | 7 |\n\n## Owners\n\n| team | lead |\n|--|--|\n| web | Ana |\n`;
    expect(await rowsOf('select line, id, minutes from deploys_1', { 'deploys.md': text })).toEqual([
      [5, 'D-1', 5],
      [6, 'D-2', 7],
    ]);
    expect(await rowsOf('select lead from deploys_2', { 'deploys.md': text })).toEqual([['Ana']]);
  });

  it('reads tables of web pages as their reader writes them', async () => {
    const text = 'Prices\n\nItem\tPrice\nLamp\t34.90\nDesk\t120\n\nfoot\n';
    expect(await rowsOf('select line, Item, Price from shop', { 'shop.html': text })).toEqual([
      [4, 'Lamp', 34.9],
      [5, 'Desk', 120],
    ]);
  });

  it('reads the cells of web pages that span rows, and does not read a part of a table as a row', async () => {
    const text = 'Item\tPrice\nLamp\t30\n″ Lamp\t″ 30\nOffice\nDesk\t\n';
    const { rows, notes } = await run('select line, Item, Price from shop', { 'shop.html': text });
    expect(rows).toEqual([
      [2, 'Lamp', 30],
      [3, 'Lamp', 30],
      [5, 'Desk', null],
    ]);
    expect(notes).toEqual([
      expect.stringContaining('lacks 1 row of one cell'),
      expect.stringContaining('shop.Item has cells that span'),
      expect.stringContaining('shop.Price has cells that span'),
    ]);
  });
});

describe('JSON', () => {
  it('reads lines with types, nested values and keys that appear later', async () => {
    const text = `{"id":1,"user":{"name":"Ana"},"ok":true,"big":12345678901234567890}
{"id":2,"tags":["x"],"ok":false}
broken
{"id":3,"late":1.5}
`;
    const { columns, rows, notes } = await run('select * from events', { 'events.jsonl': text });
    expect(columns).toEqual(['document', 'line', 'id', 'user', 'ok', 'big', 'tags', 'late']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      [1, 1, '{"name":"Ana"}', 1, '12345678901234567890', null, null],
      [2, 2, null, 0, null, '["x"]', null],
      [4, 3, null, null, null, null, 1.5],
    ]);
    expect(notes).toEqual([expect.stringMatching(/events lacks 1 row .*line 3/)]);
    expect(await rowsOf("select user ->> 'name' from events where id = 1", { 'events.jsonl': text })).toEqual([
      ['Ana'],
    ]);
  });

  it('has numbers if they keep their digits, and texts otherwise; tables likewise', async () => {
    const texts = {
      'a.jsonl': '{"n":0.30000000000000004,"t":12345678.12345678912}\n',
      'b.csv': 'n,t\n0.30000000000000004,123456789012345.123456\n',
    };
    for (const table of ['a', 'b']) {
      const [types] = await rowsOf(`select typeof(n), typeof(t) from ${table}`, texts);
      expect(types).toEqual(['real', 'text']);
    }
  });

  it('has keys with NUL in them, which no SQL name can contain', async () => {
    const texts = { 'a.jsonl': '{"a\\u0000b":2,"c":1}\n{"a\\u0000b":3,"c":5}\n' };
    expect(await rowsOf('select "a\u2400b", c from a', texts)).toEqual([
      [2, 1],
      [3, 5],
    ]);
  });

  it('adds columns that appear after the first objects', async () => {
    const lines = Array.from({ length: 700 }, (_, id) => JSON.stringify(id < 650 ? { id } : { id, late: id }));
    const texts = { 'many.ndjson': `${lines.join('\n')}\n` };
    expect(await rowsOf('select count(*), count(late), max(late) from many', texts)).toEqual([[700, 50, 699]]);
  });

  it.each([
    ['after a comma', '[{"a":1},\n{"a":2},', 1],
    ['after an object', '[{"a":1},\n{"a":2}\n', 1],
    ['nowhere', '[{"a":1},\n{"a":[2]}\n]\n', 0],
    ['nowhere, and is one line', '[{"a":1},{"a":2}]', 0],
  ])('notes an array that is cut %s', async (_, text, expected) => {
    const { rows, notes } = await run('select count(a) from t', { 't.json': text });
    expect([rows[0], notes.length]).toEqual([[2], expected]);
  });

  it('leaves objects that are nested too deeply to lines', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const [name, text] of [
      ['t.jsonl', `{"a":1}\n{"a":1}\n${deep}\n{"a":2}\n`],
      ['t.json', `[{"a":1},\n{"a":1},\n${deep},{"a":2}]`],
    ] as const) {
      const { rows, notes } = await run('select a from t', { [name]: text });
      expect(rows).toEqual([[1], [1], [2]]);
      expect(notes).toEqual([expect.stringContaining(`line 3 of ${name}`)]);
    }
  });

  it('keeps large integers in a column of several types', async () => {
    const text = '{"a":"x"}\n{"a":3000000000}\n{"a":-900719925474099}\n{"a":1.5}\n{"a":1e18}\n';
    expect(await rowsOf("select typeof(a), a || '' from t", { 't.jsonl': text })).toEqual([
      ['text', 'x'],
      ['integer', '3000000000'],
      ['integer', '-900719925474099'],
      ['real', '1.5'],
      ['real', '1.0e+18'],
    ]);
  });

  it('reads a table of tabs without a name whose first column is a time', async () => {
    const text =
      'time\tuser\tamount\n2025-01-01 10:00:00\tann\t5\n2025-01-02 10:00:00\tbob\t7\n2025-01-03 10:00:00\tann\t9\n';
    expect(await rowsOf('select user, amount from stdin', { stdin: text })).toEqual([
      ['ann', 5],
      ['bob', 7],
      ['ann', 9],
    ]);
  });

  it('reads arrays of objects over several lines', async () => {
    const text = JSON.stringify(
      [
        { name: 'a } "b"', n: 1 },
        { name: 'c', n: 2 },
      ],
      null,
      2,
    );
    expect(await rowsOf('select line, name, n from data', { 'data.json': text })).toEqual([
      [3, 'a } "b"', 1],
      [7, 'c', 2],
    ]);
  });
});

describe('configuration', () => {
  it('reads YAML as paths and values', async () => {
    const text = `# settings
services:
  web:
    ports: [80, "443"]
    env:
      a.b: yes
---
name: second
`;
    expect(await rowsOf('select path, value, line from paths', { 'compose.yaml': text })).toEqual([
      ['[0].services.web.ports[0]', '80', 4],
      ['[0].services.web.ports[1]', '443', 4],
      ['[0].services.web.env."a.b"', 'yes', 6],
      ['[1].name', 'second', 8],
    ]);
  });

  it('reads TOML as paths and values, and counts what is not valid', async () => {
    const text = `title = "x" # comment
[package]
name = "rlm"
tags = [
  "a",
  "b",
]
oops
[[bin]]
path = "src/a.rs"
[[bin]]
path = "src/b.rs"
`;
    const { rows, notes } = await run('select path, value, line from paths', { 'Cargo.toml': text });
    expect(rows).toEqual([
      ['title', 'x', 1],
      ['package.name', 'rlm', 3],
      ['package.tags[0]', 'a', 4],
      ['package.tags[1]', 'b', 4],
      ['bin[0].path', 'src/a.rs', 10],
      ['bin[1].path', 'src/b.rs', 12],
    ]);
    expect(notes).toEqual([expect.stringMatching(/line 8 of Cargo\.toml/)]);
  });

  it('reads the tables of TOML below those of an array with their index', async () => {
    const fruit = '[[fruit]]\n[fruit.physical]\ncolor = 1\n[[fruit.variety]]\nname = 2\n';
    const text = `${fruit}[[fruit.variety]]\n[fruit.variety.size]\nx.y = 3\n${fruit}`;
    expect(await rowsOf('select path from paths', { 'a.toml': text })).toEqual([
      ['fruit[0].physical.color'],
      ['fruit[0].variety[0].name'],
      ['fruit[0].variety[1].size.x.y'],
      ['fruit[1].physical.color'],
      ['fruit[1].variety[0].name'],
    ]);
  });

  it.each([
    ['a.yaml', `a: ${'['.repeat(12_000)}`],
    ['b.yaml', `a: ${'{a: '.repeat(12_000)}`],
    ['c.yaml', `- ${'- '.repeat(100_000)}1`],
    ['d.md', `---\na: ${'['.repeat(12_000)}\n---\n`],
    ['e.toml', `${'a.'.repeat(50_000)}a = 1`],
    ['f.toml', `[${'a.'.repeat(50_000)}a]`],
  ])('leaves values that are nested too deeply to lines, and reads the other documents: %s', async (name, text) => {
    const { rows, notes } = await run('select value from paths', { [name]: text, 'z.yaml': 'a: 1' });
    expect(rows).toEqual([['1']]);
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^paths lacks .*line [12] of ${name}`))]);
  });
});
