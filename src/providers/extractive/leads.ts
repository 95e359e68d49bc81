import type { Sentence } from '../../context/sentences/sentences.ts';
import { asksInChat, isQuestion, speakerOf } from '../../context/words/speech.ts';

/** The sentences that another sentence (the "lead-in") introduces, such as the items below "Three options:". */
export interface Lead {
  /** A list is shown below the lead-in. A text or a reply replaces the lead-in. */
  readonly kind: 'list' | 'text' | 'reply';
  /** Indexes of the introduced sentences. */
  readonly members: readonly number[];
}

const longestList = 12;
const longestTitleList = 6;
const longestText = 3;
const mostMessages = 5;
const colon = /[:：]["'”’)*_`]*\s*$/;

const levelOf = ({ text }: Sentence): number => /^#+/.exec(text)?.[0].length ?? 1;
const indentOf = ({ text }: Sentence): number => /^[ \t]*/.exec(text)![0].length;
const isEntry = ({ kind }: Sentence): boolean => kind === 'item' || kind === 'row';

function following(sentences: readonly Sentence[], at: number, belongs: (next: Sentence) => boolean): number[] {
  const found: number[] = [];
  for (let next = at + 1; next < sentences.length; next += 1) {
    const sentence = sentences[next]!;
    if (sentence.stretch !== sentences[at]!.stretch || !belongs(sentence)) break;
    found.push(next);
  }
  return found;
}

function ofHeading(sentences: readonly Sentence[], at: number): Lead | null {
  const level = levelOf(sentences[at]!);
  const own = following(sentences, at, ({ kind }) => kind !== 'heading');
  const below = following(sentences, at, (next) => next.kind !== 'heading' || levelOf(next) > level);
  const section = own.length > 0 || level === 1 ? own : below;
  const rows = section.filter((number) => isEntry(sentences[number]!));
  // A longer list below the title of a document may be the whole document.
  if (level === 1 && rows.length > longestTitleList) return null;
  if (rows.length > 1 && rows.length * 2 > section.length && (section === own || rows.length <= longestList))
    return { kind: 'list', members: rows.slice(0, longestList) };
  const texts = own.filter((number) => !colon.test(sentences[number]!.text) && sentences[number]!.kind !== 'code');
  return texts.length === 0 ? null : { kind: 'text', members: texts.slice(0, longestText) };
}

/** Returns the items below a line such as "Three options:". If the line is an item, returns its nested items. */
function ofColon(sentences: readonly Sentence[], at: number): Lead | null {
  const own = sentences[at]!;
  const depth = own.kind === 'item' ? indentOf(own) + 1 : 0;
  const block = following(sentences, at, (next) => next.kind === 'item' && indentOf(next) >= depth);
  const least = Math.min(...block.map((number) => indentOf(sentences[number]!)));
  const items = block.filter((number) => indentOf(sentences[number]!) === least);
  return items.length === 0 ? null : { kind: 'list', members: items.slice(0, longestList) };
}

function ofMessage(sentences: readonly Sentence[], at: number, speaker: string): Lead | null {
  const next = following(sentences, at, () => true).slice(0, mostMessages);
  const by = (number: number) => speakerOf(sentences[number]!.text);
  const isReply = (message: ReturnType<typeof by>): boolean => {
    const { name, said } = message ?? { name: speaker, said: '' };
    return name !== speaker && !/bot$/i.test(name) && !asksInChat(said) && /\w/.test(said);
  };
  const first = next.find((number) => isReply(by(number)));
  if (first === undefined) return null;
  const more = next.filter((number) => number === first + 1 && by(number)?.name === by(first)?.name);
  return { kind: 'reply', members: [first, ...more] };
}

/** Returns the next messages of the same speaker after a message that ends with a colon, such as "From the retro:". */
function ofAnnouncement(sentences: readonly Sentence[], at: number, speaker: string): Lead | null {
  const members = following(sentences, at, ({ text }) => speakerOf(text)?.name === speaker);
  return members.length === 0 ? null : { kind: 'list', members: members.slice(0, longestList) };
}

function proseAfter(sentences: readonly Sentence[], at: number): Lead | null {
  const members = following(sentences, at, (next) => next.kind === 'prose' && !isQuestion(next.text));
  return members.length === 0 ? null : { kind: 'text', members: members.slice(0, longestText - 1) };
}

function ofDeclaration(sentences: readonly Sentence[], at: number): Lead | null {
  const { text, stretch } = sentences[at]!;
  const isAbout = (before: Sentence | undefined) =>
    before?.kind === 'comment' && before.stretch === stretch && before.under.endsWith(text);
  let first = at;
  while (isAbout(sentences[first - 1])) first -= 1;
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
    ? proseAfter(sentences, at)
    : null;
}

export function readLeads(sentences: readonly Sentence[]): ReadonlyMap<number, Lead> {
  const leads = sentences.map((_, at) => [at, leadOf(sentences, at)] as const);
  return new Map(leads.filter((entry): entry is readonly [number, Lead] => entry[1] !== null));
}
