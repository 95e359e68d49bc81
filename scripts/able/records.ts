/** A table of orders and a log of the plant, for counts, durations and look-ups. */
import Papa from 'papaparse';
import { createAsk, type Draft, type Made, type Texts } from './question.ts';
import type { World } from './world.ts';

interface Order {
  readonly date: string;
  readonly site: string;
  readonly article: string;
  readonly quantity: number;
  readonly status: string;
}

/** An event of the log. Besides the line, only the parts that questions ask about are kept. */
interface Event {
  /** Seconds after 1 January 2024. */
  readonly at: number;
  readonly text: string;
  readonly kind: 'alarm' | 'taken' | 'begin' | 'end' | 'login' | 'logout' | 'request' | 'noise';
  /** The site of an alarm or a request, the number of a run or a pass. */
  readonly key: string;
  /** The person who turned off a lamp, or the status of a request. */
  readonly detail: string;
}

const iso = (seconds: number): string => new Date(Date.UTC(2024, 0, 1) + seconds * 1000).toISOString().slice(0, 19);

const remarks = [
  '',
  '',
  'left with the neighbour, who signs for "all of us"',
  'second try; gate was shut',
  'wrong thread, sent back to the maker\nno charge',
  'as in the spring, two boxes were wet',
  'cancelled by telephone, paper follows',
  'delivered? ask at the hut',
];

function createOrders({ random, sites, articles }: World): readonly Order[] {
  const places = random.shuffle(sites).slice(0, 30);
  return Array.from({ length: 2600 }, (_, index) => ({
    date: iso(Math.floor(index * 12_000 + random.below(9_000))).slice(0, 10),
    site: places[Math.min(random.below(30), random.below(30))]!,
    article: random.pick(articles),
    quantity: 1 + random.below(40),
    status: random.pick(['delivered', 'delivered', 'delivered', 'delivered', 'open', 'returned', 'cancelled']),
  }));
}

function writeOrders({ random }: World, orders: readonly Order[]): string {
  const rows = orders.map((order, index) => {
    const price = (200 + random.below(9000)) / 100;
    const { date, site, article, quantity, status } = order;
    return [10_001 + index, date, site, article, quantity, price.toFixed(2), status, random.pick(remarks)];
  });
  const fields = ['order', 'date', 'site', 'article', 'quantity', 'unit_price', 'status', 'remark'];
  return `${Papa.unparse({ fields, data: rows }, { newline: '\n' })}\n`;
}

const week = 7 * 86_400;

/** Two events of one key, some seconds apart. If the seconds are null, the second event never happens. */
function pair(
  world: World,
  kinds: readonly [Event['kind'], Event['kind']],
  key: string,
  texts: readonly [string, string],
  took: number | null,
) {
  const at = world.random.below(week - 60_000);
  const detail = texts[1].split(' by ')[1] ?? '';
  const first: Event = { at, kind: kinds[0], key, text: texts[0], detail };
  return took === null ? [first] : [first, { at: at + took, kind: kinds[1], key, text: texts[1], detail }];
}

const statuses = ['200', '200', '200', '200', '304', '404', '500', '502', '503'];

