import { inTurns } from '../../base/arrays.ts';
import type { Settings } from '../../config/settings.ts';
import { codeParts, isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { bytesOf, weigh } from '../../context/text-size.ts';
import { underBytes } from '../../context/under/passage-under.ts';
import type { Passage } from '../../state.ts';
import { passageOverheadBytes } from '../door/window.ts';

/** Returns the size of a passage in a prompt, with its tags, in bytes. Text with more tokens per byte weighs more. */
export const passageBytes = (passage: Passage): number =>
  weigh(passage.text) + Buffer.byteLength(passage.source) + underBytes(passage) + passageOverheadBytes;

/** Returns the passages that fit `room` (bytes), each once. Takes the first of each group, then the second of each. */
export function fitInTurns(groups: readonly (readonly Passage[])[], room: number): Passage[] {
  let left = room;
  const kept = new Map<string, Passage>();
  for (const passage of inTurns(groups)) {
    if (kept.has(passage.id) || passageBytes(passage) > left) continue;
    left -= passageBytes(passage);
    kept.set(passage.id, passage);
  }
  return [...kept.values()];
}

/** Counts passages by size. A passage of program code is small, so it counts as a fraction of an ordinary passage. */
export function createPassageCount(
  { documents }: Pick<ContextStore, 'documents'>,
  { chunkTokens }: Pick<Settings['context'], 'chunkTokens'>,
) {
  const codeBytes = bytesOf(chunkTokens) / codeParts;
  const hasCode = documents.some(({ name }) => isCodeName(name));
  const partsOf = ({ source, startByte, endByte }: Passage): number =>
    isCodeName(source) ? Math.max(1, Math.min(codeParts, Math.round((endByte - startByte) / codeBytes))) : codeParts;
  return {
    /** Returns the largest number of passages that `first` can return. It exceeds `limit` if the text has code. */
    mostFor: (limit: number): number => (hasCode ? limit * codeParts : limit),
    /** Returns the longest beginning of `ordered` whose total size is at most that of `limit` ordinary passages. */
    first(ordered: readonly Passage[], limit: number): readonly Passage[] {
      let left = limit * codeParts;
      const past = ordered.findIndex((passage) => {
        left -= partsOf(passage);
        return left < 0;
      });
      return past < 0 ? ordered : ordered.slice(0, past);
    },
  };
}
