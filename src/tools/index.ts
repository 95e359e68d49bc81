import { nearest } from '../base/nearest.ts';
import { RlmError } from '../errors.ts';
import { calculate } from './calculate/tool.ts';
import { extractSymbols } from './code/extract-symbols.ts';
import { parseAst } from './code/parse-ast.ts';
import { chunkContext } from './contexts/chunk-context.ts';
import { describeContext } from './contexts/describe-context.ts';
import { filterContext } from './contexts/filter-context.ts';
import { getChunk } from './contexts/get-chunk.ts';
import { listContexts } from './contexts/list-contexts.ts';
import { peekContext } from './contexts/peek-context.ts';
import { retrieve } from './contexts/retrieve.ts';
import { searchContext } from './contexts/search-context.ts';
import { grep } from './files/grep.ts';
import { listFiles } from './files/list-files.ts';
import { readFile } from './files/read-file.ts';
import { finalAnswer } from './final-answer.ts';
import { query } from './query.ts';
import { llmQuery } from './questions/llm-query.ts';
import { subQuery } from './questions/sub-query.ts';
import { subQueryBatch } from './questions/sub-query-batch.ts';
import type { Tool } from './tool.ts';

/** Tools that ask questions one level deeper. */
const recursing: readonly Tool[] = [subQuery, subQueryBatch];

/** Every tool, in the order in which models and the documentation list them. */
export const tools: readonly Tool[] = [
  describeContext,
  listContexts,
  searchContext,
  retrieve,
  peekContext,
  filterContext,
  chunkContext,
  getChunk,
  listFiles,
  readFile,
  grep,
  extractSymbols,
  parseAst,
  subQuery,
  subQueryBatch,
  llmQuery,
  query,
  calculate,
  finalAnswer,
];

/** Tools whose results later calls of the same step may name. */
export const makers: ReadonlySet<string> = new Set([filterContext.name]);

/** What an exploration offers to its tools. */
interface Means {
  /** Names that the user allows; null: all. */
  readonly allow: readonly string[] | null;
  readonly hasFiles: boolean;
  /** Whether questions one level deeper may be asked. */
  readonly mayRecurse: boolean;
}

/** Returns the tools that can be used; always with the one that ends the exploration. */
export function chooseTools({ allow, hasFiles, mayRecurse }: Means): readonly Tool[] {
  return tools.filter((tool) => {
    if (tool === finalAnswer) return true;
    const isAllowed = allow === null || allow.includes(tool.name);
    return isAllowed && (tool.needs !== 'files' || hasFiles) && (mayRecurse || !recursing.includes(tool));
  });
}

/**
 * Checks tool names that a user has given.
 * @param where where the names were given, for the message.
 * @throws RlmError `config-invalid` with the nearest existing name.
 */
export function checkToolNames(names: readonly string[], where: string): void {
  const known = tools.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    throw new RlmError('config-invalid', `there is no tool "${name}" (${where})`, {
      hint: near ? `Did you mean ${near}?` : `The tools are ${known.join(', ')}.`,
    });
  }
}
