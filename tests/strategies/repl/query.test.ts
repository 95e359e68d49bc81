import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askScripted } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const orders = {
  name: 'orders.csv',
  text: `id,site,pieces\n${Array.from({ length: 40 }, (_, n) => `${n},${n % 4 === 0 ? 'Elm' : 'Oak'},${n}\n`).join('')}`,
};
const prose = { name: 'notes.md', text: 'Mara decided it in March.\n\nShe was sure.\n' };

const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

async function askCode(turns: readonly string[], options: object = {}, documents = [orders]) {
  const asked = await askScripted(
    { repl: [...turns] },
    { documents, ...options, settings: { strategy: 'repl', ...(options as { settings?: object }).settings } },
    'How many pieces did Elm get?',
  );
  const outputs = asked.result.recursionTree!.steps.flatMap(({ calls }) => calls.map(({ result }) => result));
  const first = asked.requests.find(({ input }) => input.prompt === 'repl')?.messages.at(-1)?.content ?? '';
  return { ...asked, outputs, first };
}

const sum = 'const rows = query("select site, sum(pieces) total from orders group by 1 order by 1");';

describe('a query from code', () => {
  it.each([
    ['text', {}],
    ['JSON', { structuredOutput: true }],
    ['tools', { tools: true }],
  ])('returns rows, and its result can be cited, with a model that replies by %s', async (_, model) => {
    const { result, outputs } = await askCode(
      [
        js(`${sum}\nprint(rows);\nprint(rows[0].total + 1);`),
        js('FINAL("Elm got " + rows[0].total + " " + evidence(rows) + ".")'),
      ],
      { model },
    );
    expect(outputs[0]).toBe('site | total\nElm | 180\nOak | 600\n181');
    expect(result.answer).toBe('Elm got 180 [1].');
    expect(result.citations).toMatchObject([
      { source: 'computed:query', quote: expect.stringMatching(/^select site.*\n→\nsite \| total\nElm \| 180/) },
    ]);
    expect(result.warnings).toEqual([]);
  });

  it('gives the source lines of its rows, and cites them', async () => {
    const { result, outputs } = await askCode([
      js('const big = query("select site, pieces from orders where pieces > 37");\nprint(big);'),
      js('FINAL("The largest are these " + cite(big) + ".")'),
    ]);
    expect(outputs[0]).toBe('site | pieces\nOak | 38\nOak | 39\nFrom orders.csv:40-41');
    expect(result.citations).toMatchObject([{ source: 'orders.csv', startLine: 40, endLine: 41 }]);
  });

  it('is offered if there are records and queries are allowed, with their tables; else it still works', async () => {
    const turns = [js('print(query("select count(*) n from lines")[0].n);'), 'FINAL(So.)'];
    const isTold = (prompt: string) => prompt.includes('query("select');
    const records = await askCode(turns);
    expect(records.first).toMatch(
      /query\("select.*\n.*\norders: 40 rows.*\n {2}id INTEGER, site TEXT, pieces INTEGER\n/s,
    );
    const others = await Promise.all([
      askCode(turns, {}, [prose]),
      askCode(turns, { settings: { tools: { allow: ['grep'] } } }),
    ]);
    expect(others.map(({ first }) => isTold(first))).toEqual([false, false]);
    expect(others.map(({ outputs }) => outputs[0])).toEqual(['3', '41']);
  });

  it('that fails gives the reason in the code, and the next one works', async () => {
    const { outputs } = await askCode([
      js(
        'let why = "";\ntry { query("select pices from orders"); } catch (error) { why = error.message; }\nprint(why);',
      ),
      js('print(query());\nprint(query("select * from orders where id = 7"));'),
      js('print(query("select a.id from orders a, orders b, orders c").length);'),
      js('print(cite(query("select sum(pieces) from orders")));\nquery("attach \'x\' as y");'),
      'FINAL(So.)',
    ]);
    expect(outputs[0]).toMatch(/pices.*pieces/);
    expect(outputs[1]).toMatch(/orders: 40 rows/);
    expect(outputs[1]).toMatch(
      /document \| line \| id \| site \| pieces\norders\.csv \| 9 \| 7 \| Oak \| 7\nFrom orders\.csv:9$/,
    );
    expect(outputs[2]).toMatch(/more than 10,000 rows.*LIMIT/);
    expect(outputs[3]).toMatch(/SELECT.*in line 2.*evidence\(rows\)/s);
  });

  it('is made again by a resumed run, and no call is', async () => {
    const file = join(tempFolder(), 'run.jsonl');
    const turns = [
      js(`${sum}\nprint(rows);`),
      js('print(evidence(rows));'),
      js('FINAL("Elm: " + rows[0].total + evidence(rows))'),
    ];
    const before = await askCode(turns, { record: file });
    const after = await askCode([], { replay: file, cwd: import.meta.dirname });
    expect(before.requests.length).toBeGreaterThan(3);
    expect(after.requests).toEqual([]);
    expect(after.result.answer).toBe(before.result.answer);
    expect(after.outputs).toEqual(before.outputs);
  });
});

describe('the words of a prompt', () => {
  it('depend on the state: one turn only, a failed turn, the last one', async () => {
    const endOf = (request: { readonly messages: readonly { readonly content: string }[] }) =>
      request.messages.at(-1)!.content.trimEnd().split('\n').at(-1);
    const only = await askCode([js('print(1)')], { settings: { budget: { maxIterations: 1 } } }, [prose]);
    expect(endOf(only.requests.find(({ input }) => input.prompt === 'repl')!)).toMatch(/one turn.*FINAL/);
    const some = await askCode(
      [js('print(1)'), js('nothing.here'), js('print(2)')],
      { settings: { budget: { maxIterations: 4 } } },
      [prose],
    );
    const ends = some.requests.filter(({ input }) => input.prompt === 'repl').map(endOf);
    expect(ends[0]).toMatch(/^Look into the text/);
    expect(ends[1]).toMatch(/one more block/);
    expect(ends[2]).toMatch(/^Mend the code/);
    expect(ends[3]).toMatch(/last turn/);
  });
});
