/** The public API of rlm. */
export { ask } from './api/ask.ts';
export { askPlainly, type PlainOptions } from './api/ask-plainly.ts';
export { type CacheContent, type ClearedCache, clearCache, describeCache } from './api/cache.ts';
export { type DryRun, dryRun } from './api/dry-run.ts';
export { type FollowUpOptions, followUp } from './api/follow-up.ts';
export {
  addToIndex,
  indexNames,
  listIndexes,
  type RefreshOptions,
  removeIndexes,
  type UpdateOptions,
  updateIndex,
} from './api/indexes.ts';
export { type KeptContextOptions, keepContext, keptContextNames, keptDocuments } from './api/kept-contexts.ts';
export type { DoctorReport } from './api/models/doctor.ts';
export type { DoctorCheck } from './api/models/doctor-checks.ts';
export type { ReportedModel } from './api/models/model-report.ts';
export { type ConfiguredProvider, configuredProvider, inspectModel } from './api/models/providers.ts';
export { examineSetup, pullModelFile, type ResolvedPresets, resolvePresets } from './api/models/setup.ts';
export { type Context, type ContextOptions, type LinePlace, openContext } from './api/open-context.ts';
export { type Files, type FilesOptions, openFiles } from './api/open-files.ts';
export { type FileTools, listTools, openTools, type ToolsOptions } from './api/open-tools.ts';
export { type QueryOptions, query, queryTables } from './api/query.ts';
export { type ResumeOptions, resume } from './api/resume.ts';
export { listRoles } from './api/roles.ts';
export { type PrunedRuns, type PruneOptions, pruneRuns, removeRuns } from './api/runs/remove-runs.ts';
export { compareRuns, type Report, type ReportFormat, renderReport } from './api/runs/reports.ts';
export { type EndedRun, type ResultForm, renderChecks, renderResult, spansOf } from './api/runs/result-reports.ts';
export {
  type DetailedRun,
  type ExportOptions,
  exportRun,
  type ListedRun,
  listRuns,
  showRun,
} from './api/runs/runs.ts';
export type { RunsOptions } from './api/runs/runs-folder.ts';
export { type FoundRun, type RunMatch, searchRuns } from './api/runs/search-runs.ts';
export type { AskOptions, RunOptions } from './assemble/ask-options.ts';
export type { ResolvedPreset } from './assemble/models/presets.ts';
export { isFileAddress, type PulledFile, type PullModelFileOptions } from './assemble/models/pull-model-file.ts';
export { type Timed, withinTime } from './assemble/within-time.ts';
export { evaluationsFolder, ownRolesFolder, stateFolder } from './config/folders.ts';
export {
  type Configuration,
  type ConfigurationSources,
  configurationFiles,
  loadConfiguration,
} from './config/layers.ts';
export { shownSetting } from './config/login.ts';
export { createProcessRedactor, type ProcessSources } from './config/process-redactor.ts';
export { autoProviders, preferredProvider, providerNames, providerTraitsOf } from './config/provider-traits.ts';
export { nearestSetting, type Settings, settingsByKey } from './config/settings.ts';
export { writeUserSetting } from './config/write-user-setting.ts';
export {
  type DescribedDocument,
  type DescribeOptions,
  type Description,
  type DocumentGroup,
  renderDescription,
} from './context/description.ts';
export type { Chunk } from './context/document.ts';
export type { Peek, PeekBounds, PeekRange } from './context/peek.ts';
export type { ContextLine, SearchMatch, SearchOptions, SearchResult } from './context/search/search.ts';
export { type ErrorCode, type ErrorInfo, type ExitCode, errorCodes, exitCodes, RlmError } from './errors.ts';
export type { IndexOutline } from './indexes/kept-indexes.ts';
export type { Refreshed } from './indexes/refresh.ts';
export type { GivenDocument, ReadingProgress } from './inputs/gather-inputs.ts';
export type { Trajectory } from './journal/trajectory.ts';
export type {
  CallOptions,
  Message,
  ModelDetails,
  ModelInfo,
  ModelReply,
  ModelRequest,
  ModelSummary,
  Provider,
  PullProgress,
  Survey,
  ToolCall,
  ToolSpec,
} from './providers/provider.ts';
export {
  createScriptedProvider,
  type Script,
  type ScriptedCalls,
  type ScriptedFunction,
  type ScriptedOptions,
  type ScriptedProvider,
  type ScriptedReply,
} from './providers/scripted/provider.ts';
export type { CitedLines, DescribedTable, QueryResult, TablesDescription } from './query/query-result.ts';
export { renderTables } from './query/render-tables.ts';
export {
  confidenceName,
  exitCodeOf,
  failedResult,
  type Result,
  type Status,
  unknownConfidence,
  withUnwritten,
} from './result.ts';
export type { Role } from './roles/role.ts';
export { createLimiter, createSharedLimiters, type Limiter, type SharedLimiters } from './run/door/limiter.ts';
export { largestWindow } from './run/door/window.ts';
export type { EventListener, RunEvent } from './run/events.ts';
export type { Usage } from './run/run-events.ts';
export type { Redactor } from './secrets/redactor.ts';
export {
  type Assessment,
  type Citation,
  type Claim,
  type Contradiction,
  type Critique,
  type DocumentInfo,
  type EarlierAnswer,
  type FurtherSearch,
  type LadderStep,
  ladderSteps,
  type Passage,
  type PassageRef,
  type Plan,
  type Rung,
  type SubQuestion,
  strategyNames,
  strategyTraits,
  type Tokens,
  type TreeNode,
} from './state.ts';
