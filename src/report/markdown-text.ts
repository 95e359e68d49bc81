/** Untrusted text in Markdown. */
import { visible } from './html/markup.ts';

/** Characters that a backslash does not escape in every Markdown renderer. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' };

/** Escapes text for one line of Markdown. */
export const inline = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]|#~&<>@]/g, (character) => entities[character] ?? `\\${character}`);

/** Formats text as inline code. It may contain backticks. */
export const code = (text: string): string => {
  const shown = visible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${shown}${ticks}` : `${ticks} ${shown} ${ticks}`;
};
