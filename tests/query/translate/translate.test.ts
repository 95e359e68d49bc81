import { describe, expect, it } from 'vitest';
import {
  type RecordsQuestion,
  readQuestions,
  readText,
  scoreOf,
  translateOver,
} from '../../../scripts/records/score.ts';
import { letterStart, wordFormsOf } from '../../../src/query/translate/words.ts';
import { sqlite } from '../support.ts';

type Texts = Readonly<Record<string, string>>;

const translate = async (question: string, texts: Texts) =>
  translateOver(
    await sqlite,
    Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    question,
  );

const valuesOf = async (question: string, texts: Texts) => (await translate(question, texts)).translated?.values;

/** Expects the values that a question translates to; undefined if nothing may be stated. */
async function expectValues(question: string, texts: Texts, values: readonly unknown[] | undefined): Promise<void> {
  const { translated } = await translate(question, texts);
  if (values === undefined) expect(translated?.isExact ?? false).toBe(false);
  else expect(translated?.values).toEqual(values);
}

const sales = {
  'sales.csv': [
    'order_id,ordered_at,customer,region,amount,status,weight_kg',
    'S-1,2024-02-28,Acme,North,1200.10,paid,3',
    'S-2,2024-03-01,Globex,South,0.20,failed,1',
    'S-3,2024-03-05,Acme,North,99.90,paid,12',
    'S-4,2024-03-31,Initech,North,250.00,refunded,4',
    'S-5,2024-04-02,Globex,South,,paid,5',
    'S-6,2024-04-03,Acme,South,n/a,paid,6',
    '',
  ].join('\n'),
};

it('reads a table that is wider than SQLite allows', async () => {
  const row = (cell: (at: number) => number | string) => Array.from({ length: 2_100 }, (_, at) => cell(at)).join(',');
  const wide = `${row((at) => `c${at}`)}\n${row((at) => at)}\n${row((at) => 2 * at)}\n`;
  expect(await valuesOf('What is the highest c7?', { 'wide.csv': wide })).toEqual([14]);
});

it.each(['$type', '[0]', ''])('reads a log with the key "%s", which is a path to SQLite', async (key) => {
  const entry = (zone: string) =>
    JSON.stringify({ time: '2026-03-17T10:00:00Z', level: 'info', message: 'up', [key]: 'x', zone });
  const log = ['north', 'south', 'north'].map(entry).join('\n');
  expect(await valuesOf('How many events have zone north?', { 'a.jsonl': log })).toEqual([2]);
});

const started = await sqlite;
const scored = readQuestions('dev').map((asked) => ({
  ...asked,
  outcome: scoreOf(asked, translateOver(started, [readText(asked.text)], asked.ask)),
}));

describe('labelled questions about records', () => {
  it.each(scored.filter(({ outcome }) => outcome !== 'silent'))('$ask', ({ outcome }) => {
    expect(outcome).toBe('right');
  });

  it('are answered in more than half of the cases over tables, and of all cases', () => {
    const share = (asked: readonly RecordsQuestion[]) => {
      const told = asked.filter(({ want }) => want !== undefined);
      return told.filter((one) => scored.find((other) => other === one)!.outcome === 'right').length / told.length;
    };
    expect(share(scored.filter(({ kind }) => ['csv', 'jsonl', 'markdown'].includes(kind)))).toBeGreaterThan(0.75);
    expect(share(scored)).toBeGreaterThan(0.7);
  });
});

describe('the words of an answer', () => {
  it.each([
    ['How many Acme sales are there?', "3 rows of sales counted where customer = 'Acme'."],
    ['How many sales are there?', '6 rows of sales counted.'],
    ['What is the total weight of Acme?', "21 is the sum of weight_kg where customer = 'Acme'."],
    [
      'total weight per region of Acme',
      "The sum of weight_kg by region where customer = 'Acme':\n- North: 15\n- South: 6",
    ],
    ['What is the highest weight in North?', "12 is the highest weight_kg where region = 'North'."],
    ['What is the status of S-4?', "status where order_id = 'S-4': refunded"],
    ['What was the last paid sale?', "S-6: 2024-04-03. That is the last ordered_at where status = 'paid'."],
  ])('%s names its conditions', async (question, words) => {
    expect((await translate(question, sales)).translated?.words).toBe(words);
  });

  it('are none if a reason is asked for', async () => {
    expect((await translate('Why are there 6 sales?', sales)).translated).toBeNull();
  });
});

