import type { ContextStore } from '../../context/document.ts';
import { createOwnText, createView } from '../../context/store/view.ts';
import type { TextRange } from '../../sandbox/from-worker.ts';
import type { CodeCall } from '../../sandbox/sandbox.ts';
import type { Evidence } from './evidence.ts';
import { findWords, textAt } from './find-words.ts';

/** Characters of a text whose origin is searched for, at least. */
const shortestOrigin = 40;
const longestOrigin = 4_000_000;

/** Creates what finds the texts that calls of the code are about. */
export function createCodeTexts(store: ContextStore, evidence: Evidence) {
  const ownTexts: { close(): void }[] = [];

  function viewOf(ranges: readonly TextRange[]): ContextStore {
    const ids = ranges.flatMap(evidence.note);
    const indexes = ids.map((id) => store.indexOf(id));
    return createView(store, indexes);
  }

  const isAt = (range: TextRange, text: string): boolean =>
    range.endByte - range.startByte === Buffer.byteLength(text) && textAt(store, range) === text;

  return {
    /** Whether a prompt contains the text of a range that the code names: only shown ranges count. */
    isShown: (range: TextRange, prompt: string): boolean => prompt.includes(textAt(store, range)),
    /** Returns the text of a call: a named range, text that is found in the whole, or a separate text. */
    textFor({ args, ranges, turn, id }: CodeCall): ContextStore {
      const [, text = ''] = args;
      if (text === '') return viewOf(ranges);
      const exact = ranges.find((range) => isAt(range, text));
      if (exact !== undefined) return viewOf([exact]);
      const isSought = text.length >= shortestOrigin && text.length <= longestOrigin;
      const [found] = isSought ? findWords(store, [text], 1)[0]! : [];
      if (found !== undefined) return viewOf([found]);
      const own = createOwnText(`text of turn ${turn}.${id}`, text, {});
      ownTexts.push(own);
      return own;
    },
    close(): void {
      for (const text of ownTexts) text.close();
    },
  };
}
