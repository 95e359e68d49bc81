import { describe, expect, it } from 'vitest';
import { openSandbox, printed } from './sandbox-fixture.ts';

const short = 'First line of it.\nSecond: ünïcode ✓ and 😀.\n\nLast one (fourth), without an end';

/** A text that is too large to be handled as one string, with different lines, a few of them non-ASCII. */
const lines = Array.from({ length: 25_000 }, (_, n) =>
  n % 9_999 === 5 ? `Zeile ${n}: Größe — €${n}` : `line ${n} of the long text says nothing at all`,
);
lines[21_234] = 'line 21234 holds THE NEEDLE 48213 and no more';
const long = `${lines.join('\n')}\n`;

/** Expressions that must give the same results for texts as for strings. */
const same = [
  'x.length',
  'x.slice(5, 30)',
  'x.slice(-20)',
  'x.slice(10, -10).length',
  'x.slice(30, 5)',
  'x.substring(30, 5)',
  'x.substring(-3, 8)',
  'x.substr(-5, 3)',
  'x.at(-1)',
  'x[3] + x[0]',
  'x.charAt(7) + x.charCodeAt(7)',
  'x.indexOf("of")',
  'x.indexOf("of", 20)',
  'x.indexOf("nowhere")',
  'x.lastIndexOf("o")',
  'x.includes("of")',
  'x.startsWith("First") || x.startsWith("line 0")',
  'x.endsWith("\\n")',
  '[x.startsWith("f", -3), x.startsWith("l", -3), x.startsWith("i", 1), x.endsWith("in", 3), x.endsWith("irs", 4)]',
  '[x.at(-1e9), x.at(1e9), x.charAt(-1), x.charAt(-1e9), x[-1], x.charCodeAt(-1), x.charCodeAt(1e9)]',
  '((y) => [y[0], y.at(0), y.charAt(0), y.charCodeAt(0), y.startsWith("fir"), y.startsWith("Fir")])(x.toLowerCase())',
  'x.search(/\\d+/)',
  'x.match(/(\\w+) of/)[1]',
  'x.match(/(\\w+) of/).index',
  'x.match(/nowhere/)',
  '[...x.matchAll(/of (\\w+)/g)].slice(0, 5).map((m) => m.index + m[1])',
  '(x.match(/[A-Z]\\w+/g) || []).slice(0, 9)',
  'x.split("\\n").length',
  'x.split("\\n")[1]',
  'x.split("\\n").slice(0, 3)',
  'x.split("\\n").filter((l) => /\\b5\\d\\b/.test(l))',
  'x.split("\\n").map((l) => l.length).reduce((a, b) => a + b, 0)',
  'x.split("\\n").find((l) => l.includes("NEEDLE"))',
  'x.split("\\n").some((l) => l === "")',
  'x.split(" of ")[1].slice(0, 9)',
  'x.toLowerCase().indexOf("the needle")',
  'x.toLowerCase().includes("zeile 5")',
  '/NEEDLE (\\d+)/.test(x)',
  '(/NEEDLE (\\d+)/.exec(x) || [])[1]',
  '(() => { const r = /line (\\d+)/g; const all = []; for (let m; (m = r.exec(x)) && all.length < 4; ) all.push(m[1] + r.lastIndex); return all; })()',
  '(() => { let n = 0; for (const line of x.split("\\n")) if (line.endsWith("all")) n++; return n; })()',
];

