import { cutText } from '../../base/text.ts';
import { computedPassage, isComputed, outputOf } from '../../context/computed-passage.ts';
import type { ContextStore } from '../../context/document.ts';
import { chunkAt, createLineFinder } from '../../context/lines.ts';
import { readBuffer } from '../../context/shown-text.ts';
import { type CheckedAnswer, checkCitations } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import type { CitedPassage } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { TextRange } from '../../sandbox/from-worker.ts';
import type { Passage, TreeNode } from '../../state.ts';
import { filePassage } from '../../tools/texts/texts.ts';

const blockBytes = 4 * 1024 * 1024;

/** Returns the text of a range. */
export const textAt = (store: ContextStore, { document, startByte, endByte }: TextRange): string =>
  readBuffer(store, document, startByte, endByte).toString();

interface Sought {
  readonly bytes: Buffer;
  readonly isWord: boolean;
  readonly places: TextRange[];
}

/** Maximum number of bytes of a character. */
const characterBytes = 4;

/** Whether a range is a part of a longer number, or of a longer word in a script that has capital letters. */
const isPartOfWord = (block: Buffer, start: number, end: number): boolean =>
  /[\p{Lu}\p{Ll}\p{N}]$/u.test(block.toString('utf8', Math.max(0, start - characterBytes), start)) ||
  /^[\p{Lu}\p{Ll}\p{N}]/u.test(block.toString('utf8', end, end + characterBytes));

function lookIn(block: Buffer, document: number, at: number, sought: Sought, most: number): void {
  const { bytes, isWord, places } = sought;
  for (let from = 0; places.length < most; ) {
    const found = block.indexOf(bytes, from);
    if (found < 0) return;
    const startByte = at + found;
    const last = places.at(-1);
    const isNew = last === undefined || last.document !== document || last.startByte < startByte;
    if (isNew && !(isWord && isPartOfWord(block, found, found + bytes.length)))
      places.push({ document, startByte, endByte: startByte + bytes.length });
    from = found + 1;
  }
}

/**
 * Finds the first occurrences of `texts` and `words`, at most `most` of each, in one pass over the store. A word is not
 * found inside a longer word.
 */
export function findWords(
  store: ContextStore,
  texts: readonly string[],
  most: number,
  words: readonly string[] = [],
): readonly (readonly TextRange[])[] {
  const toSought =
    (isWord: boolean) =>
    (text: string): Sought => ({ bytes: Buffer.from(text), isWord, places: [] });
  const all = [...texts.map(toSought(false)), ...words.map(toSought(true))];
  const longest = Math.max(0, ...all.map(({ bytes }) => bytes.length));
  for (const [document, { bytes: size }] of store.documents.entries()) {
    for (let at = 0; at < size && all.length > 0; at += blockBytes) {
      const block = readBuffer(store, document, at, Math.min(size, at + blockBytes + longest));
      for (const sought of all) lookIn(block, document, at, sought, most);
    }
  }
  return all.map(({ places }) => places);
}

/** The evidence for an answer, such as ranges that code cited, and computed values. */
export type Evidence = ReturnType<typeof createEvidence>;

const mostNoted = 500;
const mostQuotes = 12;
/** Maximum bytes that are cited on each side of cited words, because the lines of the words may be long. */
const aroundBytes = 1_000;

const quoted = /"([^"\n]{8,400})"|“([^”\n]{8,400})”|«([^»\n]{8,400})»|`([^`\n]{6,400})`/g;

const word = /[\p{L}\p{N}][\p{L}\p{N}_.:/@-]*[\p{L}\p{N}]/gu;
/** Matches a word with a digit inside, such as a number or an identifier. */
const value = /.\p{N}./u;

const longestValue = 100;
const shortestValue = 4;

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Returns the words of an answer that the model may have copied from the text. */
function ownWords(answer: string): { readonly quotes: readonly string[]; readonly values: readonly string[] } {
  const quotes = [...answer.matchAll(quoted)].map((match) => match.slice(1).find((part) => part !== undefined)!);
  const whole = answer.trim();
  const short = whole.length <= longestValue && !whole.includes('\n') ? [whole, whole.replace(/[.!]$/, '')] : [];
  const values = [...short, ...(answer.match(word) ?? []).filter((one) => value.test(one))];
  const long = values.filter(({ length }) => length >= shortestValue);
  return { quotes: unique(quotes).slice(0, mostQuotes), values: unique(long).slice(0, mostQuotes) };
}

function markLine(passage: Passage): string {
  const { id, source, startLine, text } = passage;
  const content = isComputed(passage) ? outputOf(passage) : text;
  return `[${id}] ${source}:${startLine} ${cutText(content.replace(/\s+/g, ' ').trim(), 80)}`;
}

