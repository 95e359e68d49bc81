import type { Settings } from '../../config/settings.ts';
import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { codeParts } from '../../context/source-tree.ts';
import { bytesOf } from '../../context/text-size.ts';
import type { Passage } from '../../state.ts';

/** Counts passages by size: one of program code, which is smaller, counts as a fraction of a passage. */
export interface PassageCount {
  /** Returns the largest number of passages that can count as `passages`. */
  most(passages: number): number;
  /** Returns the first passages, up to those that together count as `passages`. */
  first(ordered: readonly Passage[], passages: number): readonly Passage[];
}

export function createPassageCount(
  { documents }: Pick<ContextStore, 'documents'>,
  { chunkTokens }: Pick<Settings['context'], 'chunkTokens'>,
): PassageCount {
  const codeBytes = bytesOf(chunkTokens) / codeParts;
  const hasCode = documents.some(({ name }) => isCodeName(name));
  const partsOf = ({ source, startByte, endByte }: Passage): number =>
    isCodeName(source) ? Math.max(1, Math.min(codeParts, Math.round((endByte - startByte) / codeBytes))) : codeParts;
  return {
    most: (passages) => (hasCode ? passages * codeParts : passages),
    first(ordered, passages) {
      let left = passages * codeParts;
      const past = ordered.findIndex((passage) => {
        left -= partsOf(passage);
        return left < 0;
      });
      return past < 0 ? ordered : ordered.slice(0, past);
    },
  };
}
