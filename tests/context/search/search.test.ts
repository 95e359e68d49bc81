import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type SearchOptions, searchDocuments, searchPlaces } from '../../../src/context/search/search.ts';
import { createContextStore } from '../../../src/context/store/store.ts';

const { signal } = new AbortController();

const storeOf = (...texts: readonly (string | Buffer)[]) =>
  createContextStore(
    texts.map((text, index) => ({ name: `${index}.txt`, bytes: Buffer.from(text as string) })),
    { chunkBytes: 40 },
  );

const find = (text: string | Buffer, pattern: string, options: SearchOptions = {}) =>
  searchDocuments(storeOf(text), pattern, options, signal);

const found = async (text: string | Buffer, pattern: string, options: SearchOptions = {}) =>
  (await find(text, pattern, options)).matches.map(({ line, text: shown, start, end }) => [
    line,
    shown.slice(start, end),
  ]);

const log = 'start\nERROR one\nwarn\nerror two\n\nend error';

describe('a search', () => {
  it.each<[string, string, SearchOptions, [number, string][]]>([
    [
      'a literal',
      'error',
      {},
      [
        [4, 'error'],
        [6, 'error'],
      ],
    ],
    [
      'a literal in any case',
      'error',
      { ignoreCase: true },
      [
        [2, 'ERROR'],
        [4, 'error'],
        [6, 'error'],
      ],
    ],
    [
      'a flag for any case',
      '(?i)ERROR',
      {},
      [
        [2, 'ERROR'],
        [4, 'error'],
        [6, 'error'],
      ],
    ],
    [
      'alternatives',
      'one|two',
      {},
      [
        [2, 'one'],
        [4, 'two'],
      ],
    ],
    ['a class', '[A-Z]+', {}, [[2, 'ERROR']]],
    [
      'the start of a line',
      '^e\\w+',
      {},
      [
        [4, 'error'],
        [6, 'end'],
      ],
    ],
    [
      'the end of a line',
      'r$|t$',
      {},
      [
        [1, 't'],
        [6, 'r'],
      ],
    ],
    ['an empty line', '^$', {}, [[5, '']]],
    [
      'nothing, which is everywhere',
      '',
      {},
      [
        [1, ''],
        [2, ''],
        [3, ''],
        [4, ''],
        [5, ''],
        [6, ''],
      ],
    ],
    [
      'what may be nothing',
      'z*',
      { limit: 2 },
      [
        [1, ''],
        [2, ''],
      ],
    ],
    ['the end of every line', '$', { limit: 1 }, [[1, '']]],
    ['what would block a backtracking engine', '(e|r+)+ ', {}, [[4, 'r ']]],
    ['a line feed, which no line contains', 'start\\nERROR', {}, []],
    ['a character class that would contain a line feed', 'start\\sERROR', {}, []],
    [
      'the start of the text, of each line',
      '\\Ae',
      {},
      [
        [4, 'e'],
        [6, 'e'],
      ],
    ],
  ])('finds %s', async (_, pattern, options, expected) => {
    expect(await found(log, pattern, options)).toEqual(expected);
  });

  it('gives the place of a match, in bytes and in the line', async () => {
    const { matches } = await find('a\r\n größer é\r\n', 'é');
    expect(matches).toEqual([
      {
        source: '0.txt',
        line: 2,
        startByte: 13,
        endByte: 15,
        text: ' größer é',
        isCut: false,
        start: 8,
        end: 9,
        before: [],
        after: [],
      },
    ]);
  });

  it.each([
    [
      'CRLF',
      'one\r\ntwo\r\n',
      'e$|o$',
      [
        [1, 'e'],
        [2, 'o'],
      ],
    ],
    ['a carriage return that ends no line', 'one\rtwo\n', 'e$|^t', []],
    ['text beyond ASCII', 'naïve\nplain\n中文 x\n', '^[^ -~]+', [[3, '中文']]],
    ['a character of four bytes', 'a😀b\n', 'a.b', [[1, 'a😀b']]],
    ['the other cases of a letter', 'MASSE\nſ\n', '^s', []],
  ] as const)('reads %s', async (_, text, pattern, expected) => {
    expect(await found(text, pattern)).toEqual(expected);
  });

  it('knows every case of a letter', async () => {
    expect(await found('STRASSE\n\u017ft\n\u212am\nÉt\u00e9\n', 'st|km|été', { ignoreCase: true })).toEqual([
      [1, 'ST'],
      [2, '\u017ft'],
      [3, '\u212am'],
      [4, 'Ét\u00e9'],
    ]);
  });

  it('gives exact bytes near bytes that are not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from([0xc3, 0xe2, 0x82, 0xff]), Buffer.from('é needle\n')]);
    const { matches } = await find(text, 'needle|nothing');
    expect(matches[0]).toMatchObject({ startByte: 7, endByte: 13 });
    expect(text.subarray(7, 13).toString()).toBe('needle');
  });

  it('shows lines around a match, and only existing lines', async () => {
    const { matches } = await find(log, 'ERROR|end', { contextLines: 2 });
    expect(matches.map(({ before, after }) => [before.map(({ text }) => text), after.map(({ text }) => text)])).toEqual(
      [
        [['start'], ['warn', 'error two']],
        [['error two', ''], []],
      ],
    );
    expect(matches[1]!.before.map(({ line }) => line)).toEqual([4, 5]);
  });

  it('stops showing at the limit and continues to count', async () => {
    const result = await find('x\n'.repeat(1_000), 'x', { limit: 3 });
    expect(result.matches).toHaveLength(3);
    expect(result).toMatchObject({ more: 997, isComplete: true });
  });

  it('searches only the named documents', async () => {
    const store = storeOf('x\n', 'x\n', 'x\n');
    const { matches } = await searchDocuments(store, 'x', { documents: ['1.txt'] }, signal);
    expect(matches.map(({ source }) => source)).toEqual(['1.txt']);
    await expect(searchDocuments(store, 'x', { documents: ['9.txt'] }, signal)).rejects.toMatchObject({
      code: 'input-missing',
    });
  });

  it('shows a long line around the match', async () => {
    const { matches } = await find(`${'é'.repeat(5_000)} needle ${'b'.repeat(5_000)}\nx\n`, 'needle');
    const [{ text, isCut, start, end, startByte }] = matches as [(typeof matches)[0]];
    expect(text.slice(start, end)).toBe('needle');
    expect([text.length <= 502, isCut, text.startsWith('…é'), text.endsWith('b…'), startByte]).toEqual([
      true,
      true,
      true,
      true,
      10_001,
    ]);
  });

  it('shows no half of a character where it cuts', async () => {
    const { matches } = await find(`${'😀'.repeat(400)}needle${'😀'.repeat(400)}\n`, 'needle');
    expect(Buffer.from(matches[0]!.text).toString()).toBe(matches[0]!.text);
  });

  it.each([
    ['(?=a)', /\(\?=/],
    ['(?<!a)b', /\(\?</],
    ['(a)\\1', /\\1/],
    ['a(', /missing closing/],
    ['[z-a]', /range/],
    ['*', /repetition/],
    ['((a{100}){100}){100}', /repe|large/],
    ['(?:[ab]{0,900}){1}[ab]{0,900}', /too large/],
    ['a'.repeat(1_001), /longer than 1000/],
  ])('refuses the pattern %s, and says why and what may be written', async (pattern, why) => {
    const refused = find('a', pattern);
    await expect(refused).rejects.toMatchObject({
      code: 'pattern-invalid',
      message: expect.stringMatching(why),
      hint: expect.stringContaining('not supported are lookaround'),
    });
  });

  it('is ended by its signal', async () => {
    const controller = new AbortController();
    const work = searchDocuments(storeOf('aaaaaaaa\n'.repeat(2_000_000)), '(a|a)+[bc]', {}, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(work).rejects.toThrow('enough');
  });
});

describe('a search in a very long line', () => {
  const long = (end: string) => `first\n${'ab '.repeat(300_000)}${end}\nlast`;

  it.each([
    ['a literal', 'needle', 'the needle in it'],
    ['a class', '[k-m]e', 'the needle in it'],
    ['the end of the line', 'it$', 'the needle in it'],
  ])('finds %s and continues behind the line', async (_, pattern, end) => {
    const { matches } = await find(long(end), `${pattern}|^last`);
    expect(matches.map(({ line }) => line)).toEqual([2, 3]);
    const text = long(end);
    const [{ startByte, endByte }] = matches as [(typeof matches)[0]];
    expect(text.slice(startByte, endByte)).toMatch(new RegExp(pattern));
  });

  it.each(['^ab needle', '^b', 'b$', 'a$', '\\Bb\\B', '^ '])('has no border in its middle: %s', async (pattern) => {
    expect(await found(long('x'), pattern)).toEqual([]);
  });

  it('handles an expensive pattern over 5 MB', async () => {
    const line = Buffer.alloc(5_000_000, 'a');
    expect(await found(line, '(a+)+$', { limit: 1 })).toHaveLength(1);
    expect(await found(line, '(a|aa)+b', { limit: 1 })).toEqual([]);
  });
});

/** Patterns in the syntax that both kinds of regular expressions share, with nested loops and overlapping branches. */
const { pattern: patterns } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 3, arbitrary: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((all) => all.join('|')) },
  ),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?'))
    .map((all) => all.join('')),
  atom: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'group' },
    fc.constantFrom(
      'a',
      'b',
      'k',
      's',
      'é',
      '中',
      'ab',
      'kes',
      '\\d',
      '\\w',
      '\\W',
      '.',
      '[ab]',
      '[^a]',
      '[a-z]',
      '[\\d_]',
      ' ',
      '(?:^a|b)',
      '(?:s$|k)',
      '(?:\\bk)',
    ),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
}));

