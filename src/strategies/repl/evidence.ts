import { chunkAt } from '../../context/chunk-at.ts';
import { type CheckedAnswer, checkCitations } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import type { CitedPassage } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { TextRange } from '../../sandbox/text-source.ts';
import type { Passage, TreeNode } from '../../state.ts';
import { findWords } from './find-words.ts';

/** What an answer may rest on: places that code has cited or shown, and what sub-queries cite. */
export interface Evidence {
  /** Notes a place; from then on its passages can be cited. Gives their ids. */
  note(range: TextRange): readonly string[];
  /** Notes a place that the code names as evidence. Gives the marks to write. */
  cite(range: TextRange): string;
  /** The answer with its citations checked: those it marks, its quotes, else what the code has cited. */
  check(answer: string, children: readonly TreeNode[]): CheckedAnswer;
  /** Passages that were noted, the ones noted last first. */
  passages(): readonly Passage[];
}

const mostNoted = 500;
const mostQuotes = 12;

/** Words in quotation marks. */
const quoted = /"([^"\n]{8,400})"|“([^”\n]{8,400})”|«([^»\n]{8,400})»|`([^`\n]{6,400})`/g;

/** Numbers, names and the like, which may stand at one place only. */
const value = /[\p{L}\p{N}][\p{L}\p{N}_.:/@-]*\p{N}[\p{L}\p{N}_.:/@-]*[\p{L}\p{N}]|\p{N}{3,}/gu;

const longestValue = 100;
const shortestValue = 4;

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Words of an answer that may be the text's own: what it quotes, and an answer that is nothing but a value. */
function ownWords(answer: string): { readonly quotes: readonly string[]; readonly values: readonly string[] } {
  const quotes = [...answer.matchAll(quoted)].map((match) => match.slice(1).find((part) => part !== undefined)!);
  const whole = answer.trim();
  const short = whole.length <= longestValue && !whole.includes('\n') ? [whole, whole.replace(/[.!]$/, '')] : [];
  const values = [...short, ...(answer.match(value) ?? [])].filter(({ length }) => length >= shortestValue);
  return { quotes: unique(quotes).slice(0, mostQuotes), values: unique(values).slice(0, mostQuotes) };
}

export function createEvidence(run: Run): Evidence {
  const { store } = run.text;
  const noted = new Map<number, Passage>();
  const cited: CitedPassage[] = [];

  function passageAt(index: number): Passage {
    const known = noted.get(index) ?? run.passages.at([index])[0]!;
    noted.delete(index);
    noted.set(index, known);
    return known;
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

  const note = (range: TextRange): readonly Passage[] => chunksOf(range).map(passageAt);

  const textOf = ({ document, startByte, endByte }: TextRange): string =>
    Buffer.from(store.read(document, startByte, endByte)).toString();

  /** A place within one passage is a quote; one that reaches over several cites each as a whole. */
  function toCited(range: TextRange): readonly CitedPassage[] {
    const passages = note(range);
    const quote = passages.length === 1 ? textOf(range) : null;
    return passages.map(({ id }) => ({ passage: id, quote }));
  }

  /** Quotes stand where they first stand; a value counts where it stands nowhere else. */
  function citedWords(answer: string): readonly CitedPassage[] {
    const { quotes, values } = ownWords(answer);
    const places = findWords(store, [...quotes, ...values], 2);
    const found = places.map((all, index) => (index < quotes.length || all.length === 1 ? all[0] : undefined));
    return found.flatMap((range) => (range === undefined ? [] : toCited(range)));
  }

  return {
    note: (range) => note(range).map(({ id }) => id),
    cite(range) {
      const found = toCited(range);
      cited.push(...found);
      return found.map(({ passage }) => `[${passage}]`).join('');
    },
    check(answer, children) {
      const marked = new Set(markedIds(answer));
      const known = [...cited, ...children.flatMap(({ citations }) => citations)];
      const behindMarks = known.filter(({ passage }) => marked.has(passage));
      const named = [...behindMarks, ...citedWords(answer)];
      const all = named.length === 0 && marked.size === 0 ? known : named;
      const ids = unique([...all.map(({ passage }) => passage), ...marked]);
      return checkCitations(
        answer,
        all.map(({ passage, quote }) => ({ passage, quote })),
        run.passages.byId(ids),
      );
    },
    passages: () => [...noted.values()].reverse(),
  };
}
