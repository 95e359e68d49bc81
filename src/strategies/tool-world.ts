import { isCodeName } from '../context/chunkers/languages.ts';
import { computedPassage } from '../context/computed-passage.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { ToolConditions } from '../tools/index.ts';
import type { QueryWorld } from '../tools/query.ts';
import type { Bounds } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';

/** Remembers passages that were shown, so that they can be cited. */
export function givePassages(passages: readonly Passage[], run: Run): void {
  const { store } = run.text;
  const indexes = passages.map(({ id }) => store.indexOf(id));
  run.passages.at(indexes.filter((index) => index >= 0));
  run.passages.give(passages.filter((_, at) => indexes[at] === -1));
}

/** Creates the world of a query: the text, and the bounds of its result. */
export const queryWorld = ({ text, budget }: Run, bounds: Bounds): QueryWorld => ({
  store: text.store,
  bounds,
  compute: computedPassage,
  signal: budget.signal,
});

const tableCharacters = 2_500;

/** Describes the tables of the text for a prompt; empty without records, on failure, or if queries are not allowed. */
export async function tablesOf(run: Run): Promise<string> {
  const { allow } = run.settings.tools;
  if (allow !== null && !allow.includes('query')) return '';
  const [{ hasRecords }, { describeRecords }] = await Promise.all([
    import('../query/records/index.ts'),
    import('../tools/query.ts'),
  ]);
  if (!hasRecords(run.text.store)) return '';
  try {
    return await describeRecords(run.text.store, queryWorld(run, { characters: tableCharacters, lines: 0 }));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return '';
  }
}

/** Returns the facts about a run that decide which tools are offered. */
export async function meansOf(run: Run, files: FileAccess | null, mayRecurse: boolean): Promise<ToolConditions> {
  const { hasRecords } = await import('../query/records/index.ts');
  const { documents } = run.text.store;
  const hasMore = documents.length < 2 && files !== null && !isOnly(documents[0]?.name, files);
  return {
    allow: run.settings.tools.allow,
    documentCount: hasMore ? 2 : documents.length,
    hasCode: documents.some(({ name }) => isCodeName(name)) || (documents.length === 0 && files !== null),
    hasRecords: hasRecords(run.text.store),
    mayRecurse,
  };
}

/** Whether a document is the only root, so that there are no files beside it. */
const isOnly = (name: string | undefined, { roots }: FileAccess): boolean => roots.every((root) => root === name);
