import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from '../../../src/context/words/stem.ts';
import { contentTerms, createTermReader, isStopword, joinedWords, terms } from '../../../src/context/words/terms.ts';

describe('two adjacent words', () => {
  it.each([
    ['pool size', 'poolsiz'],
    ['status 503', 'status503'],
  ])('%j are also one identifier', (text, term) => {
    expect(joinedWords(text)).toEqual([{ term, of: contentTerms(text) }]);
  });
});

describe('terms', () => {
  it.each([
    ['Red apples!', ['red', 'appl']],
    ['retry retries retried retrying', ['retri', 'retri', 'retri', 'retri']],
    ['note noted notes, code coding, logged', ['note', 'note', 'note', 'code', 'code', 'log']],
    ['maxRetryCount', ['max', 'retri', 'count', 'maxretrycount']],
    ['max_retry_count', ['max', 'retri', 'count', 'max_retry_count']],
    ['HTTPServer2', ['http', 'server', 'httpserver2']],
    ['HTTP_SERVER', ['http', 'server', 'http_server']],
    ['src/readInputs.ts', ['src', 'read', 'input', 'readinputs', 'ts', 'src/readinputs.ts']],
    ['10.0.0.12:8080', ['10', '0', '0', '12', '10.0.0.12', '8080']],
    ['error 404, sha 9e3779b1', ['error', '404', 'sha', '9e3779b1']],
    ['boundary-layer', ['boundari', 'layer']],
    ['Café naïve ŒUVRE', ['cafe', 'naiv', 'œuvre']],
    ['cafe\u0301', ['cafe']],
    ['Москва слезам', ['москва', 'слезам']],
    ['東京都 x', ['東京', '京都', 'x']],
    ['Node版本', ['node', '版本']],
    ['relates and relations', ['relat', 'and', 'relat']],
    ['v1.2.3-rc.1', ['v1', '2', '3', 'rc', '1', 'v1.2.3-rc.1']],
    ['don’t stop', ['don', 't', 'stop']],
    ['... -- / \\ _', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('gives the parts of an identifier in a text as for the identifier alone', () => {
    expect(terms('parse the userName')).toEqual([...terms('parse'), ...terms('the'), ...terms('userName')]);
  });

  it('never fails and returns no empty term, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(terms(text).every((term) => term.length > 0)).toBe(true);
      }),
    );
  });

  it('takes time in proportion to the length of odd text', () => {
    for (const odd of ['x'.repeat(5_000_000), 'a.b.'.repeat(250_000), 'aB'.repeat(1_000_000), '漢'.repeat(500_000)])
      terms(odd);
    expect(terms('x'.repeat(5_000_000))).toEqual(['x'.repeat(64)]);
  }, 10_000);
});

describe('createTermReader', () => {
  it('stems words by the given function, alone and as parts of identifiers', () => {
    const read = createTermReader((word) => word.slice(0, 3));
    expect(read('retries maxRetries lib/retries.ts')).toEqual([
      'ret',
      'max',
      'ret',
      'maxretries',
      'lib',
      'ret',
      'ts',
      'lib/retries.ts',
    ]);
  });
});

describe('stem', () => {
  // Pairs from the algorithm's sample vocabulary, and its listed exceptions.
  it.each([
    'consign consign, consigned consign, consistency consist, consistently consist, consolation consol',
    'knack knack, knackeries knackeri, knightly knight, knotted knot, knots knot',
    'caresses caress, ties tie, cries cri, gas gas, gaps gap, kiwis kiwi, agreed agre, proceed proceed',
    'luxuriated luxuri, hopping hop, hoping hope, falling fall, added add, organization organiz, university universiti',
    'rational ration, sensational sensat, hopefulness hope, biology biolog, biologist biolog, creative creativ',
    'say say, enjoy enjoy, happy happi, youth youth, boyish boyish, skies sky, dying die, news news, early earli',
    'adoption adopt, replacement replac, cement cement, rate rate, controll control, évents évents, a1s a1s, as as',
  ])('%s', (pairs) => {
    for (const [word, expected] of pairs.split(', ').map((pair) => pair.split(' ') as [string, string])) {
      expect(`${word} ${stem(word)}`).toBe(`${word} ${expected}`);
    }
  });
});

describe('contentTerms', () => {
  it('leaves out common words from the result of terms', () => {
    expect(contentTerms('What is the cause of these, and why does it have any?')).toEqual(['caus']);
    expect(terms('the').every(isStopword)).toBe(true);
  });

  it('keeps the order and the repeats', () => {
    expect(contentTerms('The pool, not a pool: the retries')).toEqual(['pool', 'pool', 'retri']);
  });
});
