import { isCodeName } from '../context/chunkers/languages.ts';
import { computedPassage } from '../context/computed-passage.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { Means } from '../tools/index.ts';
import type { ToolWorld } from '../tools/tool.ts';

/** What differs between the callers that offer tools to a model. */
type ToolWorldParts = Pick<ToolWorld, 'files' | 'bounds' | 'pieceBytes' | 'questions' | 'find' | 'note'>;

/** Remembers passages that were shown, so that they can be cited. */
export function givePassages(passages: readonly Passage[], run: Run): void {
  const { store } = run.text;
  const indexes = passages.map(({ id }) => store.indexOf(id));
  run.passages.at(indexes.filter((index) => index >= 0));
  run.passages.give(passages.filter((_, at) => indexes[at] === -1));
}

/** Creates what tools work on in a run: its text, its files, and what they compute, which can be cited. */
export const createToolWorld = (run: Run, parts: ToolWorldParts): ToolWorld => ({
  ...parts,
  store: run.text.store,
  compute: computedPassage,
  signal: run.budget.signal,
});

/** Returns what there is for tools to work with in a run. */
export async function meansOf(run: Run, files: FileAccess | null, mayRecurse: boolean): Promise<Means> {
  const { hasRecords } = await import('../query/records/index.ts');
  const { documents } = run.text.store;
  return {
    allow: run.settings.tools.allow,
    texts: documents.length === 1 && files !== null && !isOnly(documents[0]!.name, files) ? 2 : documents.length,
    hasCode: documents.some(({ name }) => isCodeName(name)) || (documents.length === 0 && files !== null),
    hasRecords: hasRecords(run.text.store),
    mayRecurse,
  };
}

/** Whether a document is the only root, so that there are no files beside it. */
const isOnly = (name: string, { roots }: FileAccess): boolean => roots.every((root) => root === name);
