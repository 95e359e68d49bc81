import type { AnswerSchema } from '../../schema/json-schema.ts';
import type { Fields, ReplyOf } from './fields.ts';
import { readAnyJson } from './json-reply.ts';
import { cutProblem, type ParsedReply, withoutThinking } from './parse-reply.ts';

/**
 * Reads a reply that is JSON of the user's schema, which becomes its first field. A value within other text is
 * extracted, and broken JSON repaired; a value that does not conform makes the reply unusable, with the reason.
 */
export function readForm<F extends Fields>(
  fields: F,
  schema: AnswerSchema,
  { text, finish }: { readonly text: string; readonly finish: 'stop' | 'length' },
): ParsedReply<F> {
  const found = readAnyJson(withoutThinking(text));
  if (found === null) return { class: 'failed', problem: finish === 'length' ? cutProblem : 'it is no JSON' };
  if (found.isMended && finish === 'length') return { class: 'failed', problem: cutProblem };
  const value = schema.unwrap(found.value);
  const problem = schema.problemOf(value);
  if (problem !== null) return { class: 'failed', problem: `it does not conform to the form: ${problem}` };
  const [name] = Object.keys(fields);
  return { class: found.isMended ? 'repaired' : 'ok', reply: { [name!]: JSON.stringify(value) } as ReplyOf<F> };
}
