import { nearest } from '../base/nearest.ts';
import { RlmError } from '../errors.ts';
import { extractSymbols } from './code/extract-symbols.ts';
import { finalAnswer } from './final-answer.ts';
import { note } from './note.ts';
import { query } from './query.ts';
import { classify } from './questions/classify.ts';
import { subQuery } from './questions/sub-query.ts';
import { grep } from './texts/grep.ts';
import { listFiles } from './texts/list-files.ts';
import { readFile } from './texts/read-file.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which models and the documentation list them. */
export const tools: readonly Tool[] = [
  listFiles,
  grep,
  readFile,
  extractSymbols,
  query,
  subQuery,
  classify,
  note,
  finalAnswer,
];

export interface ToolConditions {
  /** Names of the tools that the user allows; null if all are allowed. */
  readonly allow: readonly string[] | null;
  /** Number of documents; at least 2 if further files can be read. */
  readonly documentCount: number;
  readonly hasCode: boolean;
  /** Whether enough of the text consists of records. See `hasRecords` in query/records. */
  readonly hasRecords: boolean;
  readonly mayRecurse: boolean;
}

/** Returns the allowed tools that suit the text, and always `final_answer`, which ends the exploration. */
export function chooseTools({
  allow,
  documentCount,
  hasCode,
  hasRecords,
  mayRecurse,
}: ToolConditions): readonly Tool[] {
  const has: Readonly<Record<Tool['needs'], boolean>> = {
    texts: true,
    'several texts': documentCount > 1,
    code: hasCode,
    // Answers to sub-queries, and labels, can be queried as records.
    records: hasRecords || mayRecurse,
    questions: mayRecurse,
    run: true,
  };
  return tools.filter(
    (tool) => tool === finalAnswer || ((allow === null || allow.includes(tool.name)) && has[tool.needs]),
  );
}

/** Throws RlmError `config-invalid` for an unknown name. `where`: the source of the names, for the message. */
export function checkToolNames(names: readonly string[], where: string): void {
  const known = tools.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const hint = near ? `Did you mean ${near}?` : `The tools are ${known.join(', ')}.`;
  throw new RlmError('config-invalid', `there is no tool "${unknown}" (${where})`, { hint });
}
