import { RlmError } from '../errors.ts';

/** A value with the line that it stands in, from 1. */
interface Entry {
  readonly value: string | readonly string[];
  readonly line: number;
}

/** What stands above a Markdown text between two lines of `---`, and the text. */
export interface FrontMatter {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly body: string;
}

const form = 'Write "key: value" or "key: [one, two]", a line each, between two lines of ---.';

/** The error for a file that is not as it should be. */
export const invalidAt = (path: string, line: number, message: string, hint = form): RlmError =>
  new RlmError('config-invalid', `${path}:${line}: ${message}`, { hint });

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

function readValue(text: string, at: (message: string) => RlmError): string | readonly string[] {
  if (!text.startsWith('[')) return unquoted(text);
  if (!text.endsWith(']')) throw at('a list that begins with [ must end with ] in the same line');
  const items = text.slice(1, -1).split(',').map(unquoted);
  const isEmpty = items.length === 1 && items[0] === '';
  if (!isEmpty && items.includes('')) throw at('a list has an empty item');
  return isEmpty ? [] : items;
}

/**
 * Reads front matter: `key: value` and `key: [one, two]`, a line each; blank lines and lines that begin with # are
 * nothing.
 * @throws RlmError `config-invalid` naming the file and the line.
 */
export function readFrontMatter(path: string, text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') throw invalidAt(path, 1, 'the file must begin with a line of ---');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) throw invalidAt(path, lines.length, 'the front matter is not closed by a line of ---');
  const entries = new Map<string, Entry>();
  for (const [index, content] of lines.slice(1, end).entries()) {
    const line = index + 2;
    const at = (message: string) => invalidAt(path, line, message);
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const colon = trimmed.indexOf(':');
    const key = trimmed.slice(0, Math.max(0, colon)).trimEnd();
    if (!/^[a-z][a-zA-Z]*$/.test(key)) throw at('expected "key: value"');
    if (entries.has(key)) throw at(`"${key}" is there twice`);
    entries.set(key, { value: readValue(trimmed.slice(colon + 1).trim(), at), line });
  }
  return {
    entries,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}
