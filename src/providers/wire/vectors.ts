/** Reads vectors from a server that may send anything. */
import { counted } from '../../base/counted.ts';
import { RlmError } from '../../errors.ts';
import { asList } from './json.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/**
 * Lists of numbers as vectors.
 * @param who the server, for messages.
 * @throws RlmError `provider-failed` when there are not so many as texts, when one holds anything but finite numbers,
 *   or when they differ in length.
 */
export function readVectors(value: unknown, count: number, who: string): Float32Array[] {
  const lists = asList(value).map(asList);
  const wrong = (what: string) =>
    new RlmError('provider-failed', `${who} gave vectors that cannot be used: ${what}`, {
      hint: 'See that the model is made for embeddings, or choose another with --embedding-model.',
    });
  if (lists.length !== count) throw wrong(`${lists.length} for ${counted(count, 'text')}`);
  const length = lists[0]?.length ?? 0;
  if (count > 0 && length === 0) throw wrong('they are empty');
  return lists.map((list) => {
    if (list.length !== length) throw wrong(`one has ${counted(list.length, 'number')}, another ${length}`);
    if (!list.every(isNumber)) throw wrong('one holds something that is no finite number');
    return Float32Array.from(list as number[]);
  });
}
