import { afterAll, describe, expect, it } from 'vitest';
import type { CodeCall } from '../../src/sandbox/sandbox.ts';
import { openSandbox, printed, startSandbox } from './sandbox-fixture.ts';

const code = `import { a } from './a.ts';

/**
 * Counts the versions of a changelog, or returns its first or last; null for other questions, and for
 * texts without versions.
 */
export function countVersions(
  text: string,
): number | null {
  if (text === '') {
    return null;
  }

  return text.split('\\n').length;
}

export const one = 1;

class Pool {
  /** Takes one. */
  take(name: string) {
    return name;
  }
}
`;

const guide = `# Guide
Begin here.
## Install
Run it.
\`\`\`sh
# not a heading
\`\`\`
### On Windows
Run it there.
## Use
Ask.
`;

const documents = {
  'src/count.ts': code,
  'src/deep/a.ts': 'export const a = 2;\n',
  'docs/guide.md': guide,
  'notes.txt': 'He said:\n  "the pool\nwas lowered" — twice.\nThe end.\n',
};

const open = () => openSandbox({ documents });

/** A shared sandbox for programs that only read, because starting a sandbox takes longer than running them. */
const shared = startSandbox({ documents });
afterAll(() => shared.close());

/** Runs code over a text, and records its calls with the text of the ranges that they name. */
async function calling(program: string) {
  const made: (CodeCall & { texts: string[] })[] = [];
  const texts = Object.values(documents).map((text) => Buffer.from(text));
  const sandbox = openSandbox({
    documents,
    answer: async (call) => {
      made.push({
        ...call,
        texts: call.ranges.map(({ document, startByte, endByte }) =>
          texts[document]!.subarray(startByte, endByte).toString(),
        ),
      });
      return `[P${made.length}]`;
    },
  });
  return { ...(await sandbox.run(program)), made };
}

describe('patterns over a text', () => {
  it.each([
    ['context.grep(/^## /).map((h) => h.text)', '## Install\n## Use'],
    ['context.match(/^## (.*)$/)[1]', 'Install'],
    ['context.match(/^## .*$/g)', '## Install\n## Use'],
    ['[...context.matchAll(/^## (.*)$/)].map((m) => m[1])', 'Install\nUse'],
    ['context.search(/^## Use$/) === context.indexOf("## Use")', 'true'],
    ['/^## Use$/.test(context)', 'true'],
    ['contexts["docs/guide.md"].replace(/^# .*\\n/, "").slice(0, 11)', 'Begin here.'],
  ])('work by line: %s', async (expression, expected) => {
    expect(await printed(shared, `print(${expression})`)).toBe(expected);
  });
});

describe('grep', () => {
  it.each([
    ['context.grep("run IT")', 'docs/guide.md\n4: Run it.\n9: Run it there.'],
    ['context.grep(["there", "run"])', 'docs/guide.md\n9: Run it there.'],
    ['context.grep("run it", { most: 1 })', 'docs/guide.md\n4: Run it.\n… and more (raise most, or skip these)'],
    ['context.grep("run it", { most: 1, skip: 1 })', 'docs/guide.md\n9: Run it there.'],
    [
      'context.grep(/begin|run it\\./i, { around: 1 })',
      'docs/guide.md\n1- # Guide\n2: Begin here.\n3- ## Install\n4: Run it.\n5- ```sh',
    ],
    [
      'context.grep(/const/, { path: "src/**/*.ts" })',
      'src/count.ts\n17: export const one = 1;\nsrc/deep/a.ts\n1: export const a = 2;',
    ],
    ['context.grep(/const/, { path: "src/deep" })', 'src/deep/a.ts\n1: export const a = 2;'],
    ['doc("a.ts").grep(/a/).length', '1'],
    ['context.grep(/const/).filter((h) => h.document.includes("deep"))', 'src/deep/a.ts\n1: export const a = 2;'],
  ])('prints the lines as text: %s', async (expression, expected) => {
    expect(await printed(shared, `print(${expression})`)).toBe(expected);
  });
});

