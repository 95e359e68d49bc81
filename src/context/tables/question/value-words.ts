import { softFillers } from './plain-text.ts';
import type { QuestionToken } from './tokens.ts';

/** The most words of a name or a value. */
export const mostWords = 5;
/** Words that are dropped: they do not affect the computation. */
export const fillers = new Set(
  'a an the of in on place s at for to from with is are was were be been being there do does did has have had having all any i we you us our me my it its their them they show give tell find list get calculate compute please what when which that this these those where whose as values column columns field fields table tables file files data dataset csv tsv json jsonl overall altogether together currently made make makes placed come came belong belongs belonging recorded listed contain contains containing got happen happened occur occurred appear appeared exist exists entire whole took take takes taken lasted costs spent went go goes still already now write wrote written carry carried operate operated say says how'.split(
    ' ',
  ),
);
/** Words that say what is computed. */
export const structural = new Set(
  'by per each every many much number count average mean avg total sum combined highest largest biggest greatest maximum max peak lowest smallest minimum min distinct different unique most fewest least common frequent often frequently commonest top bottom not except excluding and or'.split(
    ' ',
  ),
);

/** Returns the runs of words that may be a value, as written. */
export function phrasesOf(tokens: readonly QuestionToken[]): string[] {
  const phrases = new Set<string>();
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + mostWords); end++) {
      const run = tokens.slice(start, end);
      if (run.some(mayBeValue)) phrases.add(phraseOf(run));
    }
  }
  return [...phrases];
}

/** Words as they are written, with a space between. */
export const phraseOf = (run: readonly QuestionToken[]): string => run.map(({ text }) => text).join(' ');

/** Whether a word may be a code, such as a country's: it is in capitals. */
const isCode = ({ text }: QuestionToken): boolean => /^[A-Z]{2,}$/.test(text);

/** Whether a word may be of a name or a value. */
export const mayBeValue = (token: QuestionToken): boolean =>
  token.isQuoted ||
  isCode(token) ||
  (!fillers.has(token.word) && !softFillers.has(token.word) && !structural.has(token.word));
