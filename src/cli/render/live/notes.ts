import { oneLine } from '../../terminal.ts';

/** In characters. */
const longestNote = 2_000;

/** What is the same in notes that differ in a number or a name alone. */
const kindOf = (message: string): string => message.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0');

/** Notes of a run: one of each kind, with how many there were. */
export function createNotes() {
  const kinds = new Map<string, { readonly message: string; count: number }>();
  return {
    add(message: string): void {
      const kind = kindOf(message);
      const known = kinds.get(kind);
      if (known) known.count += 1;
      else kinds.set(kind, { message: oneLine(message, longestNote), count: 1 });
    },
    /** `note: …`, or `note (3 times): …` */
    lines: (): string[] =>
      [...kinds.values()].map(({ message, count }) => `note${count > 1 ? ` (${count} times)` : ''}: ${message}`),
  };
}
