import type { McpTool } from '../tool.ts';
import { chunkContext, getChunk, subQueryBatch, subQueryTool } from './chunks.ts';
import { filterContext, inspectContext, listContexts, loadContext } from './contexts.ts';
import { askTool, resultTool, runsTool, startTool } from './runs.ts';
import { queryTool, searchTool } from './search.ts';

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
