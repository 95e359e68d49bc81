import type { ContextStore } from '../../context/document.ts';
import { createOwnText, createView } from '../../context/store/view.ts';
import type { TextRange } from '../../sandbox/from-worker.ts';
import type { CodeCall } from '../../sandbox/sandbox.ts';
import type { Evidence } from './evidence.ts';
import { findWords } from './find-words.ts';

/** Characters of a text whose origin is searched for, at least. */
const shortestOrigin = 40;
const longestOrigin = 4_000_000;

const hasText = (store: ContextStore, { document, startByte, endByte }: TextRange, text: string): boolean =>
  endByte - startByte === Buffer.byteLength(text) &&
  Buffer.from(store.read(document, startByte, endByte)).toString() === text;

interface CodeTexts {
  /** Whether a prompt contains the text of a range that the code names: only shown ranges count. */
  isShown(range: TextRange, prompt: string): boolean;
  /** Returns the text of a call: a named range, text that is found in the whole, or a separate text. */
  textFor(call: CodeCall): ContextStore;
  close(): void;
}

export function createCodeTexts(store: ContextStore, evidence: Evidence): CodeTexts {
  const ownTexts: { close(): void }[] = [];
  function isShown({ document, startByte, endByte }: TextRange, text: string): boolean {
    return text.includes(Buffer.from(store.read(document, startByte, endByte)).toString());
  }

  function viewOf(ranges: readonly TextRange[]): ContextStore {
    const ids = ranges.flatMap((range) => evidence.note(range));
    return createView(
      store,
      ids.map((id) => store.indexOf(id)),
    );
  }

  function textFor({ args, ranges, turn, id }: CodeCall): ContextStore {
    const [, text = ''] = args;
    if (text === '') return viewOf(ranges);
    const exact = ranges.find((range) => hasText(store, range, text));
    if (exact !== undefined) return viewOf([exact]);
    const isSought = text.length >= shortestOrigin && text.length <= longestOrigin;
    const [found] = isSought ? findWords(store, [text], 1)[0]! : [];
    if (found !== undefined) return viewOf([found]);
    const own = createOwnText(`text of turn ${turn}.${id}`, text, {});
    ownTexts.push(own);
    return own;
  }

  return {
    isShown,
    textFor,
    close: () => {
      for (const text of ownTexts) text.close();
    },
  };
}
