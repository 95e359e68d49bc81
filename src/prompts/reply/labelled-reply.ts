import type { Field, Fields } from './fields.ts';
import { fieldsByName, plainName, writtenNames } from './label-aliases.ts';

interface Mark {
  readonly field: string;
  /** Whether it is the field's own label and not an alias. */
  readonly isOwn: boolean;
  /** Where the label's line begins, and where its value begins. */
  readonly start: number;
  readonly end: number;
  /** What stood between the label and the colon, such as `2 (needs 1)`. */
  readonly note: string;
}

const flexible = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[ \\t_-]?');

/** What markdown may put before a label, and around it. Every repeat is of one class, or bounded: no text is slow. */
const lead = '[ \\t>#*_`~•-]*(?:\\d{1,2}[.)][ \\t>#*_`~•-]*)?';
const dress = '[ \\t*_`~]{0,8}';
const note = '(\\d{0,3}[ \\t]{0,4}(?:[([][^)\\]]{0,60}[)\\]])?)';

/** A label at the start of a line: markdown, the label, a note, and a colon or the end of the line. */
function labelPattern(fields: Fields): RegExp {
  const names = [...writtenNames(fields)].sort((a, b) => b.length - a.length);
  const label = names.map(flexible).join('|');
  return new RegExp(
    `^(${lead})(${label})(${dress})${note}(${dress})(?:[:：](?:[*_\`~]{1,3}(?=[ \\t]|$))?|([ \\t]*)$)`,
    'iu',
  );
}

/**
 * Without a colon a label must be alone on its line and stand out: as a heading, in bold, or as the own label in
 * capitals.
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

/** A value without the end of a fence that was begun before it. */
function withoutOddFence(value: string): string {
  const fences = value.match(/^[ \t]*```/gm)?.length ?? 0;
  const last = value.lastIndexOf('```');
  return fences % 2 === 1 && value.slice(last + 3).trim() === '' ? value.slice(0, last) : value;
}

/** What stands behind one label. */
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

/** A list without any label is the value of the one list that the reply needs. */
function bareList(fields: Fields, text: string): Record<string, string> | null {
  const [only, ...others] = Object.entries(fields).filter(([, field]) => field.required);
  if (only === undefined || others.length > 0 || only[1].kind !== 'questions') return null;
  const items = text.split('\n').filter((line) => /^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S/.test(line));
  return items.length >= 2 ? { [only[0]]: items.join('\n') } : null;
}

/** The fields that labelled text holds, as text; null when it holds no label at all. */
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