describe('a question about a table', () => {
  it.each<[question: string, values: readonly unknown[] | undefined]>([
    ['How many sales are there?', [6]],
    ['How many rows are there where status = paid?', undefined],
    ['How many failed sales were there?', [1]],
    ['total amount for Acme', [1300]],
    ['What is the average amount?', [387.55]],
    ['lowest amount', [0.2]],
    ['When was the last sale to Acme?', undefined],
    ['Which status is most common?', ['paid', 4]],
    ['How many distinct customers are there?', [3]],
    ['How many sales have an amount over 100?', [2]],
    ['How many sales in March 2024?', [3]],
    ['How many sales after 2024-03-05?', [3]],
    ['How many sales weigh more than 4000 g?', [3]],
    ['What is the total amount by region?', ['North', 1550, 'South', 0.2]],
    ['How many sales were not paid?', [2]],
  ])('%s', async (question, values) => {
    expect(await valuesOf(question, sales)).toEqual(values);
  });

  it.each([
    'How many unicorns are there?',
    'How many sales did Globex or Initech make?',
    'How many sales are not paid or open?',
    'How many sales did Globex and Initech make?',
    'How many sales were there from January to March 2024?',
    'How many sales were there between January and March 2024?',
    'What is the total of all sales?',
    'How many sales were shipped to Acme?',
    'How much did Acme save?',
    'How many sales did we have last year?',
    'Why did the sale to Globex fail?',
    'What was the highest amount in euros?',
    'How many sales took longer than 500 ms?',
    'What is the customer of the sales?',
    'What is the region for Acme?',
    'Should we sell to Acme?',
    'sales',
    '?',
  ])('is not answered if a word of it is left over, or it means nothing: %s', async (question) => {
    expect((await translate(question, sales)).translated).toBeNull();
  });

  it.each<[question: string, name: string, text: string]>([
    ['Which country has the lowest total?', 'o.csv', 'country,total\nNL,10\nNL,70\nDE,20\n'],
    ['What is the total quantity?', 'o.csv', 'id,quantity\n1,5\n2,6\n3,7\n4,1\nTOTAL,19\n'],
    ['How many orders are not paid?', 'orders.csv', 'id,status\n1,paid\n2,open\n3,\n'],
    ['How many users are there?', 'o.jsonl', '{"user":{"n":"a","ip":1}}\n{"user":{"n":"a","ip":2}}\n'],
    [
      'How many lines are there?',
      'app.log',
      '2026-03-17T13:42:26Z ERROR a: boom\n  at last\n2026-03-17T13:42:27Z INFO a: ok\n',
    ],
  ])('is not answered if the records have several answers: %s', async (question, name, text) => {
    expect(await valuesOf(question, { [name]: text })).toBeUndefined();
  });

  it('is not answered if its readings differ', async () => {
    const prices = { 'prices.csv': 'item,net_price,gross_price\na,1.00,1.19\nb,2.00,2.38\nc,0.50,0.60\n' };
    expect(await valuesOf('What is the highest price?', prices)).toBeUndefined();
    expect(await valuesOf('What is the highest net price?', prices)).toEqual([2]);
  });

  it('is stated if a cell is looked up, or if the format says what a row is, and else proposed', async () => {
    const isExact = async (question: string, texts: Texts = sales) =>
      (await translate(question, texts)).translated?.isExact;
    expect(await isExact('How many Acme sales are there?')).toBe(false); // some were refunded
    expect(await isExact('How many paid sales are there?')).toBe(false);
    expect(await isExact('How many paid sales in March 2024?')).toBe(false);
    expect(await isExact('What is the status of S-4?')).toBe(true);
    const pay = { 'pay.csv': 'id,name,bonus\n101,Ola,\n102,Pia,70\n103,Ola,150\n' };
    expect(await isExact('What is the bonus of Pia?', pay)).toBe(true);
    expect(await isExact('What is the bonus of Ola?', pay)).toBe(false);
    expect(await isExact('How many sales are there?')).toBe(false);
    expect(await isExact('What is the total amount of paid sales?')).toBe(false);
    expect(await isExact('What is the highest weight in North?')).toBe(false);
    expect(await isExact('How many paid sales weigh more than 4 kg?')).toBe(false);
    const boxes = 'picker,boxes\nKim,20\nAna,30\nTarget,300\n';
    expect(await isExact('How many boxes in total?', { 'boxes.csv': boxes })).toBe(false);
    const visits = 'region,visits,day\nNorth,3,2024-05-01\n,4,2024-05-02\nSouth,5,2024-05-01\n';
    expect(await isExact('How many rows are in North?', { 'visits.csv': visits })).toBe(false);
    const states = 'ticket,at,state\nT1,2024-05-01,open\nT1,2024-05-02,closed\nT2,2024-05-01,open\n';
    expect(await isExact('How many tickets are open?', { 'tickets.csv': states })).not.toBe(true);
    const jabs = 'animal,species,day\nMitzi,cat,2026-01-09\nLuna,cat,2026-02-14\nLuna,cat,2026-03-14\n';
    expect(await isExact('How many cats are there?', { 'jabs.csv': jabs })).not.toBe(true);
    expect(await isExact('How many jabs of cats?', { 'jabs.csv': jabs })).toBe(false);
    const cats = 'cat,colour\nMitzi,black\nLuna,white\nMinka,black\n';
    expect(await isExact('How many cats are black?', { 'cats.csv': cats })).toBe(false);
    const log = '2026-01-01T10:00:00Z ERROR a: x\n2026-01-01T10:00:02Z INFO a: z\n';
    const device = (name: string, second: number) => `2026-05-04T06:52:1${second}Z ERROR ${name} label lost\n`;
    const pharmacy = (one: string, two: string) => ({
      'pharmacy.log': device(one, 1) + device(two, 2) + device(one, 3),
    });
    expect(await isExact('How many errors per source?', pharmacy('robot-1', 'hl7'))).toBe(true);
    expect(await isExact('How many errors per source?', pharmacy('robot-1', 'fridge'))).toBe(false);
    const logfmt =
      't=2026-06-01T00:00:07Z level=error msg="job failed"\nt=2026-06-01T00:00:08Z level=info msg="job done"\n';
    expect(await isExact('How many errors are there?', { 'worker.log': logfmt })).toBe(true);
    expect(await isExact('How many errors are there?', { 'app.log': log, 'b.log': logfmt })).toBe(true);
    expect(await isExact('How many errors are there?', { 'app.log': log, 'b.log': 'an error of another form\n' })).toBe(
      false,
    );
    expect(await isExact('How many lines are there?', { 'app.log': log })).toBe(true);
  });

  it('is answered with the SQL, the rows that it depends on, and what is left out', async () => {
    const { translated } = await translate('What is the total amount for Acme?', sales);
    expect(translated).toMatchObject({
      sql: "SELECT round(sum(amount), 1) FROM sales WHERE customer = 'Acme' AND typeof(amount) <> 'text'",
      places: [{ document: 'sales.csv', startLine: 2 }, { startLine: 4 }, { startLine: 7 }],
    });
    expect(translated!.notes).toHaveLength(1);
  });

  it('is recognised as asking for a number', async () => {
    expect((await translate('How many unicorns are there?', sales)).asksNumber).toBe(true);
    expect((await translate('Why did the sale fail?', sales)).asksNumber).toBe(false);
    expect((await translate('How many planets are there?', { 'sky.txt': 'Eight planets.' })).asksNumber).toBe(false);
  });
});

