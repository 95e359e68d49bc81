import { weigh } from '../context/text-size.ts';
import { isForgivable, RlmError } from '../errors.ts';
import { readLabels, renderItem } from '../prompts/scan.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import type { LabelRequest } from '../tools/questions/questions.ts';

/** Maximum number of items in a call of a small model, which loses its place in a longer list. */
const mostForSmall = 25;
const mostItems = 400;

/** Share of a long reply (twice `reply.maxTokens`) that lines of labels may fill. */
const replyShare = 0.9;
const bytesPerToken = 3;

/** Returns the tokens of a labelled line: one per digit of its number, one for the letter, one for the line break. */
const lineTokens = (index: number): number => String(index + 1).length + 2;

/** Indexes of the items of one call. */
type Batch = readonly number[];

/** Divides the items into batches. An oversized item is its own batch. */
function batchesOf({ question, labels, items }: LabelRequest, path: string, run: Run): readonly Batch[] {
  const { maxTokens } = run.settings.reply;
  const most = isSmall(run.models.info('classify', path)) ? mostForSmall : mostItems;
  const room = run.models.roomFor('classify', path) - weigh(question) - weigh(labels.join('\n'));
  const batches: number[][] = [];
  let [bytes, tokens] = [0, 0];
  for (const [index, item] of items.entries()) {
    const { length = 0 } = batches.at(-1) ?? {};
    const size = weigh(renderItem(item, length)) + 1;
    const replied = tokens + lineTokens(length);
    // The tokens of a reply beyond `reply.maxTokens` reduce the room in the prompt.
    const replyBytes = Math.max(0, replied - maxTokens) * bytesPerToken;
    const fits = bytes + size + replyBytes <= room && replied <= 2 * maxTokens * replyShare && length < most;
    if (length > 0 && fits) {
      batches.at(-1)!.push(index);
      [bytes, tokens] = [bytes + size, replied];
    } else {
      batches.push([index]);
      [bytes, tokens] = [size, lineTokens(0)];
    }
  }
  return batches;
}

export interface LabelCalls {
  readonly path: string;
  /** Names the calls within the path. */
  readonly part: string;
  left(): number;
  take(calls: number): void;
  tooFew(needed: number): Error;
}

const halves = (indexes: Batch): readonly Batch[] => {
  const middle = Math.ceil(indexes.length / 2);
  return [indexes.slice(0, middle), indexes.slice(middle)].filter(({ length }) => length > 0);
};

/** Gives each item a label; null after two tries or if no call is left. Throws the error of `tooFew`, or RlmError. */
export async function labelItems(
  request: LabelRequest,
  calls: LabelCalls,
  run: Run,
): Promise<readonly (string | null)[]> {
  const { question, labels, items } = request;
  const { path, part } = calls;
  const found = new Array<string | null>(items.length).fill(null);
  const failures: RlmError[] = [];

  async function ask(batch: Batch, name: string): Promise<void> {
    const place = { path, share: 'ordinary', part: name } as const;
    const variables = { question, labels, items: batch.map((index) => items[index]!) };
    try {
      const { reply } = await run.ask('classify', variables, place);
      for (const [at, label] of readLabels(reply, labels, batch.length).entries()) found[batch[at]!] = label;
    } catch (error) {
      if (!(error instanceof RlmError) || !isForgivable(error)) throw error;
      failures.push(error);
    }
  }

  const batches = batchesOf(request, path, run);
  if (batches.length > calls.left()) throw calls.tooFew(batches.length);
  calls.take(batches.length);
  await Promise.all(batches.map((batch, number) => ask(batch, `${part}.${number + 1}`)));
  const open = batches.flatMap((batch): readonly Batch[] => {
    const left = batch.filter((index) => found[index] === null);
    return left.length > batch.length / 2 ? halves(left) : left.length > 0 ? [left] : [];
  });
  const again = open.slice(0, Math.max(0, calls.left()));
  calls.take(again.length);
  await Promise.all(again.map((batch, number) => ask(batch, `${part}.again-${number + 1}`)));
  if (items.length > 0 && found.every((label) => label === null) && failures[0] !== undefined) throw failures[0];
  return found;
}
