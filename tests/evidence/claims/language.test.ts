import { describe, expect, it } from 'vitest';
import { isOtherLanguage } from '../../../src/evidence/claims/language.ts';

const english = 'The deploy at 13:42 changed the pool. It was lowered from 40 to 4 connections, and orders failed.';
const german = 'Die Auslieferung um 13:42 hat den Pool verkleinert. Er wurde von 40 auf 4 gesenkt, und es gab Fehler.';

describe('the language of a claim', () => {
  it.each([
    ['Es sind vier Verbindungen, und der Pool war klein.', english],
    ['Il y avait quatre connexions dans le pool.', english],
    ['Юникод говорит иначе.', english],
    ['プールは四つでした。', english],
    ['The pool was lowered to 4.', german],
    ['The pool was lowered to 4.', '接続プールは四に下げられた。注文は失敗した。'],
  ])('is another one: %s', (claim, text) => {
    expect(isOtherLanguage(claim, text)).toBe(true);
  });

  it.each([
    ['The pool was lowered to 4.', english],
    ['Er wurde auf 4 gesenkt.', german],
    ['C-1187, payments.pool.max', english],
    ['40', english],
    ['pool.max = 4', 'db.pool.max=4 db.pool.min=1'],
    ['It was lowered.', 'ERROR pool exhausted in_use=4'],
    ['Below 15 no receipt is needed, but no more than three such items a month.', english],
    ['', ''],
  ])('is the same, or cannot be told: %s', (claim, text) => {
    expect(isOtherLanguage(claim, text)).toBe(false);
  });
});
