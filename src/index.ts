/** The public API of rlm. */
export { ask } from './api/ask.ts';
export { askPlainly, type PlainOptions } from './api/ask-plainly.ts';
export { type DryRun, dryRun } from './api/dry-run.ts';
export { type FollowUpOptions, followUp } from './api/follow-up.ts';
export { type KeptContextOptions, keepContext, keptContextNames, keptDocuments } from './api/kept-contexts.ts';
export { type Context, type ContextOptions, type LinePlace, openContext } from './api/open-context.ts';
export { type Files, type FilesOptions, openFiles } from './api/open-files.ts';
export { type FileTools, openTools, type ToolsOptions } from './api/open-tools.ts';
export { compareRuns, type Report, type ReportFormat, renderReport } from './api/reports.ts';
export { type ResumeOptions, resume } from './api/resume.ts';
export { listRoles } from './api/roles.ts';
export { type DetailedRun, type ListedRun, listRuns, type RunsOptions, showRun } from './api/runs.ts';
export type { AskOptions, RunOptions } from './assemble/ask-options.ts';
export { providerNames } from './assemble/models/providers.ts';
export { evaluationsFolder, stateFolder } from './config/folders.ts';
export { type Configuration, type ConfigurationSources, loadConfiguration } from './config/layers.ts';
export type { Settings } from './config/settings.ts';
export type { DescribedDocument, DescribeOptions, Description, DocumentGroup } from './context/description.ts';
export type { Chunk } from './context/document.ts';
export type { Peek, PeekBounds, PeekRange } from './context/peek.ts';
export type { ContextLine, SearchMatch, SearchOptions, SearchResult } from './context/search/search.ts';
export { type ErrorCode, type ErrorInfo, type ExitCode, errorCodes, exitCodes, RlmError } from './errors.ts';
export type { GivenDocument, ReadingProgress } from './inputs/gather-inputs.ts';
export type {
  CallOptions,
  Message,
  ModelInfo,
  ModelReply,
  ModelRequest,
  Provider,
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
export { exitCodeOf, failedResult, type Result, type Status } from './result.ts';
export type { Role } from './roles/role.ts';
export { createSharedLimiters, type SharedLimiters } from './run/door/serving/crowd.ts';
export { createLimiter, type Limiter } from './run/door/serving/limiter.ts';
export type { EventListener, RunEvent } from './run/events.ts';
export type { Usage } from './run/usage.ts';
export type {
  Assessment,
  Citation,
  Claim,
  Contradiction,
  Critique,
  DocumentInfo,
  EarlierAnswer,
  FurtherSearch,
  LadderStep,
  Passage,
  PassageRef,
  Plan,
  Rung,
  SubQuestion,
  Tokens,
  TreeNode,
} from './state.ts';
