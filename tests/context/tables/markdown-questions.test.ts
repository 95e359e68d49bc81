import { describe, expect, it } from 'vitest';
import { compute, shownQuery } from './support.ts';

const changes = `# Changes

## Deploys and configuration changes, 17 March

| id   | started  | finished | target |
| ---- | -------- | -------- | ------ |
| D-1  | 12:58:20 | 12:59:19 | edge   |
| D-2  | 23:58:02 | 00:03:40 | shop   |
| C-3  | 14:34:10 | 14:34:10 | edge   |

## Classes of exception

| class | approver |
| ----- | -------- |
| A     | Ann      |
| B     | Bob      |
`;

async function answered(question: string, text = changes) {
  const [first] = await compute(question, { 'log.md': text });
  if (first === undefined) return null;
  const [{ rows, extremes }] = first.result.groups as [(typeof first.result.groups)[number]];
  return [shownQuery(first.result), extremes[0] === undefined ? rows : [extremes[0].cell, extremes[0].label]];
}

describe('questions about tables in Markdown', () => {
  it('count what the heading says that rows are, and what values choose', async () => {
    expect(await answered('How many changes have the target edge?')).toEqual(['count where target edge', 2]);
    expect(await answered('How many classes of exception are there?')).toEqual(['count', 2]);
    expect(await answered('How many deploys are there?')).toEqual(['count', 3]);
  });

  it('leave to the text around the table what the table does not say for certain', async () => {
    expect(await answered('How many exceptions are there?')).toBeNull();
    expect(await answered('How many people work with Ann on the edge?')).toBeNull();
  });

  it('rank times of a day, and how long rows took, past midnight, too', async () => {
    expect(await answered('Which change was started first? Give its id.')).toEqual([
      'min started',
      ['12:58:20', 'D-1'],
    ]);
    expect(await answered('Which change took longest from start to finish?')).toEqual([
      'max duration from started to finished',
      ['338 s', 'D-2'],
    ]);
  });

  it('give the number of days that rows took where the times are days, in any kind of table', async () => {
    const csv = 'trip,begin,end\nOslo,2024-02-27,2024-03-01\nRome,2024-05-01,2024-05-02\n';
    const [first] = await compute('Which trip was the longest?', { 'trips.csv': csv });
    expect(first!.result.groups[0]!.extremes[0]).toMatchObject({ cell: '3 days', label: 'Oslo' });
  });
});
