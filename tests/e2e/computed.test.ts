import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/config/folders.ts';
import { startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const orders = 'examples/orders/orders.csv';
const dbLog = 'examples/incident/payments-db.log';
const request = (client: string, status: number) =>
  `${client} - - [02/Jan/2024:00:30:00 +0000] "GET /a HTTP/1.1" ${status} 5\n`;

const ask = async (question: string, path: string, cwd = packageRoot) => {
  const run = await rlm(['ask', question, path, '-p', 'extractive', '--json'], { cwd });
  expect(run.code, run.stderr).toBe(0);
  return resultOf(run);
};

describe.concurrent('rlm ask without a model, about records', { timeout: 120_000 }, () => {
  it('computes with SQL that it shows, and cites the query and the rows', async () => {
    const question = 'How many warnings are there?';
    const { answer, citations, confidence, confidenceKind, recursionTree, warnings } = await ask(question, dbLog);
    const rows = readFileSync(join(packageRoot, dbLog), 'utf8')
      .split('\n')
      .filter((line) => line.includes(' WARNING: '));
    expect(answer).toContain(`${rows.length} rows of log counted where level = 'WARNING'. [1]`);
    expect(answer).toContain("SELECT count(*) FROM log WHERE level = 'WARNING'");
    expect(citations[0]).toMatchObject({ source: 'computed:query' });
    expect(citations.slice(1).map(({ quote }) => quote)).toEqual(rows.slice(0, 5));
    expect(recursionTree!.certainty).toBeCloseTo(confidence! / 100, 2);
    expect(confidenceKind).toBe('match');
    expect(warnings).toEqual([]);
  });

  it('does not add to a computed answer that the text lacks words of the question', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => request('10.0.0.1', [200, 404][at % 2]!));
    const cwd = createFolder({ 'big.log': rows.join('') });
    const { answer, warnings } = await ask('How many requests returned 404?', 'big.log', cwd);
    expect(answer).toContain('15,000 rows of access counted');
    expect(warnings).toEqual([]);
  });

  it('computes no part of a question whose other part may have a condition for it', async () => {
    const log =
      '2025-07-01T09:00:00Z ERROR door: jammed\n2025-07-01T10:00:00Z ERROR bar: hot\n2025-07-01T11:00:00Z WARN door: open\n';
    const cwd = createFolder({ 'hostel.log': log });
    const { answer } = await ask('How many errors and how many warnings did the door have?', 'hostel.log', cwd);
    expect(answer).not.toContain('counted');
    const first = await ask('What failed first, and why?', 'hostel.log', cwd);
    expect(first.answer).toContain("where level = 'ERROR'");
  });

  it('puts a computed value into a form with one field of its type', async () => {
    const question = 'How many warnings are there?';
    const form = async (schema: object) => {
      const args = ['ask', question, dbLog, '-p', 'extractive', '--json', '--schema', JSON.stringify(schema)];
      return resultOf(await rlm(args, { cwd: packageRoot }));
    };
    const count = readFileSync(join(packageRoot, dbLog), 'utf8').match(/ WARNING: /g)!.length;
    const one = await form({ type: 'object', properties: { warnings: { type: 'integer' } }, required: ['warnings'] });
    expect(one).toMatchObject({ data: { warnings: count }, error: null });
    expect(one.fieldCitations!['/warnings']).toMatchObject([{ source: 'computed:query' }]);
    expect((await form({ type: 'integer' })).data).toBe(count);
    const text = { type: ['string', 'null'] };
    expect((await form({ type: 'string' })).data).toBe(String(count));
    const described = { shoeSize: { type: 'integer', description: 'How many warnings there are' } };
    expect((await form({ type: 'object', properties: described })).data).toEqual({ shoeSize: count });
    const two = { warnings: { type: ['integer', 'null'] }, owner: text };
    const other = { shoeSize: { type: ['integer', 'null'] } };
    const unmet = { status: 'answered', data: null, error: { code: 'schema-unmet' } };
    for (const properties of [{ owner: text }, two, other])
      expect(await form({ type: 'object', properties })).toMatchObject(unmet);
    const unfit = async (properties: object) => (await form({ type: 'object', properties })).error?.message;
    expect(await unfit({ warnings: { type: 'integer', maximum: 2 } })).toMatch(/\/warnings: .*greater than 2$/);
    expect(await unfit({ warnings: { type: 'string', pattern: '^x' } })).toMatch(/\/warnings: .*pattern$/);
    expect(await unfit({ shoeSize: { type: 'integer', maximum: 2 } })).toMatch(/\/shoeSize: .*than 2; \/shoeSize: /);
  });

  it('puts computed rows into a list of objects if a field has the name of a column', async () => {
    const log = [request('10.0.0.1', 200), request('10.0.0.2', 404), request('10.0.0.1', 404)].join('');
    const cwd = createFolder({ 'access.log': log, 'club.csv': 'player,team\nAnn,Otters\nBo,Otters\nCy,Rays\n' });
    const form = async (
      question: string,
      properties: object,
      of = (items: object): object => items,
      name = 'access.log',
    ) => {
      const rows = of({ type: 'array', items: { type: 'object', properties } });
      const args = ['ask', question, name, '-p', 'extractive', '--json', '--schema', JSON.stringify(rows)];
      return resultOf(await rlm(args, { cwd }));
    };
    const [integer, text] = [{ type: 'integer' }, { type: ['string', 'null'] }];
    const perClient = 'How many requests per client?';
    const inRows = (rows: object) => ({ type: 'object', properties: { rows } });
    const whole = await form(perClient, { client: text, count: integer, owner: text }, inRows);
    const expected = [
      { client: '10.0.0.1', count: 2, owner: null },
      { client: '10.0.0.2', count: 1, owner: null },
    ];
    expect(whole).toMatchObject({ data: { rows: expected }, error: null });
    for (const pointer of ['/rows/0/client', '/rows/1/count'])
      expect(whole.fieldCitations![pointer]).toMatchObject([{ source: 'computed:query' }]);
    expect(whole.fieldCitations!['/rows/0/owner']).toBeUndefined();
    const sums = await form('total bytes per client', { Client: text, totalBytes: { type: 'number' } });
    expect(sums.data).toContainEqual({ Client: '10.0.0.1', totalBytes: 10 });
    const proposed = await form('How many players per team?', { team: text, players: integer }, undefined, 'club.csv');
    expect(proposed).toMatchObject({ data: null, error: { code: 'schema-unmet' } });
    const unmet = { status: 'answered', data: null, error: { code: 'schema-unmet' } };
    for (const properties of [
      { owner: text, city: text },
      { client: text, owner: { type: 'string' } },
    ])
      expect(await form(perClient, properties)).toMatchObject(unmet);
  });

  it('answers the question of the README as shown there', async () => {
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
    const [, question, path, printed] =
      /^\$ rlm ask "([^"]+)" (examples\/incident\/\S+)\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const run = await rlm(['ask', question!, path!, '-p', 'extractive'], { cwd: packageRoot });
    expect(run.stdout).toBe(printed);
  });

  it('finds what failed first over all documents', async () => {
    const { citations } = await ask('What failed first?', 'examples/incident');
    expect(citations[1]).toMatchObject({ source: 'examples/incident/checkout-service.log', startLine: 880 });
  });

  it('quotes, and says how to compute, if a word is left over', async () => {
    const run = await rlm(['ask', 'How many damaged orders are there?', orders, '-p', 'extractive'], {
      cwd: packageRoot,
    });
    expect(run.stdout).not.toContain('SELECT');
    expect(run.stderr).toContain('rlm query "select');
    const cwd = createFolder({ 'sky.md': 'There are eight planets.' });
    const prose = await rlm(['ask', 'How many planets are there?', 'sky.md', '-p', 'extractive'], { cwd });
    expect(prose.stdout).toMatch(/^There are eight planets\. \[/);
    expect(prose.stderr).not.toContain('rlm query');
  });

  it('proposes the SQL of a result over rows that only a reader knows', async () => {
    const boxes = 'picker,hall,boxes\nKim,A,20\nAna,B,30\nTarget,A,300\n';
    const cwd = createFolder({ 'boxes.csv': boxes, 'pickers.csv': boxes });
    const run = await rlm(['ask', 'How many boxes in total?', 'boxes.csv', '-p', 'extractive'], { cwd });
    expect(run.stdout).toMatch(/^Not found: .* SELECT sum\(boxes\) FROM boxes$/m);
    expect(run.stdout).not.toContain('350');
    const { answer } = await ask('How many pickers are in hall A?', 'pickers.csv', cwd);
    expect(answer).toMatch(/^Not found: .* SELECT count\(.*\) FROM pickers WHERE hall = 'A'$/m);
  });

  it('states a single number as it is written', async () => {
    const cwd = createFolder({ 'rooms.csv': 'lesson,room\nViolin,1.20\nHarp,2.10\nChoir,1000\n' });
    expect((await ask('What is the room of the Harp?', 'rooms.csv', cwd)).answer).toMatch(/: 2\.10 \[1\]/);
    expect((await ask('What is the room of the Choir?', 'rooms.csv', cwd)).answer).toMatch(/: 1000 \[1\]/);
    const sales = createFolder({ 'sales.csv': 'sale,sold,rooms,price\nS1,2025-03-06T20:46:00Z,2,3.00\nS2,4,5,6\n' });
    expect((await ask('What is the rooms of S1?', 'sales.csv', sales)).answer).toMatch(/: 2 \[1\]/);
    expect((await ask('What is the price of S1?', 'sales.csv', sales)).answer).toMatch(/: 3\.00 \[1\]/);
  });

  it('cites each of several lines alone', async () => {
    const fixes = '# Changelog\n\n## 1.1.0 - 2025-01-10\n\n### Fixed\n- Added items vanish\n- Fixed width font\n';
    const cwd = createFolder({ 'CHANGELOG.md': `${fixes}\n## 1.2.0 - 2025-02-10\n\n### Fixed\n- Slow start\n` });
    const { answer } = await ask('What was the first fix?', 'CHANGELOG.md', cwd);
    expect(answer).toContain('Added items vanish [2]\n');
    expect(answer).toContain('Fixed width font [3]');
  });

  it('only quotes with --strategy direct', async () => {
    const args = ['ask', 'How many warnings are there?', dbLog, '-p', 'extractive', '--strategy', 'direct'];
    expect((await rlm(args, { cwd: packageRoot })).stdout).not.toContain('SELECT');
  });

  it('leaves every count to a model if there is one', async () => {
    const server = await startServer({ answer: 'There are 7 of them [P1].' });
    const run = await rlm(['ask', 'How many orders does Acme have?', orders, '--json'], {
      cwd: packageRoot,
      env: server.env,
    });
    const { answer, usage } = resultOf(run);
    expect(answer).toBe('There are 7 of them [1].');
    expect(usage.calls).toBe(server.requests.length);
  });
});
