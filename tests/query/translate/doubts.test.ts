import { describe, expect, it } from 'vitest';
import { translateOver } from '../../../scripts/records/score.ts';
import { sqlite } from '../support.ts';

const translated = async (question: string, name: string, text: string) =>
  translateOver(await sqlite, [{ name, bytes: Buffer.from(text) }], question).translated;

type Case = readonly [question: string, values: readonly unknown[] | undefined];

/** Expects the values that questions about one text translate to; undefined if nothing may be stated. */
const ask = (name: string, text: string, cases: readonly Case[]) =>
  it.each(cases)('%s', async (question, values) => {
    const found = await translated(question, name, text);
    if (values === undefined) expect(found?.isExact ?? false).toBe(false);
    else expect(found?.values).toEqual(values);
  });

describe('a word of the sentence that is also a cell', () => {
  ask(
    'lamps.csv',
    'lamp,state,room,watts\nL1,on,hall,40\nL2,off,hall,60\nL3,on,bath,10\nL4,off,bath,20\nL5,on,bath,5\n',
    [
      ['How many lamps are on?', undefined],
      ['total watts of lamps that are on', undefined],
      ['How many lamps with state on?', [3]],
      ['How many lamps are off?', [2]],
      ['How many lamps are in the bath?', [3]],
    ],
  );
  ask('votes.csv', 'member,vote\nAnn,for\nBob,against\nCid,for\nDee,abstain\n', [
    ['How many members voted for?', undefined],
    ['How many members voted against?', undefined],
  ]);
  ask('plans.csv', 'region,plan,users\nNorth,A,10\nSouth,A,20\nEast,B,5\nWest,No,7\nMid,IS,9\n', [
    ['total users of plan A', [30]],
    ['How many regions have plan A?', [2]],
    ['total users of a plan', undefined],
    ['What is the total users of plan no?', undefined],
    ['What is the total users of plan No?', [7]],
  ]);
  ask('traffic.csv', 'host,direction,bytes\na,in,100\na,out,50\nb,in,30\nb,out,20\n', [
    ['How many bytes in?', undefined],
    ['total bytes in', undefined],
    ['total bytes out', [70]],
  ]);
  ask('app.log', '2026-01-01T10:00:00Z ERROR in: x\n2026-01-01T10:00:02Z ERROR out: z\n', [
    ['How many errors in in?', undefined],
    ['How many errors?', [2]],
  ]);
  ask('sales.csv', 'id,customer,amount,status\n1,Acme,10,paid\n2,Bob,20,failed\n3,Acme,5,paid\n', [
    ['How much was paid?', undefined],
    ['What is the total amount of paid sales?', [15]],
    ['How much did Acme pay?', [15]],
  ]);
});

describe('a word with two meanings', () => {
  ask('books.jsonl', '{"author":"A","books":["x","y","z"]}\n{"author":"B","books":["w"]}\n', [
    ['How many books are there?', undefined],
    ['How many books are there per author?', undefined],
    ['How many rows are there?', [2]],
  ]);
  ask('visits.csv', 'item,visits\na,5\nb,9\n', [
    ['How many visits were there per item?', undefined],
    ['What is the total visits?', [14]],
  ]);
  ask('a.md', '## Passengers\n\n| route | passengers |\n|---|---|\n| Holm | 39,020 |\n| Svarte | 1,204 |\n', [
    ['How many passengers are on the route Holm?', undefined],
    ['How many passengers per route?', undefined],
    ['How many routes are there?', [2]],
  ]);
  ask('nul.jsonl', '{"a":"x\\u0000y","n":1}\n{"a":"z","n":4}\n', [['What is the highest n?', [4]]]);
  ask('us.csv', 'customer,orders,country\nSue,6,NO\nArt,8,NO\nRob,9,\n', [
    ['How many customers have no country?', undefined],
  ]);
  ask('grades.csv', 'student,course,score\nMax,Math,95%\nMin,Math,60%\nMin,Art,100%\nAnn,Math,55%\n', [
    ['What is the min score in Math?', undefined],
    ['What is the score of Min in Math?', ['60%']],
  ]);
  ask(
    'orders.csv',
    'order,ordered,shipped,paid,status,last\nA1,2025-01-30,2025-02-02,2025-02-10,shipped,First\nA2,2025-02-01,2025-02-03,,shipped,Last\nA4,2025-03-03,,2025-03-03,paid,Top\n',
    [
      ['How many orders were paid?', undefined],
      ['Which order was shipped last?', undefined],
    ],
  );
  const line = (second: number, level: string, rest: string) =>
    `time=2025-06-01T10:0${second}:00Z level=${level} ${rest}\n`;
  const failing = [line(0, 'info', 'msg=started'), line(1, 'error', 'msg=timeout'), line(3, 'error', 'msg=refused')];
  ask('took.log', failing.map((one, at) => one.replace('\n', ` took=${at + 1}0s\n`)).join(''), [
    ['What failed first?', ['timeout']],
  ]);
  ask('failed.log', failing.map((one, at) => one.replace('\n', ` failed=${at}\n`)).join(''), [
    ['What failed first?', undefined],
  ]);
});

