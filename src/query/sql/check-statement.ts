import { QueryError } from '../thread/query-error.ts';
import type { Token } from './tokens.ts';

const allowed: readonly string[] = ['select', 'with', 'values', 'explain'];

/** Throws QueryError for anything but one statement that reads. */
export function checkStatement(tokens: readonly Token[]): void {
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined) throw new QueryError('query-invalid', 'the SQL is empty', 'Write a SELECT statement.');
  if (!allowed.includes(first.text))
    throw new QueryError(
      'query-invalid',
      `${first.text.slice(0, 40).toUpperCase()} is not allowed: a query only reads`,
      'Write one statement that begins with SELECT, WITH, VALUES or EXPLAIN.',
    );
  const end = tokens.findIndex(({ text, kind }) => kind === 'sign' && text === ';');
  if (end !== -1 && tokens.slice(end).some(({ text }) => text !== ';'))
    throw new QueryError('query-invalid', 'there is more than one statement', 'Write one statement without ; in it.');
}
