import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChunkKind, createChunker } from '../../src/context/chunk.ts';

interface Place {
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
}

async function chunkBlocks(
  kind: ChunkKind,
  options: Parameters<typeof createChunker>[1],
  blocks: Iterable<Uint8Array>,
  isPrepared = true,
) {
  const places: Place[] = [];
  const chunker = createChunker(kind, options, (place) => places.push(place));
  for (const block of blocks) chunker.write(block);
  if (isPrepared) await chunker.prepare?.();
  return { lines: chunker.end(), places };
}

async function chunkText(kind: ChunkKind, text: string, chunkBytes: number, name = '') {
  const bytes = Buffer.from(text);
  const { places } = await chunkBlocks(kind, { chunkBytes, name }, [bytes]);
  return places.map(({ startByte, endByte }) => bytes.toString('utf8', startByte, endByte));
}

const kinds: readonly (readonly [ChunkKind, string])[] = [
  ['auto', ''],
  ['auto', 'a.py'],
  ['lines', ''],
  ['chars', ''],
  ['paragraphs', ''],
  ['markdown', ''],
  ['code', 'a.txt'],
  ['code', 'a.ts'],
  ['records', ''],
];

const filler = ['x'.repeat(700), 'words in a line\n'.repeat(40)];
const structure = [
  '# One\n',
  '```\n',
  '\n\nfunction f() {\n',
  '}\n',
  'class A:\n  def f():\n',
  '2026-11-21 10:00 x\n',
  '{"a":1}\n',
];
const pieces = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\n\n', '\r', '\0', 'é', '🚀', ' ', ...filler, ...structure),
  fc.string(),
);
const hostile = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
);
const size = fc.integer({ min: 4, max: 400 });

/** Yields blocks, and overwrites each when the next one is requested. */
function* divide(bytes: Buffer, sizes: readonly number[]) {
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const end = start + sizes[turn % sizes.length]!;
    const block = Buffer.from(bytes.subarray(start, end));
    yield block;
    block.fill(0x0a);
    start = end;
  }
}

const linesBefore = (bytes: Buffer, end: number) => bytes.subarray(0, end).filter((byte) => byte === 0x0a).length;

describe.each(kinds)('chunks of kind %s of a document named %j', (kind, name) => {
  it('contain every byte of any text once, with their lines', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, size, fc.boolean(), async (bytes, chunkBytes, isPrepared) => {
        const { places, lines } = await chunkBlocks(kind, { chunkBytes, name }, [bytes], isPrepared);
        let end = 0;
        for (const { startByte, endByte, startLine, endLine } of places) {
          expect(startByte).toBe(end);
          expect(endByte - startByte).toBeGreaterThan(0);
          expect(endByte - startByte).toBeLessThanOrEqual(chunkBytes + 2);
          expect(startLine).toBe(linesBefore(bytes, startByte) + 1);
          expect(endLine).toBe(linesBefore(bytes, endByte - 1) + 1);
          end = endByte;
        }
        expect(end).toBe(bytes.length);
        expect(lines).toBe(bytes.length === 0 ? 0 : linesBefore(bytes, bytes.length - 1) + 1);
      }),
    );
  });

  it('are the same however the text is divided into blocks', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(hostile, size, sizes, async (bytes, chunkBytes, blockSizes) => {
        const whole = await chunkBlocks(kind, { chunkBytes, name }, [bytes]);
        expect(await chunkBlocks(kind, { chunkBytes, name }, divide(bytes, blockSizes))).toEqual(whole);
        expect(await chunkBlocks(kind, { chunkBytes, name }, divide(bytes, [1]))).toEqual(whole);
      }),
    );
  });
});

describe('chunks of chars', () => {
  it('are full regardless of lines, and end at white space if some is near', async () => {
    expect(await chunkText('chars', 'ab one two\nthree four\nfive\n', 12)).toEqual([
      'ab one two\n',
      'three four\n',
      'five\n',
    ]);
    expect(await chunkText('chars', 'a\nb\nabcdefghijkl', 8)).toEqual(['a\nb\nabcd', 'efghijkl']);
  });

  it('cut no character', async () => {
    for (const text of await chunkText('chars', '漢字🚀é'.repeat(20), 7)) expect(text).not.toContain('\uFFFD');
  });
});

describe('chunks of paragraphs', () => {
  it('end at a blank line if there is one', async () => {
    const text = 'one\n\ntwo two two\ntwo two two\ntwo\n\nthree\n';
    expect(await chunkText('paragraphs', text, 33)).toEqual([
      'one\n\n',
      'two two two\ntwo two two\ntwo\n\n',
      'three\n',
    ]);
  });
});

describe('chunks of markdown', () => {
  it('end before a heading rather than at a blank line', async () => {
    const text = '# A\n\ntext of a\n\n## B\n\ntext of b\n\nmore of b\n';
    expect(await chunkText('markdown', text, 40)).toEqual(['# A\n\ntext of a\n\n', '## B\n\ntext of b\n\nmore of b\n']);
  });

  it('do not treat a line of a fenced code block as a heading', async () => {
    const fenced = '# A\n\n````sh\n# no heading\n```\n# nor this\n````\n\nb\n';
    expect(await chunkText('markdown', `${fenced}# B\n${'words '.repeat(5)}\n`, 60)).toEqual([
      fenced,
      `# B\n${'words '.repeat(5)}\n`,
    ]);
    expect(await chunkText('markdown', '~~~\n# a\n# b\n# c\n~~~\n', 10)).toEqual(['~~~\n# a\n', '# b\n# c\n', '~~~\n']);
  });

  it('prefer the highest heading', async () => {
    const text = '## A\ntext\n## B\ntext\n#### C\ntext text\n';
    expect(await chunkText('markdown', text, 30)).toEqual(['## A\ntext\n', '## B\ntext\n#### C\ntext text\n']);
  });
});

