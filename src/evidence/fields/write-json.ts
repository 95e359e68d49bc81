/** A value of an answer in JSON that is neither an object nor a list. */
export interface Leaf {
  /** JSON pointer, such as `/items/0/name`; '' for the whole answer. */
  readonly pointer: string;
  readonly path: readonly string[];
  readonly value: string | number | boolean | null;
  /** Range in the JSON, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

const escaped = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns a value as JSON, indented by two spaces per level, and the range of each leaf. */
export function writeJson(value: unknown): { readonly text: string; readonly leaves: readonly Leaf[] } {
  let text = '';
  const leaves: Leaf[] = [];

  function writeLeaf(leaf: Leaf['value'], path: readonly string[]): void {
    const start = text.length;
    text += JSON.stringify(leaf);
    const pointer = path.map((token) => `/${escaped(token)}`).join('');
    leaves.push({ pointer, path, value: leaf, start, end: text.length });
  }

  function writeAll(entries: readonly (readonly [string, unknown])[], path: readonly string[], isList: boolean): void {
    const [open, close] = isList ? '[]' : '{}';
    const indent = `\n${'  '.repeat(path.length)}`;
    text += open;
    for (const [place, [key, inner]] of entries.entries()) {
      text += `${place === 0 ? '' : ','}${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}`;
      write(inner, [...path, key]);
    }
    text += entries.length === 0 ? close : `${indent}${close}`;
  }

  function write(inner: unknown, path: readonly string[]): void {
    if (typeof inner !== 'object' || inner === null) writeLeaf(inner as Leaf['value'], path);
    else writeAll(Object.entries(inner), path, Array.isArray(inner));
  }

  write(value, []);
  return { text, leaves };
}
