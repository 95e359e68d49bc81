import { passageHash, passageIdOf } from '../../context/passage-id.ts';
import type { Passage } from '../../state.ts';

/** Lines of a file as a tool read them. */
export type FileLines = Pick<Passage, 'source' | 'startLine' | 'endLine' | 'startByte' | 'endByte' | 'text'>;

/**
 * Makes a passage of lines of a file. Citations are checked against what was read then: the file may have changed when
 * the answer is written, and a model can only quote what it was shown.
 */
export const filePassage = (lines: FileLines): Passage => ({
  id: passageIdOf(lines.source, lines.startLine, lines.text),
  ...lines,
  score: 0,
  hash: passageHash(lines.text),
});