describe('documents', () => {
  it.each([
    ['doc("notes.txt").length', String(documents['notes.txt'].length)],
    ['doc("./deep/a.ts").name', 'src/deep/a.ts'],
    ['doc("src/**").map((d) => d.name)', 'src/count.ts\nsrc/deep/a.ts'],
    ['doc("src/*.ts").map((d) => d.name)', 'src/count.ts'],
    ['doc("*.ts").map((d) => d.name)', 'src/count.ts\nsrc/deep/a.ts'],
    ['doc("**/*.{md,txt}").map((d) => d.name)', 'docs/guide.md\nnotes.txt'],
    ['doc("src/").map((d) => d.name)', 'src/count.ts\nsrc/deep/a.ts'],
  ])('are found by name, or by globs as in git: %s', async (expression, expected) => {
    expect(await printed(shared, `print(${expression})`)).toBe(expected);
  });

  it('that do not exist are empty, and the end of the block says so', async () => {
    const { output, error, problems } = await open().run('print(doc("src/conut.ts").length, doc("lib/**").length)');
    expect([output, error]).toEqual(['0 0\n', null]);
    expect(problems.split('\n')).toEqual([expect.stringContaining('src/conut.ts'), expect.stringContaining('lib/**')]);
  });
});

describe('an outline', () => {
  it.each([
    ['doc("docs/guide.md").headings()', 'docs/guide.md\n1: # Guide\n3: ## Install\n8: ### On Windows\n10: ## Use'],
    ['context.section("install")', '## Install\nRun it.\n```sh\n# not a heading\n```\n### On Windows\nRun it there.\n'],
    ['context.section("## Use")', '## Use\nAsk.\n'],
    ['context.symbol("countVersions")', code.slice(code.indexOf('/**'), code.indexOf('\n\nexport const one'))],
    ['context.symbol("one")', 'export const one = 1;'],
    ['context.symbol("take")', '  /** Takes one. */\n  take(name: string) {\n    return name;\n  }'],
    ['context.symbol("Pool").lines().length', '6'],
  ])('returns a part as a text: %s', async (expression, expected) => {
    expect((await shared.run(`print(${expression})`)).output).toBe(`${expected}\n`);
  });

  it('reports missing parts at the end of a block, and the block continues', async () => {
    const { output, problems } = await open().run(
      'print(context.section("Remove").length, context.symbol("nothing") + "!")',
    );
    expect(output).toBe('0 !\n');
    expect(problems).toMatch(/^section: .*"Remove".*"Install".*\nsymbol: .*"nothing"/);
  });
});

describe('print', () => {
  const long = `${'A line of text.\n'.repeat(60)}The end.`;

  it('shows a text completely if it fits, else its beginning and how to continue', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': long }, outputCharacters: 1_000 });
    expect(await printed(sandbox, 'print(contexts[0])')).toBe(long);
    const small = openSandbox({ documents: { 'a.md': long }, outputCharacters: 500 });
    const { output, printed: size } = await small.run('print(contexts[0])');
    expect(size).toBe(output.length);
    const [, from] = /go on with slice\((\d+)\)/.exec(output)!;
    expect(output.startsWith(long.slice(0, Number(from)))).toBe(true);
    expect(Number(from)).toBeGreaterThan(300);
  });

  it('shows the part around a match in a long line', async () => {
    const line = `${'a'.repeat(450)} needle ${'b'.repeat(900)}`;
    const sandbox = openSandbox({ documents: { 'a.md': `short\n${line}\n` } });
    const output = await printed(sandbox, 'const [hit] = context.grep("needle");\nprint([hit])');
    expect(output).toMatch(/^a\.md\n2: …a+ needle b+…$/);
    expect(output.length).toBeLessThan(420);
    expect(await printed(sandbox, 'print(hit.text)')).toBe(line);
  });

  it('cuts an output that is too long at the ends of lines', async () => {
    const { output } = await openSandbox({ outputCharacters: 500 }).run(`print(${JSON.stringify(long)})`);
    const [, from, to] = /slice\((\d+), (\d+)\)/.exec(output)!;
    expect(output.startsWith('A line of text.\n')).toBe(true);
    expect(long.slice(0, Number(from))).toMatch(/A line of text\.$/);
    expect(long.slice(Number(to))).toMatch(/^A line of text\.\n/);
    expect(output.length).toBeLessThan(620);
  });

  it('keeps the whole output for later turns', async () => {
    const sandbox = openSandbox({ outputCharacters: 100 });
    await sandbox.run('print("a".repeat(50) + "middle" + "z".repeat(60))');
    expect(await printed(sandbox, 'print(printed(1).slice(50, 56))')).toBe('middle');
    expect(await printed(sandbox, 'printed(7)')).toMatch(/^RangeError/);
  });
});

