import type { Sentence } from '../../../context/sentences/sentences.ts';
import { asksInChat, isQuestion, speakerOf } from '../../../context/words/speech.ts';

/** What a sentence says little without, by the numbers of sentences. */
export interface Lead {
  /** A list is shown whole, below what leads to it; a text and a reply stand for what leads to them. */
  readonly kind: 'list' | 'text' | 'reply';
  readonly members: readonly number[];
}

const longestList = 12;
const longestOfTitle = 6;
const longestText = 3;
const mostMessages = 5;
const colon = /[:：]["'”’)*_`]*\s*$/;

const levelOf = ({ text }: Sentence): number => /^#+/.exec(text)?.[0].length ?? 1;
const indentOf = ({ text }: Sentence): number => /^[ \t]*/.exec(text)![0].length;
const isRow = ({ kind }: Sentence): boolean => kind === 'item' || kind === 'row';

/**
 * The numbers from the next sentence on, as long as they belong: in the same stretch of text, and at most that many.
 */
function following(sentences: readonly Sentence[], at: number, belongs: (next: Sentence) => boolean): number[] {
  const found: number[] = [];
  for (let next = at + 1; next < sentences.length; next += 1) {
    const sentence = sentences[next]!;
    if (sentence.stretch !== sentences[at]!.stretch || !belongs(sentence)) break;
    found.push(next);
  }
  return found;
}

/**
 * What stands under a heading: a list where it is mostly that, else how its text begins. What stands under the headings
 * below it counts with it where it has no text of its own, is no title of a document, and is not long.
 */
function ofHeading(sentences: readonly Sentence[], at: number): Lead | null {
  const level = levelOf(sentences[at]!);
  const own = following(sentences, at, ({ kind }) => kind !== 'heading');
  const below = following(sentences, at, (next) => next.kind !== 'heading' || levelOf(next) > level);
  const section = own.length > 0 || level === 1 ? own : below;
  const rows = section.filter((number) => isRow(sentences[number]!));
  // What stands under the title of a document is the document.
  if (level === 1 && rows.length > longestOfTitle) return null;
  if (rows.length > 1 && rows.length * 2 > section.length && (section === own || rows.length <= longestList))
    return { kind: 'list', members: rows.slice(0, longestList) };
  const texts = own.filter((number) => !colon.test(sentences[number]!.text) && sentences[number]!.kind !== 'code');
  return texts.length === 0 ? null : { kind: 'text', members: texts.slice(0, longestText) };
}

/** "Three options can be given:" leads to the items below it, those of an item to the deeper ones. */
function ofColon(sentences: readonly Sentence[], at: number): Lead | null {
  const own = sentences[at]!;
  const depth = own.kind === 'item' ? indentOf(own) + 1 : 0;
  const block = following(sentences, at, (next) => next.kind === 'item' && indentOf(next) >= depth);
  const least = Math.min(...block.map((number) => indentOf(sentences[number]!)));
  const items = block.filter((number) => indentOf(sentences[number]!) === least);
  return items.length === 0 ? null : { kind: 'list', members: items.slice(0, longestList) };
}

/** A question in a chat leads to what somebody else says next, however many short remarks stand between. */
function ofMessage(sentences: readonly Sentence[], at: number, speaker: string): Lead | null {
  const next = following(sentences, at, () => true).slice(0, mostMessages);
  const by = (number: number) => speakerOf(sentences[number]!.text);
  const first = next.find((number) => {
    const name = by(number)?.name;
    return (
      name !== undefined &&
      name !== speaker &&
      !/bot$/i.test(name) &&
      !asksInChat(by(number)!.said) &&
      /\w/.test(by(number)!.said)
    );
  });
  if (first === undefined) return null;
  const more = next.filter((number) => number === first + 1 && by(number)?.name === by(first)?.name);
  return { kind: 'reply', members: [first, ...more] };
}

/** "From the retro:" leads to what the same one says right after. */
function ofAnnouncement(sentences: readonly Sentence[], at: number, speaker: string): Lead | null {
  const members = following(sentences, at, ({ text }) => speakerOf(text)?.name === speaker);
  return members.length === 0 ? null : { kind: 'list', members: members.slice(0, longestList) };
}

/** A question with its answer behind it, as in a list of frequent ones. */
function ofQuestion(sentences: readonly Sentence[], at: number): Lead | null {
  const members = following(sentences, at, (next) => next.kind === 'prose' && !isQuestion(next.text));
  return members.length === 0 ? null : { kind: 'text', members: members.slice(0, longestText - 1) };
}

/** What a comment above a declaration says of it. */
function ofDeclaration(sentences: readonly Sentence[], at: number): Lead | null {
  const { text, stretch } = sentences[at]!;
  let first = at;
  while (
    sentences[first - 1]?.kind === 'comment' &&
    sentences[first - 1]!.stretch === stretch &&
    sentences[first - 1]!.under.endsWith(text)
  )
    first -= 1;
  return first === at ? null : { kind: 'text', members: [first] };
}

const bold = /^\s*(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__)\s*$/;

function leadOf(sentences: readonly Sentence[], at: number): Lead | null {
  const sentence = sentences[at]!;
  if (sentence.kind === 'heading') return ofHeading(sentences, at);
  if (sentence.kind === 'code') return ofDeclaration(sentences, at);
  const message = speakerOf(sentence.text);
  if (message !== null && colon.test(message.said)) return ofAnnouncement(sentences, at, message.name);
  if (message !== null) return asksInChat(message.said) ? ofMessage(sentences, at, message.name) : null;
  if (sentence.kind !== 'log' && colon.test(sentence.text)) return ofColon(sentences, at);
  return sentence.kind !== 'log' && (isQuestion(sentence.text) || bold.test(sentence.text))
    ? ofQuestion(sentences, at)
    : null;
}

/** The sentences that lead to others. */
export function readLeads(sentences: readonly Sentence[]): ReadonlyMap<number, Lead> {
  const leads = new Map<number, Lead>();
  for (const at of sentences.keys()) {
    const lead = leadOf(sentences, at);
    if (lead !== null) leads.set(at, lead);
  }
  return leads;
}
