import { RlmError } from '../../errors.ts';
import { outlineRuns, type RunOutline } from '../../journal/runs.ts';
import { type ListedRun, listedRun } from './runs.ts';
import { type RunsOptions, runsFolderOf } from './runs-folder.ts';

/** What a run was found by. */
export interface RunMatch {
  readonly in: 'question' | 'answer' | 'document';
  readonly line: string;
}

/** A run that has all words of a search. */
export interface FoundRun extends ListedRun {
  readonly match: RunMatch;
}

function searchedLines({ run, end }: RunOutline): RunMatch[] {
  const linesIn = (where: RunMatch['in'], text: string) => text.split('\n').map((line) => ({ in: where, line }));
  return [
    ...linesIn('question', run?.task ?? ''),
    ...linesIn('answer', end?.result.answer ?? ''),
    ...(run?.documents ?? []).flatMap(({ name }) => linesIn('document', name)),
  ];
}

/**
 * The line of a run's question, answer or document names that has most of the words, or null when the run lacks one of
 * them; each may stand in another line, and in any case.
 * @param words in lower case, each once.
 */
export function matchRun(outline: RunOutline, words: readonly string[]): RunMatch | null {
  const missing = new Set(words);
  let best: RunMatch | null = null;
  let most = 0;
  for (const candidate of searchedLines(outline)) {
    const line = candidate.line.toLowerCase();
    const found = words.filter((word) => line.includes(word));
    for (const word of found) missing.delete(word);
    if (found.length > most) [best, most] = [candidate, found.length];
  }
  return missing.size === 0 ? best : null;
}

/** The words of a text in lower case, each once. */
export const searchedWords = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];

/**
 * The recorded runs that have all words of a text in their question, answer or document names, the newest first.
 * @throws RlmError `usage` where the text has no word, `run-missing` when runs cannot be read.
 */
export async function searchRuns(text: string, options: RunsOptions = {}): Promise<FoundRun[]> {
  const words = searchedWords(text);
  if (words.length === 0) throw new RlmError('usage', 'there are no words to search for', { hint: 'Name some.' });
  return (await outlineRuns(runsFolderOf(options))).flatMap((outline) => {
    const match = matchRun(outline, words);
    return match === null ? [] : [{ ...listedRun(outline), match }];
  });
}