describe('a number or a year', () => {
  for (const dates of [
    '05.01.2024,07.02.2024,09.03.2023',
    '1/5/24,2/7/24,3/9/23',
    'Jan 5 2024,Feb 7 2024,Mar 9 2023',
  ]) {
    const [first, second, third] = dates.split(',');
    const text = `order,customer,amount,date\n1,Acme,10,${first}\n2,Globex,20,${second}\n3,Acme,30,${third}\n`;
    ask('orders.csv', text, [
      ['How many orders in 2024?', undefined],
      ['How many orders in 2024 and 2023?', undefined],
      ['How many orders over 2?', undefined],
      ['How many orders of 3?', undefined],
      ['What is the amount of order 2?', [20]],
    ]);
  }
  ask(
    'orders.csv',
    'order,customer,price,day\n2023,Acme,10,2024-01-05\n2024,Bob,20,2024-01-07\n2025,Acme,30,2023-02-03\n',
    [
      ['How many orders in 2024?', [2]],
      ['What is the price of order 2024?', undefined],
      ['How many orders have a price over 15?', [2]],
      ['How many orders have a price over 50?', undefined],
      ['average price of orders over 2023', undefined],
      ['How many orders over 2023 have a price?', undefined],
    ],
  );
  ask('sales.csv', 'year,sales\n2018,5\n2019,7\n2020,8\n2021,9\n', [
    ['How many sales between 2019 and 2020?', undefined],
    ['How many sales are over 2019?', undefined],
    ['Which year had the highest sales?', [2021, 9]],
  ]);
  ask('towns.csv', 'postcode,people\n1010,16000\n1020,105000\n', [
    ['How many people in 1010?', [16000]],
    ['How many people in 9999?', undefined],
  ]);
  ask('hotel.csv', 'room,price,guest\n101,90,Ann\n102,120,Bob\n201,80,Cid\n', [
    ['How many rooms are under 100?', undefined],
    ['What is the price of room 102?', [120]],
  ]);

  ask('orders.csv', 'order_id,customer,total\n1,Acme,10\n2,Globex,20\n3,Acme,30\n', [
    ['Which customers have more than 1 orders?', undefined],
    ['Which customers have over 1 order?', undefined],
    ['How many customers have more than 2 orders?', undefined],
  ]);
  ask('loans.csv', 'loan_id,title,member,copies\n1,Dune,Ann,2\n2,Emma,Ann,1\n3,Dune,Bob,4\n', [
    ['How many Dune were loaned?', undefined],
    ['How many copies of Dune were loaned?', undefined],
    ['How many loans did Ann have?', [2]],
  ]);
  ask('pays.csv', 'payment_id,customer,paid\n1,Ann,100\n2,Bob,50\n3,Ann,25\n', [
    ['What did Ann pay?', undefined],
    ['What did Ann order?', undefined],
  ]);
  ask('stock.csv', 'product,total\nSofa,1.2\nRug,1600\n', [
    ['How many products have a total above 1.500?', undefined],
    ['How many products have a total above 1,500?', [1]],
  ]);
  ask('trips.csv', 'name,fare,boarded\nAnn,7,1912-04-10\nBob,9,1912-04-11\n', [
    ['What is the first name?', undefined],
    ['What is the last fare?', undefined],
    ['What is the fare of the last trip?', [9]],
  ]);
  ask('hr.csv', 'id,employee,manager,city,hired\n1,Ann,Eve,Rome,2019-03-01\n2,Bob,Eve,Oslo,2020-03-01\n', [
    ['Who was hired last?', undefined],
    ['Who is in Oslo?', undefined],
    ['Who is the manager of Ann?', ['Eve']],
  ]);
  ask('staff.csv', 'id,first,last,manager,city\n1,Ann,Ito,Eve,Rome\n2,Bob,Orr,Zed,Oslo\n', [
    ['Who is in Oslo?', undefined],
  ]);
  ask('tickets.csv', 'ticket,customer,agent,created\n1,Acme,Lee,2024-05-01\n2,Bolt,Moe,2024-05-02\n', [
    ['Who created the last ticket?', undefined],
  ]);
  ask('orders.csv', 'order,customer,unit price,amount\nO1,Ada,5,500\nO2,Bob,120,120\nO3,Cy,1,100\n', [
    ['What was the most expensive order?', undefined],
    ['What did O3 cost?', undefined],
    ['How many orders cost more than 100?', undefined],
    ['Who had the most expensive order?', undefined],
    ['Which order has the highest amount?', ['O1', 500]],
  ]);
  ask('houses.csv', 'house,price,monthly costs\nH1,250000,300\nH2,600000,900\n', [['What does H1 cost?', undefined]]);
  ask('trips.csv', 'trip,distance km,duration min\n1,21,55\n2,9,30\n3,26,40\n', [
    ['Which trip had the longest distance?', undefined],
    ['Which trip was the longest?', undefined],
    ['Which trip took longer than 50 minutes?', [1]],
  ]);
  ask('donors.csv', 'donor,donated,amount\nAnn,yes,5\nAnn,yes,7\nBen,yes,1000\nCy,no,\n', [
    ['Which donor donated the most?', undefined],
    ['Which donor donated the least?', undefined],
  ]);
  ask('tickets.csv', 'ticket,client,created\nT1,Acme,2024-05-01\nT2,Coda,2024-05-03\n', [
    ['Which tickets did Coda create?', undefined],
    ['What did Coda create?', undefined],
  ]);
  const visits = ['-', '-', 'ann'].map(
    (user) => `10.0.0.1 - ${user} [10/Oct/2023:13:55:36 +0000] "GET /${user} HTTP/1.1" 200 5\n`,
  );
  ask('access.log', visits.join(''), [['Which user made the most requests?', undefined]]);
  ask('sales.csv', 'sale,customer,clerk,hours\n1,Abe,Cid,3\n2,Abe,Dot,4\n3,Zoe,Cid,5\n', [
    ['How many sales did Abe make?', undefined],
    ['How many sales were made by Cid?', undefined],
    ['Total hours spent by Abe', undefined],
    ['How many sales does Abe have?', [2]],
    ['What is the average hours per sale?', undefined],
    ['What is the average hours per customer?', ['Zoe', 5, 'Abe', 3.5]],
  ]);
  ask('runs.csv', 'run,duration,units\na,5,2\nb,7,3\n', [
    ['What is the total duration?', [12]],
    ['What is the highest duration?', [7]],
  ]);
  const bookings =
    'booking,room,floor,rate,guest,checked_in,year\nB1,101,1,80,Hale,2023-01-02,2023\nB2,101,1,80,Hale,2023-12-30,2024\nB3,701,7,150,Kerr,2023-06-01,2023\n';
  ask('rooms.csv', bookings, [
    ['Which room has the most bookings?', undefined],
    ['Which floor has the most bookings?', undefined],
    ['Which room has the highest rate?', undefined],
    ['How many rooms are on floor 1?', undefined],
  ]);
  ask('art.csv', 'object,on loan,loaned to\nVase,yes,Tate\nMask,yes,Moma\nCoin,no,\n', [
    ['How many objects are not on loan to Tate?', undefined],
    ['How many objects are on loan?', [2]],
  ]);
  ask('visits.csv', 'patient,born,doctor\nAmy,1950-01-02,Sol\nBen,1990-01-02,Weiss\nCy,1960-01-02,Sol\n', [
    ['How many doctors were born before 1970?', undefined],
    ['Which doctors were born before 1955?', undefined],
    ['Which patients were born before 1955?', ['Amy']],
  ]);
  ask('meters.csv', 'meter,used\nM1,300\nM1,280\nM2,90\n', [['How many meters have a used over 250?', undefined]]);
  ask('recipes.csv', 'dish,Cook min,Cook\nPie,35,Gina\nPad,15,Lek\n', [['Which cook has the Pad?', ['Lek']]]);
  ask('chat.txt', '[2024-05-01 10:00] Ann: hi\n[2024-05-01 10:01] Cleo: hello\n[2024-05-01 10:02] Cleo: bye\n', [
    ['How many messages to Cleo?', undefined],
    ['How many messages did Cleo get?', undefined],
    ['How many messages has Cleo got?', undefined],
    ['How many messages did Cleo write?', [2]],
  ]);
  ask('museum.csv', 'object,room\nWinter,6\nDancer,6\nVase,5\n', [['Which room has the most objects?', undefined]]);
  ask('members.csv', 'member,trainer,visits\nAnn,Zed,7\nBob,Kim,9\n', [['Who has the most visits?', ['Bob', 9]]]);
  ask('pay.csv', 'payment,customer,amount,paid\n1,Ada,10,yes\n2,Ada,12,yes\n3,Bob,500,yes\n4,Bob,5,no\n', [
    ['Which customer paid the most?', undefined],
    ['Who paid the most?', undefined],
  ]);
  ask('copies.csv', 'id,total\n1,10\n2,20\n1,10\n2,20\n', [['What is the sum of total?', undefined]]);
  ask('sqlite_x.csv', 'a,b\n1,2\n2,4\n', [['What is the total b?', [6]]]);
  const sales = 'day,product,reviews\n2025-01-01,Lamp,30\n2025-01-02,Lamp,30\n2025-01-03,Desk,60\n';
  ask('sales.csv', sales, [
    ['Which products have more than 50 reviews?', undefined],
    ['How many products have more than 50 reviews?', undefined],
    ['How many sales have more than 50 reviews?', undefined],
  ]);

  it('that is a cell is written as in the text, and a sum with separators', async () => {
    const words = async (question: string) =>
      (await translated(question, 'sales.csv', 'year,founded,sales\n2020,1998,5\n2021,2011,9000\n'))?.words;
    expect(await words('What was the highest sales year?')).toBe('2021: 9000. That is the highest sales.');
    expect(await words('What is the highest founded?')).toBe('2011 is the highest founded.');
    expect(await words('What is the founded with sales 9000?')).toBe('founded where sales = 9000: 2011');
    expect(await words('What is the total sales?')).toBe('9,005 is the sum of sales.');
  });
});

describe('rows below a table that summarise it', () => {
  const days = ['01', '02', '03', '04'].map((day, at) => `2024-01-${day},${at}`).join('\n');
  for (const label of ['Max', 'Tiefstwert']) {
    ask('rain.csv', `day,mm\n${days}\n${label},3\n`, [
      ['How many days are there?', undefined],
      ['What is the average mm?', undefined],
    ]);
  }
  ask('costs.csv', 'item,cost\nrent,900\nfood,310\nfuel,140\nMedian,310\n', [['What is the total cost?', undefined]]);
  ask('people.csv', 'name,age\nMax,40\nAnn,31\nBo,28\nCy,50\nDi,20\nEve,7\n', [['What is the average age?', [29.33]]]);
});