/** Texts that are short enough for native regular expressions to finish. */
const shortPatterns = patterns.filter(({ length }) => length <= 50);

const texts = fc
  .array(
    fc.string({
      unit: fc.constantFrom('a', 'b', 'k', 's', 'K', 'S', 'é', '中', '1', '_', ' ', '😀', '\r', '\t', '\u2028'),
      maxLength: 12,
    }),
    { maxLength: 8 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.map((line) => line + end).join('')));

/** Returns the matches of a native regular expression in each line. */
function expected(text: string, pattern: string, ignoreCase: boolean) {
  const expression = new RegExp(pattern, ignoreCase ? 'iu' : 'u');
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line, index) => {
    const match = expression.exec(line.replace(/\r$/, ''));
    return match === null ? [] : [[index + 1, match[0]]];
  });
}

/** Documents of several blocks of 64 KB, some of them with non-ASCII characters. The second has carriage returns. */
function blocks(): { name: string; bytes: Buffer }[] {
  const line = (index: number) =>
    `${index} Entry ${index % 7 === 0 ? 'of Zoë' : 'of one'} ${index % 900 === 5 ? 'rare' : ''}`;
  const lines = Array.from({ length: 6_000 }, (_, index) => line(index));
  return [
    { name: 'a', bytes: Buffer.from(`${lines.join('\n')}\n`) },
    { name: 'b', bytes: Buffer.from(lines.slice(0, 2_000).join('\r\n')) },
  ];
}

