/** Reads vectors from a server that may send anything. */
import { counted } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { asList } from './json.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/**
 * Converts lists of numbers to vectors.
 * @param who the server's name, for messages.
 * @throws RlmError `provider-failed` when their number differs from `count`, when one contains anything but finite
 *   numbers, or when they differ in length.
 */
export function readVectors(value: unknown, count: number, who: string): Float32Array[] {
  const lists = asList(value).map(asList);
  const wrong = (what: string) =>
    new RlmError('provider-failed', `${who} returned unusable vectors: ${what}`, {
      hint: 'Check that the model is made for embeddings, or choose another with --embedding-model.',
    });
  if (lists.length !== count) throw wrong(`${lists.length} for ${counted(count, 'text')}`);
  const length = lists[0]?.length ?? 0;
  if (count > 0 && length === 0) throw wrong('they are empty');
  return lists.map((list) => {
    if (list.length !== length) throw wrong(`one has ${counted(list.length, 'number')}, another ${length}`);
    if (!list.every(isNumber)) throw wrong('one contains something that is not a finite number');
    return Float32Array.from(list as number[]);
  });
}