describe('a question about records that earlier rules answered wrongly', () => {
  const requests = {
    'requests.jsonl': [
      '{"id":"a","path":"/x","latency_ms":620,"status":200}',
      '{"id":"b","path":"/requests","latency_ms":80,"status":200}',
      '{"id":"c","path":"/y","latency_ms":501,"status":500}',
    ].join('\n'),
  };
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['How many requests took longer than 500 ms?', requests, [2]],
    ['How much did we pay UPS?', { 'parcels.csv': 'id,carrier,weight_kg\na,UPS,3\nb,DHL,5\nc,UPS,7\n' }, undefined],
    [
      'How many workers are there?',
      {
        'app.log': Array.from({ length: 9 }, (_, n) => `2026-01-01T10:00:0${n}Z INFO worker-${n % 3}: job ${n}\n`).join(
          '',
        ),
      },
      undefined,
    ],
    [
      'How many companies were listed on the WSE on August 2009?',
      { 'Warsaw.txt': 'In August 2009 the exchange listed many companies.\nThe WSE is large.\n' },
      undefined,
    ],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('the first failure of a log', () => {
  it('is the first line at level error or above, over all documents', async () => {
    const texts = {
      'a.log': '2026-03-17T10:00:00Z INFO failed jobs are retried\n2026-03-17T11:00:00Z ERROR order failed\n',
      'b.log': '2026-03-17T09:15:30Z FATAL no space left\n2026-03-17T18:00:00Z INFO done\n',
    };
    const { translated } = await translate('What failed first?', texts);
    expect(translated).toMatchObject({
      values: ['no space left'],
      places: [{ document: 'b.log', startLine: 1 }],
    });
    expect((await translate('What failed first, and why?', texts)).translated).toBeNull();
    const two = { 'a.log': '2024-05-01T10:00:00Z ERROR x a\n2024-05-01T11:00:00Z INFO x b\n' };
    expect(await valuesOf('What failed first?', two)).toEqual(['x a']);
  });
});

describe('a word that is also a cell', () => {
  const rows = ['1,US,open', '2,IT,open', '3,NO,open', '4,US,paid', '5,IN,paid', '6,ME,open'];
  const orders = { 'orders.csv': `id,country,status\n${rows.join('\n')}\n` };
  it.each<[question: string, values: readonly unknown[] | undefined]>([
    ['How many orders in the US?', [2]],
    ['How many orders in IT are open?', [1]],
    ['How many orders in NO are open?', [1]],
    ['How many open orders are there in ME?', [1]],
    ['How many orders in OR?', undefined],
    ['How many orders in the us?', undefined],
  ])('%s', async (question, values) => {
    expect(await valuesOf(question, orders)).toEqual(values);
  });
});

describe('a cell in several spellings', () => {
  const teams = { 'people.csv': 'name,team,score\nann,red,1\nbob,Red,2\ncid,blue,4\ndee,,7\n' };
  it.each(['How many teams are there?', 'What is the total score by team?', 'Which team is most common?'])(
    'is not answered: %s',
    async (question) => {
      expect(await valuesOf(question, teams)).toBeUndefined();
    },
  );

  it('is used for a condition, and an empty cell is reported as empty', async () => {
    expect(await valuesOf('What is the total score of red?', teams)).toEqual([3]);
    const { translated } = await translate('How many rows per team?', { 'x.csv': 'name,team\na,red\nb,red\nc,\n' });
    expect(translated!.words).toContain('(empty): 1');
  });
});

describe('questions that the words leave ambiguous', () => {
  const month = (id: number) => `id,amount,status\n${id},5,refunded\n${id + 1},7,refunded\n`;
  const plain = 'id,amount\n1,10\n2,20\n';
  const failed = '2024-05-01T10:00:00Z ERROR x a\n2024-05-01T11:00:00Z INFO x b\n';
  const logins = 'user,when\nana,2024-03-01T00:30:00+02:00\nbob,2024-02-29T23:30:00Z\n';
  it.each<[question: string, texts: Texts]>([
    ['How many sales were paid by 2024-03-05?', sales],
    ['How many sales were paid from March 2024?', sales],
    ['How many different customers were not refunded?', sales],
    ['How many were refunded?', { 'jan.csv': month(1), 'feb.csv': month(11) }],
    ['What is the sum of amount?', { 'jan.csv': month(1), 'feb.csv': month(11) }],
    ['When was the first login?', { 'logins.csv': logins }],
    ['What is the highest amount?', { 'a.csv': plain, 'b.csv': 'id,amount,currency\n1,9,EUR\n2,5,USD\n' }],
    ['What is the highest amount?', { 'a.csv': plain, 'b.csv': 'name,amount\nx,9\ny,8\nTotal,17\n' }],
    ['What is the highest amount?', { 'a.csv': plain, 'b.csv': 'name,amount\nx,"1,000"\ny,"2,000"\n' }],
    ['What is the highest users?', { 'a.csv': 'plan,users\na,5\nb,50\nc,"1,000"\nd,10\n' }],
    ['What is the total users?', { 'a.jsonl': [5, 50, 10, '"1,000"'].map((n) => `{"p":"x","users":${n}}\n`).join('') }],
    ['What is the total users?', { 'a.csv': 'plan;users\na;5\nb;50\nc;1.000\nd;12.000\n' }],
    ['How many rows have users over 100?', { 'a.csv': 'plan;users\na;5\nb;50\nc;1.000\nd;12.000\n' }],
    ['How many events are there?', { 'x.csv': 'id,event,city\n1,login,Rome\n2,logout,York\n3,login,York\n' }],
    ['How many rows per host?', { 'x.csv': 'id,host,city\n1,,Rome\n2,,York\n' }],
    ['What failed first?', { 'a.log': failed, 'c.csv': 'id,level,message\n1,error,c\n' }],
  ])('%s', async (question, texts) => {
    expect(await valuesOf(question, texts)).toBeUndefined();
  });
});

describe('a page with cells that span rows', () => {
  const shop = { 'shop.html': 'Item\tPrice\tStock\nDesk\t120\t5\nLamp\t30\t7\n″ Lamp\t35\t″ 7\n' };
  it.each<[question: string, values: readonly unknown[] | undefined]>([
    // Two rows, and perhaps seven or fourteen lamps.
    ['How many lamps are there?', undefined],
    ['What is the total price?', [185]],
    // It is unclear whether both lamps share a stock of 7, or each has 7.
    ['What is the total stock?', undefined],
  ])('%s', async (question, values) => {
    expect(await valuesOf(question, shop)).toEqual(values);
  });
});

describe('people of mail', () => {
  const mail = (from: string, to: string, rest = '') =>
    `From a@x.org Mon Jan  1 10:00:00 2024\nFrom: ${from}\nTo: ${to}\n${rest}Date: Mon, 1 Jan 2024 10:00:00 +0000\n\ntext\n\n`;
  const ann = [
    mail('Ann Lee <ann@x.org>', 'bob@y.org'),
    mail('"Ann Lee" <ANN@x.org>', 'bob@y.org, "Ode, Cid" <cid@z.org>'),
    mail('ann@x.org', 'Bob <bob@y.org>', 'Cc: cid@z.org\n'),
    mail('bob@y.org (Bob)', 'ann@x.org'),
  ].join('');
  const two = [mail('Ann <ann@x.org>', 'bob@y.org'), mail('Ann <ann@y.org>', 'bob@y.org'), mail('bob@y.org', 'Ann')];
  it.each<[question: string, box: string, values: readonly unknown[] | undefined]>([
    ['How many mails did Ann Lee send?', ann, [3]],
    ['How many mails did ann@x.org send?', ann, [3]],
    ['How many mails are from Ann Lee?', ann, [3]],
    ['How many mails did Bob send?', ann, [1]],
    ['How many mails did Bob get?', ann, [3]],
    ['How many mails to cid@z.org?', ann, [2]],
    ['How many mails did Ann Lee send to cid@z.org?', ann, [2]],
    // Nobody with this name sent a mail, although somebody with this name got one.
    ['How many mails did Cid send?', ann, undefined],
    ['How many mails with bob@y.org?', ann, undefined],
    ['How many senders are there?', ann, undefined],
    ['Who sent the most mails?', ann, undefined],
    ['How many mails per recipient?', ann, undefined],
    ['How many mails did Ann send?', two.join(''), undefined],
    ['How many mails did ann@y.org send?', two.join(''), [1]],
    ['How many mails did Ann Lee send?', mail('"Lee, Ann" <a@x.org>', 'b') + mail('Ann Lee <a@y.org>', 'b'), undefined],
    ['How many mails are from Ann?', mail('bob@y.org', 'Ann <ann@x.org>'), undefined],
    ['How many mails went to Ann?', mail('Ann <ann@x.org>', 'bob@y.org'), undefined],
  ])('%s', async (question, box, values) => {
    expect(await valuesOf(question, { 'p.mbox': box })).toEqual(values);
  });
});

describe('days and hours of times with a zone', () => {
  const entry = (time: string, zone: string) => `1.2.3.4 - - [${time} ${zone}] "GET / HTTP/1.1" 200 5\n`;
  const [early, late] = ['02/Jan/2024:00:30:00', '02/Jan/2024:08:30:00'];
  const log = (...zones: readonly string[]) => ({
    'x.log': zones.map((zone, hour) => `2024-05-01T2${hour}:30:00${zone} ERROR a: boom\n`).join(''),
  });
  /** A log in another zone that contains the word of the questions. */
  const full = { 'n.log': log('Z', 'Z')['x.log'].replaceAll('boom', 'mailbox full') };
  const mail = (date: string) => `From a@x Tue Jan  2 10:00:00 2024\nFrom: a@x.org\nDate: ${date}\n\nbye\n\n`;
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['How many requests on 2024-01-02?', { 'access.log': entry(early, '+0900') + entry(late, '+0900') }, [2]],
    ['How many requests on 2024-01-01?', { 'access.log': entry(early, '+0900') + entry(late, '+0900') }, [0]],
    ['How many requests after 08:00?', { 'access.log': entry(early, '+0900') + entry(late, '+0900') }, [1]],
    ['How many requests before 2024-01-02?', { 'access.log': entry(early, '+0900') + entry(late, '+0900') }, [0]],
    ['How many requests on 2024-01-02?', { 'access.log': entry(early, '+0000') + entry(late, '+0000') }, [2]],
    ['How many requests on 2024-01-02?', { 'access.log': entry(early, '+0900') + entry(late, '+0000') }, undefined],
    ['How many errors on 2024-05-02?', log('-05:00', 'Z'), undefined],
    ['How many errors on 2024-05-01?', log('', 'Z'), undefined],
    ['How many errors on 2024-05-01?', log('Z', '+00:00', ' UTC'), [3]],
    ['How many errors on 2024-05-01?', log('', ''), [2]],
    ['How many errors are there?', log('-05:00', 'Z'), [2]],
    ['When was the last error?', log('-05:00', 'Z'), ['2024-05-02T01:30:00.000Z']],
    ['How many mails on 2024-01-02?', { 'z.mbox': mail('Tue, 2 Jan 2024 00:30:00 +0900') }, [1]],
    ['How many mails on 2024-01-01?', { 'z.mbox': mail('Tue, 2 Jan 2024 00:30:00 +0900') }, [0]],
    ['How many mails on 2024-01-02?', { ...full, 'z.mbox': mail('Tue, 2 Jan 2024 00:30:00 +0900') }, [1]],
    ['How many mails on 2024-01-02?', { 'a.mbox': mail('Tue, 2 Jan 2024 00:30:00 +0900'), ...full }, [1]],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('versions of a changelog', () => {
  const item = (version: string) => `## ${version}\n\n- a change\n\n`;
  const whole = `# Changelog\n\n${item('[2.0.0] - 2024-06-01')}${item('[1.0.0] - 2024-01-15')}`;
  const bare = `# Changelog\n\n## [2.1.0] - 2024-08-01\nOnly the build.\n${item('[2.0.0] - 2024-06-01')}`;
  const debian = (version: string, text: string) =>
    `tool (${version}) stable; urgency=low\n\n${text}\n -- A <a@x>  Mon, 01 Jan 2024 10:00:00 +0000\n\n`;
  it.each<[question: string, text: string, values: readonly unknown[] | undefined]>([
    ['How many versions are there?', whole, [2]],
    ['How many changes are there?', whole, [2]],
    ['What is the latest version?', whole, ['2.0.0']],
    ['When was 1.0.0 released?', whole, ['2024-01-15T00:00:00.000Z']],
    ['How many versions are there?', bare, undefined],
    ['What is the latest version?', bare, undefined],
    ['What is the latest version before 2024-07-01?', bare, ['2.0.0']],
    ['What is the latest version before 2024-09-01?', bare, undefined],
    ['How many changes are there?', bare, [1]],
    // It is unclear whether unreleased changes, or a heading without a number, are a version.
    ['How many versions are there?', `${whole}${item('Unreleased')}`, undefined],
    ['How many versions are there?', `${whole}${item('First release')}`, undefined],
    ['How many versions are there?', debian('1.0-1', '  * a') + debian('0.9-1', '  * b'), [2]],
    ['How many versions are there?', debian('1.0-1', '  * a') + debian('0.9-1', '  rebuilt'), undefined],
  ])('%s', async (question, text, values) => {
    expect(await valuesOf(question, { 'CHANGELOG.md': text })).toEqual(values);
  });
});

describe('tables as people write them', () => {
  const members = 'name,team,score\nAnn,red,5\n,blue,9\nCid,,7\nDee,red,6\n';
  const tasks = 'task,owner,done\na,Ann,yes\nb,"Ann, Bob",no\nc,Cid,yes\nd,Bob and Cid,yes\n';
  const dated = 'id,day,note\n1,2024-01-01,x\n2,2024-02-01,\n3,2024-01-15,y\n';
  const mails = [
    ['Ana Costa <ana@x.org>', 'Dora Lim <dora@x.org>', 'Mon, 05'],
    ['Bela Nagy <bela@x.org>', 'Ana Costa <ana@x.org>', 'Sun, 04'],
  ]
    .map(
      ([from, to, day]) =>
        `From a@x Mon Jan 05 08:00:00 2026\nFrom: ${from}\nTo: ${to}\nDate: ${day} Jan 2026 08:00:00 +0000\n\nhi\n\n`,
    )
    .join('');
  const sale = (field: string) => `2026-05-01T10:00:00Z INFO pos: sold ${field}\n`;
  const lost = (line: string) => `Aug  8 04:50:12 box app: link lost\nAug  8 04:50:14 box ${line}\n`;
  const logins = [
    '2026-01-01T10:00:00Z INFO web: login user=ana',
    '2026-01-01T10:00:02Z ERROR web: disk full user=ana',
    '2026-01-01T10:00:03Z ERROR web: login failed user=kim',
    '2026-01-01T10:00:04Z INFO web: up\n',
  ].join('\n');
  const failures = [
    '{"time":"2026-01-01T10:00:00Z","level":"info","message":"login"}',
    '{"time":"2026-01-01T10:00:01Z","level":"error","message":"login failed"}\n',
  ].join('\n');
  const changes = '## 2.0.0\n\n- a\n  - a part\n    of it\n- b\n\n## 1.0.0\n\n* c\n';
  const request = (path: string) => `1.2.3.4 - - [02/Jan/2024:00:30:00 +0000] "GET ${path} HTTP/1.1" 200 5\n`;
  it.each<[question: string, name: string, text: string, values: readonly unknown[] | undefined]>([
    ['How many rows are there?', 'm.csv', 'id,team,points\n1,red,5\n2,blue,7\nid,team,points\n3,red,4\n', [3]],
    ['What is the total points?', 'm.csv', 'id,team,points\n1,red,5\n2,blue,7\nid,team,points\n3,red,4\n', [16]],
    // The row with the highest score has no name, and the row with the last day has no note.
    ['Who has the highest score?', 'b.csv', members, undefined],
    ['Who has the lowest score?', 'b.csv', members, ['Ann', 5]],
    ['What is the last note?', 'd.csv', dated, undefined],
    ['What is the first note?', 'd.csv', dated, ['x']],
    ['When was the last row?', 'd.csv', dated, ['2024-02-01']],
    ['When was the last row?', 'd.csv', `${dated}4,,z\n`, undefined],
    ['What is the sum of total?', 'i.csv', 'item,total\npen,4\nink,7\npad,9\n,20\n', undefined],
    ['What is the total sales?', 'r.csv', 'city,sales\nOslo,10\nBergen,20\nSubtotal,30\nRome,5\n', undefined],
    ['What is the total sales?', 'r.csv', 'city,sales\nOslo,10\nBergen,20\nRome,5\nØ,11.67\n', undefined],
    ['What is the total sales?', 'r.csv', 'city,sales,staff\nOslo,10,1\nBergen,20,2\nSource: our books\n', undefined],
    ['How many rows are there?', 'r.csv', 'city,sales,staff\nNorth\nOslo,10,1\nSouth\nRome,5,2\nBari,3,1\n', undefined],
    ['How many tasks does Ann have?', 'tasks.csv', tasks, undefined],
    ['How many tasks of Ann are done?', 'tasks.csv', tasks, [1]],
    ['How many tasks does Cid have?', 'tasks.csv', tasks, undefined],
    ['How many requests to /login?', 'access.log', request('/login') + request('/login?next=1'), undefined],
    ['How many requests to /login?', 'access.log', request('/login') + request('/logins'), [1]],
    ['How many changes are in 2.0.0?', 'CHANGELOG.md', changes, [2]],
    ['How often was link lost?', 'sys.log', lost('app: message repeated 3 times: [ link lost]'), undefined],
    ['How often was link lost?', 'sys.log', lost('app: last message repeated 2 times'), undefined],
    ['How often was link lost?', 'sys.log', lost('app: link lost'), [2]],
    ['What is the highest total?', 'pos.log', sale('total=80.00') + sale('total=2,010.00'), undefined],
    ['What is the highest total?', 'pos.log', sale('total=80.00') + sale('total=2010.00'), [2010]],
    ['What is the highest ms?', 'pos.log', sale('ms=80') + sale('ms=7, ms=90') + sale('ms=5'), undefined],
    ['To whom did Ana Costa write last?', 'a.mbox', mails, undefined],
    ['Who got the last mail from Ana Costa?', 'a.mbox', mails, undefined],
    ['Who wrote to Dora Lim last?', 'a.mbox', mails, ['Ana Costa <ana@x.org>']],
    ['How many clients are not 1.2.3.4?', 'access.log', request('/a').replace('1.2', '5.2').repeat(2), undefined],
    ['How many times did ana log in?', 'web.log', logins, undefined],
    ['How many log in errors are there?', 'web.log', logins, undefined],
    ['How many errors are in the log?', 'web.log', logins, [2]],
    ['How many failed logins were there?', 'auth.jsonl', failures, undefined],
    ['How many different users are there?', 'web.log', logins, undefined],
  ])('%s %s', async (question, name, text, values) => {
    await expectValues(question, { [name]: text }, values);
  });
});

describe('a thing that several rows are about', () => {
  const lines = { 'x.csv': 'order,item,price\nO1,pen,4\nO1,cup,4\nO2,lamp,7\nO2,lamp,8\n' };
  const desks = { 'x.csv': 'item,colour,cost\ndesk,oak,300\ndesk,white,200\nchair,red,90\n' };
  const invoices = { 'invoices.csv': 'id,customer,amount\n1,Acme,10\n2,Globex,20\n2,Globex,30\n' };
  const stock = { 'x.csv': 'product,store,price,quantity\nbolt,Kiel,2,100\nbolt,Jena,3,10\nnut,Kiel,1,50\n' };
  const plans = { 'x.csv': 'plan,month,users\nPro,2024-01,100\nPro,2024-02,120\nFree,2024-02,9\n' };
  const shifts = { 'x.csv': 'day,employee,role,rate\n1,Ann,cook,15\n2,Ann,cook,15\n3,Bob,cook,14\n4,Cid,waiter,12\n' };
  const people = ['never', 'former', 'current', 'never', 'never'];
  const trial = {
    'trial.csv': `subject,site,smoker\n${people.map((kind, at) => `S${at},${at > 2 ? 'Cork' : 'Lyon'},${kind}\n`).join('')}`,
  };
  const errors = '2026-01-01T10:00:00Z ERROR x\n2026-01-01T10:00:01Z ERROR y\n2026-01-01T10:00:02Z INFO z\n';
  const twins = {
    'x.jsonl': ['A', 'B', 'C', 'C'].map((title) => `{"title":"${title}","year":2024,"price":5}\n`).join(''),
  };
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    // Either the row with the highest price, or the order with the highest sum.
    ['Which order is the most expensive?', lines, undefined],
    ['Which item is the cheapest?', lines, undefined],
    ['How many items are in O2?', lines, undefined],
    ['How many items are there?', lines, undefined],
    ['What is the total price of O1?', lines, [8]],
    // Either one desk, or both.
    ['How much did the desk cost?', desks, undefined],
    ['How much did the chair cost?', desks, [90]],
    ['What is the total cost of the desk?', desks, [500]],
    ['How many users does Pro have?', plans, undefined],
    ['How many users does Free have?', plans, [9]],
    // Either invoices, or lines of an invoice.
    ['How many invoices are there?', invoices, undefined],
    ['How many invoices per customer?', invoices, undefined],
    ['How many bolts are there?', stock, undefined],
    ['What is the total price?', stock, undefined],
    ['How much did we spend on bolts?', stock, undefined],
    ['How many cooks are there?', shifts, undefined],
    ['How many waiters are there?', shifts, undefined],
    ['What is the total rate?', shifts, undefined],
    ['What is the total price?', twins, undefined],
    // The cells of the column `smoker` of a trial are not smokers.
    ['How many smokers are there?', trial, undefined],
    ['How many sites are there?', trial, [2]],
    // The second log is a copy of the first.
    ['How many errors are there?', { 'a.log': errors, 'old/a.log': errors }, undefined],
    ['How many errors are there?', { 'a.log': errors, 'b.log': errors.replaceAll('10:', '11:').slice(0, -1) }, [4]],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('a column of yes and no', () => {
  const csv = (yes: string, no: string) => ({ 'deliveries.csv': `id,late\n1,${yes}\n2,${no}\n3,${yes}\n` });
  const json = { 'deliveries.jsonl': '{"id":1,"late":true}\n{"id":2,"late":false}\n{"id":3,"late":true}\n' };
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['How many deliveries were late?', csv('yes', 'no'), [2]],
    ['How many deliveries were late?', csv('TRUE', 'FALSE'), [2]],
    ['How many deliveries were late?', csv('1', '0'), [2]],
    ['How many deliveries were late?', csv('Y', 'N'), [2]],
    ['How many deliveries were late?', json, [2]],
    ['How many deliveries were not late?', json, [1]],
    ['How many deliveries were late?', csv('no', 'no'), [0]],
    ['How many deliveries were late?', csv('5 min', 'no'), undefined],
    ['How many deliveries were not late?', csv('yes', ''), undefined],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('errors of a log', () => {
  const log = (worse: string) => ({
    'x.log': `2024-05-01T10:00:00Z ${worse} a: gone\n2024-05-01T11:00:00Z ERROR a: slow\n2024-05-01T12:00:00Z INFO a: ok\n`,
  });
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['How many errors are in the log?', log('FATAL'), undefined],
    ['How many errors are in the log?', log('CRITICAL'), undefined],
    ['What was the first error?', log('PANIC'), undefined],
    ['What was the last error?', log('PANIC'), ['slow']],
    ['How many ERROR lines are there?', log('FATAL'), [1]],
    ['How many errors are in the log?', log('WARN'), [1]],
    ['What failed first?', log('FATAL'), ['gone']],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('times that can be read in two ways', () => {
  const log = (...times: readonly string[]) => ({
    'x.log': times.map((time) => `${time} ERROR a: boom\n`).join(''),
  });
  const csv = (...times: readonly string[]) => ({ 'x.csv': `id,at\n${times.map((time) => `1,${time}\n`).join('')}` });
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['When was the last error?', log('2024-05-01 10:00:00 CET'), ['2024-05-01T10:00:00.000+01:00']],
    [
      'When was the last error?',
      log('2024-05-01 10:00:00 CEST', '2024-05-01 09:00:00 UTC'),
      ['2024-05-01T09:00:00.000Z'],
    ],
    ['How many errors after 09:30?', log('2024-05-01 10:00:00 CET'), [1]],
    ['When was the last error?', log('2024-05-01 10:00:00 IST'), undefined],
    ['When was the last error?', log('2024-05-01 10:00:00 Europe/Berlin'), undefined],
    ['When was the last error?', log('2024-05-01 10:00:00 UTC+3'), ['2024-05-01T10:00:00.000+03:00']],
    ['When was the last error?', log('01/05/2024 10:00:00'), undefined],
    ['When was the last error?', log('31/05/2024 10:00:00'), ['2024-05-31T10:00:00.000Z']],
    ['When was the last row?', csv('2024-05-01 10:00 CET', '2024-05-01 09:30 UTC'), undefined],
    ['When was the last row?', csv('2024-05-01 09:05 PM', '2024-05-01 12:30 PM'), undefined],
    ['When was the last row?', csv('09:05 PM', '12:30 PM'), undefined],
    ['When was the last row?', csv('2024-05-01 09:05', '2024-05-01 12:30'), ['2024-05-01 12:30']],
  ])('%s %j', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('words that look like cells or columns', () => {
  const teams = { 'x.csv': 'team,points,group\nA,6,x\nB,6,n/a\nC,0,y\nD,1,x\n' };
  const plans = { 'prices.md': '| Plan | Users |\n|---|---|\n| Free | 1,000 |\n| Pro | 200 |\n| Team | 50 |\n' };
  const request = (path: string) => `1.2.3.4 - - [02/Jan/2024:00:30:00 +0000] "GET ${path} HTTP/1.1" 200 5\n`;
  const pages = {
    'access.log': `${request('/a')}${request('/a?x=1')}${request('/b')}${request('/b')}${request('/c')}`,
  };
  const dpkg = {
    'dpkg.log':
      '2024-05-01 10:00:00 upgrade vim:amd64 1 2\n2024-05-02 10:00:00 upgrade vim:amd64 2 3\n2024-05-02 10:00:00 install nano:amd64 <none> 3\n',
  };
  const dateless = {
    'auth.log': 'Jun  1 00:12:53 web1 sshd[19451]: ERROR no key\nJun  2 00:12:53 web1 sshd[19451]: ERROR no key\n',
    'CHANGELOG.md': '# Changelog\n\n## [1.0.0] - 2019-04-02\n\n### Fixed\n- a thing\n',
  };
  const titled = (subject: string) =>
    `From a@x Tue Jan  2 10:00:00 2024\nFrom: a@x.org\nSubject: ${subject}\nDate: Tue, 2 Jan 2024 00:30:00 +0000\n\nbye\n\n`;
  const subjects = { 'z.mbox': ['Uniforms', 'Re: Uniforms', 'New uniforms'].map(titled).join('') };
  const cellar = {
    'cellar.log': ['2025-07-10T21:00:00Z', '2025-07-10T22:30:00Z', '2025-07-11T01:00:00Z', '2025-07-12T23:00:00Z']
      .map((time) => `${time} ERROR press: pump hot\n`)
      .join(''),
  };
  const apt =
    'Start-Date: 2024-05-01  09:59:58\nCommandline: apt upgrade\nUpgrade: vim:amd64 (1, 2)\nEnd-Date: 2024-05-01  10:00:03\n';
  const sys = '2024-05-01T10:00:00Z ERROR kernel: disk is full\n';
  const logs = { 'syslog.log': `2024-05-01T09:00:00Z INFO cron: start\n${sys}`, 'kern.log': sys };
  const debian = {
    changelog:
      'tool (1.0-1) stable; urgency=low\n\n  [ Bob ]\n  * a\n\n  [ Ann ]\n  * b\n  * c\n\n -- Ann <a@x>  Mon, 01 Jan 2024 10:00:00 +0000\n',
  };
  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['How many points does A have?', teams, [6]],
    ['How many points do A and B have?', teams, undefined],
    ['How many groups are there?', teams, undefined],
    ['How many users are there?', plans, undefined],
    ['Which page was requested most often?', pages, undefined],
    ['How many packages were upgraded?', dpkg, undefined],
    ['How many packages were not upgraded?', dpkg, undefined],
    ['How many packages are installed?', dpkg, undefined],
    ['How many packages were installed?', dpkg, [1]],
    ['How many errors since 22:00 on 10 July 2025?', cellar, undefined],
    ['How many errors before 01:30 on July 11, 2025?', cellar, undefined],
    ['How many errors since 22:00 on 12 July 2025?', cellar, [1]],
    ['How many errors after 10 July 2025 at 22:00?', cellar, [3]],
    ['How many errors at 23:00 on 12 July 2025?', cellar, [1]],
    ['How many errors were there on 1 June 2026?', dateless, undefined],
    ['When was the last error?', dateless, undefined],
    ['How many mails have Uniforms in the subject?', subjects, undefined],
    ['How many mails have the subject Uniforms?', subjects, [1]],
    ['How often was vim upgraded?', dpkg, [2]],
    ['How often was vim upgraded?', { ...dpkg, 'history.log': apt }, undefined],
    ['How many errors are there?', logs, undefined],
    ['How many errors are there?', { ...logs, 'kern.log': sys.replace('00Z', '07Z') }, [2]],
    ['Who made the most changes?', debian, undefined],
    ['How many changes did Ann make?', debian, undefined],
    ['What is the highest score?', { 'x.csv': 'name,score\na,5\nb,7\nAverage,6\n' }, undefined],
    ['How many visits are there?', pages, undefined],
    ['How many lines are there?', { 'access.log': `${request('/a').repeat(3)}broken\n` }, undefined],
    ['Which invoice is due last?', { 'invoices.csv': 'no,due\n1,2024-01-01\n1,2024-02-01\n' }, undefined],
    ['What is the total amount?', { 'x.csv': 'id,amount,amount_currency\n1,5,EUR\n2,7,USD\n' }, undefined],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('the things that a question counts, pays for and ranks by', () => {
  const races = {
    'races.csv': [
      'runner,race,date,team',
      ...['Dan,Sprint,2026-01-02,Red', 'Eve,Sprint,2026-01-02,Red', 'Fay,Sprint,2026-01-02,Blue'],
      ...['Eve,Marathon,2026-03-01,Red', 'Fay,Marathon,2026-03-01,Blue', ''],
    ].join('\n'),
  };
  const buys = {
    'buys.csv': 'buyer,item,quantity,cost\nOle,Apple,10,3.00\nOle,Pear,2,1.00\nIda,Apple,1,0.30\nIda,Pear,9,4.50\n',
  };
  const pay = { 'pay.csv': 'guest,room,price,paid\nIda,4,90,60\nIda,5,60,40\nBo,4,90,90\n' };
  const lamps = {
    'lamps.csv':
      'order,customer,product,quantity,ordered\n1,Kim,lamp,3,2024-03-30\n2,Lee,desk,1,2024-03-31\n3,Kim,lamp,10,2024-04-01\n',
  };
  const tickets = {
    'tickets.csv':
      'ticket,opened,owner,status\nT1,2025-05-11,Mia,closed\nT2,2025-06-30,Mia,closed\nT3,2025-06-30,Bo,open\n',
  };
  const speeds = (column: string) => ({ 'speeds.csv': `car,${column}\nA,100\nB,200\nC,150\n` });
  const staff = {
    'staff.csv':
      'employee,dept,hired,status\nBen,IT,2021-06-15,active\nCat,HR,2021-07-01,left\nDan,HR,2022-02-02,fired\n',
  };
  const teams = {
    'teams.md':
      '# A\n\n|name|role|\n|---|---|\n|Ann|dev|\n|Bob|qa|\n\n# B\n\n|name|role|\n|---|---|\n|Cy|dev|\n|Dee|ops|\n',
  };
  const store = { 'stock.csv': 'item,stock,supplier\nnut,5,Acme\nbolt,50,Acme\nscrew,0,Beta\n' };
  const tasks = { 'tasks.csv': 'task,due,status\n1,2020-01-01,open\n2,2030-01-01,open\n3,2025-06-01,done\n' };
  const songs = { 'songs.csv': 'title,chart position\nSun,1\nRain,12\nSnow,3\n' };
  const stock = { 'stock.csv': 'sku,name,qty,reorder level\n1,Washer,100,5\n01,Bolt,7,1\n001,Belt,3,1\n' };

  it.each<[question: string, texts: Texts, values: readonly unknown[] | undefined]>([
    ['Which race had the fewest runners?', races, undefined],
    ['Which race has the most teams?', races, undefined],
    ['Which runner has the most races?', races, ['Fay', 2, 'Eve', 2]],
    ['How many apples did Ole buy?', buys, undefined],
    ['How many lamps did Kim order?', lamps, undefined],
    ['How many tickets were closed in June?', tickets, undefined],
    ['How many tickets of Mia are closed?', tickets, [2]],
    ['How many tickets in June are closed?', tickets, [1]],
    ['When was Dan fired?', staff, undefined],
    ['Who left last?', staff, undefined],
    ['How many employees left in 2021?', staff, undefined],
    ['When was Dan hired?', staff, ['2022-02-02']],
    ['Which car is the fastest?', speeds('Speed km/h'), undefined],
    ['Which car is the slowest?', speeds('rate (requests/s)'), undefined],
    ['Which car is the fastest?', speeds('mb_s'), undefined],
    ['Which car is the fastest?', speeds('lap duration s'), ['A', 100]],
    ['Which car took the longest?', speeds('delay min'), undefined],
    ['Which car has the top place?', speeds('seed'), undefined],
    ['How many absent cars are there?', speeds('absent'), undefined],
    ['How many speeds are there?', speeds('speeds'), undefined],
    ['How many devs are there?', teams, undefined],
    ['How many ops are there?', teams, undefined],
    ['When was task 3 done?', tasks, undefined],
    ['How many items are in stock?', store, undefined],
    ['How many items have stock?', store, undefined],
    ['What is the total stock of Acme?', store, [55]],
    ['Which song has the highest chart position?', songs, undefined],
    ['Top 2 songs by chart position', songs, undefined],
    ['Which item was bought most?', buys, undefined],
    ['How many buys are there of item Apple?', buys, undefined],
    ['How many rows are there of item Apple?', buys, [2]],
    ['What did Bob order?', { 'orders.csv': 'order,customer,product\nO1,Ann,Lamp\nO2,Bob,Pen\n' }, undefined],
    ['What order did Bob make?', { 'orders.csv': 'order,customer,product\nO1,Ann,Lamp\nO2,Bob,Pen\n' }, undefined],
    ['How much did Ida pay?', pay, undefined],
    ['What is the sum of price for Ida?', pay, [150]],
    ['What is the name of 1?', stock, undefined],
    ['What is the qty of 1?', stock, undefined],
    ['What is the name of reorder level 5?', stock, ['Washer']],
  ])('%s', async (question, texts, values) => {
    await expectValues(question, texts, values);
  });
});

describe('the root of a word', () => {
  it.each('orders companies stopped caused shipping cities delays buses prices latency'.split(' '))(
    'occurs in each form of %s',
    (word) => {
      const root = letterStart(word)!;
      expect(root.length).toBeGreaterThan(2);
      for (const form of [word, ...wordFormsOf(word)]) expect(form).toContain(root);
    },
  );

  it.each('Amsterdam often failures errors uninsured kilos café id'.split(' '))('is unknown for %s', (word) => {
    expect(letterStart(word)).toBeNull();
  });
});
