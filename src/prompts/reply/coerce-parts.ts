/** Reads the values of a reply's fields, leniently. */
import { isObject } from '../../base/is-object.ts';
import type { Action, CitedPassage, ClaimVerdict, Conflict, Fact } from './fields.ts';
import { plainName } from './labelled-reply.ts';

const nothing =
  /^[\s\-*([]*(none(?: (?:found|identified|noted|given|stated|known|applicable))?|n\/?a|nil|nothing|keine?|aucune?|ninguna?|nessuna?|无|なし)[\s.)\]]*$/i;
const bullet = /^\s*(?:[-*•–·]|\(?\d{1,3}[.):]|\(?[a-z][.)])\s+/i;

/** Removes the fence or bold marks around a whole text. */
export function unwrap(text: string): string {
  const trimmed = text.trim();
  const fenced = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1];
  const inner = (fenced === undefined || fenced.includes('```') ? trimmed : fenced).trim();
  const bold = /^\*\*(?!\s)([\s\S]+?)\*\*$/.exec(inner)?.[1];
  return bold === undefined || bold.includes('**') ? inner : bold.trim();
}

/** Converts a value to text; undefined when the value cannot be text or is empty. */
export function textFrom(value: unknown): string | undefined {
  if (typeof value === 'string') return unwrap(value) || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.join('\n').trim();
  return undefined;
}