describe('a column of true and false', () => {
  const orders = [
    { id: 'a', who: 'Lena', total: 120.5, paid: true, region: 'north' },
    { id: 'b', who: 'Omar', total: 80, paid: false, region: 'south' },
    { id: 'c', who: 'Lena', total: 42.25, paid: true, region: 'south' },
    { id: 'd', who: 'Pia', total: 300, paid: true, region: 'north' },
  ];
  ask('orders.jsonl', orders.map((order) => `${JSON.stringify(order)}\n`).join(''), [
    ['What is the total for paid orders by region?', undefined],
    ['Which customer has the highest total for paid orders?', undefined],
    ['Average of paid orders by region', undefined],
    ['How many paid orders?', [3]],
    ['What is the average total of paid orders?', [154.25]],
  ]);
});

describe('rows with empty cells', () => {
  const rows = [
    'North,Pen,2024-01-05,10',
    'North,Ink,2024-01-09,4',
    'South,Pen,2024-02-03,6',
    'South,Pad,2024-02-11,12',
  ];
  const tableOf = (lines: readonly string[]) => `region,product,date,visits\n${lines.join('\n')}\n`;
  const asked = (count?: number, sum?: number): Case[] => [
    ['How many rows are there?', count === undefined ? count : [count]],
    ['What is the total visits?', sum === undefined ? sum : [sum]],
  ];
  ask('sales.csv', tableOf(rows), asked(4, 32));
  // Subtotals have no label, or the label of their group.
  ask('sales.csv', tableOf([...rows.slice(0, 2), ',,,14', ...rows.slice(2), ',,,18']), asked());
  ask('sales.csv', tableOf(['North,,,14', ...rows.slice(0, 2), 'South,,,18', ...rows.slice(2)]), asked());
  // Titles and notes between and below the rows.
  ask('sales.csv', tableOf(['2024 Q1', ...rows]), asked());
  ask('sales.csv', tableOf([...rows, 'Source: national office']), asked());
  ask('sales.csv', tableOf([...rows, 'South,Ink,,']), asked(5, 32));
  ask('sales.csv', tableOf([rows[0]!, 'Region,Product,Date,Visits', ...rows.slice(1)]), asked(4, 32));
});

describe('a cell that also stands for the empty cells below it', () => {
  ask('sales.csv', 'region,product,visits\nNorth,Pen,10\n,Ink,4\n,Pad,5\nSouth,Pen,6\n,Pad,12\n', [
    ['What is the total visits in North?', undefined],
    ['What is the total visits per region?', undefined],
    ['Which region has the highest total visits?', undefined],
  ]);
});

describe('numbers that stand for a missing one', () => {
  const readings = 'time,sensor,temp,wind\n2024-05-01,A,21.5,4\n2024-05-02,A,-999,5\n2024-05-03,B,20.1,9999\n';
  ask('sensors.csv', readings, [
    ['What is the average temp?', undefined],
    ['What is the lowest temp?', undefined],
    ['What is the highest wind?', undefined],
    ['Which sensor has the highest wind?', undefined],
  ]);
  ask('prices.csv', 'item,price\ncup,19\npan,999\noven,740\n', [['What is the highest price?', [999]]]);
  ask('winter.csv', 'day,temp\n1,-99\n2,-101\n3,-98\n', [['What is the average temp?', [-99.33]]]);
});

describe('the largest of negative numbers', () => {
  ask('expenses.csv', 'date,category,expense\n2024-01-02,Rent,-1200\n2024-01-03,Food,-85\n2024-01-09,Phone,-35\n', [
    ['What is the largest expense?', undefined],
    ['Which category had the highest expense?', undefined],
    ['Which category has the highest total expense?', undefined],
    ['What is the total expense?', [-1320]],
  ]);
});

describe('a short word that is no form of a cell', () => {
  const line = (level: string, user: string, power: string) =>
    `level=${level} ts=2025-05-01T08:00:00Z msg=start user=${user} power=${power}\n`;
  ask('lf.log', line('info', 'tim', 'on') + line('error', 'her', 'off') + line('error', 'ann', 'off'), [
    ['How many users had one error?', undefined],
    ['How many here?', undefined],
    ['How many errors?', [2]],
  ]);
});

describe('a table whose rows are labelled as other things', () => {
  ask('passengers.csv', 'trip,ship,booked,boarded\nT1,Aurora,410,402\nT2,Boreas,380,371\nT3,Aurora,415,399\n', [
    ['How many passengers did Aurora have?', undefined],
    ['How many passengers per ship?', undefined],
    ['Which ship had the most passengers?', undefined],
    ['What is the total boarded for Aurora?', [801]],
    ['How many trips are there?', [3]],
  ]);
});

describe('amounts in several units', () => {
  ask('trip.csv', 'item,amount,curr\na,120,EUR\nb,80,CHF\nc,5400,JPY\n', [
    ['What is the total amount?', undefined],
    ['What is the average amount?', undefined],
  ]);
  ask('lager.csv', 'Artikel,Menge,Einheit\na,3,kg\nb,200,g\n', [['What is the total Menge?', undefined]]);
  ask('trip.csv', 'item,amount,curr\na,120,EUR\nb,80,EUR\n', [['What is the total amount?', [200]]]);
});

describe('an ordinal before a superlative', () => {
  ask('steps.csv', 'step,seconds\na,4\nb,9\nc,7\n', [
    ['Which step has the second highest seconds?', undefined],
    ['Which step has the highest seconds?', ['b', 9]],
    ['What is the average of the highest seconds per step?', undefined],
    ['Which step has the highest average seconds?', ['b', 9]],
  ]);
});

describe('versions', () => {
  ask('py.csv', 'host,python\na,3.10\nb,3.9\nc,3.10\nd,3.1\n', [
    ['How many hosts have python 3.10?', [2]],
    ['How many hosts have python 3.1?', [1]],
    ['What is the highest python?', undefined],
  ]);
  ask('releases.csv', 'release,date,downloads\n2.9,2024-01-01,7\n2.10,2024-02-01,9\n2.1,2023-02-01,3\n', [
    ['What is the latest release?', ['2.10']],
    ['How many releases are there?', [3]],
  ]);
  ask('app.csv', 'version,downloads\n1.1,5\n1.2,7\n', [['What is the latest version?', undefined]]);
  ask('shop.csv', 'item,price\npen,1.10\ncup,2.50\n', [['What is the total price?', [3.6]]]);
  ask('shop.csv', 'item,price\npen,1.5\ncup,2.50\n', [['What is the total price?', [4]]]);

  it('of a Debian changelog are cited by their own line', async () => {
    const version = (name: string, day: string) =>
      `tool (${name}) stable; urgency=low\n\n  * b\n\n -- Ann <a@x>  ${day} 2024 10:00:00 +0000\n\n`;
    const text = version('1.10-1', 'Mon, 01 Jul') + version('1.9-1', 'Mon, 01 Jan');
    const found = await translated('What is the latest version?', 'changelog', text);
    expect(found).toMatchObject({ values: ['1.10-1'], places: [{ startLine: 1 }] });
  });
});

describe('a requested column of numbers', () => {
  for (const last of [6, 9]) {
    ask('goals.csv', `player,team,goals\nAnn,X,3\nBo,X,5\nCy,Y,4\nDi,Y,${last}\n`, [
      ['How many goals are there?', undefined],
      ['How many goals per team?', undefined],
      ['Which player has the most goals?', undefined],
      ['What is the total goals?', [12 + last]],
    ]);
  }
  ask('x.csv', 'player,goals\nAnn,3\nBo,5\nCy,4\n', [['How many goals does Bo have?', [5]]]);
  ask('rooms.csv', 'room,seats\n1.10,20\n1.1,30\n2.3,10\n', [
    ['How many rooms are there?', [3]],
    ['Which room has the most seats?', ['1.1', 30]],
  ]);
  ask('rooms.csv', 'room,floor,seats,price\n101,1,20,50\n102,1,30,60\n201,2,100,90\n202,2,25,55\n', [
    ['Which room has the most seats?', [201, 100]],
    ['How many rooms are there?', [4]],
    ['What is the total seats?', [175]],
  ]);
  ask('x.csv', 'guest,room\nAnn,101\nBo,101\nCy,102\n', [
    ['How many rooms are there?', undefined],
    ['total rooms', undefined],
  ]);
  ask('x.csv', 'room,seats\n1,5\n1,9\n', [
    ['Which row has the most seats?', undefined],
    ['What row has the most seats?', undefined],
    ['What is the highest seats?', [9]],
  ]);
  ask('songs.csv', 'artist,title,plays\nAbba,Up,100\nAbba,On,50\nQueen,In,70\n', [
    ['Which song has the most plays?', ['Up', 100]],
    ['What is the most played song?', undefined],
    ['What is the song with the most plays?', ['Up', 100]],
    ['How many plays does In have?', [70]],
  ]);
  ask('score.md', '| Name | Score | |\n|---|---|---|\n| Bo | 5 | 7 |\n| Al | 6 | 8 |\n', [
    ['average score of Bo', undefined],
    ['What is the highest score?', undefined],
    ['How many rows are there?', [2]],
  ]);
});

