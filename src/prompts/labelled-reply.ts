import type { Field, Fields } from './fields.ts';
import { namesOf } from './label-aliases.ts';

interface Mark {
  readonly field: string;
  /** Where the label begins, and where its value begins. */
  readonly start: number;
  readonly end: number;
  /** What stood between the label and the colon, such as `2 (needs 1)`. */
  readonly note: string;
}

const flexible = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[\\s_-]?');

/** Labels stand at the start of a line, perhaps dressed in markdown, and end in a colon or, as a heading, the line. */
function labelPattern(names: readonly string[]): RegExp {
  const label = names.map(flexible).join('|');
  const note = '\\s*(\\d*\\s*(?:[(\\[][^)\\]\\n]{0,60}[)\\]])?)';
  const dress = '[*_`~]*';
  return new RegExp(
    `^[ \\t>]*(?:#{1,6}[ \\t]*|\\d{1,2}[.)][ \\t]*|[-*•][ \\t]+)*${dress}(${label})${note}[ \\t]*${dress}[ \\t]*(?:[:：][ \\t]*${dress}|(?<=\\*\\*|^[ \\t]*#.*)$)`,
    'gimu',
  );
}

function findMarks(fields: Fields, text: string): Mark[] {
  const marks: Mark[] = [];
  for (const [field, { label }] of Object.entries(fields)) {
    for (const match of text.matchAll(labelPattern(namesOf(label)))) {
      marks.push({ field, start: match.index, end: match.index + match[0].length, note: match[2]!.trim() });
    }
  }
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A label that two fields share goes to the field whose own label it is, else to the first in the reply's order. */
function dropShared(marks: readonly Mark[], fields: Fields, text: string): Mark[] {
  const owner = new Map<number, Mark>();
  for (const mark of marks) {
    const held = owner.get(mark.start);
    const own = text.slice(mark.start, mark.end).toUpperCase().includes(fields[mark.field]!.label);
    if (
      held === undefined ||
      (own && !text.slice(held.start, held.end).toUpperCase().includes(fields[held.field]!.label))
    ) {
      owner.set(mark.start, mark);
    }
  }
  return [...owner.values()].sort((a, b) => a.start - b.start);
}

function joined(field: Field, values: readonly { note: string; value: string }[]): string {
  if (field.kind === 'questions') {
    const lines = values.map(({ note, value }) => {
      const needs = /[([].*[)\]]/.exec(note)?.[0] ?? '';
      return /^\s*([-*•]|\d+[.)])\s/m.test(value) ? value : `- ${value.trim()} ${needs}`;
    });
    return lines.join('\n');
  }
  const filled = values.map(({ value }) => value).filter((value) => value.trim() !== '');
  return field.kind === 'list' || field.kind === 'citations' ? filled.join('\n') : (filled.at(-1) ?? '');
}

/** A list without any label is the value of the one list that the reply needs. */
function bareList(fields: Fields, text: string): Record<string, string> | null {
  const [only, ...others] = Object.entries(fields).filter(([, field]) => field.required);
  if (only === undefined || others.length > 0 || only[1].kind !== 'questions') return null;
  const items = text.match(/^\s*(?:[-*•]|\d{1,2}[.)])\s+.+$/gm) ?? [];
  return items.length >= 2 ? { [only[0]]: items.join('\n') } : null;
}

/** The fields that labelled text holds, as text; null when it holds no label at all. */
export function readLabelled(fields: Fields, text: string): Record<string, string> | null {
  const marks = dropShared(findMarks(fields, text), fields, text);
  if (marks.length === 0) return bareList(fields, text);
  const found = new Map<string, { note: string; value: string }[]>();
  for (const [index, { field, end, note }] of marks.entries()) {
    const value = text.slice(end, marks[index + 1]?.start ?? text.length);
    found.set(field, [...(found.get(field) ?? []), { note, value }]);
  }
  return Object.fromEntries([...found].map(([field, values]) => [field, joined(fields[field]!, values)]));
}
