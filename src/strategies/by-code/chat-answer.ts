import { type ChatMessage, findMessages } from '../../context/counting/speakers.ts';
import type { ContextStore } from '../../context/document.ts';
import { type CodeAnswer, exampleOf, showExample, showMany } from './code-answer.ts';

const messages = '(?:messages|lines|posts|texts|times)';
const wrote = '(?:write|wrote|written|send|sent|post|posted|say|said|speak|spoke|have|has|type|typed)';
const ofSpeaker = new RegExp(
  `^\\W*how (?:many ${messages}|often) (?:did|has|does|were|are|came|come) (?:(?:sent|written|posted|by|from|the|user) )*@?(?<name>[\\p{L}][\\p{L}\\p{N}._'-]*(?: [\\p{L}][\\p{L}\\p{N}._'-]*)?)(?: ${wrote})?(?: (?:in|to|the|chat|group|altogether|total|overall|this|channel))*\\W*$`,
  'iu',
);
const ofAll =
  /^\W*how many messages (?:are|were) (?:there|in|sent|written|posted)(?: (?:in|to|the|chat|group|altogether|total|overall|this|channel|there))*\W*$/i;
const ofPeople =
  /^\W*how many (?:different )?(?:people|participants|persons|members|speakers|users|authors) (?:are|were|write|wrote|take|took|have|talk|talked|posted|sent|participated|speak|spoke)\b[\w ]*\W*$/i;
const ranked =
  /^\W*who (?:wrote|sent|posted|writes|said|talks|talked|spoke) the (?<side>most|fewest|least)(?: (?:messages|lines|posts))?(?: (?:in|to|the|chat|group|this|channel))*\W*$/i;

const mostExamples = 5;
const certainty = 0.9;
/** Messages that make a text a chat, at least; they come from two or more people. */
const fewestMessages = 4;

function countSpeakers(all: readonly ChatMessage[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { speaker } of all) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

interface ChatCount {
  readonly first: string;
  readonly rule: string;
  readonly shown: readonly ChatMessage[];
}

function answerOf(question: string, all: readonly ChatMessage[]): ChatCount | null {
  const speakers = countSpeakers(all);
  const list = speakers.map(([name, count]) => `${name} ${count}`).join(', ');
  const side = ranked.exec(question)?.groups?.['side']?.toLowerCase();
  if (side !== undefined) {
    const [name, count] = speakers.at(side === 'most' ? 0 : -1)!;
    const own = all.filter(({ speaker }) => speaker === name);
    return { first: `${name}: ${showMany(count, 'message')}.`, rule: `By speaker: ${list}.`, shown: own };
  }
  if (ofPeople.test(question))
    return { first: `${speakers.length} speakers counted.`, rule: `By speaker: ${list}.`, shown: all };
  if (ofAll.test(question))
    return { first: `${showMany(all.length, 'message')} counted.`, rule: `By speaker: ${list}.`, shown: all };
  const name = ofSpeaker
    .exec(question)
    ?.groups?.['name']?.toLowerCase()
    .replace(new RegExp(` ${wrote}$`, 'i'), '');
  const named = speakers.filter(([one]) => one === name || one.split(' ')[0] === name);
  if (name === undefined || named.length !== 1) return null;
  const own = all.filter(({ speaker }) => speaker === named[0]![0]);
  const rule = 'Rule: a line counts that begins with a time and that name as its speaker.';
  return { first: `${showMany(own.length, 'message')} counted, by ${named[0]![0]}.`, rule, shown: own };
}

/** Answers questions that count the messages or speakers of chats; null for other questions and texts. */
export async function answerByChat(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<CodeAnswer | null> {
  if (![ofSpeaker, ofAll, ofPeople, ranked].some((form) => form.test(question))) return null;
  const all = await findMessages(store, signal);
  if (all.length < fewestMessages || new Set(all.map(({ speaker }) => speaker)).size < 2) return null;
  const found = answerOf(question, all);
  if (found === null) return null;
  const examples = found.shown.slice(0, mostExamples).map((one) => exampleOf(one, store));
  const answer = [found.first, found.rule, 'The first of them:', ...examples.map(showExample)].join('\n');
  return { answer, examples, certainty };
}
