import { RlmError } from '../errors.ts';
import { withoutEscapes } from './escapes.ts';

/**
 * The characters that each rule for URLs does not encode. The rules are RFC 3986, that of a path, HTML forms,
 * encodeURIComponent, encodeURI, a rule that encodes only `"<>` and a backslash, and one that encodes all characters.
 */
const keptInUrls = [/[\w.~-]/, /[\w.~/-]/, /[\w.*-]/, /[\w.~!'()*-]/, /[\w.~!'()*;/?:@&=+$,#-]/, /[^"<>\\]/, /^$/];

function inUrls(bytes: Buffer): string[] {
  const encoded = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  return keptInUrls.flatMap((kept) => {
    const isKept = (byte: number) => byte < 128 && kept.test(String.fromCharCode(byte));
    const small = Array.from(bytes, (byte) => (isKept(byte) ? String.fromCharCode(byte) : encoded(byte)));
    const large = small.map((text) => (text.length > 1 ? text.toUpperCase() : text));
    return [small, large].flatMap((all) => [all.join(''), all.join('').replaceAll('%20', '+')]);
  });
}

/**
 * Returns the base64 of a secret that follows `before` bytes in a longer text. Omits a first or last character that
 * also encodes bits of a neighbouring byte.
 */
function base64Core(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function inBase64(bytes: Buffer): string[] {
  const whole = bytes.toString('base64');
  const texts = [whole, whole.replace(/=+$/, ''), ...[0, 1, 2].map((before) => base64Core(bytes, before))];
  const forUrls = texts.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...texts, ...forUrls, ...texts.map(encodeURIComponent)];
}

/** Returns a secret, and the secret as JSON and as JSON in JSON. */
function inJson(secret: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return [secret, quoted(secret), quoted(quoted(secret))];
}

/** Returns a secret as programs write it in XML and HTML. They differ in the quotation marks that they escape. */
function inMarkup(secret: string): string[] {
  const text = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = ['"', '&quot;', '&#34;', '&#034;', '&#x22;'].map((quote) => text.replaceAll('"', quote));
  const apostrophes = ["'", '&apos;', '&#39;', '&#039;', '&#x27;'];
  return apostrophes.flatMap((sign) => quoted.map((one) => one.replaceAll("'", sign)));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // CSV doubles quotation marks; SQL and YAML double apostrophes.
  const doubled = ['"', "'"].map((sign) => secret.replaceAll(sign, sign + sign));
  // A secret may itself contain `%20`, which is read as an escape in a text that escapes other signs.
  const plain = [...withoutEscapes(secret)].flatMap(({ text }) => (text.length < 5 ? [] : text));
  const written = [secret, ...doubled, ...plain].flatMap(inJson);
  return [...inUrls(bytes), ...inBase64(bytes), hex, hex.toUpperCase(), ...inMarkup(secret), ...written];
}

/** Offsets in UTF-16 units; the end is exclusive. */
interface Span {
  readonly start: number;
  end: number;
}

const tableSize = 65_536;
const longestWindow = 200;

const blockAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 257 + text.charCodeAt(at + 1)) & (tableSize - 1);

/**
 * Returns a distance for each block of two characters. A window that ends with the block can move by this distance
 * without missing a pattern.
 */
function shiftTable(patterns: readonly string[], window: number): Uint8Array {
  const shifts = new Uint8Array(tableSize).fill(window - 1);
  for (const pattern of patterns) {
    for (let at = 0; at + 2 <= window; at++) {
      const block = blockAt(pattern, at);
      shifts[block] = Math.min(shifts[block]!, window - 2 - at);
    }
  }
  return shifts;
}

function groupByHead(patterns: readonly string[], window: number): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const pattern of patterns.toSorted((a, b) => b.length - a.length)) {
    const head = pattern.slice(0, window);
    groups.set(head, [...(groups.get(head) ?? []), pattern]);
  }
  return groups;
}

/**
 * Creates the function that finds many patterns in one pass (Wu and Manber, A fast algorithm for multi-pattern
 * searching, 1994). Matches that overlap or touch become one span.
 * @param patterns strings of at least two characters.
 */