describe('a part of a time', () => {
  ask('log.csv', 'when,what,who\n03/04/2024,call,May\n05/04/2024,mail,Ann\n', [
    ['How many rows in May?', undefined],
    ['How many calls did May make?', undefined],
  ]);
  ask('staff.csv', 'name,dept\nAnn,IT\nMay,IT\n', [
    ['How many rows in May?', undefined],
    ['What is the dept of May?', ['IT']],
  ]);
  const visits = '18/05/2026 09:00,2026-06-02\n19/05/2026 10:00,2026-06-03\n20/06/2026 10:00,2026-06-30\n';
  ask('visits.csv', `created,closed\n${visits}`, [
    ['How many visits in May?', undefined],
    ['How many visits in June?', undefined],
    ['When was the last visit?', undefined],
    ['How many visits closed in June?', [3]],
  ]);
  const night = ['01T22:00', '01T23:30', '02T00:30'].map((time) => `2026-01-${time}:00Z ERROR a: x\n`);
  ask('night.log', night.join(''), [
    ['How many errors after 23:00?', undefined],
    ['How many errors between 23:00 and 23:59?', undefined],
    ['How many errors after 22:30 on 2026-01-01?', undefined],
  ]);
  ask('day.log', night.slice(0, 2).join(''), [
    ['How many errors after 23:00?', [1]],
    ['How many errors between 23:00 and 02:00?', undefined],
    ['How many errors between 22:30 and 23:45?', undefined],
  ]);
  ask('x.csv', 'day,reps\n2024-01-01,10\n2024-03-02,12\n2025-02-02,9\n', [
    ['How many rows after January?', undefined],
    ['How many rows in January?', [1]],
    ['How many rows in march?', [1]],
    ['How many rows may be there?', undefined],
    ['How many rows in may?', [0]],
  ]);
});

it('documents without rows in a counted table are named', async () => {
  const errors = '2026-01-01T10:00:00Z ERROR x\n2026-01-01T10:00:01Z ERROR y\n';
  const texts = Object.entries({ 'a.log': errors, 'build.log': 'error TS2322: no\n' });
  const documents = texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const { translated: found } = translateOver(await sqlite, documents, 'How many errors are there?');
  expect(found).toMatchObject({ values: [2], notes: [expect.stringContaining('build.log')] });
});

describe('the last mail', () => {
  const mail = (day: number, subject: string) =>
    `From a@x Tue Jan  ${day} 10:00:00 2024\nFrom: Ann <ann@x.org>\nSubject: ${subject}\nMessage-ID: <${day}@x>\nDate: ${day} Jan 2024 10:00:00 +0000\n\ntext\n\n`;
  ask('m.mbox', mail(2, 'Hello') + mail(3, 'Bye'), [
    ['What was the last mail?', ['Bye']],
    ['When was the last mail?', ['2024-01-03T10:00:00.000Z']],
    ['When is Bye?', undefined],
    ['When did Ann write Bye?', undefined],
    ['Who is Bye?', undefined],
    ['Who sent the last mail?', ['Ann <ann@x.org>']],
  ]);
  ask('posts.csv', 'title,posted\nFire drill,2025-02-03\nLunch,2025-02-04\n', [
    ['When is the Fire drill?', undefined],
    ['When was the Fire drill posted?', ['2025-02-03']],
  ]);
  const costs = '| item | cost |\n|---|---|\n';
  ask('e.md', `# Expenses\n\n${costs}| Desk | 200 |\n| Lamp | 30 |\n\n## May\n\n${costs}| Rug | 60 |\n| Pen | 5 |\n`, [
    ['How many expenses are there?', undefined],
    ['How many expenses have a cost of more than 40?', undefined],
  ]);
  const books = '| title | pages |\n|---|---|\n| Dune | 600 |\n| Emma | 500 |\n';
  ask('b.md', `# Books\n\n${books}\n### Lent out\n\n| title | to |\n|---|---|\n| Ulysses | Ann |\n`, [
    ['How many books are there?', undefined],
  ]);
  ask('tickets.csv', 'id,state,unit_price\n1,open,20\n2,closed,99\n', [
    ['How many tickets are open?', [1]],
    ['How many of those are open?', undefined],
    ['What is their average unit price?', undefined],
    ['What is its highest unit price?', undefined],
    ['Which ticket has the highest unit price? Give its id.', [2, 99]],
    ['What is the highest unit_price?', [99]],
  ]);
  const faq = 'question,author,modified,answer\nSummer holidays,Ann,2025-01-15,Closed from 1 to 14 August\n';
  ask('faq.csv', faq, [
    ['When are the summer holidays?', undefined],
    ['Who is the author of Summer holidays?', ['Ann']],
    ['Who has the summer holidays?', undefined],
    ['How many summer holidays are there?', undefined],
  ]);
  ask('told.csv', 'title,body\nStrikes,Four of them\nLunch,none\nStrikes,more\n', [
    ['How many strikes were there?', undefined],
    ['How many rows have the title Strikes?', [2]],
  ]);
});

describe('a word that may be a cell, a column or a period', () => {
  ask('players.csv', 'player,city,since\nDov,Bonn,2018\nEve,Kiel,2020\nFay,Bonn,2021\n', [
    ['How many players since 2018?', undefined],
    ['How many players are in Bonn?', [2]],
  ]);
  ask('days.csv', 'date,rain_mm,noon_sky\n2023-05-01,0,clear\n2023-05-02,5.1,cloud\n2023-05-03,2.5,rain\n', [
    ['How many days had no rain?', undefined],
    ['How many rows have a clear noon sky?', [1]],
    ['How many rows are clear?', [1]],
  ]);
  ask('log.csv', 'utc,watch,remark\n2023-05-01,middle,Departed\n2023-05-02,first,Engine stopped\n', [
    ['What is the first remark?', ['Departed']],
  ]);
  const plan = 'task,planned_start,start\nRoof,2023-04-01,2023-05-10\nDoors,2023-06-01,\nWalls,2023-05-01,2023-05-15\n';
  ask('plan.csv', plan, [
    ['How many tasks start in June?', undefined],
    ['How many tasks have a planned start in June?', [1]],
  ]);
});

describe('rows that say when a state began', () => {
  ask('tick.csv', 'ticket,status,changed\nT1,open,2023-01-01\nT1,closed,2023-01-02\nT2,open,2023-01-03\n', [
    ['Which tickets are open?', undefined],
    ['How many tickets are closed?', undefined],
    ['How many rows have the status open?', [2]],
  ]);
  ask('once.csv', 'ticket,status,created\nT1,closed,2023-01-01\nT2,open,2023-01-03\n', [
    ['Which tickets are open?', ['T2']],
  ]);
});

describe('a word with two meanings in a table', () => {
  ask('staff.csv', 'name,assistant,town\nAnn,Bob,Bonn\nDee,Ann,Kiel\nBob,Cid,Bonn\n', [
    ['Who is the assistant of Ann?', undefined],
    ['How many people live in Kiel?', undefined],
    ['What is the town of Dee?', ['Kiel']],
  ]);
  const expenses =
    'date,what,amount,type\n2023-01-05,Rent,400,expense\n2023-01-09,Gift,50,income\n2023-02-01,Fee,9,income\n';
  ask('expenses.csv', expenses, [
    ['How many expenses are there?', undefined],
    ['What is the total amount of income?', [59]],
  ]);
  ask('stock.csv', 'sku,name,in,out\nK1,Kettle,10,4\nK2,Toaster,6,6\n', [['How many kettles are there?', undefined]]);
});

