import { isObject } from '../../base/is-object.ts';
import type { SubQuestion } from '../../state.ts';
import {
  isItem,
  itemsFrom,
  quotedIn,
  textFrom,
  toActions,
  toConflicts,
  toFacts,
  toList,
  toVerdicts,
  under,
  unwrap,
} from './coerce-parts.ts';
import type { CitedPassage, Field, Finding } from './fields.ts';
import { choiceAliases } from './labelled-reply.ts';

const numbersIn = (value: unknown): number[] =>
  [value].flat().flatMap((one) => {
    if (typeof one === 'number') return [one];
    return typeof one === 'string' ? (one.match(/\d+/g) ?? []).map(Number) : [];
  });

const needsNote = /[([]\s{0,3}(?:needs|requires|depends on|braucht|benötigt)\b([^)\]]{0,80})[)\]]\s{0,3}:?/i;

function toQuestion(item: unknown): SubQuestion | undefined {
  if (isObject(item)) {
    const found = textFrom(under(item, ['question', 'subquestion', 'text', 'q']));
    const needs = under(item, ['needs', 'dependson', 'dependencies', 'requires']);
    return found === undefined ? undefined : { question: found, needs: numbersIn(needs) };
  }
  const text = textFrom(item);
  if (text === undefined) return undefined;
  const note = needsNote.exec(text);
  if (note === null) return { question: text, needs: [] };
  const [before, after] = [text.slice(0, note.index).trimEnd(), text.slice(note.index + note[0].length).trimStart()];
  const question = unwrap(/^[?.!]/.test(after) ? before + after : `${before} ${after}`);
  return question === '' ? undefined : { question, needs: numbersIn(note[1]) };
}

/**
 * Reads sub-questions. `needs` lists the numbers of the items that a question depends on. The reply numbers all items;
 * the result numbers only the items that could be read. Numbers of later and of unreadable items are dropped.
 */
function toQuestions(value: unknown): SubQuestion[] | undefined {
  const items = typeof value === 'string' ? toList(value) : value;
  if (!Array.isArray(items)) return undefined;
  const questions: SubQuestion[] = [];
  const numbers = new Map<number, number>();
  for (const [index, item] of items.entries()) {
    const question = toQuestion(item);
    if (question === undefined) continue;
    const needs = question.needs.map((need) => numbers.get(need)).filter((need) => need !== undefined);
    questions.push({ question: question.question, needs: [...new Set(needs)] });
    numbers.set(index + 1, questions.length);
  }
  return questions;
}

const scoreAt = /(?<![\d.,])(-?\d+(?:[.,]\d+)?|\.\d+)\s{0,3}(?:(?:\/|out of|von|sur|de|su)\s{0,3}(\d+)|(%))?/giu;

function scoreIn(text: string): RegExpMatchArray | undefined {
  const found = [...text.slice(0, 2_000).matchAll(scoreAt)];
  const leading = found.find(({ index }) => /^[^\p{L}\d]*$/u.test(text.slice(0, index)));
  return leading ?? found.find((match) => match[2] ?? match[3]) ?? (found.length === 1 ? found[0] : undefined);
}

const inRange = (score: number) => (score >= 0 && score <= 100 ? Math.round(score) : undefined);

/** Reads a score of 0–100, also from `85/100`, `85 %`, `8.5/10` or a share such as `0.85`. */
function toScore(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value > 0 && value < 1 ? value * 100 : value);
  const match = typeof value === 'string' ? scoreIn(value) : undefined;
  if (match === undefined) return undefined;
  const isShare = !match[2] && !match[3] && /^0?[.,]/.test(match[1]!);
  const scale = isShare ? 1 : Number(match[2] ?? 100);
  return inRange((Number(match[1]!.replace(',', '.')) / scale) * 100);
}

const negation = "(?:not|isn't|never|nicht|kein|keine|pas|no|non|不是?)";

/**
 * Returns the option that the first line names, if it names exactly one, or else the only option that the whole text
 * names. Undefined if there is no such option, or if the text negates the option.
 */