describe('chunks of records', () => {
  const trace = '2026-11-21 10:00:01 ERROR broken\n\nError: broken\n    at a (a.js:1)\n    at b (b.js:2)\n';
  const line = '2026-11-21 10:00:00 INFO fine\n';

  it('keep a stack trace with its record', async () => {
    expect(await chunkText('records', line + trace + line, 100)).toEqual([line, trace, line]);
  });

  it.each([
    '[2026-11-21T10:00:00.123Z] x',
    'Nov 21 10:00:00 host sshd[1]: x',
    '<34>1 2026-11-21T10:00:00Z host x',
    '127.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /"',
    '10:00:00.123 x',
    '1763719200.123 x',
    '[   12.345678] x',
    'I1121 10:00:00.123 x',
    'WARN: x',
    '[ERROR] x',
    '{"level":"info"}',
  ])('begin at a line such as %s', async (first) => {
    const record = `${first}\n  goes on\nand on\n`;
    const text = record.repeat(3);
    expect(await chunkText('records', text, Buffer.byteLength(record) * 2 - 1)).toEqual([record, record, record]);
  });
});

const method = (name: string) => `  ${name}() {\n    first();\n    second();\n\n    third();\n  }\n`;
const holder = `class Holder {\n${method('one')}${method('two')}${method('three')}${method('four')}}\n`;

describe('chunks of code', () => {
  it.each(['a.ts', 'a.tsx', 'a.js'])('begin at the methods of a class in %s', async (name) => {
    const parts = await chunkText('code', holder, 130, name);
    expect(parts).toHaveLength(2);
    expect(parts[1]).toMatch(/^ {2}three\(\)/);
  });

  it.each([
    [
      'a.py',
      'class A:\n    def one(self):\n        x = 1\n\n        return x\n    # of two\n    @property\n    def two(self):\n',
      '    # of two',
    ],
    [
      'a.go',
      'package a\nfunc One() {\n\tx := 1\n\n\tprint(x)\n}\n// Two is it\nfunc Two() {\n\tprint(2)\n}\n',
      '// Two is it',
    ],
    [
      'a.rs',
      'impl A {\n  fn one() {\n    let x = 1;\n\n    f(x)\n  }\n  #[test]\n  fn two() {\n    f(2)\n  }\n}\n',
      '  #[test]',
    ],
    [
      'A.java',
      'class A {\n  void one() {\n    int x = 1;\n\n    f(x);\n  }\n  /** Two. */\n  void two() {\n    f(2);\n  }\n}\n',
      '  /** Two. */',
    ],
  ])('begin with the comments of a definition in %s', async (name, code, start) => {
    const [, second] = await chunkText('code', code, code.indexOf(start) + 20, name);
    expect(second?.slice(0, start.length)).toBe(start);
  });

  it('begin at lines without indentation if there is no grammar', async () => {
    const text = 'int one(void)\n{\n\n  return 1;\n}\n\nint two(void)\n{\n\n  return 2222222;\n\n}\n';
    expect((await chunkText('code', text, 60, 'a.c'))[1]).toMatch(/^int two/);
  });

  it('are cut by indentation if parsing is not allowed, or was not prepared', async () => {
    const asked: number[] = [];
    const mayParse = (bytes: number) => asked.push(bytes) < 0;
    const options = { chunkBytes: 130, name: 'a.ts' };
    const plain = await chunkBlocks('code', { chunkBytes: 130, name: 'a.txt' }, [Buffer.from(holder)]);
    expect(await chunkBlocks('code', { ...options, mayParse }, [Buffer.from(holder)])).toEqual(plain);
    expect(asked).toEqual([holder.length]);
    expect(await chunkBlocks('code', options, [Buffer.from(holder)], false)).toEqual(plain);
    expect(await chunkBlocks('code', options, [Buffer.from(holder)])).not.toEqual(plain);
  });

  it('are available while the text arrives once it is too large to be parsed', async () => {
    const text = Buffer.from(holder.repeat(9_000));
    const places: Place[] = [];
    const chunker = createChunker('code', { name: 'a.ts' }, (place) => places.push(place));
    chunker.write(text);
    expect(places.length).toBeGreaterThan(500);
    await chunker.prepare?.();
    chunker.end();
    expect(places.at(-1)?.endByte).toBe(text.length);
  });
});

describe('chunks of kind auto', () => {
  const log = '2026-11-21 10:00:00 INFO a\n\n  b\n'.repeat(30);
  const cases: readonly (readonly [string, string, ChunkKind])[] = [
    ['notes.MD', '# A\ntext\n\ntext\n\n'.repeat(30), 'markdown'],
    ['a.ts', holder.repeat(5), 'code'],
    ['main.c', 'int f()\n{\n\n}\n\n'.repeat(30), 'code'],
    ['stdin', log, 'records'],
    ['app.log', `started\n${log}`, 'records'],
    ['data.jsonl', '{"a":1}\n\n'.repeat(60), 'records'],
    ['stdin', `prose\n${log}`, 'lines'],
    ['notes.txt', 'text\n\n# A\ntext\n'.repeat(30), 'lines'],
  ];
  it.each(cases)('of %s, which begins with %j, are those of %3$s', async (name, text, kind) => {
    expect(await chunkText('auto', text, 100, name)).toEqual(await chunkText(kind, text, 100, name));
  });
});