describe('what a row tells may be over, or may not have happened', () => {
  const loans =
    'loan,place,lent_on,returned_on\nL1,Leeds,2023-01-02,2023-03-01\nL2,Leeds,2023-02-02,\nL3,York,2023-02-03,2023-04-01\n';
  ask('loans.csv', loans, [
    ['How many loans are in Leeds?', undefined],
    ['How many loans to Leeds?', [2]],
  ]);
  ask('bookings.csv', 'guest,amount,status\nQuinn,21.5,cancelled\nDoe,40,paid\nRoe,30,paid\n', [
    ['How much did Quinn pay?', undefined],
    ['What is the amount of Quinn?', [21.5]],
  ]);
  ask('patients.csv', 'patient,born,last_visit\nPek,1980-02-03,2024-03-01\nOrr,1990-04-05,2023-05-01\n', [
    ['When did Pek first visit?', undefined],
    ['How many patients visited in 2024?', undefined],
    ['What is the last visit of Pek?', ['2024-03-01']],
  ]);
  const changes =
    '# Changelog\n\n## 2.0.0 - 2024-02-01\n\n### Removed\n\n- The old parser\n\n## 1.0.0 - 2023-02-01\n\n### Added\n\n- A parser\n';
  ask('CHANGELOG.md', changes, [
    ['Which version was removed?', undefined],
    ['How many versions were removed?', undefined],
  ]);
});

it('notes rows with an empty cell of the asked column, and no other rows', async () => {
  const loans = 'work,place,returned_on\nDusk,Leeds,2023-03-01\nDusk,York,\nDawn,York,2023-04-01\n';
  const notesOf = async (question: string) => (await translated(question, 'works.csv', loans))?.notes;
  expect(await notesOf('When was Dusk returned?')).toEqual(['1 row left out: returned_on is empty']);
  expect(await notesOf('When was Dawn returned?')).toEqual([]);
});

describe('a thing that is asked about', () => {
  ask('dogs.csv', 'dog,breed,owner\nLady,Collie,Ann\nRex,Boxer,Ann\nBello,Boxer,Bob\n', [
    ['How many dogs does Lady have?', undefined],
    ['How many dogs are Boxers?', [2]],
  ]);
  ask('charges.csv', 'item,charge,refundable\nKey,5,yes\nTent,40,yes\nPower,8,no\n', [
    ['Which charges are refundable?', undefined],
    ['How many rows are refundable?', [2]],
  ]);
});

describe('times of day past midnight', () => {
  ask('bands.csv', 'band,starts,ends\nFoxes,23:30,00:45\nBees,20:00,21:00\nOwls,18:10,19:00\n', [
    ['Which band ends last?', undefined],
    ['Which band starts first?', ['Owls']],
  ]);
});

describe('the same mail twice', () => {
  const mail = (name: string, at: string) =>
    `From ${name}@x.org ${at}\nFrom: ${name}@x.org\nDate: ${at}\nSubject: Hi\n\nYes\n\n`;
  const [first, second] = [mail('ann', 'Mon Jan 1 10:00:00 2024'), mail('bob', 'Tue Jan 2 10:00:00 2024')];
  const third = mail('cid', 'Wed Jan 3 10:00:00 2024');
  ask('twice.mbox', first + first + second + third, [['How many mails are there?', undefined]]);
  ask('once.mbox', first + second + third, [['How many mails are there?', [3]]]);
});

describe('numbers that are not to be added up', () => {
  ask('quarters.csv', 'period,revenue\nQ1,100\nQ2,110\nH1,210\nQ3,115\nQ4,125\nH2,240\nFY,450\n', [
    ['What is the total revenue?', undefined],
    ['What is the average revenue?', undefined],
  ]);
  ask('sales.csv', 'month,region,sales,sales_ytd\nJan,East,10,10\nFeb,East,15,25\nMar,East,5,30\n', [
    ['What is the total sales_ytd?', undefined],
    ['What is the highest sales_ytd?', [30]],
  ]);
  ask('small.csv', 'item,weight\na,10\nb,20\nc,30\n', [['What is the total weight?', [60]]]);
  ask('jobs.csv', 'job,hours,minutes\nPaint,3,30\nSand,0,45\nWax,2,15\n', [
    ['How many hours in total?', undefined],
    ['Which job has the most minutes?', undefined],
  ]);
});

describe('levels that a meter shows', () => {
  ask('meter.csv', 'date,meter_reading,cost\n2024-01-01,12320,96\n2024-02-01,12610,87\n2024-03-01,12880,81\n', [
    ['What is the total meter reading?', undefined],
    ['What is the highest meter reading?', [12880]],
    ['What is the total cost?', [264]],
  ]);
});

describe('words that only resemble the name of a column', () => {
  const two =
    '## [2.1.0] - 2026-05-19\n\n- a\n- b\n\n## [2.0.0] - 2026-02-03\n\n- c\n- d\n- e\n\n## [1.9.9] - 2026-05-19\n\n- f\n- g\n';
  // Releases of one day are not one release.
  ask('CHANGELOG.md', two, [
    ['Which release has the most changes?', ['2.0.0', 3]],
    ['When was 2.0.0 released?', ['2026-02-03T00:00:00.000Z']],
  ]);
  const debian = [
    'kettle (2.0-2) unstable; urgency=high\n\n  * Fix a hole.\n\n -- Tim Hurst <tim@example.org>  Mon, 09 Feb 2026 09:00:00 +0100\n',
    'kettle (2.0-1) unstable; urgency=low\n\n  * New.\n  * Add.\n\n -- Rosa Klein <rosa@example.org>  Wed, 04 Feb 2026 12:00:00 +0100\n',
  ].join('\n');
  ask('changelog.Debian', debian, [
    ['When did Tim first make a change?', undefined],
    ["When was Tim's last change?", undefined],
    ['How many changes by Tim?', undefined],
  ]);
  ask('members.csv', 'name,joined,fee\nAnn,2026-01-05,10\nBob,2026-02-07,20\n', [
    ['When did Ann join?', ['2026-01-05']],
    ['How many members join?', undefined],
  ]);
});

describe('a name that looks like a plural', () => {
  ask('people.csv', 'name,points,grade\nJon,9,B\nPeter,12,A\n', [
    ['How many points does Jones have?', undefined],
    ['What is the grade of Peters?', undefined],
    ['What is the grade of Peter?', ['A']],
  ]);
  ask('parts.csv', 'part,kind,place\nP1,plan,N\nP2,plan,N\nP3,pin,N\n', [
    ['How many planes are there in N?', undefined],
    ['How many pines are there in N?', undefined],
    ['How many plans are there?', undefined],
  ]);
  ask('dogs.csv', 'dog,breed\nRex,Boxer\nBen,Boxer\nLea,Pug\n', [['How many dogs are Boxers?', [2]]]);
});

describe('a row that stands for several things', () => {
  const herd = (head: string) =>
    `farm,animal,${head}\nHill,cow,40\nHill,sheep,120\nDale,cow,25\nDale,goat,8\nMoor,sheep,300\n`;
  for (const head of ['head', 'number', 'no', 'amount', 'stock', 'seen', 'members', 'total', 'pcs'])
    ask('herd.csv', herd(head), [
      ['How many cows are there?', undefined],
      ['How many cows does Hill have?', undefined],
      ['How many animals does Dale have?', undefined],
      ['Number of cows per farm', undefined],
    ]);
  ask('herd.csv', herd('head'), [['How many different animals are there?', [3]]]);
  const birds = 'date,species,number\n2026-01-01,robin,2\n2026-01-02,robin,1\n2026-01-03,starling,60\n';
  ask('birds.csv', birds, [['Which species is most common?', undefined]]);
  ask('units.csv', 'item,amount,unit\nmilk,2,l\noil,500,ml\nsalt,250,g\n', [
    ['How many g of salt are there?', undefined],
    ['How many ml of oil are there?', undefined],
  ]);
});

