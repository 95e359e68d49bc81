import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryCitations, checkCitations } from '../../src/evidence/citations.ts';
import { markedIds } from '../../src/evidence/marks.ts';
import { numberCitations } from '../../src/evidence/number-citations.ts';
import type { Citation, TreeNode } from '../../src/state.ts';
import { passagesOf, sourceAt } from '../support/passages.ts';

const text = 'Größe: 20 €\nDer Pool lief über. 😀 Danach\nwar Ruhe.\n';
const [passage] = passagesOf(text);
const lines = passagesOf('one one\ntwo two\nthree three\n', 12);

const check = (answer: string, cited: { passage: string; quote: string | null }[] = []) =>
  checkCitations(answer, cited, [passage!]);

describe('the citations of a reply', () => {
  it('are narrowed to the lines and bytes of their quotes', () => {
    const { citations, problems } = check('Ja [P1].', [{ passage: 'P1', quote: '😀 Danach war' }]);
    expect(problems).toEqual([]);
    expect(citations).toMatchObject([
      { number: 1, startLine: 2, endLine: 3, quote: '😀 Danach\nwar', hash: passage!.hash },
    ]);
    expect(sourceAt(text, citations[0]!)).toBe('😀 Danach\nwar');
  });

  it('are the whole passage when nothing is quoted', () => {
    expect(check('Ja [P1].').citations).toMatchObject([{ startLine: 1, endLine: 3, startByte: 0, quote: null }]);
  });

  it('do not end on a line after their quote', () => {
    expect(check('Ja', [{ passage: 'P1', quote: 'Größe: 20 €\n' }]).citations).toMatchObject([
      { startLine: 1, endLine: 1 },
    ]);
  });

  it('are dropped from the answer, and named, when the passage was not given', () => {
    const { answer, citations, problems } = check('Sie lief über [P9]. Ja [P1, P7] , oder [P8]?\n[P9]');
    expect(answer).toBe('Sie lief über. Ja [P1] , oder?');
    expect(citations.map(({ passage: id }) => id)).toEqual(['P1']);
    expect(problems.map((problem) => /P\d/.exec(problem)?.[0])).toEqual(['P9', 'P7', 'P8']);
  });

  it('are a problem and no citation when they misquote', () => {
    const { answer, citations, problems } = check('Es waren 30 € [P1].', [{ passage: 'P1', quote: 'Größe: 30 €' }]);
    expect({ answer, citations }).toEqual({ answer: 'Es waren 30 €.', citations: [] });
    expect(problems).toEqual(['the reply quotes "Größe: 30 €", which is not in notes.md:1-3']);
  });

  it('may be several quotes of one passage, each once', () => {
    const quote = (words: string) => ({ passage: 'P1', quote: words });
    const { answer, citations } = check('a [P1]', [
      quote('Größe: 20'),
      quote('Ruhe'),
      quote('Größe:  20'),
      quote('30'),
    ]);
    expect(answer).toBe('a [P1]');
    expect(citations.map(({ number, quote }) => [number, quote])).toEqual([
      [1, 'Größe: 20'],
      [2, 'Ruhe'],
    ]);
  });

  it('leave the spaces and signs of the answer unchanged', () => {
    const code = 'Pourquoi ?\n    .css { a : b }  \n\n`x ? y : z` [P1]';
    expect(check(code).answer).toBe(code);
  });

  it("keep the passage's bytes if the text holds invalid UTF-8, which cannot be counted", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(' the pool\nran out\n')]);
    const [broken] = passagesOf(bytes);
    const { citations } = checkCitations('x', [{ passage: 'P1', quote: 'ran out' }], [broken!]);
    expect(citations).toMatchObject([
      { startLine: 2, endLine: 2, startByte: 0, endByte: bytes.length, quote: 'ran out' },
    ]);
  });

  it('are read from marks in any form', () => {
    expect(markedIds('a [P1] b [P3, P4] c [P3][P12] [P5; 6] [ P7 ]')).toEqual([
      'P1',
      'P3',
      'P4',
      'P12',
      'P5',
      'P6',
      'P7',
    ]);
  });

  it.each([
    ['[P1-P3]', ['P1', 'P2', 'P3']],
    ['[P1–3]', ['P1', 'P2', 'P3']],
    ['[P7, P1 - P2; P9]', ['P7', 'P1', 'P2', 'P9']],
    ['[P1-P20]', Array.from({ length: 20 }, (_, index) => `P${index + 1}`)],
    ['[P1-P21]', ['P1', 'P21']],
    ['[P1-P99999999999999999999]', ['P1', 'P99999999999999999999']],
    ['[P3-P1]', ['P3', 'P1']],
  ])('are read from the range %s', (mark, ids) => {
    expect(markedIds(`a ${mark}.`)).toEqual(ids);
  });

  it('may be a range; passages of it that were not given are dropped and named', () => {
    const { answer, citations, problems } = checkCitations('All [P2-P4].', [], lines);
    expect(answer).toBe('All [P2][P3].');
    expect(citations.map(({ passage: id }) => id)).toEqual(['P2', 'P3']);
    expect(problems).toEqual(['the reply cites passage P4, which the model was not given']);
  });

  it('do not include a severity, percentile, list number or bare word', () => {
    const answer = 'an incident of severity (P1), see P8; latency[p99] and [p50]';
    expect(markedIds(`${answer} [9]`)).toEqual([]);
    expect(check(answer)).toEqual({ answer, citations: [], problems: [] });
  });

  it('are never a bare number, which is left out and named', () => {
    const { answer, citations, problems } = check('Ja [P1][2], und [7].');
    expect(answer).toBe('Ja [P1], und.');
    expect(citations.map(({ passage: id }) => id)).toEqual(['P1']);
    expect(problems).toEqual(['[2]', '[7]'].map((mark) => expect.stringContaining(mark)));
  });
});

