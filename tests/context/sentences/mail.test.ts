import { expect, it } from 'vitest';
import { readSentences } from '../../../src/context/sentences/sentences.ts';
import type { Passage } from '../../../src/state.ts';

it.each(['list.mbox', 'one.eml'])('in %s, a sentence may span lines, and each header is separate', (source) => {
  const text =
    'From: Ann <a@x.example>\nSubject: Greenhouse\nTo: Bo <b@x.example>\n\nThe contract must reach the notary by\nFriday at noon, otherwise\nthe offer lapses.\n';
  const passage = { id: 'P1', text, startLine: 1, endLine: 7, startByte: 0, endByte: text.length, source } as Passage;
  expect(readSentences([passage]).map((sentence) => sentence.text)).toEqual([
    'From: Ann <a@x.example>',
    'Subject: Greenhouse',
    'To: Bo <b@x.example>',
    'The contract must reach the notary by\nFriday at noon, otherwise\nthe offer lapses.',
  ]);
});
