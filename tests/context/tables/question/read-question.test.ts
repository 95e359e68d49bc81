import { describe, expect, it } from 'vitest';
import { compute, shownQuery } from '../support.ts';

const flights = `flight_no,airline,departed_at,origin,destination,delayMinutes,passengers,ticket_price,cancelled
LH100,Lufthansa,2023-11-02 08:10,Frankfurt,Oslo,12,140,€120.00,false
LH101,Lufthansa,2023-11-02 12:40,Oslo,Frankfurt,0,133,€95.50,false
SK210,SAS,2023-11-03 09:00,Oslo,Copenhagen,45,98,€60.00,false
SK211,SAS,2023-12-01 18:30,Copenhagen,Oslo,,0,€60.00,true
AF300,Air France,2023-12-05 07:15,Paris,Oslo,5,150,€140.25,false
AF301,Air France,2024-01-09 16:00,Oslo,Paris,90,149,€140.25,false
`;

const stock = `SKU\tItem Name\tWarehouse\tOn Hand\tUnit Cost\tLast Counted\tSupplier
K-1\tBolt M4\tLeeds\t1200\t0.05\t2024-05-01\tFixings Ltd
K-2\tBolt M6\tLeeds\t800\t0.07\t2024-05-01\tFixings Ltd
K-3\tDrill\tYork\t15\t89.99\t2024-04-12\tToolhouse
K-4\tHammer\tYork\t40\t19.50\t2023-12-30\tToolhouse
K-5\tGlue\tHull\t0\t3.20\t\tSticky & Co
`;

const requests = `{"ts":"2024-03-01T10:00:00Z","user":{"id":"u1","name":"Ann"},"http":{"status":200,"method":"GET"},"latency_ms":12.5}
{"ts":"2024-03-01T10:00:01Z","user":{"id":"u2","name":"Bob"},"http":{"status":500,"method":"POST"},"latency_ms":120}
{"ts":"2024-03-02T10:00:02Z","user":{"id":"u1","name":"Ann"},"http":{"status":200,"method":"GET"},"latency_ms":30.5}
`;

const texts = { 'flights.csv': flights, 'stock.tsv': stock, 'requests.jsonl': requests };

async function understood(question: string, name: keyof typeof texts) {
  const [first] = await compute(question, { [name]: texts[name] });
  return first === undefined ? null : shownQuery(first.result);
}

