import type { McpTool } from '../tool.ts';
import { askTool } from './ask.ts';
import { chunkContext } from './chunk-context.ts';
import { filterContext } from './filter-context.ts';
import { getChunk } from './get-chunk.ts';
import { inspectContext } from './inspect-context.ts';
import { listContexts } from './list-contexts.ts';
import { loadContext } from './load-context.ts';
import { queryTool } from './query.ts';
import { resultTool } from './result.ts';
import { runsTool } from './runs.ts';
import { searchTool } from './search.ts';
import { startTool } from './start.ts';
import { subQueryTool } from './sub-query.ts';
import { subQueryBatch } from './sub-query-batch.ts';

/** Every tool, in the order in which clients list them. */
export const mcpTools: readonly McpTool[] = [
  askTool,
  searchTool,
  queryTool,
  startTool,
  resultTool,
  runsTool,
  loadContext,
  inspectContext,
  chunkContext,
  getChunk,
  filterContext,
  listContexts,
  subQueryTool,
  subQueryBatch,
];
