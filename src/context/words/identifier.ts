const small = 0;
const capital = 1;
const digit = 2;

/** Splits an identifier into its parts: `HTTPServer_url2` has `HTTP`, `Server`, `url` and `2`; a hash stays whole. */
export function identifierParts(identifier: string): string[] {
  const parts: string[] = [];
  const tail = digitTail(identifier);
  let start = 0;
  for (let at = 0; at <= identifier.length; at++) {
    const isUnderscore = identifier.charCodeAt(at) === 0x5f;
    if (at < identifier.length && at !== tail && !isUnderscore && !beginsWithCapital(identifier, at)) continue;
    if (at > start) parts.push(identifier.slice(start, at));
    start = isUnderscore ? at + 1 : at;
  }
  return parts;
}

/** Returns the index at which the final digits begin, or the length when there are digits before them. */
function digitTail(identifier: string): number {
  let tail = 0;
  while (tail < identifier.length && kindAt(identifier, tail) !== digit) tail++;
  for (let at = tail; at < identifier.length; at++) if (kindAt(identifier, at) !== digit) return identifier.length;
  return tail;
}

/** Whether a part begins at a capital letter: after a character that is not a capital, or before a small letter. */
function beginsWithCapital(identifier: string, at: number): boolean {
  if (at === 0 || kindAt(identifier, at) !== capital) return false;
  if (kindAt(identifier, at - 1) !== capital) return true;
  return at + 1 < identifier.length && kindAt(identifier, at + 1) === small;
}

function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit >= 0x61 && unit <= 0x7a) return small;
  if (unit >= 0x30 && unit <= 0x39) return digit;
  if (unit >= 0x41 && unit <= 0x5a) return capital;
  if (unit < 0x80) return small;
  const character = String.fromCharCode(unit);
  if (/\p{Lu}/u.test(character)) return capital;
  return /\p{N}/u.test(character) ? digit : small;
}