function createEvents(world: World): readonly Event[] {
  const { random, sites, jobs, people } = world;
  const times = (count: number, make: (index: number) => readonly Event[]) =>
    Array.from({ length: count }, (_, index) => make(index)).flat();
  const numbers = random.shuffle(Array.from({ length: 900 }, (_, index) => String(4000 + index)));
  const longest = random.below(300);
  const runs = times(300, (index) => {
    const number = numbers[index]!;
    const begins = `sched run ${number} begins: ${random.pick(jobs)} at ${random.pick(sites)}`;
    const took = index === longest ? 31_000 + random.below(9000) : 40 + random.below(28_000);
    return pair(world, ['begin', 'end'], number, [begins, `sched run ${number} is through`], took);
  });
  const alarms = sites.slice(0, 40).flatMap((site) => {
    const lines = [
      `panel lamp red, ${site}, level above mark`,
      `panel ${site}: lamp put out by ${random.pick(people)}`,
    ] as const;
    return pair(world, ['alarm', 'taken'], site, lines, 60 * (2 + random.below(300)));
  });
  const logins = times(420, (index) => {
    const number = numbers[400 + index]!;
    const took = random.below(9) === 0 ? null : 30 + random.below(40_000);
    const lines = [`gate ${random.pick(people)} in, pass ${number}`, `gate pass ${number} given back`] as const;
    return pair(world, ['login', 'logout'], number, lines, took);
  });
  const requests = times(2600, () => {
    const [key, detail] = [random.pick(sites.slice(0, 12)), random.pick(statuses)];
    const text = `web GET /levels/${key.toLowerCase()} ${detail} ${3 + random.below(900)}ms`;
    return [{ at: random.below(week), kind: 'request', key, detail, text }];
  });
  const noise = times(2200, () => {
    const [key, other] = [random.pick(sites), random.pick(sites)];
    const lines = [
      `panel ${key} self-test passed`,
      `sched ${random.pick(jobs)} not due`,
      `web cache trimmed, ${random.below(5000)} entries`,
      `gate door ${random.below(9)} ajar`,
      `panel ${key} reads ${random.below(400)} cm, ${other} ${random.below(400)} cm`,
    ];
    return [{ at: random.below(week), kind: 'noise', key, detail: '', text: random.pick(lines) }];
  });
  return [...runs, ...alarms, ...logins, ...requests, ...noise].sort((a, b) => a.at - b.at);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Returns the value that occurs most often; null for a tie. */
function mostOften(values: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first![1] === second?.[1] ? null : first![0];
}

const unique = (values: readonly string[]): number => new Set(values).size;

/** Returns the rows of the written table, read by a parser. */
const rowsOf = (text: string): readonly Record<string, string>[] =>
  Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data;

/** Returns all matches of a pattern in the written log, with the seconds of each line. */
const linesOf = (text: string, pattern: RegExp) =>
  text.split('\n').flatMap((line) => {
    const found = pattern.exec(line.slice(20));
    return found === null ? [] : [{ at: Date.parse(`${line.slice(0, 19)}Z`) / 1000, found }];
  });

function orderDrafts({ random, articles }: World, path: string, orders: readonly Order[]): readonly Draft[] {
  const { site } = random.pick(orders);
  const article = random.pick(articles);
  const ask = createAsk(path);
  const rows = (texts: Texts) => rowsOf(texts.get(path)!);
  const isBought = (order: Order) => order.site === site && order.status === 'delivered' && order.date >= '2024-04';
  const isBack = (order: Order) => order.article === article && order.status === 'returned';
  const sitesOf = (other: string) => (list: readonly Partial<Order>[]) =>
    list.filter((order) => order.status === 'cancelled' && order.article === other).map((order) => order.site!);
  const called = articles.find((other) => mostOften(sitesOf(other)(orders)) !== null)!;
  const delivered = sum(orders.filter(isBought).map(({ quantity }) => quantity));
  return [
    ask('records-0', { site }, delivered, (texts) => {
      const late = rows(texts).filter((row) => Date.parse(row['date']!) >= Date.UTC(2024, 3, 1));
      const here = late.filter((row) => `${row['site']} ${row['status']}` === `${site} delivered`);
      return sum(here.map((row) => Number(row['quantity'])));
    }),
    ask('records-2', { article }, unique(orders.filter(isBack).map((order) => order.site)), (texts) => {
      const back = rows(texts).filter((row) => `${row['article']} ${row['status']}` === `${article} returned`);
      return unique(back.map((row) => row['site']!));
    }),
    ask('records-4', { article: called }, mostOften(sitesOf(called)(orders))!, (texts) =>
      mostOften(sitesOf(called)(rows(texts))),
    ),
  ];
}

function logDrafts({ random, sites }: World, path: string, events: readonly Event[]): readonly Draft[] {
  const [site, shop] = [sites[random.below(40)]!, sites[random.below(12)]!];
  const of = (kind: Event['kind']) => events.filter((event) => event.kind === kind);
  const isFailed = ({ key, at, detail }: Event) =>
    key === shop && detail.startsWith('5') && at >= 2 * 86_400 && at < 5 * 86_400;
  const ended = new Map(of('end').map(({ key, at }) => [key, at]));
  const longest = of('begin').reduce((a, b) => (ended.get(b.key)! - b.at > ended.get(a.key)! - a.at ? b : a));
  const [alarm, taken] = [of('alarm'), of('taken')].map((list) => list.find(({ key }) => key === site)!);
  const ask = createAsk(path);
  const lines = (texts: Texts, pattern: RegExp) => linesOf(texts.get(path)!, pattern);
  const red = new RegExp(`^panel lamp red, ${site},`);
  const out = new RegExp(`^panel ${site}: lamp put out by (.+)`);
  return [
    ask('records-1', { site: shop }, of('request').filter(isFailed).length, (texts) => {
      const failed = lines(texts, new RegExp(`^web GET /levels/${shop}\\s5\\d\\d`, 'i'));
      return failed.filter(({ at }) => [3, 4, 5].includes(new Date(at * 1000).getUTCDate())).length;
    }),
    ask('records-3', {}, of('login').length - of('logout').length, (texts) => {
      const back = new Set(lines(texts, /^gate pass (\d+) given back/).map(({ found }) => found[1]));
      return lines(texts, /^gate .+ in, pass (\d+)/).filter(({ found }) => !back.has(found[1])).length;
    }),
    ask('order-0', {}, [longest.key, longest.text.split(' at ')[1]!], (texts) => {
      const ends = new Map(lines(texts, /^sched run (\d+) is through/).map(({ at, found }) => [found[1], at]));
      const begins = lines(texts, /^sched run (\d+) begins: \w+ at (\w+)/);
      const took = begins.map(({ at, found }) => ({ took: ends.get(found[1])! - at, names: [found[1], found[2]] }));
      return took.reduce((a, b) => (b.took > a.took ? b : a)).names;
    }),
    ask(
      'order-3',
      { site },
      (taken!.at - alarm!.at) / 60,
      (texts) => (lines(texts, out)[0]!.at - lines(texts, red)[0]!.at) / 60,
    ),
    ask('look-up-3', { site }, taken!.detail, (texts) => lines(texts, out)[0]!.found[1]),
  ];
}

/** Makes the table and the log of a half. */
export function makeRecords(world: World): Made {
  const [table, log] = [`${world.half}/orders.csv`, `${world.half}/plant.log`];
  const orders = createOrders(world);
  const events = createEvents(world);
  const lines = events.map(({ at, text }) => `${iso(at)} ${text}\n`).join('');
  const texts = new Map([
    [table, writeOrders(world, orders)],
    [log, lines],
  ]);
  return { texts, drafts: [...orderDrafts(world, table, orders), ...logDrafts(world, log, events)] };
}
