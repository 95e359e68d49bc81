const escapes =
  /\\(?:[^a-z\d\s]|u([0-9a-f]{4}))|%([0-9a-f]{2})|&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|(amp|lt|gt|apos|quot));/gi;
const entities: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, apos: 0x27, quot: 0x22 };

/** Returns the character of an escape, or the escape if the character is a control or is not known. */
function characterOf(found: readonly (string | undefined)[], hasSigns: boolean): string {
  const [sequence = '', unicode, percent, hex, decimal, name] = found;
  const inHex = Number.parseInt(unicode ?? percent ?? hex ?? '', 16);
  const told = entities[name?.toLowerCase() ?? ''] ?? (decimal === undefined ? inHex : Number(decimal));
  const code = hasSigns && sequence.length === 2 ? sequence.charCodeAt(1) : told;
  // A percent escape above 0x7f is one of several bytes of a character.
  const isPlain = code > 0x1f && (code < 0x7f || (code > 0x9f && code < 0x110000 && percent === undefined));
  return isPlain ? String.fromCodePoint(code) : sequence;
}

const without = (text: string, hasSigns: boolean): string =>
  text.replace(escapes, (...found: (string | undefined)[]) => characterOf(found, hasSigns));

/** Converts ascending offsets in the text without escapes to offsets in the text. */
function offsetsBefore(text: string, offsets: readonly number[], hasSigns: boolean): number[] {
  const found: number[] = [];
  let [at, plain] = [0, 0];
  for (const sequence of text.matchAll(escapes)) {
    const character = characterOf(sequence, hasSigns);
    if (character === sequence[0]) continue;
    const start = plain + sequence.index - at;
    while (found.length < offsets.length && offsets[found.length]! <= start)
      found.push(at + offsets[found.length]! - plain);
    [at, plain] = [sequence.index + sequence[0].length, start + character.length];
  }
  return [...found, ...offsets.slice(found.length).map((offset) => at + offset - plain)];
}

export interface PlainText {
  readonly text: string;
  /** Converts ascending offsets in `text` to offsets in the original text. */
  toOriginal(offsets: readonly number[]): readonly number[];
}

/**
 * Yields a text with fewer and fewer escapes, because it may be escaped several times, as XML in JSON is. First reads a
 * backslash before a sign as it is; then as an escape, as in shells, Markdown and JSON.
 */
export function* withoutEscapes(text: string): Generator<PlainText> {
  for (const hasSigns of [false, true]) {
    let last: PlainText = { text, toOriginal: (offsets) => offsets };
    for (let layer = 0; layer < 4; layer++) {
      const before = last;
      const plain = without(before.text, hasSigns);
      if (plain === before.text) break;
      const toOriginal = (offsets: readonly number[]) =>
        before.toOriginal(offsetsBefore(before.text, offsets, hasSigns));
      last = { text: plain, toOriginal };
      yield last;
    }
  }
}