/** Whether a byte continues a character of UTF-8. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function createLinePassages({ store }: Run['text']) {
  const lines = createLineFinder(store);
  return ({ document, startByte, endByte }: TextRange): Passage => {
    const first = lines.around(document, startByte)!;
    const last = lines.around(document, Math.max(startByte, endByte - 1)) ?? first;
    let start = Math.max(first.startByte, startByte - aroundBytes);
    let end = Math.min(Math.max(last.endByte, endByte), endByte + aroundBytes);
    const bytes = Buffer.from(store.read(document, start, end));
    const origin = start;
    if (start > first.startByte) while (start < startByte && continues(bytes[start - origin])) start++;
    const { name, bytes: size } = store.documents[document]!;
    if (end < size) while (end > endByte && continues(store.read(document, end, end + 1)[0])) end--;
    const text = bytes.subarray(start - origin, end - origin).toString();
    const [startLine, endLine] = [first.line, last.line];
    return filePassage({ source: name, startLine, endLine, startByte: start, endByte: end, text });
  };
}

/** Creates the passages of computed values. Only the passage of a program's first value shows the code. */
function createProgramPassages(): (code: string, output: string) => Passage {
  const firsts = new Map<string, string>();
  return (code, output) => {
    const first = firsts.get(code);
    const passage = computedPassage({ by: 'code', code: first ? `// the program of [${first}]` : code, output });
    if (first === undefined) firsts.set(code, passage.id);
    return passage;
  };
}

/**
 * Creates the evidence for an answer. `shown`: passages that the model was shown before. `told`: passages that earlier
 * answers cite, as `toldPassages` returns them.
 */
export function createEvidence(run: Run, shown: readonly Passage[], told: readonly Passage[]) {
  const { store } = run.text;
  const citable = new Map(told.map((passage) => [passage.id, passage]));
  const noted = new Map(shown.map((passage) => [passage.id, passage]));
  const cited: CitedPassage[] = [];
  const marked = new Map<string, string>();
  const programPassage = createProgramPassages();
  const linesOf = createLinePassages(run.text);

  function add(passage: Passage): Passage {
    noted.delete(passage.id);
    noted.set(passage.id, passage);
    return passage;
  }

  function chunksOf({ document, startByte, endByte }: TextRange): number[] {
    const indexes: number[] = [];
    for (let index = chunkAt(store, document, startByte); index < store.chunkCount; index++) {
      const chunk = store.chunk(index);
      if (chunk.document !== document || chunk.startByte >= endByte || indexes.length === mostNoted) break;
      indexes.push(index);
    }
    return indexes;
  }

  function give(passage: Passage, quote: string | null): CitedPassage {
    run.passages.give([add(passage)]);
    return { passage: passage.id, quote };
  }

  function mark(passage: Passage, quote: string | null): string {
    cited.push(give(passage, quote));
    marked.delete(passage.id); // Moves the mark to the end, because the prompt shows the last marks.
    marked.set(passage.id, markLine(passage));
    return `[${passage.id}]`;
  }

  /** Cites an answer's words where the text has them: a quote at its first place, a value only if it occurs once. */
  function citedWords(answer: string): readonly CitedPassage[] {
    const { quotes, values } = ownWords(answer);
    const places = findWords(store, quotes, 2, values);
    const found = places.map((all, index) => (index < quotes.length || all.length === 1 ? all[0] : undefined));
    return found.flatMap((range) => (range === undefined ? [] : [give(linesOf(range), textAt(store, range))]));
  }

  return {
    /** Records a range, so that its passages can be cited. Returns their ids. */
    note: (range: TextRange): string[] => run.passages.at(chunksOf(range)).map((passage) => add(passage).id),
    /** Cites the lines of a range. Returns the mark to write. */
    cite: (range: TextRange): string => mark(linesOf(range), textAt(store, range)),
    /** Records a value that code computed. Returns the mark to write. */
    compute: (code: string, output: string): string => mark(programPassage(code, output), null),
    /** Records the result of a query. Returns the mark to write. */
    computed: (result: Passage): string => mark(result, null),
    /**
     * Checks the citations that an answer marks. Without marks, checks its quotes and values. If the text has none of
     * these, checks all citations of the code and of sub-questions.
     */
    check(answer: string, children: readonly TreeNode[]): CheckedAnswer {
      const ids = markedIds(answer);
      const known: CitedPassage[] = [...cited, ...children.flatMap(({ citations }) => citations)];
      const words = ids.length === 0 ? citedWords(answer) : known.filter(({ passage }) => ids.includes(passage));
      const all = words.length === 0 && ids.length === 0 ? known : words;
      const held = run.passages.byId(unique(all.map(({ passage }) => passage)));
      const shownByMark = ids.flatMap((id) => noted.get(id) ?? citable.get(id) ?? []);
      return checkCitations(answer, all, [...held, ...shownByMark]);
    },
    /** Returns the noted passages, latest first. */
    passages: () => [...noted.values()].reverse(),
    /** Returns each mark with its place and the beginning of its text. */
    marks: () => [...marked.values()],
  };
}