describe('every citation', () => {
  it('quotes exactly the source bytes that it names', () => {
    const piece = fc.constantFrom('é', '“x”', '😀', 'word', ' ', '\n', '\r\n', '—', 'مرحبا', '\u0301', '.');
    const source = fc.array(piece, { minLength: 5, maxLength: 80 }).map((pieces) => pieces.join(''));
    const unit = fc.string({ unit: 'binary', maxLength: 3 });
    fc.assert(
      fc.property(
        source,
        fc.nat(),
        fc.nat(),
        unit,
        fc.integer({ min: 1, max: 40 }),
        (document, from, count, noise, size) => {
          const passages = passagesOf(document, size);
          const chosen = passages[from % passages.length]!;
          const start = from % chosen.text.length;
          const copied = chosen.text.slice(start, start + 1 + (count % 20));
          const quotes = [copied, copied.replace(/\s+/g, ' '), `…${copied}…`, copied + noise, noise];
          const cited = quotes.map((quote) => ({ passage: chosen.id, quote }));
          for (const citation of checkCitations('x', cited, passages).citations) {
            expect(citation.quote).toBe(sourceAt(document, citation));
            expect(citation.startLine).toBeGreaterThanOrEqual(chosen.startLine);
            expect(citation.endLine).toBeLessThanOrEqual(chosen.endLine);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is one of the passages given, whatever the answer says', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[P1]', '[P2, P9]', '(P3)', ' a', '.', '\n', '[P', '1]')), (parts) => {
        const { answer, citations } = checkCitations(parts.join(''), [], lines);
        const ids = citations.map(({ passage: id }) => id);
        expect(new Set(markedIds(answer))).toEqual(new Set(ids));
        for (const id of ids) expect(['P1', 'P2', 'P3']).toContain(id);
      }),
    );
  });
});

const cited = (id: string, quote: string | null = null): Citation =>
  checkCitations('', [{ passage: id, quote }], lines).citations[0]!;

const node = (...citations: Citation[]) => ({ question: 'Which?', citations }) as unknown as TreeNode;

