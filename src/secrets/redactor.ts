import { RlmError } from '../errors.ts';
import { formsOf } from './forms.ts';
import { createMatcher } from './matcher.ts';

/** What stands where a secret was. */
const mark = '[secret]';

/** Takes secrets out of what leaves the program. What holds none is returned as it is, the same object. */
export interface Redactor {
  /** Whether it knows of no secret. */
  readonly isIdle: boolean;
  text(text: string): string;
  /** A copy of plain data with every string in it redacted. */
  value<T>(value: T): T;
  /** A thrown value, with what caused it. */
  thrown<T>(thrown: T): T;
}

const escapes = /\\(?:\\|u([0-9a-f]{4}))|%([0-9a-f]{2})/gi;

/** The text with ASCII characters in place of their escapes, but for those that would change how JSON is read. */
const withoutEscapes = (text: string): string =>
  text.replace(escapes, (sequence: string, unicode?: string, percent?: string) => {
    const code = Number.parseInt(unicode ?? percent ?? '', 16);
    return code > 0x1f && code < 0x7f && code !== 0x22 && code !== 0x5c ? String.fromCharCode(code) : sequence;
  });

function createTextRedactor(secrets: readonly string[]): Redactor['text'] {
  const match = createMatcher([...new Set(secrets.flatMap(formsOf))]);
  const replace = (text: string): string => {
    const spans = match(text);
    if (spans.length === 0) return text;
    const kept = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
    return [...kept, text.slice(spans.at(-1)!.end)].join(mark);
  };
  return (text) => {
    const redacted = replace(text);
    if (!redacted.includes('%') && !redacted.includes('\\u')) return redacted;
    // Any mixture of characters and escapes may spell a secret; only a text where one does is changed.
    const plain = withoutEscapes(redacted);
    const again = plain === redacted ? redacted : replace(plain);
    return again === plain ? redacted : again;
  };
}

const isPlainObject = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** The value with its strings changed; the same one when none was. */
function mapStrings<T>(value: T, change: Redactor['text']): T {
  const map = (inner: unknown): unknown => {
    if (typeof inner === 'string') return change(inner);
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) {
      const items = inner.map(map);
      return items.some((item, index) => item !== inner[index]) ? items : inner;
    }
    if (!isPlainObject(inner)) return inner;
    const entries = Object.entries(inner).map(([key, field]) => [key, field, map(field)] as const);
    const isSame = entries.every(([, before, after]) => before === after);
    return isSame ? inner : Object.fromEntries(entries.map(([key, , after]) => [key, after]));
  };
  return map(value) as T;
}

/** An error like the other one, with other words. */
function rewritten(error: Error, message: string, cause: unknown, change: Redactor['text']): Error {
  if (error instanceof RlmError) {
    const { code, hint, transient, retryAfterMs } = error;
    return new RlmError(code, message, { hint: change(hint), cause, transient, retryAfterMs });
  }
  const copy = new Error(message, cause === undefined ? {} : { cause });
  return Object.assign(copy, { name: error.name, stack: change(error.stack ?? '') });
}

function redactThrown<T>(thrown: T, change: Redactor['text']): T {
  if (!(thrown instanceof Error)) return mapStrings(thrown, change);
  const hint = thrown instanceof RlmError ? thrown.hint : '';
  const cause = redactThrown(thrown.cause, change);
  const words = [thrown.message, hint, thrown.stack ?? ''];
  const isSame = cause === thrown.cause && words.every((text) => change(text) === text);
  return isSame ? thrown : (rewritten(thrown, change(thrown.message), cause, change) as T);
}

const idle: Redactor = {
  isIdle: true,
  text: (text) => text,
  value: (value) => value,
  thrown: (thrown) => thrown,
};

/** Makes a redactor for these secrets, each in all its forms. It costs nothing where there are none. */
export function createRedactor(secrets: readonly string[]): Redactor {
  if (secrets.length === 0) return idle;
  const text = createTextRedactor(secrets);
  return {
    isIdle: false,
    text,
    value: (value) => mapStrings(value, text),
    thrown: (thrown) => redactThrown(thrown, text),
  };
}
