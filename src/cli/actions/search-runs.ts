import type { RunOutline } from '../../journal/run-outline.ts';

/** What a run was found by. */
export interface Match {
  readonly in: 'question' | 'answer' | 'document';
  readonly line: string;
}

function matchable({ run, end }: RunOutline): Match[] {
  const linesIn = (place: Match['in'], text: string) => text.split('\n').map((line) => ({ in: place, line }));
  return [
    ...linesIn('question', run?.task ?? ''),
    ...linesIn('answer', end?.result.answer ?? ''),
    ...(run?.documents ?? []).flatMap(({ name }) => linesIn('document', name)),
  ];
}

/**
 * The line of a run's question, answer or document names that has most of the words, or null when the run lacks one of
 * them; each may stand in another line, and in any case.
 */
export function matchRun(outline: RunOutline, words: readonly string[]): Match | null {
  const missing = new Set(words);
  let best: Match | null = null;
  let most = 0;
  for (const match of matchable(outline)) {
    const line = match.line.toLowerCase();
    const found = words.filter((word) => line.includes(word));
    for (const word of found) missing.delete(word);
    if (found.length > most) [best, most] = [match, found.length];
  }
  return missing.size === 0 ? best : null;
}

/** The words to look for, each once. */
export const wordsOf = (names: readonly string[]): string[] => [
  ...new Set(
    names
      .join(' ')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];