describe('a quote from another passage', () => {
  const given = passagesOf('the pool ran out\nrelease 4.2 came\nthe pool was limited to "20"\n', 28);
  const [first, , third] = given.map(({ id }) => id) as [string, string, string];
  const at = (cited: { passage: string; quote: string | null }[], answer = '') => checkCitations(answer, cited, given);

  it.each([
    ['that was given', first],
    ['that was not given', 'P99'],
    ['without an id', ''],
  ])('becomes a citation of the passage that contains it: one %s', (_, passage) => {
    const { citations, problems } = at([{ passage, quote: "The pool was limited to '20'" }]);
    expect(citations).toMatchObject([{ passage: third, quote: 'the pool was limited to "20' }]);
    expect(problems).toEqual([]);
  });

  it('moves the marks of the answer', () => {
    const { answer, citations } = at([{ passage: 'P99', quote: 'was limited to' }], 'It was limited [P99].');
    expect(answer).toBe(`It was limited [${third}].`);
    expect(citations).toHaveLength(1);
  });

  it('leaves the marks in place if the passage is also cited rightly', () => {
    const cited = [
      { passage: first, quote: 'was limited to' },
      { passage: first, quote: 'ran out' },
    ];
    expect(at(cited, `It ran out [${first}].`).answer).toBe(`It ran out [${first}].`);
  });

  it.each([
    ['few letters, which stand anywhere', 'to'],
    ['other words', 'the pool was limited to 30'],
  ])('is dropped when it has %s', (_, quote) => {
    const { citations, problems } = at([{ passage: first, quote }]);
    expect(citations).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

describe('a composed answer', () => {
  it('carries the citations of its parts that it still marks', () => {
    const parts = [node(cited('P1'), cited('P2')), node(cited('P2'), cited('P3', 'three'))];
    const { answer, citations, problems } = carryCitations('c [P3], b [P2], x [P9].', parts);
    expect(answer).toBe('c [P3], b [P2], x.');
    expect(citations.map(({ number, passage: id, quote }) => [number, id, quote])).toEqual([
      [1, 'P2', null],
      [2, 'P3', 'three'],
    ]);
    expect(problems).toEqual(['the composed answer cites passage P9, which none of its parts cites']);
  });

  it('has no bare numbers either', () => {
    const { answer, problems } = carryCitations('b [P2] [1], c [2].', [node(cited('P2'))]);
    expect(answer).toBe('b [P2], c.');
    expect(problems).toHaveLength(2);
  });

  it('has none when it marks none', () => {
    expect(carryCitations('b', [node(cited('P2'))])).toEqual({ answer: 'b', citations: [], problems: [] });
  });
});

describe('numbered citations', () => {
  it('count in the order of the answer, the unmarked last', () => {
    const { answer, citations } = numberCitations('b [P2]. c [P3][P2]. b [P2]', [
      cited('P1'),
      cited('P2'),
      cited('P3'),
    ]);
    expect(answer).toBe('b [1]. c [2][1]. b [1]');
    expect(citations.map(({ number, passage: id }) => [number, id])).toEqual([
      [1, 'P2'],
      [2, 'P3'],
      [3, 'P1'],
    ]);
  });

  it('give each mark one quote when there are equally many of both', () => {
    const quotes = [cited('P2', 'two two'), cited('P2', 'two')];
    expect(numberCitations('b [P2], c [P2]', quotes).answer).toBe('b [1], c [2]');
  });

  it('distinguish several quotes of one passage by the words before the mark', () => {
    const quotes = [cited('P1', 'one'), cited('P1', 'one one')];
    const other = [cited('P3', 'three three'), cited('P3', 'three')];
    expect(numberCitations('First "one  one" [P1]. All [P1], all [P1]', quotes).answer).toBe(
      'First "one  one" [1][2]. All [1][2], all [1][2]',
    );
    expect(numberCitations('First "three" [P2, P3]', [cited('P2'), ...other]).answer).toBe('First "three" [1][2]');
  });
});