function createMatcher(patterns: readonly string[]): (text: string) => readonly Readonly<Span>[] {
  const window = Math.min(longestWindow, ...patterns.map(({ length }) => length));
  const shifts = shiftTable(patterns, window);
  const groups = groupByHead(patterns, window);

  const endOfMatch = (text: string, at: number): number | null => {
    const found = groups.get(text.slice(at, at + window))?.find((pattern) => text.startsWith(pattern, at));
    return found === undefined ? null : at + found.length;
  };

  return (text) => {
    const spans: Span[] = [];
    for (let at = 0; at + window <= text.length; ) {
      const shift = shifts[blockAt(text, at + window - 2)]!;
      const end = shift === 0 ? endOfMatch(text, at) : null;
      const last = spans.at(-1);
      if (end !== null && last !== undefined && at <= last.end) last.end = Math.max(last.end, end);
      else if (end !== null) spans.push({ start: at, end });
      at += Math.max(1, shift);
    }
    return spans;
  };
}

const mark = '[secret]';

/** Replaces secrets with a mark. If a value has no secrets, returns the same object. */
export interface Redactor {
  readonly isIdle: boolean;
  text(text: string): string;
  /** Returns how many characters at the end of an incomplete text may be the beginning of a secret. */
  pending(text: string): number;
  /** Redacts every string in plain data, except the keys of objects. */
  value<T>(value: T): T;
  /** Redacts a thrown value and its causes. */
  thrown<T>(thrown: T): T;
}

const openEscape = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?|&[#\w]{0,8})$/i;
/** Length of the longest escape of a character, such as `\\u0026amp;`. */
const longestEscape = 10;

function beginningOf(forms: readonly string[], longest: number, text: string): number {
  for (let length = Math.min(longest - 1, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (forms.some((form) => form.startsWith(end))) return length;
  }
  return 0;
}

function createPending(forms: readonly string[], match: ReturnType<typeof createMatcher>): Redactor['pending'] {
  const longest = Math.max(...forms.map(({ length }) => length));
  const begun = (text: string) => beginningOf(forms, longest, text);
  return (text) => {
    const closed = text.replace(openEscape, '');
    const spelled = Math.max(0, ...[...withoutEscapes(closed)].map((plain) => begun(plain.text))) * longestEscape;
    const end = Math.max(0, closed.length - Math.max(begun(closed), spelled));
    // If the pending characters began within a complete secret, the first part of that secret would be shown.
    const whole = match(closed).find((span) => span.start < end && end < span.end);
    return text.length - (whole?.start ?? end);
  };
}

function createTextRedactor(match: ReturnType<typeof createMatcher>): Redactor['text'] {
  const replace = (text: string, spans: readonly Readonly<Span>[]): string => {
    if (spans.length === 0) return text;
    const kept = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
    return [...kept, text.slice(spans.at(-1)!.end)].join(mark);
  };
  const redact = (text: string): string => {
    const redacted = replace(text, match(text));
    if (!/[%&\\]/.test(redacted)) return redacted;
    // A mixture of characters and escapes may spell a secret.
    for (const plain of withoutEscapes(redacted)) {
      const spans = match(plain.text);
      const offsets = plain.toOriginal(spans.flatMap(({ start, end }) => [start, end]));
      const spelled = spans.map((_, at) => ({ start: offsets[2 * at]!, end: offsets[2 * at + 1]! }));
      if (spans.length > 0) return redact(replace(redacted, spelled));
    }
    return redacted;
  };
  return redact;
}

const isPlainObject = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

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

const same = <T>(value: T): T => value;
const idle: Redactor = { isIdle: true, text: same, pending: () => 0, value: same, thrown: same };

/** Creates a redactor for secrets and their encoded forms. */
export function createRedactor(secrets: readonly string[]): Redactor {
  if (secrets.length === 0) return idle;
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const match = createMatcher(forms);
  const text = createTextRedactor(match);
  return {
    isIdle: false,
    text,
    pending: createPending(forms, match),
    value: (value) => mapStrings(value, text),
    thrown: (thrown) => redactThrown(thrown, text),
  };
}