function splitItems(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:```|-{3,}\s*$)/.test(line));
  if (!lines.some((line) => bullet.test(line))) return lines.map((line) => line.trim());
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, '').trim());
    else if (items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

const itemText = (item: unknown): string | undefined =>
  (isObject(item) ? Object.values(item) : [item]).map(textFrom).find((text) => text !== undefined);

/** Returns the items of a value, without empty ones; undefined when it cannot be a list. */
export function toList(value: unknown): string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return isNothing(value) ? [] : splitItems(unwrap(value)).map(unwrap).filter(isItem);
  if (!Array.isArray(value)) return undefined;
  return value.map(itemText).filter((text): text is string => text !== undefined && isItem(text));
}

/** Reads each item of a list, or of a text that is split into items; undefined when the value cannot be a list. */
export function itemsFrom<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  const items = typeof value === 'string' || value === null ? toList(value) : value;
  return Array.isArray(items) ? items.map(read).filter((item) => item !== undefined) : undefined;
}

const isNothing = (text: string): boolean => nothing.test(text);
/** Whether a text is an item of a list; `-` and `none` are not. */
export const isItem = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !isNothing(text);

/** Returns the value under the first of `names` that the item has, regardless of case and punctuation. */
export function under(item: object, names: readonly string[]): unknown {
  const byName = new Map(Object.entries(item).map(([key, value]) => [plainName(key), value]));
  return byName.get(names.find((name) => byName.has(name)) ?? '');
}

/** Returns the text between the first opening and the last closing quotation mark. */
export function quotedIn(text: string): string | null {
  const start = text.search(/["“„«]/);
  const end = Math.max(...['"', '”', '“', '»'].map((mark) => text.lastIndexOf(mark)));
  return (start >= 0 && end > start && text.slice(start + 1, end).trim()) || null;
}

// No two repetitions of blanks are adjacent in these patterns, so that a long run of blanks takes linear time.
const actionStart = /\n(?=[ \t\r\-*]*[`"]?[a-z]\w*[`"]?\s*(?:[:(]\s*)?(?:\{|$))/i;
const action = /^[\s\-*]*[`"]?([a-z]\w*)[`"]?\s*(?:[:(]\s*)?(?:(\{[\s\S]*\})\s*)?\)?$/i;

/** Reads one or several actions such as `grep {"pattern": "x"}`, each at the start of a line. */
function actionsIn(text: string): Action[] {
  return text.split(actionStart).flatMap((one) => {
    const match = action.exec(one.trim());
    return match === null ? [] : [{ tool: match[1]!, arguments: match[2] ?? {} }];
  });
}

const toolNames = ['tool', 'name', 'toolname', 'action', 'function'];
const argumentNames = ['arguments', 'args', 'parameters', 'input', 'params'];

/** Reads a call in the form `{"grep": {"words": "x"}}`. */
function namedByKey(call: object): Action[] {
  const [[tool, given] = ['', null], ...others] = Object.entries(call);
  const isCall = others.length === 0 && typeof given === 'object' && given !== null;
  return isCall ? [{ tool, arguments: given }] : [];
}

function toAction(item: unknown): Action[] {
  if (typeof item === 'string') return actionsIn(item);
  if (typeof item !== 'object' || item === null) return [];
  const inner = under(item, ['function']);
  const call = typeof inner === 'object' && inner !== null ? inner : item;
  const tool = textFrom(under(call, toolNames));
  if (tool === undefined) return namedByKey(call);
  const given = under(call, argumentNames);
  const others = () => Object.fromEntries(Object.entries(call).filter(([key]) => !toolNames.includes(plainName(key))));
  return [{ tool, arguments: given === undefined ? others() : (given ?? {}) }];
}

/** Reads JSON within other text as a call; null if it lacks the name of a tool or an object of arguments. */
export function toCall(value: unknown): Action | null {
  if (!isObject(value)) return null;
  const given = under(value, argumentNames);
  return typeof under(value, toolNames) === 'string' && typeof given === 'object' ? (toAction(value)[0] ?? null) : null;
}

/** Reads the tools that a reply calls, with their arguments. */
export function toActions(value: unknown): Action[] {
  if (value === null) return [];
  if (typeof value === 'string') return isNothing(value) ? [] : actionsIn(unwrap(value));
  return (Array.isArray(value) ? value : [value]).flatMap(toAction);
}

/** Matches `notes.md:12-14` and `notes.md lines 12-14`. */
const sourcePattern = /^(.*?)(?::|,?\s+lines?\s+)(\d+)(?:\s*[-–]\s*(\d+))?$/i;

function sourceIn(text: string): Pick<Fact, 'source' | 'startLine' | 'endLine'> {
  const plain = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .trim();
  const match = sourcePattern.exec(plain);
  if (match === null) return { source: plain, startLine: 0, endLine: 0 };
  const startLine = Number(match[2]);
  return { source: match[1]!.trim(), startLine, endLine: Number(match[3] ?? startLine) };
}

/** Reads the numbers of one line, or of the first and last line, from a number or a text such as `12-14`. */
const linesIn = (value: unknown): readonly number[] => (textFrom(value) ?? '').match(/\d+/g)?.map(Number) ?? [];

function confidenceIn(value: unknown): number {
  const number = Number((textFrom(value) ?? '').replace(/\s*%$/, ''));
  if (!Number.isFinite(number) || number < 0 || textFrom(value) === undefined) return 50;
  return Math.min(100, Math.round(number > 0 && number < 1 ? number * 100 : number));
}

/** Reads a finding in the form `[notes.md:12-14] "quote" | 90 | description`. */
function factIn(line: string): Fact {
  const [, place = '', rest = line] = /^\[([^\]]*)\]\s*(.*)$/s.exec(line) ?? [];
  const parts = rest.split(/\s\|\s/);
  const description = parts.at(-1)!.trim();
  const hasConfidence = parts.length > 2 && /^\s*\d{1,3}\s*%?\s*$/.test(parts.at(-2)!);
  const before = parts.slice(0, hasConfidence ? -2 : -1).join(' | ');
  const evidence = quotedIn(before) ?? quotedIn(description) ?? '';
  return { ...sourceIn(place), description, evidence, confidence: confidenceIn(hasConfidence ? parts.at(-2) : null) };
}

function toFact(item: unknown): Fact | undefined {
  if (typeof item === 'string') return isItem(item) ? factIn(item) : undefined;
  if (typeof item !== 'object' || item === null) return undefined;
  const text = (...names: string[]) => textFrom(under(item, names));
  const evidence = text('evidence', 'quote', 'text') ?? '';
  const description = text('description', 'finding', 'statement', 'fact') ?? evidence;
  if (!isItem(description)) return undefined;
  const said = sourceIn(text('source', 'passage', 'file', 'document', 'id') ?? '');
  const lines = linesIn(under(item, ['startline', 'lines', 'line', 'start']));
  const startLine = lines[0] ?? said.startLine;
  const endLine =
    linesIn(under(item, ['endline', 'end']))[0] ?? lines[1] ?? (lines[0] === undefined ? said.endLine : startLine);
  const confidence = confidenceIn(under(item, ['confidence', 'score']));
  return { description, evidence, source: said.source, startLine, endLine: Math.max(startLine, endLine), confidence };
}

/** Reads the findings of a reply with their places; undefined when the value cannot be a list. */
export const toFacts = (value: unknown): Fact[] | undefined => itemsFrom(value, toFact);

const verdictWords: readonly (readonly [RegExp, ClaimVerdict['verdict']])[] = [
  [/^\W*(?:contradict|refut|wrong)/i, 'contradicted'],
  [/^\W*(?:part|mostly)/i, 'partial'],
  // "No contradiction" and "not wrong" do not mean that the claim is unsupported.
  [/^\W*(?:unsupported|(?:not?|none|missing)\b(?!\W+(?:contradict|refut|wrong)))/i, 'unsupported'],
  [/^\W*(?:support|yes|borne|true)/i, 'supported'],
];

const verdictNames = ['claim number id', 'verdict support', 'quote evidence', 'wrong reason why'];

const verdictIn = (text: string) => verdictWords.find(([pattern]) => pattern.test(text))?.[1];

function toVerdict(item: unknown): ClaimVerdict | undefined {
  const [claim, said, quote, wrong] =
    typeof item === 'object' && item !== null
      ? verdictNames.map((names) => textFrom(under(item, names.split(' '))) ?? '')
      : String(item).split('|');
  const number = Number(/\d+/.exec(claim ?? '')?.[0] ?? 0);
  const verdict = verdictIn(said ?? '');
  if (number === 0 || verdict === undefined) return undefined;
  const written = quote?.trim() ?? '';
  const words = /^["“„«]/.test(written) ? quotedIn(written) : written || null;
  return {
    claim: number,
    verdict,
    quote: words === null || isNothing(words) ? null : words,
    wrong: wrong === undefined || isNothing(wrong) ? '' : wrong.trim(),
  };
}

/** Reads verdicts on claims: objects, or `1 | supported | "words" | what is wrong`. */
export const toVerdicts = (value: unknown): ClaimVerdict[] | undefined =>
  value === null ? undefined : itemsFrom(typeof value === 'string' ? linesOf(value) : value, toVerdict);

/** Returns the lines of a list without bullets. A leading number stays, because it names the claim. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*[-*•]\s+/, '').trim())
    .filter((line) => line !== '' && !isNothing(line));

function toConflict(item: unknown): Conflict | undefined {
  if (typeof item === 'object' && item !== null) {
    const side = (id: string, quote: string): CitedPassage => ({
      passage: textFrom(under(item, [id]))?.replace(/^\D*(\d+)\D*$/, 'P$1') ?? '',
      quote: textFrom(under(item, [quote])) ?? null,
    });
    return [side('passage', 'quote'), side('otherpassage', 'otherquote')];
  }
  const sides = [...String(item).matchAll(/\[?P(\d+)\]?\s*["“]([^"”\n]+)["”]/g)];
  const [one, other] = sides.map(([, id, quote]): CitedPassage => ({ passage: `P${id}`, quote: quote! }));
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Reads pairs of places: objects, or `[P1] "words" against [P2] "words"`. */
export const toConflicts = (value: unknown): Conflict[] | undefined => itemsFrom(value, toConflict);