describe('variables', () => {
  it('are listed at the end of a turn, the newest first, with type and size', async () => {
    const sandbox = open();
    const { variables } = await sandbox.run(
      'const hits = [1, 2]; let n = 3; function f() {} const d = doc("src/deep/a.ts");',
    );
    expect(variables.split(', ').sort()).toEqual([
      'd (text of 20 characters)',
      'f (function)',
      'hits (list of 2)',
      'n (number 3)',
    ]);
    expect((await sandbox.run('const told = "abc"; nope()')).variables).toMatch(/^told \(text of 3 characters\), /);
  });

  it('are not read if their value is computed when it is read', async () => {
    const { variables, error } = await open().run(
      'Object.defineProperty(globalThis, "x", { enumerable: true, get() { print("read"); return 1; } }); 0',
    );
    expect([variables, error]).toEqual(['', null]);
  });
});

describe('cite', () => {
  it.each([
    ['"He said:"', 'He said:'],
    [
      '"null for other questions, and for texts without versions."',
      'null for other questions, and for\n * texts without versions.',
    ],
    ['`"The pool was lowered"`', '"the pool\nwas lowered"'],
    ['"countVersions(text: string,): number"', 'countVersions(\n  text: string,\n): number'],
    ['context.grep("the end")[0]', 'The end.'],
    ['doc("src/deep/a.ts")', documents['src/deep/a.ts']],
    ['"export const", "src/deep/a.ts"', 'export const'],
    ['0, 6', 'import'],
    ['1, 0', code.slice(1, 201)],
  ])('finds %s', async (given, text) => {
    const { made, problems, output } = await calling(`print(cite(${given}))`);
    expect([problems, output]).toEqual(['', '[P1]\n']);
    expect(made.map(({ name, texts }) => [name, texts])).toEqual([['cite', [text]]]);
  });

  it('searches the named document first, and else the text that the code has just read', async () => {
    const named = await calling('cite("export const", "src/deep/a.ts")');
    expect(named.made[0]!.ranges[0]!.document).toBe(1);
    const read = await calling('context.symbol("take").slice(0); cite("return")');
    expect(read.made[0]!.ranges[0]!.startByte).toBeGreaterThan(code.indexOf('take('));
  });

  it('returns the place in a named piece, and says that words occur in several', async () => {
    const piece = `const take = context.symbol("take") + "";`;
    const copied = await calling(`${piece} cite("return", take.replace(/\\s+/g, " "))`);
    const part = await calling('cite("return", context.symbol("take"))');
    for (const { made, problems } of [copied, part]) {
      expect(made[0]!.ranges[0]!.startByte).toBeGreaterThan(code.indexOf('take('));
      expect(problems).toBe('');
    }
    const several = await calling('cite("return")');
    expect(several.problems).toContain('src/count.ts:4');
    expect((await calling('cite("return", "no such words")')).problems).toContain('src/count.ts:4');
    expect((await calling('["The end."].map(cite)')).problems).toBe('');
  });

  it.each([
    ['total = price / count', false],
    ['if (a b) return', false],
    ['a ratio of 5 2 total', false],
    ['a bold word. total = price * count', true],
    ['a ratio of 5/2 total is', true],
  ])('recognises an operator as text, and a marker as no text: %s', async (quote, isFound) => {
    const text =
      '// A **bold** word.\ntotal = price * count\nif (a > b) return\n> # A ratio of 5/2\n * total is said\n';
    const { error, output } = await openSandbox({ documents: { 'a.ts': text }, answer: async () => '[P1]' }).run(
      `print(cite(${JSON.stringify(quote)}))`,
    );
    expect([error, output]).toEqual([null, isFound ? '[P1]\n' : '\n']);
  });

  it('cites each part of a quote with omitted words, and words in any case', async () => {
    const { made, output } = await calling('print(cite("…the POOL was … twice. The end"))');
    expect(made.map(({ texts }) => texts[0])).toEqual(['the pool\nwas', 'twice.\nThe end']);
    expect(output).toBe('[P1][P2]\n');
  });

  it('reports all bad quotes of a block together, with the differences, and the answer stands', async () => {
    const { final, error, problems, made } = await calling(`
      const marks = [
        cite("Counts the versions of a changelog, or returns its second or last"),
        cite("The end."),
        cite("was raised\\" — twice."),
        cite("Zebras of quartz"),
        cite(undefined),
        cite(""),
      ];
      FINAL("It is so " + marks[1] + marks[0], { tells: "part", missing: ["Why?", ""] });`);
    expect(error).toBeNull();
    expect(final).toEqual({ answer: 'It is so [P1]', tells: 'part', missing: ['Why?'] });
    expect(made).toHaveLength(1);
    const told = problems.split('\n');
    expect(told).toHaveLength(5);
    expect(told[0]).toMatch(/src\/count\.ts:4: .*returns its first.*"second or last"/);
    expect(told[1]).toMatch(/notes\.txt:3: .*twice.*"was raised"/);
    expect(told[2]).toContain('nothing like it');
  });

  it('reports a place without text', async () => {
    const { made, problems, output } = await calling('print(cite([5000, "The end."]))');
    expect([made.length, output]).toEqual([1, '[P1]\n']);
    expect(problems).toMatch(/^cite: .+$/);
    expect((await calling('evidence("")')).problems).toMatch(/^evidence: .* empty$/);
  });

  it('never throws, for any arguments and any answers', async () => {
    const given = [
      'null',
      'NaN',
      '-5, 1e12',
      '{}',
      '[]',
      'Symbol.iterator',
      '() => 1',
      '"(((", "["',
      '"…"',
      'new Proxy({}, { get() { throw 1; } })',
    ];
    const program = given.map((one) => `cite(${one}); evidence(${one});`).join('\n');
    expect((await open().run(`${program}\nFINAL("ok")`)).final?.answer).toBe('ok');
    const failing = openSandbox({ documents, answer: async () => Promise.reject(new Error('no more')) });
    const { error, problems } = await failing.run('print(cite("The end."), evidence(42))');
    expect(error).toBeNull();
    expect(problems).toBe('cite: no more\nevidence: no more');
  });
});

