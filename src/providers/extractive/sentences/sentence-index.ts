import { readSentences, type Sentence } from '../../../context/sentences/sentences.ts';
import type { Passage } from '../../../state.ts';
import { type Lead, readLeads } from './leads.ts';
import { createTextIndex, remember, type TextIndex } from './text-index.ts';

/** The sentences of passages, indexed once for all clauses of a question. */
export interface SentenceIndex {
  readonly sentences: readonly Sentence[];
  readonly own: TextIndex;
  /** The headings of each sentence, with the name of its source. */
  readonly around: Pick<TextIndex, 'find'>;
  /** Paragraph number of each sentence. */
  readonly paragraphs: readonly number[];
  /** The sentences that introduce others, by index. */
  readonly leads: ReadonlyMap<number, Lead>;
}

/** Indexes headings; sentences with equal headings share one entry. */
function indexSurroundings(sentences: readonly Sentence[]): SentenceIndex['around'] {
  const groups = new Map<string, number[]>();
  for (const [number, { under, passage }] of sentences.entries()) {
    const text = `${under} ${passage.source}`;
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [number]);
    else group.push(number);
  }
  const members = [...groups.values()];
  const texts = createTextIndex([...groups.keys()]);
  const find = (term: string) => {
    const found = texts.find(term);
    // A word above every sentence, such as the name of the only source, is ignored.
    if (found.size === members.length) return new Map<number, number>();
    return new Map([...found].flatMap(([group, near]) => members[group]!.map((number) => [number, near] as const)));
  };
  return { find: remember(find) };
}

/** Whether a sentence is in the paragraph of the previous one: no blank line is between them. */
function goesOn(sentence: Sentence, before: Sentence): boolean {
  if (before.passage !== sentence.passage) return before.stretch === sentence.stretch;
  return !/\n\s*\n/.test(
    sentence.passage.text.slice(Math.max(0, before.end - 1), sentence.start) + sentence.text.slice(0, 2),
  );
}

function numberParagraphs(sentences: readonly Sentence[]): number[] {
  let paragraph = 0;
  return sentences.map((sentence, number) => {
    const before = sentences[number - 1];
    if (before !== undefined && !goesOn(sentence, before)) paragraph += 1;
    return paragraph;
  });
}

/** Indexes the sentences of passages. */
export function indexSentences(passages: readonly Passage[]): SentenceIndex {
  const sentences = readSentences(passages);
  return {
    sentences,
    own: createTextIndex(sentences.map((sentence) => sentence.text)),
    around: indexSurroundings(sentences),
    paragraphs: numberParagraphs(sentences),
    leads: readLeads(sentences),
  };
}
