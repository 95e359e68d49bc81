/** The public API of rlm. */

export { ask } from './api/ask.ts';
export { clearCache, describeCache } from './api/cache.ts';
export { type DryRun, dryRun } from './api/dry-run.ts';
export { followUp } from './api/follow-up.ts';
export { addToIndex, indexNames, listIndexes, removeIndexes, updateIndex } from './api/indexes.ts';
export { configuredProvider, inspectModel } from './api/models/providers.ts';
export { examineSetup, pullModelFile, resolvePresets } from './api/models/setup.ts';
export { type Context, type ContextOptions, openContext } from './api/open-context.ts';
export { type Files, type FilesOptions, openFiles } from './api/open-files.ts';
export { type QueryOptions, query, queryTables } from './api/query.ts';
export { resume } from './api/resume.ts';
export { pruneRuns, removeRuns } from './api/runs/remove-runs.ts';
export { compareRuns, renderReport } from './api/runs/reports.ts';
export { renderResult } from './api/runs/result-reports.ts';
export { exportRun, listRuns, showRun } from './api/runs/runs.ts';
export { searchRuns } from './api/runs/search-runs.ts';
export type { AskOptions, RunOptions } from './assemble/ask-options.ts';
export { type Configuration, loadConfiguration } from './config/layers.ts';
export type { Settings } from './config/settings.ts';
export type { SearchOptions, SearchResult } from './context/search/search.ts';
export { type ErrorCode, type ErrorInfo, errorCodes, RlmError } from './errors.ts';
export type { GivenDocument } from './inputs/gather-inputs.ts';
export type { CallOptions, ModelInfo, ModelReply, ModelRequest, Provider } from './providers/provider.ts';
export { createScriptedProvider } from './providers/scripted/provider.ts';
export type { QueryResult, TablesDescription } from './query/query-result.ts';
export { exitCodeOf, type Result, type Status } from './result.ts';
export type { EventListener, RunEvent } from './run/events.ts';
export type { Usage } from './run/run-events.ts';
export type {
  Citation,
  Claim,
  Contradiction,
  EarlierAnswer,
  LadderStep,
  Passage,
  Plan,
  Tokens,
  TreeNode,
} from './state.ts';
