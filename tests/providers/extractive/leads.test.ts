import { describe, expect, it } from 'vitest';
import { readSentences } from '../../../src/context/sentences/sentences.ts';
import { asksInChat, speakerOf } from '../../../src/context/words/speech.ts';
import { readLeads } from '../../../src/providers/extractive/leads.ts';
import { passagesOf } from '../../support/passages.ts';

/** Returns the words of each leading sentence, and of the sentences that it leads to. */
function leadsIn(text: string, name = 'notes.md', chunkBytes?: number): Record<string, string[]> {
  const sentences = readSentences(passagesOf(text, chunkBytes, name));
  const words = (number: number) => sentences[number]!.text.trim();
  return Object.fromEntries([...readLeads(sentences)].map(([at, { members }]) => [words(at), members.map(words)]));
}

describe('a lead connects', () => {
  it('a heading with its list, also beyond the end of a passage, but not the title with the whole document', () => {
    const text = '# Log\n\n## 2.0\n\n* one thing\n* another thing\n\n## 1.0\n\n* old\n* older\n';
    const leads = { '## 2.0': ['* one thing', '* another thing'], '## 1.0': ['* old', '* older'] };
    expect(leadsIn(text)).toEqual(leads);
    expect(leadsIn(text, 'notes.md', 30)).toEqual(leads);
  });

  it('a heading with its text, also an underlined one', () => {
    expect(leadsIn('## Rooms\n\nUp to 140 a night. Breakfast is in it.\n')).toEqual({
      '## Rooms': ['Up to 140 a night.', 'Breakfast is in it.'],
    });
    expect(Object.keys(leadsIn('Rooms\n-----\n\nUp to 140 a night.\n'))).toEqual(['Rooms']);
  });

  it('a colon with its items, one level deep', () => {
    expect(leadsIn('Three may be given:\n\n- a\n  - aa\n- b\n')['Three may be given:']).toEqual(['- a', '- b']);
  });

  it('a question in a chat with the reply of another speaker, past bots and other questions', () => {
    const chat = [
      '[09:03] ivo: where do the trucks wait?',
      '[09:04] ci-bot: build passed',
      '[09:04] ivo: anybody?',
      '[09:05] lena: lot C',
      '[09:05] lena: not on the street',
      '[09:06] ivo: thanks',
    ];
    expect(leadsIn(chat.join('\n'), 'chat.txt')[chat[0]!]).toEqual([chat[3], chat[4]]);
  });

  it('a message that ends in a colon with the next message of the same speaker', () => {
    const chat = [
      '[09:03] ivo: from the retro:',
      '[09:04] ivo: - keep pairing',
      '[09:04] ivo: - stop it',
      '[09:05] lena: no',
    ];
    expect(leadsIn(chat.join('\n'), 'chat.txt')[chat[0]!]).toEqual([chat[1], chat[2]]);
  });

  it('a declaration with its comment', () => {
    const code = '/**\n * Adds tax.\n *\n * @param price before\n */\nexport function addTax(price) {\n';
    expect(leadsIn(code, 'tax.ts')['export function addTax(price) {']).toEqual(['* Adds tax.']);
  });
});

describe('lines of a chat', () => {
  it.each([
    ['[2026-02-09 08:58:12] mara: morning', 'mara'],
    ['11/05/2026, 07:52 - Petra: Good morning', 'petra'],
    ['12:30 <ivo> hello', 'ivo'],
    ['**Petra** (12:30): hello', 'petra'],
    ['2026-03-17T13:47:52.214Z ERROR orders: order failed', undefined],
    ['Note: this is prose', undefined],
  ])('%s', (line, name) => expect(speakerOf(line)?.name).toBe(name));

  it('with and without a question mark are questions', () => {
    expect(['how big is it', '212 failed, what are those', 'gloves?'].map(asksInChat)).toEqual([true, true, true]);
    expect(['that is how it is.', 'lot C'].map(asksInChat)).toEqual([false, false]);
  });
});
