import { providerTraitsOf } from '../config/provider-traits.ts';
import { computedParts, isComputed, sqlLine } from '../context/computed-passage.ts';
import type { Result } from '../result.ts';

/**
 * Returns an answer without the SQL statements that the program appended to it. If neither a model nor SQL produced the
 * answer, keeps only the quotes and `Not found`, because the other lines repeat the question.
 */
export function statedWords(answer: string, { citations, provider }: Pick<Result, 'citations' | 'provider'>): string {
  const computed = citations.filter(isComputed);
  if (providerTraitsOf(provider ?? '')?.asksModel !== false || computed.length > 0)
    return computed.reduce(
      (text, { quote }) => text.replace(`\n${sqlLine(computedParts(quote ?? '').code)}`, () => ''),
      answer,
    );
  const isQuote = (line: string) => citations.length === 0 || /\[\d+\]/.test(line);
  const stated = (line: string) => (line.startsWith('Not found:') ? 'Not found' : isQuote(line) ? line : []);
  return answer.split('\n').flatMap(stated).join('\n');
}
