import { withoutMarks } from '../sentences/marks.ts';
import { splitComparison, withoutEnd } from './comparisons.ts';
import { namesNothing, readQuery } from './query.ts';

/** A part of a question that can be answered separately. */
export interface Clause {
  /** The clause as a self-contained question: it includes what it refers back to. */
  readonly question: string;
  /** Numbers (from 1) of earlier clauses that it refers back to. */
  readonly needs: readonly number[];
}

const asking = '(?:what|which|who|whom|whose|when|where|why|how)';
const auxiliary =
  "(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|might|isn't|aren't|wasn't|weren't|doesn't|didn't)";
const subject =
  '(?:it|they|he|she|we|you|i|there|this|that|these|those|the|a|an|any|all|some|each|every|our|my|its|their)';
const command =
  '(?:list|explain|describe|compare|show|find|summari[sz]e|tell|give|name|identify|count|say|state|outline|quote|suggest|propose|write|refactor|check|verify)';
const german = '(?:warum|wieso|weshalb|wann|wer|wo|wie|was|welche[rsnm]?)';
const prefixed =
  '(?:for how (?:long|much|many)|(?:to|by|from|with|for|of) whom|(?:since|until|by|from) when|at what (?:time|price|cost|point))';
const bare = `(?:${asking}|${prefixed}|how (?:long|much|many|often|far|soon))(?=\\s*(?:[,?.!;]|$|and\\b|or\\b))`;

// What may follow "and" at the start of a new question. A bare "when" or "where" clause belongs to its verb.
const afterAnd = `(?:${bare}|${prefixed}\\s|(?:what|which|who|whose|why|how)\\s|(?:when|where)\\s+${auxiliary}\\b|${auxiliary}\\s+${subject}\\b|${command}\\s|if so\\b|${german}\\b)`;
// After a comma alone "who …" may describe the name before it; in a list of questions another one follows.
const afterComma = `(?:${bare}|${prefixed}\\s|(?:what|why|how)\\s|who\\s[^,;?]*,\\s*(?:and|or)\\s|(?:when|where|who)\\s+${auxiliary}\\s+${subject}\\b|${german}\\b)`;
const joint = new RegExp(
  `\\s*[,;]?\\s+(?:and then|and also|and|or|but|then|as well as|und|sowie)\\s+(?=${afterAnd})|\\s*[,;]\\s*(?=${afterComma})`,
  'i',
);

const isAsk = new RegExp(
  `^(?:(?:please|and|so|now|then|also|but)\\s+)*(?:${asking}|${auxiliary}|${command}|${german})\\b|[?？]\\s*$`,
  'i',
);
const refersBack =
  /\b(?:it|its|they|them|their|that|this|these|those|he|she|his|her|him|so|there|the same|es|sie|er)\b/i;
const bareClause = new RegExp(
  `^(?:${asking}|${prefixed}|how (?:long|much|many|often|far|soon)|${german})(?: (?:so|not))?$`,
  'iu',
);

const marker = /^\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+/u;

