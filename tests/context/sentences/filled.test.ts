import { expect, it } from 'vitest';
import { readSentences } from '../../../src/context/sentences/sentences.ts';
import type { Passage } from '../../../src/state.ts';

function sentencesIn(text: string, source = 'notes.txt'): string[] {
  const endLine = text.split('\n').length - 1;
  const passage = { id: 'P1', text, startLine: 1, endLine, startByte: 0, endByte: text.length, source } as Passage;
  return readSentences([passage]).map((sentence) => sentence.text);
}

it.each([
  [
    'English',
    'The contract for the garage was signed by Mr Oliver\nKent and Mrs Ada Holt on 3 May in the town hall.\n',
  ],
  [
    'German',
    'Die Kündigung des Vertrags mit dem Studio muss bis zum\nEnde des Monats eingehen, sonst gilt er noch ein\nJahr.\n',
  ],
])('a sentence spans the filled lines of a text in %s, even before a capital letter', (_, text) => {
  expect(sentencesIn(text)).toEqual([text.trim()]);
});

it.each([
  ['statements', 'Keys are under the blue mat at the door\nAlarm code of the house is 1234\nGas man comes on Friday\n'],
  [
    'statements of one length',
    'Order 1234 went to Berlin with the van on Monday\nOrder 1235 went to Ghent with the train on Monday\n',
  ],
  [
    'statements that end',
    'The first pump of the mill was bought in 1951.\nThe second pump of the mill was bought in 1987.\n',
  ],
  ['short lines', 'Roses are red\nViolets are blue.\n'],
  [
    'lines of very different lengths',
    'Dear Ann\nThe parcel with the three books from the shop has now arrived\nBest wishes from all of us.\n',
  ],
])('%s stay lines', (_, text) => {
  expect(sentencesIn(text)).toEqual(text.trim().split('\n'));
});

it('lines of a file of records are never joined to one sentence', () => {
  const text =
    'Order 1234 went to Berlin with the van of Mr Smith\nOrder 1235 went to Ghent with the train on Monday.\n';
  expect(sentencesIn(text, 'orders.log')).toEqual(text.trim().split('\n'));
});
