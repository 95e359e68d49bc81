/** Answers a question by one plain model call. The prompt contains the text or its best passages. */
import type { AskOptions } from '../assemble/ask-options.ts';
import { counted } from '../base/text.ts';
import type { ContextStore } from '../context/document.ts';
import { densityOf, weigh } from '../context/text-size.ts';
import type { Outcome } from '../controller.ts';
import { RlmError } from '../errors.ts';
import { renderPassages } from '../prompts/prompt.ts';
import type { Result } from '../result.ts';
import type { Run } from '../run/run.ts';
import { chosen } from '../stages/choose-strategy.ts';
import { bare } from '../stages/planner.ts';
import { recordNode } from '../stages/solve-question.ts';
import type { Passage, TaskState } from '../state.ts';
import { draftBy } from '../strategies/strategy.ts';
import { askBy } from './ask.ts';

/**
 * What a plain call reads. `all`: the whole text; if it does not fit, its middle is cut, with a warning. `passages`:
 * the best passages for the question, at most `context.passages`, even if more would fit.
 */
type PlainReading = 'all' | 'passages';

/** The beginning of the warning about a cut text. */
export const cutWarning = 'the middle of the text was cut';

/** The share of a prompt's free space that the text may fill. The rest allows for errors in estimated sizes. */
const usedRoom = 0.97;

const tagBytes = (name: string): number => Buffer.byteLength(name) + 120;

/** Returns a part of a document as a passage, without incomplete characters at its ends. */
function partOf(store: ContextStore, document: number, [startByte, endByte]: readonly [number, number], id: number) {
  const { name, lines } = store.documents[document]!;
  const bytes = store.read(document, startByte, endByte);
  let start = 0;
  while ((bytes[start]! & 0xc0) === 0x80) start++;
  // A streaming decoder omits an incomplete character at the end.
  const text = new TextDecoder().decode(bytes.subarray(start), { stream: true });
  const place = { id: `P${id}`, source: name, startLine: 1, endLine: lines, startByte, endByte };
  return { ...place, text, score: 0, hash: '' } satisfies Passage;
}

/** Returns the byte ranges to read from each document. Omits the middle of a text of more than `room` bytes. */
export function cutMiddle(sizes: readonly number[], room: number): readonly (readonly [number, number])[][] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= room) return sizes.map((size) => [[0, size]]);
  const [from, to] = [Math.ceil(room / 2), total - Math.floor(room / 2)];
  let before = 0;
  return sizes.map((size) => {
    const [first, last] = [Math.min(size, from - before), Math.max(0, to - before)];
    before += size;
    return [...(first > 0 ? [[0, first] as const] : []), ...(last < size ? [[last, size] as const] : [])];
  });
}

function readAll(task: string, run: Run): readonly Passage[] {
  const { store } = run.text;
  const sizes = store.documents.map(({ bytes }) => bytes);
  const taken = store.documents.reduce((sum, { name }) => sum + tagBytes(name), 2 * weigh(task));
  const room = Math.max(0, Math.floor(((run.models.passageBytes() - taken) / densityOf(store)) * usedRoom));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > room)
    run.events.warn('unread', `${cutWarning}: ${counted(total - room, 'byte')} of ${counted(total, 'byte')}`);
  let id = 0;
  return cutMiddle(sizes, room).flatMap((ranges, document) =>
    ranges.map((range) => partOf(store, document, range, ++id)),
  );
}

/** Repeats the question at the end, because small models then answer better. */
const promptOf = (task: string, passages: readonly Passage[]): string =>
  [task, '', renderPassages(passages), '', `The question: ${task}`, 'Answer it briefly, from the text above.'].join(
    '\n',
  );

async function callPlainly(state: TaskState, run: Run, reading: PlainReading): Promise<Outcome> {
  const { task } = state;
  const choice = chosen('direct', 'one plain call');
  async function ask(): Promise<string> {
    if (reading === 'all' && !run.text.fits) run.models.widen();
    const passages = reading === 'all' ? readAll(task, run) : await run.passages.findMore({ query: task, path: '0' });
    return (await run.ask('query', { text: promptOf(task, passages) }, { path: '0', share: 'kept' })).reply;
  }
  try {
    const recursionTree = await recordNode({ question: task, path: '0', depth: 0 }, run, async () => {
      return { choice, draft: draftBy('direct', { answer: await ask() }) };
    });
    return {
      ...{ ...state, plan: { ...bare, approach: 'direct', reason: choice.reason }, context: [], read: [], ladder: [] },
      ...{ solution: recursionTree.answer, recursionTree, citations: [], critique: null, claims: [], form: null },
      ...{ contradictions: [], confidence: null, confidenceKind: 'evidence' },
      confidenceReason: 'one plain call shows no evidence',
    };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { state, stopped: error.toInfo() };
  }
}

/**
 * Asks a question by one plain call, without plan, citations or confidence. Serves as the baseline for `ask`.
 * @throws RlmError as `ask` does.
 */
export const askPlainly = (question: string, options: AskOptions, reading: PlainReading = 'all'): Promise<Result> =>
  askBy(question, options, (state, run) => callPlainly(state, run, reading));
