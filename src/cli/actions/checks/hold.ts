import { compileGlob } from '../../../base/glob.ts';
import { confidenceName, type Result } from '../../../index.ts';
import type { CheckSpec } from './read-checks.ts';

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether a text contains whole words: "no" is not in "know". */
function hasWords(text: string, words: string): boolean {
  const [within, wanted] = [` ${plain(text)} `, plain(words)];
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const [before, after] = [within[at - 1] ?? ' ', within[at + wanted.length] ?? ' '];
    const isWhole = !(isLetter(before) && isLetter(wanted[0]!)) && !(isLetter(after) && isLetter(wanted.at(-1)!));
    if (isWhole) return true;
  }
  return false;
}

function confidenceFailure({ minConfidence }: CheckSpec, result: Result): string[] {
  const { confidence } = result;
  if (minConfidence === undefined || (confidence ?? -1) >= minConfidence) return [];
  return [`the ${confidenceName(result)} is ${confidence ?? 'unknown'}, below ${minConfidence}`];
}

function isCited({ citations }: Result, source: string): boolean {
  const isMatch = compileGlob(source);
  return citations.some((citation) => citation.source === source || isMatch(citation.source));
}

/** Returns a message for each expectation that an answer does not meet. A missing answer is a single failure. */
export function failuresOf(check: CheckSpec, result: Result): string[] {
  const { answer } = result;
  if (answer === null) return ['there is no answer'];
  const { begins } = check;
  const words = answer.replace(/\[\d+\]/g, '');
  const start = plain(words.replace(/^[^\p{L}\p{N}]+/u, '')).slice(
    0,
    begins === undefined ? 0 : plain(begins).length + 1,
  );
  return [
    ...confidenceFailure(check, result),
    ...(begins !== undefined && !hasWords(start, begins) ? [`the answer does not begin with "${begins}"`] : []),
    ...listOf(check.contains).flatMap((one) => (hasWords(words, one) ? [] : [`the answer does not contain "${one}"`])),
    ...listOf(check.excludes).flatMap((one) => (hasWords(words, one) ? [`the answer contains "${one}"`] : [])),
    ...listOf(check.cites).flatMap((one) => (isCited(result, one) ? [] : [`the answer does not cite ${one}`])),
  ];
}