describe('a question about a table', () => {
  it.each([
    ['How many flights are in the file?', 'count'],
    ['How many flights did Lufthansa operate?', 'count where airline Lufthansa'],
    ['How many flights were cancelled?', 'count where cancelled true'],
    ['How many flights were not cancelled?', 'count where cancelled not true'],
    ['How many flights are by SAS or Air France?', 'count where airline SAS|Air France'],
    ['What is the average delay for Air France?', 'mean delayMinutes where airline Air France'],
    ['Which airline has the longest average delay?', 'mean delayMinutes by airline most first 1'],
    ['Which airline has the most flights?', 'count by airline most first 1'],
    ['Total number of passengers', 'sum passengers'],
    ['How many passengers were there in December 2023?', 'sum passengers where departed_at in December 2023'],
    ['Which flight had the highest ticket price?', 'max ticket_price'],
    ['How many different airlines are there?', 'distinct airline'],
    ['What’s the least common origin?', 'count by origin least first 1'],
    ['Top 2 destinations by passengers', 'sum passengers by destination most first 2'],
    ['the three flights with the most passengers', 'max passengers most first 3'],
    ['Number of flights per airline', 'count by airline'],
    ['How many flights departed before 2024?', 'count where departed_at before 2024'],
    ['How many flights on 2023-11-02?', 'count where departed_at on 2023-11-02'],
    [
      'How many flights between 2023-11-01 and 2023-11-30?',
      'count where departed_at between 2023-11-01 and 2023-11-30',
    ],
    ['How many flights were delayed by more than 30 minutes?', 'count where delayMinutes > 30/0minutes'],
    ['How many flights carried at least 140 passengers?', 'count where passengers >= 140/0'],
    ['Sum of ticket_price for SAS', 'sum ticket_price where airline SAS'],
    ['What is the smallest number of passengers on a flight?', 'min passengers'],
    ['flights per month: how many?', null],
    ['number of flights by month', 'count by month of departed_at'],
  ])('about flights: %s', async (question, expected) => {
    expect(await understood(question, 'flights.csv')).toBe(expected);
  });

  it.each([
    ['How many items are in the York warehouse?', 'count where Warehouse York'],
    ['What is the total on hand in Leeds?', 'sum On Hand where Warehouse Leeds'],
    ['How many SKUs are there?', 'count'],
    ['average unit cost per warehouse', 'mean Unit Cost by Warehouse'],
    ['How many items were last counted before 2024-05-01?', 'count where Last Counted before 2024-05-01'],
    ['top 3 items by on hand', 'max On Hand most first 3'],
    ['How many items have on hand = 0', 'count where On Hand 0'],
    ['how many items in Leeds and from Fixings Ltd', 'count where Warehouse Leeds & Supplier Fixings Ltd'],
    ['How many drills do we have?', 'count where Item Name Drill'],
  ])('about stock: %s', async (question, expected) => {
    expect(await understood(question, 'stock.tsv')).toBe(expected);
  });

  it.each([
    ['average latency_ms', 'mean latency_ms'],
    ['average latency', 'mean latency_ms'],
    ['How many distinct users are there?', 'distinct user.id'],
    ['total latency by user name', 'sum latency_ms by user.name'],
    ['How many requests have status 500?', 'count where http.status 500'],
    ['Which method is most common?', 'count by http.method most first 1'],
    ['How many requests took longer than 0.1 s?', 'count where latency_ms > 1/1s'],
    ['max latencyMs', 'max latency_ms'],
    ['longest request in seconds', 'max latency_ms'],
    ['What is the average time of GET requests?', 'mean latency_ms where http.method GET'],
  ])('about requests: %s', async (question, expected) => {
    expect(await understood(question, 'requests.jsonl')).toBe(expected);
  });

  it.each([
    'How many unicorns are there?',
    'How many flights to Berlin were there?',
    'Which airline is the best?',
    'Why was SK211 cancelled?',
    'Who flew most often?',
    'What percentage of flights was cancelled?',
    'How many flights were cancelled, and why?',
    'How many flights were never cancelled?',
    'How many tickets were sold?',
    'How many flights have a delay over 10 euros?',
    'What is the total?  And what is the weather?',
    'Summarize the most important flights',
    'How much did it rain in Oslo?',
    'What is the phone number of Lufthansa?',
    'What is the head count of SAS?',
  ])('is left to what there was before: %s', async (question) => {
    expect(await understood(question, 'flights.csv')).toBeNull();
  });
});

describe('certainty', () => {
  const certaintyOf = async (question: string, text: string) =>
    (await compute(question, { 'sales.csv': text }))[0]?.certainty ?? 0;
  const sales =
    'sale,customer,unit_price,total_price,note\n1,Acme Corp,2.00,4.00,x\n2,Globex,3.00,3.00,y\n3,Acme Corp,1.00,9.00,x\n';

  it('is high where columns and values are named, and low where columns compete', async () => {
    expect(await certaintyOf('total of total_price', sales)).toBeGreaterThan(0.9);
    expect(await certaintyOf('total of total_price for "Acme Corp"', sales)).toBeGreaterThan(0.9);
    expect(await certaintyOf('total of total_price for Acme', sales)).toBeGreaterThan(0.8);
    expect(await certaintyOf('highest price', sales)).toBeLessThan(0.6);
  });

  it('comes with the other readings', async () => {
    const readings = await compute('highest price', { 'sales.csv': sales });
    expect(readings.map(({ result }) => shownQuery(result)).sort()).toEqual(['max total_price', 'max unit_price']);
  });

  it('is low where a word is taken for what a row is', async () => {
    const people = 'name,department\nAnn,Sales\nBob,Sales\nCid,Legal\n';
    const [reading] = await compute('How many employees are in Sales?', { 'staff.csv': people });
    expect(reading).toMatchObject({ assumes: 'employees', result: { groups: [{ rows: 2 }] } });
    expect(reading!.certainty).toBeLessThan(0.6);
    expect(await compute('How many employees are there?', { 'staff.csv': people })).toEqual([]);
  });
});
