import { expect, it } from 'vitest';
import { readSentences } from '../../../src/context/sentences/sentences.ts';
import type { Passage } from '../../../src/state.ts';

const text = 'Book 35,B. Roy,1980\nBook 36,Dr. A. Lem,1987\n';
const passage = { id: 'P1', text, startLine: 1, endLine: 2, startByte: 0, endByte: text.length } as Passage;

it.each(['books.csv', 'books.tsv', 'books.jsonl', 'books.log'])('no initial ends a sentence in %s', (source) => {
  expect(readSentences([{ ...passage, source }]).map((sentence) => sentence.text)).toEqual(text.trim().split('\n'));
});

it('a long record with prose is split into sentences', () => {
  const long = `7,${'The pump was checked again and nothing was found. '.repeat(8)}The seal was worn.\n`;
  const found = readSentences([{ ...passage, text: long, endByte: long.length, endLine: 1, source: 'notes.csv' }]);
  expect(found.map((sentence) => sentence.text.trim())).toContain('The seal was worn.');
});

it('an initial in a row of piped text does not end a sentence', () => {
  const found = readSentences([{ ...passage, source: 'stdin' }]);
  expect(found.map((sentence) => sentence.text)).toEqual(text.trim().split('\n'));
});