function toChoice(value: unknown, options: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const said = value.trim().toUpperCase();
  const exact = options.find((option) => option.toUpperCase() === said);
  if (exact !== undefined) return exact;
  const isNamed = (word: string, text: string, before = '') =>
    new RegExp(`(?<![\\p{L}\\p{N}])${before}${word}(?![\\p{L}\\p{N}])`, 'iu').test(text);
  const namesOf = (option: string) => [option, ...(choiceAliases[option] ?? [])];
  const named = (text: string) => options.filter((option) => namesOf(option).some((word) => isNamed(word, text)));
  const denied = (text: string, option: string) =>
    namesOf(option).some((word) =>
      isNamed(word, text, `${negation}[\\s*_]{1,3}(?:(?:a|an|so|very|une?|ein(?:e|fach)?)\\s{1,3})?`),
    );
  const firstLine = value.trim().split('\n')[0]!;
  const [text, found] = named(firstLine).length === 1 ? [firstLine, named(firstLine)] : [value, named(value)];
  const [only] = found;
  return only !== undefined && found.length === 1 && !denied(text, only) ? only : undefined;
}

/** Reads the passage ids in a number or a text: `P12`, `12`, `[P12]`, `[P3, P4]`. */
function passageIds(value: unknown): string[] {
  if (typeof value === 'number') return [`P${value}`];
  return typeof value === 'string'
    ? [...value.matchAll(/(?<![\p{L}\p{N}])P?(\d+)(?![\p{L}\p{N}])/giu)].map((match) => `P${match[1]}`)
    : [];
}

const firstMark = /\[?\bP(\d+)\b\]?/i;
const everyMark = new RegExp(firstMark, 'gi');

/** Reads the citations of an item: an object, a number, or `[P12] "quote"`. */
function toCitation(item: unknown): CitedPassage[] {
  if (typeof item === 'object' && item !== null) {
    const [found] = passageIds(under(item, ['passage', 'passageid', 'id', 'source']));
    return found === undefined ? [] : [{ passage: found, quote: textFrom(under(item, ['quote', 'text'])) ?? null }];
  }
  if (typeof item !== 'string') return passageIds(item).map((passage) => ({ passage, quote: null }));
  const marks = [...item.matchAll(everyMark)].map((match) => `P${match[1]}`);
  const quote = quotedIn(item.replace(firstMark, ''));
  return marks.map((passage) => ({ passage, quote: marks.length === 1 ? quote : null }));
}

/** Reads a finding in the form `[P12] "quote" | key | finding`. */
function findingIn(line: string): Finding {
  const passage = firstMark.exec(line)?.[1];
  const parts = line.replace(firstMark, '').split(/\s\|\s/);
  const finding = parts.at(-1)!.trim();
  const key = parts.length > 2 ? parts.at(-2)!.trim() : '';
  const before = parts.slice(0, key === '' ? -1 : -2).join(' | ');
  return { passage: passage === undefined ? '' : `P${passage}`, quote: quotedIn(before), key, finding };
}

function toFinding(item: unknown): Finding | undefined {
  if (typeof item === 'string') return isItem(item) ? findingIn(item) : undefined;
  if (typeof item !== 'object' || item === null) return undefined;
  const quote = textFrom(under(item, ['quote', 'text'])) ?? null;
  const finding = textFrom(under(item, ['finding', 'statement', 'description', 'answer'])) ?? quote;
  const [passage = ''] = passageIds(under(item, ['passage', 'passageid', 'id', 'source']));
  return finding === null ? undefined : { passage, quote, key: textFrom(under(item, ['key', 'name'])) ?? '', finding };
}

const readers: Readonly<Record<Exclude<Field['kind'], 'choice'>, (value: unknown) => unknown>> = {
  text: textFrom,
  list: toList,
  questions: toQuestions,
  score: toScore,
  citations: (value) => itemsFrom(value, toCitation)?.flat(),
  findings: (value) => itemsFrom(value, toFinding),
  facts: toFacts,
  verdicts: toVerdicts,
  conflicts: toConflicts,
  actions: toActions,
};

/** Converts a value to the field's type, or returns undefined when that is impossible. */
export const coerce = (field: Field, value: unknown): unknown =>
  field.kind === 'choice' ? toChoice(value, field.options) : readers[field.kind](value);

/** Returns the value that an optional field gets if the reply lacks it. */
export function emptyValue(field: Field): unknown {
  if (field.kind === 'choice') return field.otherwise ?? field.options.at(-1);
  return field.kind === 'text' ? '' : [];
}
