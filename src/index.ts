/** The public API of rlm. docs/library.md explains each name. */

export { ask } from './api/ask.ts';
export { clearCache, describeCache } from './api/cache.ts';
export { type DryRun, dryRun } from './api/dry-run.ts';
export { addToIndex, indexNames, listIndexes, removeIndexes, updateIndex } from './api/indexes.ts';
export { examineSetup, inspectModel } from './api/models/setup.ts';
export { type Context, type ContextOptions, openContext, query, queryTables } from './api/open-context.ts';
export { type Files, openFiles } from './api/open-files.ts';
export { followUp, resume } from './api/resume.ts';
export { listRuns, pruneRuns, removeRuns, searchRuns, showRun } from './api/runs/recorded-runs.ts';
export { renderReport, renderResult } from './api/runs/reports.ts';
export type { AskOptions } from './assemble/ask-options.ts';
export { type Configuration, loadConfiguration } from './config/layers.ts';
export type { Settings } from './config/settings.ts';
export type { SearchResult } from './context/search/search.ts';
export { type ErrorCode, type ErrorInfo, RlmError, type WarningCode } from './errors.ts';
export type { GivenDocument } from './inputs/gather-inputs.ts';
export type { CallOptions, ModelInfo, ModelReply, ModelRequest, Provider } from './providers/provider.ts';
export { createScriptedProvider } from './providers/scripted/provider.ts';
export type { QueryResult, TablesDescription } from './query/query-result.ts';
export { exitCodeOf, type Result } from './result.ts';
export type { RunEvent } from './run/events.ts';
export type { Citation, Claim, Passage, TreeNode } from './state.ts';