function sentencesOf(question: string): string[] {
  return question
    .split(
      /\n+|(?<=[?!？！。；])\s*|(?<=;|(?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|No|vs|etc|e\.g|i\.e))\.)\s+(?=[\p{Lu}\d"'`(]|what|who|why|how|when|where)/u,
    )
    .map((part) => part.replace(marker, '').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

// Most sentences join and compare nothing, and the detailed patterns are costly to compile.
const joining = /[,;]|\s(?:and|or|but|then|as well as|und|sowie)\s/i;

const asksItself = new RegExp(
  `^(?:(?:please|and|so|now|then|also|but)\\s+)*(?:${bare}|${prefixed}|${asking}|${auxiliary}|${command}|${german})\\b`,
  'i',
);

/**
 * Splits a sentence at its joints. A part that only gives the situation ("After 1945, what …") is no question; then
 * the sentence stays whole.
 */
function splitJoints(sentence: string): string[] {
  const whole = [withoutEnd(sentence) || sentence];
  if (!joining.test(sentence)) return whole;
  const parts = sentence
    .split(joint)
    .map(withoutEnd)
    .filter((part) => part !== '');
  return parts.length === 0 || !asksItself.test(parts[0]!) ? whole : parts;
}

const lemmas: Readonly<Record<string, string>> = {
  failed: 'fail',
  broke: 'break',
  crashed: 'crash',
  happened: 'happen',
  changed: 'change',
  stopped: 'stop',
  started: 'start',
  went: 'go',
  died: 'die',
  exited: 'exit',
  began: 'begin',
  timed: 'time',
  slowed: 'slow',
  ended: 'end',
  occurred: 'occur',
};

const invertedClause = new RegExp(`^${asking} (${auxiliary} .+)$`, 'i');
const plainClause = new RegExp(`^${auxiliary} .+$`, 'i');

/** Completes a bare "why" with the words of the clause before it; null where they form no sentence. */
function unfold(bareWord: string, before: string): string | null {
  const ofSubject = before.match(/^(?:what|who|which(?: \S+)?) (\w+)(.*)$/iu);
  const lemma = lemmas[ofSubject?.[1]?.toLowerCase() ?? ''];
  if (lemma !== undefined && /^(?:why|how|when|where)$/iu.test(bareWord))
    return `${bareWord} did it ${lemma}${ofSubject?.[2] ?? ''}`;
  const inverted = before.match(invertedClause);
  if (inverted !== null) return `${bareWord} ${inverted[1]}`;
  return plainClause.test(before) ? `${bareWord} ${before.charAt(0).toLowerCase()}${before.slice(1)}` : null;
}

const opening = new RegExp(
  `^(?:${asking}|${german})\\s+${auxiliary}\\s+|^(?:where|when|why|how|${german})\\s+|^(?:${command}|${auxiliary})\\s+`,
  'i',
);

const askingFirst = new RegExp(`^${asking}\\b`, 'i');

/** Returns the topic of a clause, in a few words. */
function topicOf(clause: string): string {
  return clause
    .replace(opening, '')
    .replace(askingFirst, (word) => word.toLowerCase())
    .replace(/\s+(?:it|them|this|that)$/iu, '')
    .replace(/\s*\([^)]*\)/gu, '')
    .split(/\s+/u)
    .slice(0, 12)
    .join(' ');
}

const isCommand = new RegExp(`^(?:please )?${command}\\b`, 'i');

function finish(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  if (isCommand.test(first) || /[.?!？。]$/.test(first)) return first;
  return /[\p{Script=Han}\p{Script=Hiragana}]$/u.test(first) ? `${first}？` : `${first}?`;
}

const afterObject = /\s+(?:after|before|when|while|because|since|during|at|on|in|by|with|from)\s/iu;
const isAuxiliary = new RegExp(`^${auxiliary}$`, 'i');
// Verbs whose object has a complement: "what made it worse".
const made = /^(?:make|makes|made|got|gets|keeps|kept|leaves|left)$/i;

/** Returns the object of a clause: "the pump" in "what broke the pump"; null where it is unclear. */
function objectOf(clause: string): string | null {
  const [, verb = '', object = ''] =
    /^(?:what|who)\s+([\p{L}]+)\s+((?:the|our|my|this|that)\s+[\p{L}\p{N}' -]+)$/iu.exec(clause) ?? [];
  if (object === '' || isAuxiliary.test(verb)) return null;
  const words = object.split(afterObject)[0]!.split(/\s+/u);
  const thing = made.test(verb) ? words.slice(0, -1) : words;
  const isOne = !/[^s]s$/i.test(thing.at(-1) ?? '');
  return isOne && thing.length >= 2 && thing.length <= 4 ? thing.join(' ') : null;
}

const it = /\bit\b/;

/** Makes a dependent clause self-contained: with the words of the earlier clause, or its topic in brackets. */
function standAlone(part: string, before: string): string {
  const whole = bareClause.test(part) ? unfold(part, before) : null;
  if (whole !== null) return finish(whole);
  const object = objectOf(before);
  if (object !== null && it.test(part)) return finish(part.replace(it, object));
  const topic = topicOf(before);
  return topic === '' || part.includes(topic) ? finish(part) : `${finish(part)} (${topic})`;
}

/** Returns a clause as the title of its answer, without an added topic. */
export function asWritten(question: string): string {
  return withoutMarks(question.replace(/(?<=[?？])\s+\([^)]*\)$/u, ''));
}

/** A piece of a question. */
interface Part {
  readonly text: string;
  /** Whether it only gives the situation. */
  readonly isGiven: boolean;
  /** Whether it continues the previous sentence, or follows a situation. */
  readonly goesOn: boolean;
  /** Whether it is about one of the compared things, and so is self-contained. */
  readonly isSide?: true;
}

const title = /["“]([^"“”\n]{1,120})["”]/gu;

/** Splits a question into parts; a title in quotation marks counts as one word. */
function partsOf(question: string): Part[] {
  const titles: string[] = [];
  const hidden = question.replace(title, (whole) => `"\ue000${titles.push(whole) - 1}\ue001"`);
  const shown = (text: string) =>
    text.replace(/"\ue000(\d{1,4})\ue001"/gu, (whole, place: string) => titles[Number(place)] ?? whole);
  return splitParts(hidden).map((part) => ({ ...part, text: shown(part.text) }));
}

function splitParts(question: string): Part[] {
  const sentences = sentencesOf(question);
  const asks = sentences.filter((sentence) => isAsk.test(sentence));
  const firstAsk = sentences.indexOf(asks[0] ?? '');
  const given = sentences
    .slice(0, Math.max(0, firstAsk))
    .slice(-1)
    .filter((sentence) => !namesNothing(sentence) && /\p{L}/u.test(sentence));
  const parts = (asks.length === 0 ? sentences : asks).flatMap((sentence) => {
    const compared = splitComparison(sentence);
    if (compared !== null)
      return compared.map((text) => ({ text, isGiven: false, goesOn: false, isSide: true as const }));
    return splitJoints(sentence).map((text, index) => ({
      text,
      isGiven: false,
      goesOn: index > 0 || (given.length > 0 && sentence === asks[0]),
    }));
  });
  return [...given.map((text) => ({ text: withoutEnd(text), isGiven: true, goesOn: false })), ...parts];
}

const fewWords = 1;

/** Whether a part depends on the parts before it. */
function leans({ text, goesOn, isSide }: Part): boolean {
  if (isSide) return false;
  return (
    bareClause.test(text) ||
    refersBack.test(text) ||
    (goesOn && (namesNothing(text) || readQuery(text).about.size <= fewWords))
  );
}

/** Splits a question into self-contained clauses; always at least one. */
function splitClauses(question: string): Clause[] {
  const clauses: Clause[] = [];
  const seen = new Set<string>();
  let before: { readonly text: string; readonly number: number } | undefined;
  for (const part of partsOf(question)) {
    if (part.isGiven) {
      before = { text: part.text, number: 0 };
      continue;
    }
    const leansOn = before !== undefined && leans(part) ? before : undefined;
    const text = leansOn === undefined ? finish(part.text) : standAlone(part.text, leansOn.text);
    if (seen.has(text)) continue;
    seen.add(text);
    clauses.push({ question: text, needs: leansOn === undefined || leansOn.number === 0 ? [] : [leansOn.number] });
    if (leansOn === undefined) before = { text: part.text, number: clauses.length };
  }
  return clauses.length > 1 ? clauses : [{ question: question.trim(), needs: [] }];
}

/** Splits a question into at most `limit` clauses; the last one contains the rest. */
export function splitAtMost(question: string, limit: number): Clause[] {
  const clauses = splitClauses(question);
  if (clauses.length <= limit) return clauses;
  const rest = clauses.slice(limit - 1);
  const needs = [...new Set(rest.flatMap((clause) => clause.needs))].filter((number) => number < limit);
  return [...clauses.slice(0, limit - 1), { question: rest.map((clause) => clause.question).join(' '), needs }];
}
