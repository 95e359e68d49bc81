/** The forms in which a secret may turn up. */

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** Percent-encoded but for the ASCII characters that are kept. */
const percentEncoded = (bytes: Buffer, kept: RegExp): string =>
  [...bytes]
    .map((byte) => (byte < 128 && kept.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join('');

/** What is kept by RFC 3986, by forms, by encodeURIComponent, by encodeURI, and nothing. */
const keptInUrls = [/[\w.~-]/, /[\w.*-]/, /[\w.~!'()*-]/, /[\w.~!'()*;/?:@&=+$,#-]/, /^$/];

function inUrls(bytes: Buffer): string[] {
  const encoded = keptInUrls.map((kept) => percentEncoded(bytes, kept));
  const withPlus = encoded.map((text) => text.replaceAll('%20', '+'));
  const lower = [...encoded, ...withPlus].map((text) => text.replace(/%../g, (code) => code.toLowerCase()));
  return [...encoded, ...withPlus, ...lower];
}

/**
 * What base64 makes of the secret wherever it stands in a longer text: the characters at its edges hold bits of its
 * neighbours, and are left out.
 */
function base64Core(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function inBase64(bytes: Buffer): string[] {
  const whole = bytes.toString('base64');
  const texts = [whole, whole.replace(/=+$/, ''), ...[0, 1, 2].map((before) => base64Core(bytes, before))];
  const forUrls = texts.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const escaped = texts.flatMap((text) => [encodeURIComponent(text), text.replaceAll('/', '\\/')]);
  return [
    ...texts,
    ...forUrls,
    ...escaped,
    ...escaped.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
  ];
}

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * As JSON writers differ: the plain way, JSON in JSON, Go's way with `<`, `>` and `&`, with `/` escaped, and in ASCII
 * alone.
 */
function inJson(secret: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = quoted(secret);
  const ascii = once.replace(/[^\u0000-\u007f]/g, unicodeEscape);
  return [once, quoted(once), once.replace(/[<>&]/g, unicodeEscape), once.replaceAll('/', '\\/'), ascii];
}

/** Every form of a secret, itself included, each once. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const forms = [secret, ...inUrls(bytes), ...inBase64(bytes), ...inJson(secret), hex, hex.toUpperCase()];
  return [...new Set(forms)];
}
