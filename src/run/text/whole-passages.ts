import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { withUnder } from '../../context/under/passage-under.ts';
import { goesOn, isPreamble } from '../../context/units.ts';
import type { Passage } from '../../state.ts';
import { passageBytes } from './fit-passages.ts';
import { chunksIn } from './whole-text.ts';

/** Share of the room that the best passages fill before any passage is extended. */
const forBreadth = 2 / 3;
/** A document that takes at most this share of the room is shown whole. */
const smallShare = 1 / 4;
/** A passage is extended to whole units, such as a definition or a list, up to this share of the room. */
const unitShare = 1 / 8;

/** Chunks of one document by index, end exclusive. */
interface ChunkRange {
  readonly start: number;
  readonly end: number;
}

function createUnits(store: ContextStore) {
  const nameOf = (index: number) => store.documents[store.chunk(index).document]!.name;
  const isNext = (index: number) =>
    index + 1 < store.chunkCount && store.chunk(index + 1).document === store.chunk(index).document;
  const isFirst = (index: number) => store.chunk(index).startByte === 0;
  const text = (index: number) => store.text(store.chunk(index));

  const continues = (index: number) => isNext(index) && goesOn(text(index), text(index + 1), nameOf(index));

  function document(index: number): ChunkRange {
    let [start, end] = [index, index + 1];
    while (!isFirst(start)) start--;
    while (isNext(end - 1)) end++;
    return { start, end };
  }

  /** Whether a code file has only imports and a licence up to the end of a chunk. */
  function isPreambleAt(index: number): boolean {
    return isCodeName(nameOf(index)) && isPreamble(text(index)) && (isFirst(index) || isPreambleAt(index - 1));
  }

  /**
   * Extends a chunk to the end of its last unit, and then to the beginning of its first unit. Stops at a chunk that
   * `mayAdd` refuses.
   */
  function around(index: number, mayAdd: (index: number) => boolean): ChunkRange {
    let [start, end] = [index, index + 1];
    while (continues(end - 1) && mayAdd(end)) end++;
    while (!isFirst(start) && continues(start - 1) && mayAdd(start - 1)) start--;
    return { start, end };
  }
  return { document, isPreambleAt, around };
}

/** Creates an object that collects chosen chunks and tracks the room left. `room`: in bytes of ordinary text. */
function createChoice(store: ContextStore, room: number) {
  const chosen = new Set<number>();
  const sizes = new Map<number, number>();
  let left = room;

  function sizeOf(index: number): number {
    const size = sizes.get(index) ?? passageBytes(withUnder(store, store.passageWithoutOverlap(store.chunk(index))));
    sizes.set(index, size);
    return size;
  }

  function takeRoom(size: number): boolean {
    const fits = size <= left;
    if (fits) left -= size;
    return fits;
  }

  const sizeOfRange = (range: ChunkRange) => chunksIn(range).reduce((sum, index) => sum + sizeOf(index), 0);

  function take(range: ChunkRange): boolean {
    const fresh = chunksIn(range).filter((index) => !chosen.has(index));
    const fits = takeRoom(fresh.reduce((sum, index) => sum + sizeOf(index), 0));
    if (fits) for (const index of fresh) chosen.add(index);
    return fits;
  }
  return { chosen, sizeOf, sizeOfRange, take, takeRoom, left: () => left };
}

/** Groups the chosen passages by document, in text order. The document of the best passage comes first. */
function inSequence(
  store: ContextStore,
  found: readonly Passage[],
  chosen: ReadonlySet<number>,
  kept: ReadonlySet<Passage>,
): Passage[] {
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  const groups = new Map<string, Passage[]>(found.map(({ source }) => [source, []]));
  for (const index of [...chosen].sort((one, other) => one - other)) {
    const plain = store.passageWithoutOverlap(store.chunk(index));
    const passage = { ...plain, score: scores.get(plain.id) ?? 0 };
    groups.get(passage.source)!.push(withUnder(store, passage));
  }
  for (const passage of kept) groups.get(passage.source)!.push(passage);
  return [...groups.values()].flat();
}

/**
 * Returns passages for a model with much room, extended by neighbouring chunks: to a whole small document, or to a
 * whole definition, list, table or paragraph. Each chunk is a passage with its own id and lines. The caller has to add
 * new passages to the run before a reply may cite them.
 * @param found passages, best first; passages that are no chunks of the store stay unchanged.
 * @param room bytes of ordinary text, including tags and headings.
 */
export function wholePassages(found: readonly Passage[], room: number, store: ContextStore): readonly Passage[] {
  const units = createUnits(store);
  const choice = createChoice(store, room);
  const kept = new Set<Passage>();
  const indexOf = ({ id }: Passage) => store.indexOf(id);
  const takeOne = (passage: Passage) => {
    const index = indexOf(passage);
    if (index >= 0) choice.take({ start: index, end: index + 1 });
    else if (!kept.has(passage) && choice.takeRoom(passageBytes(passage))) kept.add(passage);
  };
  for (const passage of found) {
    if (choice.left() <= room * (1 - forBreadth)) break;
    const index = indexOf(passage);
    if (index < 0 || !units.isPreambleAt(index)) takeOne(passage);
  }

  /** Takes a chunk's whole document if it is small, without its imports if they do not fit. */
  function takeSmall(index: number): boolean {
    if (store.documents[store.chunk(index).document]!.bytes > room * smallShare) return false;
    const whole = units.document(index);
    let { start } = whole;
    while (start < index && units.isPreambleAt(start)) start++;
    const ranges = [whole, { ...whole, start }];
    return ranges.some((range) => choice.sizeOfRange(range) <= room * smallShare && choice.take(range));
  }

  /** Takes the units around a chunk. If they do not fit, takes only the chunk and the rest of its last unit. */
  function takeUnits(index: number): void {
    let size = choice.sizeOf(index);
    const range = units.around(index, (at) => {
      size += choice.sizeOf(at);
      return size <= room * unitShare;
    });
    if (!choice.take(range)) choice.take({ start: index, end: range.end });
  }

  const chosen = found.map(indexOf).filter((index) => choice.chosen.has(index));
  for (const index of chosen) if (!takeSmall(index)) takeUnits(index);
  found.forEach(takeOne);
  return inSequence(store, found, choice.chosen, kept);
}