describe('a search of many blocks', () => {
  const inMemory = createContextStore(blocks());
  const inFile = createContextStore(blocks(), { memoryBytes: 1_000 });
  afterAll(() => inFile.close());

  it.each(['rare', '(?i)entry', 'Entry \\w+', '(?i)zoë', '\\d{4} E', 'one $', '(?:a|n)+try', '\\p{Lu}n'])(
    'finds and counts the same lines of a text in a file, whatever it skips: %s',
    async (pattern) => {
      const options = { contextLines: 1 };
      const { matches: all } = await searchDocuments(inMemory, pattern, { ...options, limit: 100_000 }, signal);
      expect(all.length).toBeGreaterThan(0);
      const places = await searchPlaces(inFile, pattern, signal);
      expect(places).toEqual(all.map(({ source, startByte }) => ({ document: 'ab'.indexOf(source), startByte })));
      for (const limit of [0, 4, 2_500]) {
        const found = await searchDocuments(inFile, pattern, { ...options, limit }, signal);
        const matches = all.slice(0, limit);
        expect(found).toEqual({ matches, more: all.length - matches.length, isComplete: true });
      }
    },
  );
});

describe('any pattern', () => {
  it('finds what a native regular expression finds', async () => {
    await fc.assert(
      fc.asyncProperty(shortPatterns, texts, fc.boolean(), async (pattern, text, ignoreCase) => {
        // Native `.` does not match characters that end a line in other contexts.
        fc.pre(!/[\r\u2028]/.test(text.replaceAll('\r\n', '')) || !pattern.includes('.'));
        // The two count empty iterations of a loop differently. So a match may end elsewhere, but the same lines
        // match.
        const isSame = !/\)[*+?{]/.test(pattern);
        const shown = (all: (string | number | undefined)[][]) => (isSame ? all : all.map(([line]) => line));
        expect(shown(await found(text, pattern, { ignoreCase }))).toEqual(shown(expected(text, pattern, ignoreCase)));
      }),
      { numRuns: 200 },
    );
  }, 180_000);

  it('is searched or refused, whatever it is', async () => {
    const sources = fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|\\^$.-,12:<>P=!dwpL'), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sources, async (pattern) => {
        const code = await find('ab12\n-a^b$\n', pattern).then(
          () => 'searched',
          (error) => error.code,
        );
        expect(['searched', 'pattern-invalid']).toContain(code);
      }),
      { numRuns: 300 },
    );
  });
});
