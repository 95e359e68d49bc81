import { oneLine } from '../../terminal.ts';

/** In characters. */
const longestNote = 2_000;

/** Returns a key that is equal for notes that differ only in numbers or quoted names. */
const kindOf = (message: string): string => message.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0');

/** Collects the notes of a run. Keeps one note of each kind, with a count. */
export function createNotes() {
  const kinds = new Map<string, { readonly message: string; count: number }>();
  return {
    add(message: string): void {
      const kind = kindOf(message);
      const known = kinds.get(kind);
      if (known) known.count += 1;
      else kinds.set(kind, { message: oneLine(message, longestNote), count: 1 });
    },
    /** Returns lines such as `note: …` or `note (3 times): …`. */
    lines: (): string[] =>
      [...kinds.values()].map(({ message, count }) => `note${count > 1 ? ` (${count} times)` : ''}: ${message}`),
  };
}
