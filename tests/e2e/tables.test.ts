import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

const sales = [
  'order_id,ordered_at,customer,region,amount,status',
  'S-1,2024-02-28,Acme,North,"$1,200.10",paid',
  'S-2,2024-03-01,Globex,South,$0.20,failed',
  'S-3,2024-03-05,Acme,North,$99.90,paid',
  'S-4,2024-03-31,Initech,North,$250.00,refunded',
  'S-5,2024-04-02,Globex,South,,paid',
  'S-6,2024-04-03,"Acme",South,n/a,paid',
  'S-7,2024-04-09,Initech,North,about 10,failed',
].join('\r\n');

async function ask(question: string, path: string, cwd?: string) {
  const run = await rlm(['ask', question, path, '-p', 'extractive', '--json'], cwd === undefined ? {} : { cwd });
  expect(run.code, run.stderr).toBe(0);
  return resultOf(run);
}

describe.concurrent('rlm ask about a table', () => {
  it.each<[question: string, first: string]>([
    ['How many sales are there?', '7 rows counted.'],
    ['How many rows are there where status = paid?', '4 rows counted.'],
    ['How many failed sales were there?', '2 rows counted.'],
    ['total for Acme', '$1,300.00 is the total of amount, over 2 rows.'],
    ['What is the average amount?', '$387.55 is the mean of amount, over 4 rows (their total is $1,550.20).'],
    ['mean amount for Acme', '$650.00 is the mean of amount, over 2 rows (their total is $1,300.00).'],
    ['What is the highest amount and which row has it?', '$1,200.10 is the highest amount, over 4 rows: S-1.'],
    ['lowest amount', '$0.20 is the lowest amount, over 4 rows: S-2.'],
    ['What was the first failed sale?', '2024-03-01 is the earliest ordered_at, over 2 rows: S-2.'],
    ['when was the last sale to Acme?', '2024-04-03 is the latest ordered_at, over 3 rows: S-6.'],
    [
      'Which customer has the highest total?',
      'Acme: $1,300.00 (2 rows). That is the highest total of amount by customer, of 3 groups.',
    ],
    ['Who bought the most?', 'Acme: $1,300.00 (2 rows). That is the highest total of amount by customer, of 3 groups.'],
    ['How many sales did we refund so far?', '1 row counted.'],
    ['Which status is most common?', 'paid: 4. That is the highest number of rows by status, of 3 groups.'],
    ['How many distinct customers are there?', '3 different values of customer, in 7 rows.'],
    ['How many sales over 100?', '2 rows counted.'],
    ['How many sales in March 2024?', '3 rows counted.'],
    ['How many sales after 2024-03-05?', '4 rows counted.'],
  ])('%s', async (question, first) => {
    const cwd = createFolder({ 'sales.csv': sales });
    const { answer, usage, recursionTree, confidence, citations } = await ask(question, 'sales.csv', cwd);
    expect(answer!.split('\n')[0]).toBe(first);
    expect(answer).toContain('\nRule: ');
    expect(usage.calls).toBe(0);
    expect(recursionTree!.certainty).toBeCloseTo(confidence! / 100, 2);
    expect(confidence).toBeGreaterThan(60);
    expect(citations.length).toBeGreaterThan(0);
  });

  it('groups, and lists the omitted rows with the reasons', async () => {
    const cwd = createFolder({ 'sales.csv': sales });
    const { answer } = await ask('What is the total amount by customer?', 'sales.csv', cwd);
    expect(answer).toContain(
      [
        'The total of amount by customer:',
        '- Acme: $1,300.00 (2 rows)',
        '- Initech: $250.00 (1 row)',
        '- Globex: $0.20 (1 row)',
        'Rule: the total of amount by customer, of all rows; 7 rows read by code.',
        'Rows by document: sales.csv 4.',
        'Left out: 2 rows without amount, 1 row whose amount is no number (such as “about 10”).',
      ].join('\n'),
    );
  });

  it('cites whole rows by their lines, beside documents that are no tables', async () => {
    const { answer, citations } = await ask('What are the top 3 customers by amount?', orders);
    expect(answer).toContain('- Globex: 18,174.20 (32 rows)\n- Northwind: 17,806.86 (13 rows)\n- Initech: 12,845.23');
    const cwd = createFolder({
      'notes.md': '# Sales\n\nAcme buys most.\n',
      'data.tsv': 'name\tnote\tcount\nAcme\t"two\nlines"\t5\nGlobex\tone\t7\n',
    });
    const mixed = await ask('What is the sum of count for Acme?', '.', cwd);
    expect(mixed.answer).toMatch(/^5 is the total of count, over 1 row\.\n/);
    expect(mixed.answer).toContain('Not computed with: 1 other document.');
    expect(mixed.citations).toMatchObject([{ source: 'data.tsv', startLine: 2, endLine: 3 }]);
    expect(citations[0]).toMatchObject({ startLine: 2, endLine: 2 });
  });

  it('reads JSON lines by dotted keys', async () => {
    const lines = [
      '{"user":{"id":"u1","plan":"free"},"latency_ms":0.1,"status":200}',
      '{"user":{"id":"u2","plan":"pro"},"latency_ms":0.2,"status":500}',
      'not json',
      '{"user":{"id":"u1","plan":"free"},"latency_ms":12,"status":200}',
    ];
    const cwd = createFolder({ 'requests.jsonl': `${lines.join('\n')}\n` });
    const run = await rlm(['ask', 'What is the total latency_ms by plan?', '.', '-p', 'extractive', '--json'], { cwd });
    const { answer, usage } = resultOf(run);
    expect(answer).toContain('by user.plan:\n- free: 12.1 (2 rows)\n- pro: 0.2 (1 row)\n');
    expect(answer).toContain('Left out: 1 row that cannot be read as a JSON object.');
    expect(usage.calls).toBe(0);
  });

  it('reads no table where hardly any row can be read, and names columns of the same name apart', async () => {
    const stray = Array.from({ length: 50 }, (_, n) => `${n},"open ${n},5`).join('\n');
    const cwd = createFolder({
      'stray.csv': `id,name,amount\n${stray}\n`,
      'twice.csv': 'cost,cost,name\n1,2,a\n3,4,b\n',
    });
    const [stuck, twice] = await Promise.all([
      ask('How many rows are there?', 'stray.csv', cwd),
      ask('total cost', 'twice.csv', cwd),
    ]);
    expect(stuck.answer).not.toContain('counted');
    expect(twice.answer).toMatch(
      /^4 is the total of cost \(column 1\)[\s\S]*\nRead otherwise: 6 is the total of cost \(column 2\)/,
    );
  });

  it('does not guess: a question that the columns do not decide takes the usual way', async () => {
    const cwd = createFolder({ 'sales.csv': sales });
    const { answer } = await ask('How many unicorns are there?', 'sales.csv', cwd);
    expect(answer).not.toContain('counted');
  });

  it('says in a dry run that no call is made', async () => {
    const cwd = createFolder({ 'sales.csv': sales });
    const args = ['ask', 'How many failed sales were there?', 'sales.csv', '--dry-run', '--json'];
    const run = await rlm([...args, '-p', 'extractive'], { cwd });
    expect(JSON.parse(run.stdout)).toMatchObject({
      approach: 'scan',
      approachReason: 'code computes the answer from the whole text',
      plannerMayChoose: [],
      fewestCalls: 0,
      reading: null,
      worstCase: { calls: 0, tokens: 0, usd: 0 },
    });
  });

  it('says which word it did not use, and is less certain', async () => {
    const cwd = createFolder({ 'sales.csv': sales });
    const { answer, confidence } = await ask('How many sales were shipped to Acme?', 'sales.csv', cwd);
    expect(answer).toMatch(/^3 rows counted\.\nRule: .*Not used, as no column or value explains it: “shipped”\.\n/);
    expect(confidence).toBeLessThan(65);
  });

  it('gives the readings where columns compete, and then is not sure', async () => {
    const cwd = createFolder({ 'prices.csv': 'item,net_price,gross_price\na,1.00,1.19\nb,2.00,2.38\nc,0.50,0.60\n' });
    const { answer, confidence } = await ask('What is the highest price?', 'prices.csv', cwd);
    expect(answer).toMatch(/^2\.\d+ is the highest (?:net|gross)_price, over 3 rows: b\.\n/);
    expect(answer).toMatch(
      /\nRead otherwise: 2\.\d+ is the highest (?:net|gross)_price, over 3 rows: b \(all rows\)\.\n/,
    );
    expect(confidence).toBeLessThan(50);
  });

  it('counts rows beside a log that has the word, and says which is which', async () => {
    const cwd = createFolder({
      'app.log': '2026-01-01T10:00:00 ERROR one\n2026-01-01T10:00:01 ERROR two\n',
      'jobs.csv': 'job,level,n\na,ERROR,1\nb,INFO,2\nc,ERROR,3\nd,ERROR,4\n',
    });
    const { answer } = await ask('How many ERROR rows are there?', '.', cwd);
    expect(answer).toContain('Read otherwise: 3 rows counted (rows in which level is “ERROR”).');
  });

  it('adds up documents with the same columns, and states the rows of each', async () => {
    const cwd = createFolder({
      'jan.csv': 'customer,amount\nAcme,1.10\nGlobex,2\n',
      'feb.csv': 'amount;customer\n3.30;ACME\n0.05;Acme\n',
    });
    const { answer, citations } = await ask('total amount for Acme', '.', cwd);
    expect(answer).toMatch(/^4\.45 is the total of amount, over 3 rows\.\n/);
    expect(answer).toContain('Rows by document: feb.csv 2, jan.csv 1.');
    expect(citations.map(({ source, startLine }) => [source, startLine])).toEqual([
      ['feb.csv', 2],
      ['feb.csv', 3],
      ['jan.csv', 2],
    ]);
  });
});
