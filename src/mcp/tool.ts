import type * as z from 'zod/mini';
import type { RunEvent } from '../run/events.ts';
import type { World } from './world.ts';

export interface Call {
  readonly world: World;
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Reports an event of a run to the client as progress. */
  readonly onEvent: (event: RunEvent) => void;
}

/** A tool that clients see. */
export interface McpTool<Given = unknown, Found = unknown> {
  /** Such as `rlm_ask`. */
  readonly name: string;
  readonly title: string;
  /** For a model that does not know rlm: what the tool does, when to use it, what it returns. */
  readonly about: string;
  readonly input: z.ZodMiniType<Given>;
  /** The schema of the result, which is an object. */
  readonly output: z.ZodMiniType<Found>;
  /** Whether the tool changes no state. Contexts are part of the state. */
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  /** Whether the tool asks a model, which may be a remote service. */
  readonly asksModel: boolean;
  /** Runs the tool. Throws ToolFailure; RlmError. */
  run(given: Given, call: Call): Promise<Found>;
  /** Formats the result for a model. Default: JSON. */
  readonly toText?: (found: Found) => string;
}

/** Lets the compiler check a tool against its schemas, and erases the types of the schemas. */
export const mcpTool = <Given, Found>(tool: McpTool<Given, Found>): McpTool => tool as unknown as McpTool;

/** The flags of three kinds of tools: tools that only read, tools that change contexts, and tools that ask a model. */
export const reading = { isReadOnly: true, isIdempotent: true, asksModel: false };
export const changing = { isReadOnly: false, isIdempotent: true, asksModel: false };
export const asking = { isReadOnly: false, isIdempotent: false, asksModel: true };
