import type * as z from 'zod/mini';
import type { RunEvent } from '../index.ts';
import type { World } from './world.ts';

/** What a call of a tool works with. */
export interface Call {
  readonly world: World;
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far a run is; at once, and then as things happen. */
  readonly onEvent: (event: RunEvent) => void;
}

/** A tool that clients see. The schemas, the list of tools and the documentation are made from this. */
export interface McpTool<Given = unknown, Found = unknown> {
  /** Such as `rlm_ask`. */
  readonly name: string;
  readonly title: string;
  /** For a model that has never heard of rlm: what it does, when to use it, what comes back. */
  readonly about: string;
  readonly input: z.ZodMiniType<Given>;
  /** An object. */
  readonly output: z.ZodMiniType<Found>;
  /** Whether it changes nothing, not even contexts. */
  readonly isReadOnly: boolean;
  /** Whether the same call again has no further effect. */
  readonly isIdempotent: boolean;
  /** Whether it may ask a model, which may be a service elsewhere. */
  readonly asksModel: boolean;
  /**
   * Carries it out.
   * @throws ToolFailure; RlmError.
   */
  run(given: Given, call: Call): Promise<Found>;
  /** What it found as text for a model; default: as JSON. */
  readonly toText?: (found: Found) => string;
}

/** A tool with its types kept between schema and code, and out of the list of tools. */
export const mcpTool = <Given, Found>(tool: McpTool<Given, Found>): McpTool => tool as unknown as McpTool;
