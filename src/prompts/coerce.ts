/**
 * Lenient reading of a field's value, from JSON or from text, with a strict result: the right type or undefined.
 */
import type { SubQuestion } from '../state.ts';
import type { CitedPassage, Field } from './fields.ts';
import { choiceAliases } from './label-aliases.ts';

const nothing = /^[\s\-*([]*(none|n\/?a|nil|nothing|keine?|aucune?|ninguna?|nessuna?|无|なし)[\s.)\]]*$/i;
const bullet = /^\s*(?:[-*•–·]|\(?\d{1,3}[.):]|\(?[a-z][.)])\s+/i;
const quoted = /["“„«]([\s\S]+)["”“»]/;

function unwrap(text: string): string {
  const fenced = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(text.trim());
  const inner = (fenced ? fenced[1]! : text).trim();
  const bold = /^(\*\*|__)(?!\s)([\s\S]+?)\1$/.exec(inner);
  return bold && !bold[2]!.includes(bold[1]!) ? bold[2]!.trim() : inner;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return unwrap(value) || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.join('\n').trim();
  return undefined;
}

function splitItems(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*```/.test(line));
  if (!lines.some((line) => bullet.test(line))) return lines.map((line) => line.trim());
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, '').trim());
    else if (items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

const itemText = (item: unknown): string | undefined => {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return Object.values(item)
      .map(toText)
      .find((text) => text !== undefined);
  }
  return toText(item);
};

function toList(value: unknown): string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return nothing.test(value) ? [] : splitItems(unwrap(value)).map(unwrap);
  if (!Array.isArray(value)) return undefined;
  return value.map(itemText).filter((text): text is string => text !== undefined && !nothing.test(text));
}

const numbersIn = (value: unknown): number[] => {
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (typeof value === 'number') return [value];
  return typeof value === 'string' ? (value.match(/\d+/g) ?? []).map(Number) : [];
};

function toQuestion(item: unknown): SubQuestion | undefined {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    const { question, needs, text, subQuestion } = item as Record<string, unknown>;
    const found = toText(question ?? subQuestion ?? text);
    return found === undefined ? undefined : { question: found, needs: numbersIn(needs) };
  }
  const text = toText(item);
  if (text === undefined) return undefined;
  const note = /\s*[([]\s*(?:needs|requires|depends on|braucht|benötigt)\b([^)\]]*)[)\]]\s*:?\s*/i.exec(text);
  const question = unwrap(
    note
      ? text
          .replace(note[0], ' ')
          .replace(/\s+([?.!])/, '$1')
          .trim()
      : text,
  );
  return question === '' ? undefined : { question, needs: numbersIn(note?.[1]) };
}

function toQuestions(value: unknown): SubQuestion[] | undefined {
  const items = typeof value === 'string' ? toList(value) : value;
  if (!Array.isArray(items)) return undefined;
  const questions = items.map(toQuestion).filter((question): question is SubQuestion => question !== undefined);
  return questions.map(({ question, needs }, index) => ({
    question,
    needs: [...new Set(needs)].filter((need) => Number.isInteger(need) && need >= 1 && need <= index),
  }));
}

/** A score on 0–100, also from `85/100`, `85 %`, `8.5/10` or a share such as `0.85`. */
function toScore(value: unknown): number | undefined {
  const match = /(-?\d+(?:[.,]\d+)?)\s*(?:\/\s*(\d+)|(%))?/.exec(String(value ?? ''));
  if (match === null) return undefined;
  const number = Number(match[1]!.replace(',', '.'));
  const isShare =
    match[2] === undefined && !match[3] && match[1]!.startsWith('0') && match[1]!.length > 1 && number < 1;
  const scale = isShare ? 1 : Number(match[2] ?? 100);
  const score = Math.round((number / scale) * 100);
  return score >= 0 && score <= 100 ? score : undefined;
}

/** The one option that is named; undefined when several are, or none. */
function toChoice(value: unknown, options: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const named = (text: string) =>
    options.filter((option) =>
      [option, ...(choiceAliases[option] ?? [])].some((word) =>
        new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(text),
      ),
    );
  const firstLine = named(value.trim().split('\n')[0]!);
  const found = firstLine.length === 1 ? firstLine : named(value);
  return found.length === 1 ? found[0] : undefined;
}

/** The passage ids that a text names: `P12`, `[P12]`, `[P3, P4]`. */
function passageIds(value: unknown): string[] {
  if (typeof value === 'number') return [`P${value}`];
  return typeof value === 'string'
    ? [...value.matchAll(/(?<![\p{L}\p{N}])P?(\d+)(?![\p{L}\p{N}])/giu)].map((match) => `P${match[1]}`)
    : [];
}

function toCitations(value: unknown): CitedPassage[] | undefined {
  if (value === null) return [];
  const items = typeof value === 'string' ? toList(value) : value;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item): CitedPassage[] => {
    if (typeof item === 'object' && item !== null) {
      const { passage, id, quote } = item as Record<string, unknown>;
      return passageIds(passage ?? id)
        .slice(0, 1)
        .map((found) => ({ passage: found, quote: toText(quote) ?? null }));
    }
    const text = String(item);
    const marks = [...text.matchAll(/\[?\bP(\d+)\b\]?/gi)].map((match) => `P${match[1]}`);
    const quote = quoted.exec(text.replace(/\[?\bP\d+\b\]?/i, ''))?.[1]?.trim() ?? null;
    return marks.map((passage) => ({ passage, quote: marks.length === 1 ? quote : null }));
  });
}

/** A value as the field's type, or undefined when it cannot be read as that. */
export function coerce(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return toText(value);
    case 'list':
      return toList(value);
    case 'questions':
      return toQuestions(value);
    case 'score':
      return toScore(value);
    case 'choice':
      return toChoice(value, field.options);
    case 'citations':
      return toCitations(value);
  }
}

/** What an optional field is when the reply does not have it. */
export function emptyValue(field: Field): unknown {
  return field.kind === 'text' ? '' : [];
}