describe('two columns that a word may mean', () => {
  const lines = [
    '2026-01-01 10:00:00 upgrade curl:amd64 8.0-1 8.1-1',
    '2026-01-02 10:00:00 upgrade curl:amd64 8.1-1 8.2-1',
  ];
  ask('dpkg.log', `${lines.join('\n')}\n`, [['How many versions of curl?', undefined]]);
});

describe('columns whose names differ in the last word alone', () => {
  ask('days.csv', 'day,temperature_min,temperature_max\n2026-07-01,12,30\n2026-07-02,14,33\n', [
    ['What was the highest temperature?', undefined],
    ['What was the average temperature?', undefined],
    ['What was the highest temperature_max?', [33]],
  ]);
  ask('votes.csv', 'place,votes_c,votes_l,votes_g\nA,10,11,9\nB,9,8,9\n', [
    ['How many votes were there in total?', undefined],
    ['How many votes did B have?', undefined],
  ]);
  ask('parcels.csv', 'parcel,weight_kg\nP1,3\nP2,5\n', [['What is the total weight?', [8]]]);
});

describe('a name that is also a word', () => {
  const chat = [
    '[2026-05-03 09:10] Per Hurst: hi',
    '[2026-05-03 09:11] Line Berg: me too',
    '[2026-05-04 09:12] Lena Holm: ok',
  ];
  ask('chat.txt', `${chat.join('\n')}\n`, [
    ['When was the last message of Per?', undefined],
    ['How many messages did Per write?', undefined],
    ['How many messages by Line?', undefined],
    ['How many messages are there? Count them all.', undefined],
    ['How many messages are there?', [3]],
  ]);
});

describe('a text that tells a number beside its table', () => {
  const choir = (words: string) =>
    `# Choir\n\n${words}\n\n| Singer | Voice |\n|---|---|\n| Ann | alto |\n| Bo | tenor |\n`;
  ask('choir.md', choir('The choir has 34 singers. The table lists who was ill.'), [
    ['How many singers are there?', undefined],
  ]);
  ask('choir.md', choir('These people were ill.'), [['How many singers are there?', [2]]]);
});

describe('lines below a table', () => {
  ask('foot.csv', 'product,price\npen,2\nink,5\n\nNote: prices in cents,\nSource: shop,\n', [
    ['How many products are there?', undefined],
    ['How many rows are there?', undefined],
  ]);
});

describe('cells with lists', () => {
  ask('films.csv', 'film,genres\nA,"drama, comedy"\nB,comedy\nC,"drama, crime"\n', [
    ['How many genres are there?', undefined],
    ['How many films per genre?', undefined],
  ]);
});

describe('letters that are composed or not', () => {
  ask('orders.csv', 'order,city\nO1,Malmö\nO2,Malmo\u0308\nO3,Lund\n', [['How many orders from Malmö?', [2]]]);
});

describe('a column of an aggregate beside the column itself', () => {
  ask('roads.csv', 'road,speed,max_speed\nA1,112,130\nC3,48,50\n', [
    ['What is the maximum speed on C3?', undefined],
    ['What is the max speed?', undefined],
    ['What is the highest max_speed?', [130]],
  ]);
});

describe('a table with a title, or with sums in its last row', () => {
  ask('title.csv', 'Rota\n\nname,day,hours\nAnn,Mon,5\nBob,Tue,7\nAnn,Wed,9\n', [
    ['How many rows are there?', undefined],
  ]);
  for (const label of ['Q1', 'YTD', 'Everything'])
    ask('months.csv', `month,sales\nJan,10\nFeb,20\nMar,30\n${label},60\n`, [
      ['What is the total sales?', undefined],
      ['Which month has the highest sales?', undefined],
    ]);
  ask('more.csv', 'month,sales\nJan,10\nFeb,20\nMar,30\nApr,61\n', [['What is the total sales?', [121]]]);
});

it('rows are not counted over a text and a longer copy of it', async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `2026-01-01T10:00:${10 + at}Z WARN line ${at}\n`);
  const texts = [lines, lines.slice(0, 9)].map((some, at) => ({
    name: `${at}.log`,
    bytes: Buffer.from(some.join('')),
  }));
  expect((await translateOver(await sqlite, texts.slice(0, 1), 'How many warnings?')).translated?.values).toEqual([12]);
  expect((await translateOver(await sqlite, texts, 'How many warnings?')).translated).toBeNull();
  expect((await translateOver(await sqlite, [...texts].reverse(), 'How many warnings?')).translated).toBeNull();
  const middle = { name: 'part.log', bytes: Buffer.from(lines.slice(5, 11).join('')) };
  expect((await translateOver(await sqlite, [texts[0]!, middle], 'How many warnings?')).translated).toBeNull();
  const others = { name: 'other.log', bytes: Buffer.from(lines.slice(3, 6).join('').replaceAll('WARN', 'ERROR')) };
  expect((await translateOver(await sqlite, [texts[0]!, others], 'How many warnings?')).translated?.values).toEqual([
    12,
  ]);
});

it('a number of 400 digits is no number of the question', async () => {
  const question = `How many rows have b over ${'9'.repeat(400)}?`;
  expect(
    (await translateOver(await sqlite, [{ name: 'a.csv', bytes: Buffer.from('a,b\n1,2\n2,3\n') }], question))
      .translated,
  ).toBeNull();
});

it('the name of a document in a question chooses the tables', async () => {
  const of = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
  const texts = [
    of('in/people.csv', 'name,class\nAnn,3\nBob,4\n'),
    of('pets.csv', 'name,class\nRex,3\n'),
    of('a.log', '2026-01-01T10:00:00Z ERROR a\n2026-01-01T10:00:01Z ERROR b\n'),
    of('b.log', '2026-01-02T10:00:00Z ERROR c\n2026-01-02T10:00:01Z INFO d\n'),
  ];
  const valuesOf = async (question: string) =>
    (await translateOver(await sqlite, texts, question)).translated?.values ?? null;
  expect(await valuesOf('How many rows are in pets.csv?')).toEqual([1]);
  expect(await valuesOf('How many rows of class 3 are in people.csv?')).toEqual([1]);
  expect(await valuesOf('How many rows does in/people.csv have?')).toEqual([2]);
  // The table also has rows of the other log.
  expect(await valuesOf('How many errors are in a.log?')).toBeNull();
  expect(await valuesOf('How many rows are in other.csv?')).toBeNull();
});

describe('a pronoun that is also a cell', () => {
  ask('orders.csv', 'order,country,amount\nO1,US,40\nO2,NL,85\nO3,DE,400\n', [
    ['What is the total amount for us?', undefined],
    ['Tell us the total amount', undefined],
    ['What is the total amount for US?', [40]],
  ]);
  ask('donors.csv', 'donor,amount\nWHO,500\nUNICEF,900\nNGO,300\n', [['Who has the highest amount?', undefined]]);
});

it('a column is not used if another table has a column of its name', async () => {
  const seeds = { name: 'seeds.csv', bytes: Buffer.from('seed,price_eur\nDill,2\nLeek,3\n') };
  const fuel = { name: 'log.csv', bytes: Buffer.from('day,litres,Price per litre\n1,20,1.9\n2,30,2.1\n') };
  const question = 'What is the average price?';
  expect((await translateOver(await sqlite, [seeds], question)).translated?.values).toEqual([2.5]);
  expect((await translateOver(await sqlite, [seeds, fuel], question)).translated).toBeNull();
});

describe('a month that is also a name', () => {
  ask('club.csv', 'name,points,joined\nMay Wong,5,2026-02-01\nTim Roe,8,2026-05-09\nAn Claes,7,2026-03-01\n', [
    ['How many points does May have?', undefined],
    ['What are the total points of An?', undefined],
  ]);
  ask('cars.csv', 'car,colour\nA,red\nB,blue\nC,unknown\n', [['How many cars are not red?', undefined]]);
});

describe('rows that are named, with a column of marks', () => {
  const tickets =
    'id,opened,agent,status,subject,rating\nT1,2026-01-05,rosa,closed,"Refund, please",3\nT2,2026-01-06,rosa,closed,Login,5\nT3,2026-01-07,amal,open,Export,4\nT4,2026-01-08,amal,open,Import,1\nT5,2026-01-09,amal,closed,Print,2\nT6,2026-01-10,amal,closed,Slow,2\n';
  ask('tickets.csv', tickets, [
    ['closed tickets of rosa, how many?', undefined],
    ['What was the last ticket?', ['Slow']],
  ]);
});

