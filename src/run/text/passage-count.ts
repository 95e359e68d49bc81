import type { Settings } from '../../config/settings.ts';
import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { codeParts } from '../../context/source-tree.ts';
import { bytesOf } from '../../context/text-size.ts';
import type { Passage } from '../../state.ts';

/** Counts passages by their size: those of program code, which are smaller, count for a part of one. */
export interface PassageCount {
  /** How many passages can count for so many. */
  most(passages: number): number;
  /** The first passages, as far as they count for so many. */
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
