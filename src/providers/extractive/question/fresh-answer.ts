import { createMemo } from '../../../base/memo.ts';
import { isStopword } from '../../../context/words/terms.ts';
import { termsOf } from '../sentences/text-index.ts';

/** The kind of thing that answers a question, where its words show it. */
type AnswerKind = 'date' | 'number' | 'person' | 'name';

const time = '(?:year|century|date|decade|day|month)';
const thing = '(?:percent\\w*|number|amount|fraction|population|proportion)';
const place =
  '(?:country|city|state|town|region|nation|place|river|continent|area|island|countries|cities|states|regions)';
const asked = (nouns: string) => `\\b(?:what|which) (?:\\w+ )?${nouns}\\b`;

const kinds: readonly (readonly [AnswerKind, RegExp])[] = [
  ['date', new RegExp(`\\bwhen\\b|${asked(time)}`, 'i')],
  ['number', new RegExp(`\\bhow (?:many|much|large|big|far|long|old|tall|high|often|fast)\\b|${asked(thing)}`, 'i')],
  ['person', /\bwho(?:m|se)?\b/i],
  ['name', new RegExp(`\\bwhere\\b|\\bwhich\\b|\\b(?:called|named|known as)\\b|\\bnames? of\\b|${asked(place)}`, 'i')],
];

const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const dates = new RegExp(
  `\\b(?:1\\d{3}|20\\d\\d)s?\\b|\\b\\d+(?:st|nd|rd|th)\\b|\\b(?:${months})\\b|\\bcentur\\w+`,
  'gi',
);
const digits = /\d[\d,.]*/g;
const numerals =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|half|once|twice|third|quarter)s?\b/gi;
const names = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu;
const fullNames = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+ (?:(?:of|the|de|von) )?\p{Lu}[\p{L}\p{N}]+/gu;
const firstWord = /^\P{L}*\S+\s?/u;

const weaker = 0.6;
const asSurname = 0.8;

/** Returns the kind of thing that answers a question, and the question's terms. */
const readKind = createMemo(32, (question: string) => ({
  kind: kinds.find(([, pattern]) => pattern.test(question))?.[0] ?? null,
  had: new Set(termsOf(question)),
}));

/**
 * Rates whether a sentence contains something of the requested kind that the question lacks: a date, a number, a name.
 * 1 for yes, less for a weak candidate, 0 for no and where the kind is unknown.
 */
export function freshAnswer(question: string, text: string): number {
  const { kind, had } = readKind(question);
  const isNew = (found: string) => termsOf(found).some((term) => !isStopword(term) && !had.has(term));
  const has = (pattern: RegExp, within = text) => Array.from(within.matchAll(pattern)).some(([found]) => isNew(found));
  const inside = () => text.replace(firstWord, '');
  switch (kind) {
    case 'date':
      return has(dates) ? 1 : 0;
    case 'number':
      return has(digits) ? 1 : has(numerals) ? weaker : 0;
    case 'person':
      return has(fullNames, inside()) ? 1 : has(names, inside()) ? asSurname : 0;
    case 'name':
      return has(names, inside()) ? 1 : 0;
    case null:
      return 0;
  }
}