describe('a word in lower case before a name', () => {
  const cases = 'case,judge,days\nA1,Long,12\nA2,Short,30\nA3,Long,8\n';
  ask('cases.csv', cases, [
    ['How many long cases are there?', undefined],
    ['How many Long cases are there?', [2]],
    ['How many cases did Long have?', [2]],
  ]);
  ask('scores.csv', 'player,round,score\nBest,1,10\nMoore,1,12\n', [['What is the best score?', undefined]]);
  ask('orders.csv', 'order,status\nO1,paid\nO2,open\nO3,paid\n', [['How many paid orders are there?', [2]]]);
});

describe('a count of things in a table with numbers of pieces', () => {
  for (const count of ['count', 'amount', 'heads', 'number', 'quantity', 'stock'])
    ask('tools.csv', `tool,${count},shelf\nhammer,4,A\nsaw,2,B\nchisel,6,A\n`, [
      ['How many tools are on shelf A?', undefined],
    ]);
  ask('sold.csv', 'date,animal,number,price\n2026-01-03,sheep,12,140\n2026-01-10,goat,3,95\n2026-02-02,sheep,7,150\n', [
    ['How many sheep were sold?', undefined],
    ['How many animals were sold in February 2026?', undefined],
  ]);
  ask('stock.csv', 'item,quantity,room\nchair,24,hall\ntable,6,hall\nchair,8,kitchen\n', [
    ['How many items are in the hall?', undefined],
    ['How many different items are there?', [2]],
  ]);
  ask('lamps.csv', 'lamp,watts,state\nL1,10,on\nL2,40,off\nL3,40,on\n', [['How many lamps are off?', [1]]]);
});

describe('a count of things that a log names as the source of its lines', () => {
  const log = [
    '2026-03-01 10:00:00 INFO [test] 7 of 40 tests failed',
    '2026-03-01 10:00:01 ERROR [test] see report.html',
    '2026-03-01 10:00:02 ERROR [backup] part 3 was retried',
  ].join('\n');
  ask('build.log', `${log}\n`, [
    ['How many tests failed?', undefined],
    ['How many backups are there?', undefined],
    ['How many errors are there?', [2]],
  ]);
});

describe('rows that may not be what their table is named after', () => {
  ask('visitors.csv', 'date,museum,number\n2026-05-01,Maritime,120\n2026-05-02,Maritime,340\n2026-05-02,Toy,80\n', [
    ['How many visitors were there in May 2026?', undefined],
    ['How many visitors did the Toy museum have?', undefined],
    ['Which museum had the most visitors?', undefined],
    ['How many rows are there in May 2026?', [3]],
  ]);
  ask('students.csv', 'name,course,passed\nIda,Maths,yes\nIda,Art,no\nPer,Maths,yes\n', [
    ['How many students are there?', undefined],
    ['How many students passed?', undefined],
  ]);
  ask('crimes.csv', 'district,year,thefts,solved\nNord,2024,100,9\nNord,2025,140,20\nHof,2025,100,30\n', [
    ['How many crimes were there in 2025?', undefined],
  ]);
  ask('members.csv', 'name,joined,plan\nAnn,2026-01-05,plus\nBob,2026-02-07,basic\n', [
    ['How many members are there?', [2]],
  ]);
});

describe('sums that would take a number several times', () => {
  const tasks = ['Alpha,5000,Acme,design,12', 'Alpha,5000,Acme,build,40', 'Alpha,5000,Acme,test,8'];
  const others = ['Beta,9000,Birch,design,20', 'Beta,9000,Birch,build,55', 'Gamma,2000,Acme,design,5'];
  ask('tasks.csv', `project,budget,client,task,hours\n${[...tasks, ...others].join('\n')}\n`, [
    ['What is the total budget?', undefined],
    ['What is the average budget?', undefined],
    ['What is the total budget of Acme?', undefined],
    ['What is the total hours?', [140]],
  ]);
  const members = 'Ann,plus,20\nBob,basic,10\nCid,plus,20\nDee,basic,10\nEve,plus,20\n';
  ask('members.csv', `member,plan,fee\n${members}`, [['What is the total fee of the plus plan?', [60]]]);
  const counted = ['2025-01-31,bolt,100', '2025-01-31,nut,50', '2025-02-28,bolt,80', '2025-02-28,nut,60'];
  ask('levels.csv', `date,product,stock\n${counted.join('\n')}\n`, [
    ['What is the total stock?', undefined],
    ['Total stock of nut', undefined],
    ['What is the lowest stock?', [50]],
  ]);
  const years = ['2020,Norland,100', '2020,Suda,300', '2021,Norland,110', '2021,Suda,310'];
  ask('countries.csv', `year,country,population\n${years.join('\n')}\n`, [
    ['What is the total population?', undefined],
    ['What was the total population in 2021?', [420]],
    ['Total population per year', [2021, 420, 2020, 400]],
  ]);
});

describe('rows whose first cell is left out', () => {
  ask('regions.csv', 'region,city,sales\nNorth,Oslo,10\n,Bergen,20\n,Tromso,15\nSouth,Rome,40\n,Bari,5\n', [
    ['What is the total sales of North?', undefined],
    ['Total sales per region', undefined],
    ['Which city has the most sales in the North?', undefined],
  ]);
  ask('people.csv', 'name,city,points\nAnn,Oslo,5\nBob,Rome,7\n...,...,...\nZoe,Bern,9\n', [
    ['How many names are there?', undefined],
    ['What is the total points?', undefined],
  ]);
});

describe('letters that may stand for other cells', () => {
  ask('patients.csv', 'patient,sex,age\nAna,F,60\nBob,M,40\nCat,female,30\nDov,male,70\nEva,F,50\n', [
    ['How many female patients are there?', undefined],
    ['What is the average age of M?', undefined],
    ['Average age per sex', undefined],
    ['How many patients are older than 45?', [3]],
  ]);
});

describe('people who are paid', () => {
  ask('transfers.csv', 'date,from,to,amount\n2025-01-01,Ann,Bob,10\n2025-01-02,Bob,Dee,20\n2025-01-03,Ann,Dee,30\n', [
    ['How much did Dee pay?', undefined],
    ['How much was paid by Dee?', undefined],
    ['How much did we pay Dee?', [50]],
    ['How much did Ann pay?', [40]],
  ]);
  ask('sales.csv', 'date,seller,buyer,amount\n2025-01-01,Ann,Bob,10\n2025-01-02,Ann,Cid,20\n2025-01-03,Eve,Dee,30\n', [
    ['How much did Ann spend?', undefined],
    ['How much did Dee pay?', [30]],
  ]);
});

describe('things that change their state', () => {
  ask('events.csv', 'ticket,status,changed\nT1,open,2025-01-01\nT1,closed,2025-01-05\nT2,open,2025-01-02\n', [
    ['How many tickets per status?', undefined],
    ['How many events are there?', [3]],
  ]);
});

