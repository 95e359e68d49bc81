import type { Field, Fields } from './fields.ts';
import { fieldsByName, plainName, writtenNames } from './label-aliases.ts';

interface Mark {
  readonly field: string;
  /** Whether it is the field's own label and not an alias. */
  readonly isOwn: boolean;
  /** Start of the label's line, and of its value. */
  readonly start: number;
  readonly end: number;
  /** The text between the label and the colon, such as `2 (needs 1)`. */
  readonly note: string;
}

const flexible = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[ \\t_-]?');

/** Markdown before and around a label. Every repetition is of one class, or bounded, so that no text is slow. */
const lead = '[ \\t>#*_`~•-]*(?:\\d{1,2}[.)][ \\t>#*_`~•-]*)?';
const dress = '[ \\t*_`~]{0,8}';
const note = '(\\d{0,3}[ \\t]{0,4}(?:[([][^)\\]]{0,60}[)\\]])?)';

/**
 * Creates the pattern of a label at the start of a line: Markdown, the label, a note, and a colon or the end of the
 * line.
 */
function labelPattern(fields: Fields): RegExp {
  const names = [...writtenNames(fields)].sort((a, b) => b.length - a.length);
  const label = names.map(flexible).join('|');
  return new RegExp(
    `^(${lead})(${label})(${dress})${note}(${dress})(?:[:：](?:[*_\`~]{1,3}(?=[ \\t]|$))?|([ \\t]*)$)`,
    'iu',
  );
}

/**
 * Whether a label without a colon is recognisable: alone on its line, and a heading, in bold, or the field's own label
 * in capitals.
 */
function standsOut(before: string, label: string, after: string, isOwn: boolean): boolean {
  if (before.includes('#') || (/\*\*|__/.test(before) && /\*\*|__/.test(after))) return true;
  return isOwn && label === label.toUpperCase() && label.length > 3;
}

function findMarks(fields: Fields, text: string): Mark[] {
  const marks: Mark[] = [];
  const names = fieldsByName(fields);
  const pattern = labelPattern(fields);
  let start = 0;
  for (const line of text.split('\n')) {
    const match = pattern.exec(line);
    const named = match && names.get(plainName(match[2]!));
    if (match && named) {
      const isHeading = match[6] !== undefined;
      if (!isHeading || standsOut(match[1]!, match[2]!, match[3]! + match[5]!, named.isOwn)) {
        marks.push({ ...named, start, end: start + match[0].length, note: match[4]!.trim() });
      }
    }
    start += line.length + 1;
  }
  return marks;
}

/** Removes the end of a fence that began before the value. */
function withoutOddFence(value: string): string {
  const fences = value.match(/^[ \t]*```/gm)?.length ?? 0;
  const last = value.lastIndexOf('```');
  return fences % 2 === 1 && value.slice(last + 3).trim() === '' ? value.slice(0, last) : value;
}

/** The value of one label. */
interface LabelledValue {
  readonly note: string;
  readonly isOwn: boolean;
  readonly value: string;
}

function joined(field: Field, said: readonly LabelledValue[]): string {
  if (field.kind === 'questions') {
    const lines = said.map(({ note, value }) => {
      const needs = /[([].*[)\]]/.exec(note)?.[0] ?? '';
      return /^[ \t]*([-*•]|\d{1,3}[.)])\s/m.test(value) ? value : `- ${value.trim()} ${needs}`;
    });
    return lines.join('\n');
  }
  const filled = said.filter(({ value }) => value.trim() !== '');
  if (['list', 'queries', 'citations', 'findings', 'facts', 'actions'].includes(field.kind))
    return filled.map(({ value }) => value).join('\n');
  const own = field.kind === 'text' ? undefined : filled.findLast(({ isOwn }) => isOwn);
  return (own ?? filled.at(-1))?.value ?? '';
}

/** Reads a list without any label as the value of the only required list. */
function bareList(fields: Fields, text: string): Record<string, string> | null {
  const [only, ...others] = Object.entries(fields).filter(([, field]) => field.required);
  if (only === undefined || others.length > 0 || only[1].kind !== 'questions') return null;
  const items = text.split('\n').filter((line) => /^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S/.test(line));
  return items.length >= 2 ? { [only[0]]: items.join('\n') } : null;
}

/** Reads the fields of labelled text, as text; null when it has no label. */
export function readLabelled(fields: Fields, reply: string): Record<string, string> | null {
  const text = reply.replace(/\r\n?/g, '\n');
  const marks = findMarks(fields, text);
  if (marks.length === 0) return bareList(fields, text);
  const found = new Map<string, LabelledValue[]>();
  for (const [index, { field, isOwn, end, note }] of marks.entries()) {
    const value = withoutOddFence(text.slice(end, marks[index + 1]?.start ?? text.length));
    const said = found.get(field);
    if (said) said.push({ note, isOwn, value });
    else found.set(field, [{ note, isOwn, value }]);
  }
  return Object.fromEntries([...found].map(([field, said]) => [field, joined(fields[field]!, said)]));
}

/**
 * Splits a text from the labelled fields below it: at the first line that begins with a field's own label in capitals.
 * Returns the whole text and no fields where there is none.
 */
export function splitBelow(fields: Fields, text: string): { readonly above: string; readonly below: string } {
  const own = new Set(Object.values(fields).map(({ label }) => label));
  const isOwn = ({ start, end }: Mark) =>
    own.has(
      text
        .slice(start, end)
        .replace(/[^\p{L}]+/gu, ' ')
        .trim(),
    );
  const start = own.size === 0 ? undefined : findMarks(fields, text).find(isOwn)?.start;
  return start === undefined
    ? { above: text, below: '' }
    : { above: text.slice(0, start).trimEnd(), below: text.slice(start) };
}
