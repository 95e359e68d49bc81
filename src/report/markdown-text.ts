/** Untrusted text in Markdown. */
import { visible } from './html/markup.ts';

/** What no backslash takes its meaning from everywhere. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' };

/** Text in one line that no character of steers the Markdown around it. */
export const inline = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]|#~&<>@]/g, (character) => entities[character] ?? `\\${character}`);

/** Code in a line, whatever backticks it holds. */
export const code = (text: string): string => {
  const shown = visible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${shown}${ticks}` : `${ticks} ${shown} ${ticks}`;
};