describe('lines of a format that say less than the question asks', () => {
  const door = (hour: number, event: string, user = 'kim') =>
    `time=2026-03-02T0${hour}:04:00Z level=info user=${user} event=${event} msg=badge\n`;
  ask('door.log', door(1, 'denied') + door(2, 'in') + door(3, 'out') + door(4, 'in', 'tom'), [
    ['How often did kim come in?', undefined],
    ['When did kim last come in?', undefined],
    ['Who came first?', undefined],
    ['How many events of kim are there?', [3]],
  ]);
  const line = (minute: number, level: string, message: string) =>
    `2026-03-28 22:0${minute}:48 +02:00 [${level}] ${message}\n`;
  const other = line(1, 'INF', 'started') + line(2, 'INF', 'user said ERROR');
  ask('levels.log', other + line(3, 'ERR', 'disk full'), [
    ['How many errors are there?', undefined],
    ['When was the last error?', undefined],
    ['How many events are there?', [3]],
  ]);
  ask('summer.log', '2026-10-24T20:18:53+02:00 ERROR a\n2026-10-26T20:32:56+01:00 ERROR b\n', [
    ['When was the first error?', undefined],
    ['How many errors are there?', [2]],
  ]);
  const request = (path: string, bytes: string) =>
    `1.2.3.4 - - [02/Jan/2024:00:30:00 +0000] "GET ${path} HTTP/1.1" 200 ${bytes}\n`;
  ask('access.log', request('/login', '5') + request('/Login', '7') + request('/a', '-'), [
    ['How many requests to /login?', undefined],
    ['What is the average size?', undefined],
    ['How many requests are there?', [3]],
  ]);
  ask(
    'CHANGELOG.md',
    '# Changelog\n\n## [1.1.0] - TBD\n\n- b\n\n## [1.0.0] - 2024-02-30\n\n- a\n\n## [0.9.0] - 2023-02-01\n\n- a\n',
    [
      ['How many releases were there in 2024?', undefined],
      ['When was 1.0.0 released?', undefined],
      ['When was 0.9.0 released?', ['2023-02-01T00:00:00.000Z']],
      ['How many releases are there?', [3]],
    ],
  );
  const half = (day: string, level: string) => `${day}/03/2026 07:00:00 PM ${level} disk full\n`;
  ask('half.log', half('02', 'ERROR') + half('05', 'ERROR'), [
    ['How many errors in March?', undefined],
    ['How many errors are there?', [2]],
  ]);
});

describe('cells that are alike', () => {
  const entry = (source: string, level: string) => `2026-03-01 10:00:00 ${level} [${source}] done\n`;
  ask('app.log', entry('payment', 'WARN') + entry('payments', 'WARN') + entry('payments', 'INFO'), [
    ['How many entries does payments have?', [2]],
    ['How many warnings came from payment?', [1]],
  ]);
  const apt = (day: number, action: string) =>
    `Start-Date: 2026-01-0${day}  10:00:00\n${action}: git:amd64 (1.0)\nEnd-Date: 2026-01-0${day}  10:00:01\n\n`;
  ask('history.log', apt(1, 'Install') + apt(2, 'Remove') + apt(3, 'Purge'), [
    ['How many packages were removed?', undefined],
    ['How many packages were installed?', [1]],
  ]);
  ask(
    'bugs.json',
    JSON.stringify([
      { bug: 'B1', assignee: '' },
      { bug: 'B2', assignee: 'Ana' },
    ]),
    [
      ['Who is the assignee of B1?', undefined],
      ['Who is the assignee of B2?', ['Ana']],
    ],
  );
  ask('bills.csv', 'bill,state\nB1,paid\nB2,PAID\nB3,paid late\nB4,open\nB5,open\nB6,paid (half)\n', [
    ['How many bills are paid?', undefined],
    ['How many bills are not paid?', undefined],
    ['How many bills are open?', [2]],
  ]);
  const visit = (day: number, hour: number, status: number, user = '-') =>
    `1.2.3.4 - ${user} [0${day}/Jun/2025:${hour}:30:00 +0000] "GET / HTTP/1.1" ${status} 5\n`;
  ask('web/access.log', visit(1, 13, 404) + visit(2, 13, 500) + visit(2, 15, 200) + visit(3, 10, 200, '"john doe"'), [
    ['How many requests with status 404 and 500 were there?', undefined],
    ['How many requests with status 404?', [1]],
    ['How many requests were there before 2025-06-02 14:00?', [2]],
    ['How many requests were there after 2025-06-02 14:00?', [2]],
    ['How many requests were there before June 2 at 14:00?', [2]],
    ['How many requests were there on June 2 at 13:30?', [1]],
    ['How many requests were there on June 2, 2025 after 14:00?', [1]],
    ['How many requests on 2025-06-02?', [2]],
    ['How many different users are there?', [1]],
    ['How many visitors were there?', [1]],
    ['How many requests came from 1.2.3.4?', [4]],
  ]);
  ask('cells.csv', 'cell,state\nC1,open\nC2,shut\nC3,open\n', [['How many cells are open?', [2]]]);
  const films =
    'film,director,year,minutes\n1917,Mendes,2019,119\nCity,Lang,1917,153\n300,Snyder,2006,117\n2012,Emm,2009,158\nAmour,Haneke,2012,127\n';
  ask('films.csv', films, [
    ['How many minutes does 2012 have?', undefined],
    ['What is the director of 1917?', undefined],
    ['What is the director of Amour?', ['Haneke']],
  ]);
  const loans = 'loan,title,date,room\nL1,1984,2025-01-04,1902\nL2,Dune,1984-01-09,1901\nL3,1984,2025-02-11,1902\n';
  ask('loans.csv', loans, [
    ['How many loans of 1984 were there?', undefined],
    ['How many loans of 1902 are there?', undefined],
    ['How many loans in 1984?', [1]],
    ['How many loans were there in January 1984?', [1]],
    ['How many loans of Dune were there?', [1]],
  ]);
  const cows = 'tag,breed,born\nC1,Holstein,2020-01-01\nC2,Holstein,2019-01-01\nC3,Brown,2020-05-01\n';
  ask('cows.csv', cows, [['How many cows were born in 2020?', [2]]]);
  it('shows a cell of what may be other rows only as a proposal', async () => {
    const isExact = async (question: string, name: string, text: string) =>
      (await translated(question, name, text))?.isExact ?? false;
    const trains = 'train,origin,destination,result\nT1,Bern,Chur,late\nT2,Basel,Chur,ok\n';
    const flights = 'flight,from,to\nF1,Oslo,Rome\nF2,Oslo,Bonn\n';
    expect(await isExact('What is the tag of the Brown cow in 2020?', 'cows.csv', cows)).toBe(false);
    expect(await isExact('What is the breed of C3?', 'cows.csv', cows)).toBe(true);
    expect(await isExact('What is the result of the train to Bern?', 'trains.csv', trains)).toBe(false);
    expect(await isExact('What is the result of the train T1?', 'trains.csv', trains)).toBe(true);
    expect(await isExact('What is the flight from Rome to Oslo?', 'flights.csv', flights)).toBe(false);
    expect(await isExact('What is the flight from Oslo to Rome?', 'flights.csv', flights)).toBe(true);
  });
  ask(
    'supplies.csv',
    'order,ordered,delivered,article,lent\nPO-7,2025-04-30,2025-05-31,chairs,4\nPO-8,2025-02-11,2025-03-01,toner,2\n',
    [
      ['What was ordered in PO-7?', undefined],
      ['What has been delivered with PO-7?', undefined],
      ['What got lent in PO-7?', undefined],
      ['When was PO-7 delivered?', ['2025-05-31']],
      ['What is the article of PO-7?', ['chairs']],
    ],
  );
  const get = (minute: number, method: string, status: number) =>
    `10.0.0.4 - - [12/May/2025:10:0${minute}:00 +0000] "${method} /a HTTP/1.1" ${status} 5\n`;
  ask('get.log', get(0, 'POST', 503) + get(5, 'GET', 503) + get(6, 'GET', 404), [
    ['Which client was the first to get a 503?', undefined],
    ['How many requests with status 503?', [2]],
  ]);
  const valve = (minute: number, level: string, message: string) =>
    `2025-05-12T08:0${minute}:00Z ${level} valve: ${message}\n`;
  ask('valve.log', valve(0, 'INFO', 'opened') + valve(1, 'ERROR', 'failed to open') + valve(2, 'ERROR', 'opened'), [
    ['When did the valve last fail to open?', undefined],
    ['How often did the valve fail to open?', undefined],
    ['When was the last error?', ['2025-05-12T08:02:00.000Z']],
  ]);
  const version = (name: string, suite: string) =>
    `tool (${name}) ${suite}; urgency=low\n\n  * A change.\n\n -- Ana <a@x.org>  Mon, 02 Feb 2026 10:00:00 +0000\n\n`;
  ask('changelog', version('1.1-1', 'UNRELEASED') + version('1.0-1', 'unstable') + version('0.9-1', 'unstable'), [
    ['How many releases are there?', undefined],
    ['When was 1.1-1 released?', undefined],
  ]);
});