describe('evidence', () => {
  it('returns a mark for a value as it is printed', async () => {
    const { made, output } = await calling(
      'print(evidence({ a: 1 }), evidence(context.grep("the end")), evidence(3 / 2))',
    );
    expect(output).toBe('[P1] [P2] [P3]\n');
    expect(made.map(({ name, args }) => [name, ...args])).toEqual([
      ['evidence', '{"a":1}'],
      ['evidence', 'notes.txt\n4: The end.'],
      ['evidence', '1.5'],
    ]);
  });
});

describe('many concurrent questions', () => {
  it('lose none because one has no text', async () => {
    const { output } = await calling('print(llm_query_batched(["a", undefined, "", "b"]))');
    expect(output.split('\n').slice(0, 4)).toEqual([
      '[P1]',
      expect.stringContaining('no reply'),
      expect.stringContaining('no reply'),
      '[P2]',
    ]);
  });

  it('may be large, and their replies are complete', async () => {
    const sandbox = openSandbox({ answer: async ({ args }) => `${args[0]}.`, outputCharacters: 500 });
    const program =
      'const r = llm_query_batched(Array.from({ length: 25 }, (_, i) => String(i % 10).repeat(100_000))); print(r.length, r.every((t, i) => t.length === 100_001 && t.endsWith(i % 10 + ".")))';
    expect(await printed(sandbox, program)).toBe('25 true');
  });
});

describe('the answer', () => {
  it.each([
    ['FINAL("a", { tells: "nothing", missing: "Who?" })', { answer: 'a', tells: 'nothing', missing: ['Who?'] }],
    ['FINAL("a", { tells: "much" })', { answer: 'a', tells: null, missing: [] }],
    ['FINAL("a", 7)', { answer: 'a', tells: null, missing: [] }],
    ['const x = "b"; FINAL_VAR(x, { tells: "all" })', { answer: 'b', tells: 'all', missing: [] }],
    ['const x = "b"; FINAL_VAR("x", { missing: ["When?"] })', { answer: 'b', tells: null, missing: ['When?'] }],
  ])('says how much it tells: %s', async (program, final) => {
    expect((await open().run(program)).final).toEqual(final);
  });
});