describe('a text of the sandbox', () => {
  it.each([
    ['short', short],
    ['long', long],
  ])('is used as a string, whether it is short or long: %s', async (_, text) => {
    const sandbox = openSandbox({ documents: { 'a.md': text }, turnMs: 60_000 });
    const code = same.map(
      (expression) => `print(JSON.stringify((() => { const x = context; return ${expression}; })()));`,
    );
    const expected = same.map(
      (expression) => JSON.stringify(new Function('x', `return ${expression}`)(text)) ?? 'undefined',
    );
    expect((await printed(sandbox, code.join('\n'))).split('\n')).toEqual(expected);
  });

  it('is never copied completely if it is long, and the error says what to do instead', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': long } });
    expect(await printed(sandbox, 'String(context)')).toMatch(
      /^RangeError: "context" has \d+ characters, too many to be used as one string \(at most 1048576\)\. Take a part: slice/,
    );
    expect(await printed(sandbox, 'print(context)')).toMatch(
      /^line 0 of .*\n… \["context": 98\d\d of \d+ characters; go on with slice\(98\d\d\)\]$/s,
    );
    expect(await printed(sandbox, 'llm_query(context)')).toMatch(/^RangeError/);
    expect(await printed(sandbox, 'context.split("\\n")[0] = "x"')).toMatch(
      /^TypeError: this list is made of the text/,
    );
  });

  it('has lines, chunks and grep', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': long, 'b.md': short } });
    expect(
      await printed(sandbox, 'print(context.lines(21235, 21235), contexts[1].lines(), contexts["b.md"].lines(2, 2))'),
    ).toBe(`${lines[21_234]} ${short} ${short.split('\n')[1]}`);
    const hit = 'const [h] = context.grep("the needle"); print(h.line, h.document, h.index, h.text)';
    expect(await printed(sandbox, hit)).toBe(
      `21235 a.md ${long.indexOf(lines[21_234]!) + 17} line 21234 holds THE NEEDLE 48213 and no more`,
    );
    expect(
      await printed(sandbox, 'const g = context.grep(/^zeile \\d/im, 2); print(g.map((l) => l.line), g.more)'),
    ).toBe('[6,10005] true');
    expect(await printed(sandbox, 'print(contexts[1].grep("fourth"))')).toBe(
      'b.md\n4: Last one (fourth), without an end',
    );
    const chunks =
      'const c = context.chunks(50_000); print(c.map((x) => x).join("") === context.slice(0, 4e6), c[1].endsWith("\\n"), Math.max(...c.map((x) => x.length)) <= 50_000)';
    expect(await printed(sandbox, chunks)).toBe('true true true');
  });

  it('has chunks that overlap by most of their size, and do not begin at each character', async () => {
    const paragraphs = `${'x'.repeat(16_500)}\n`.repeat(20);
    const sandbox = openSandbox({ documents: { 'a.md': paragraphs } });
    const count = Number(await printed(sandbox, 'print(context.chunks(20_000, 17_000).length)'));
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(150);
  });

  it('of several documents is one after the other, each on its own lines', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': 'one', 'b.md': '\uFEFFtwo\n', 'c.md': 'three' } });
    expect(
      await printed(sandbox, 'print(JSON.stringify(context.slice(0)), contexts.names, contexts.map((c) => c.length))'),
    ).toBe('"one\\ntwo\\nthree" a.md\nb.md\nc.md [4,4,5]');
  });

  it('in lower case, or a part of the context, has only its own characters', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': 'Hello World', 'b.md': 'İİ At THE End' } });
    const first =
      'const [a, b] = contexts.map((x) => x.toLowerCase()); print(a.startsWith("hello"), a.endsWith("WORLD"))';
    expect(await printed(sandbox, first)).toBe('true false');
    expect(await printed(sandbox, 'print(a.endsWith("world\\n"), a[0], a.at(-2), a.charAt(6))')).toBe('true h d w');
    expect(
      await printed(sandbox, 'print(b[3] + b.charCodeAt(3), b.slice(3, 5), b.search("end"), b.split("")[7])'),
    ).toBe('a97 at 10 h');
    const outside = 'print(JSON.stringify([contexts[1].charAt(-1), contexts[1].at(-100) ?? null, b.charAt(-3)]))';
    expect(await printed(sandbox, outside)).toBe('["",null,""]');
  });

  it('may be empty, or broken', async () => {
    expect(await printed(openSandbox(), 'print(context.length, context.lines().length, context.grep("a"))')).toBe(
      '0 1 []',
    );
    const broken = Buffer.concat([Buffer.from('ab\xff', 'latin1'), Buffer.from('é\0z\n')]);
    const sandbox = openSandbox({ documents: { 'a.md': broken } });
    expect(await printed(sandbox, 'print(context.length, context.indexOf("z"), context.slice(2, 5).length)')).toBe(
      '7 5 3',
    );
  });
});
