import * as z from 'zod/mini';
import { type ErrorCode, RlmError } from '../errors.ts';
import type { ToolSpec } from '../prompts/message.ts';
import type { Action } from '../prompts/reply/fields.ts';
import type { ToolUse } from '../state.ts';
import { readCall } from './read-call.ts';
import type { Tool, ToolWorld } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** A tool call with its arguments, for the caller of the toolbox. */
export interface MadeCall {
  readonly use: ToolUse;
  /** The arguments as the tool takes them; null where the call could not be made. */
  readonly given: unknown;
}

interface MadeCalls {
  readonly calls: readonly MadeCall[];
  /** Why the run has to stop, or null. */
  readonly stopped: RlmError | null;
}

/** A call's place in an exploration, both from 1. */
export interface CallPlace {
  readonly step: number;
  readonly call: number;
}

/** Where the calls of one step are made. */
interface StepWorld {
  readonly step: number;
  /** The first step whose results the model still sees in full. */
  readonly firstShown: number;
  /** What calls work on. */
  worldFor(place: CallPlace): ToolWorld;
}

/** Runs tool calls and remembers them. */
export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  /** Runs all calls of a step, concurrently where none waits for another, and returns their results in order. */
  callAll(actions: readonly Action[], where: StepWorld): Promise<MadeCalls>;
}

/** The tools as they are offered to a model. */
export function toSpec({ name, about, parameters, example }: Tool): ToolSpec {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters);
  return { name, about, schema, example };
}

/** Errors in what a model asked for, which do not end the run. */
const mendable: readonly string[] = ['usage', 'input-missing', 'pattern-invalid'] satisfies ErrorCode[];

function messageOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof RlmError && mendable.includes(error.code))
    return [error.message, error.hint].filter(Boolean).join('. ');
  throw error;
}

const failed = ({ tool, arguments: given }: Action, { message }: Error): MadeCall => ({
  use: { tool, arguments: given, result: message, outcome: 'wrong' },
  given: null,
});

interface EarlierCall extends CallPlace {
  readonly made: Promise<MadeCall>;
}

/** The result of a repeated call: where the first result stands, or that result where it is no longer shown. */
function repeated({ use, given }: MadeCall, { step, call }: CallPlace, where: StepWorld): MadeCall {
  if (use.outcome === 'wrong') return { use, given };
  const place = step === where.step ? `call ${call} of this step` : `step ${step}, call ${call}`;
  const result = step < where.firstShown ? use.result : `The same as ${place}.`;
  return { use: { ...use, result, outcome: 'same' }, given };
}

/**
 * Creates a toolbox, which remembers its calls.
 * @param makers names of tools that make what later calls of the same step may use: those wait for them.
 */
export function createToolbox(tools: readonly Tool[], makers: ReadonlySet<string>): Toolbox {
  const earlier = new Map<string, EarlierCall>();

  async function run(tool: Tool, given: unknown, world: ToolWorld): Promise<MadeCall> {
    const use = { tool: tool.name, arguments: given };
    try {
      const result = await tool.run(given, world);
      return { use: { ...use, result, outcome: 'done' }, given };
    } catch (error) {
      return { use: { ...use, result: messageOf(error), outcome: 'wrong' }, given: null };
    }
  }

  function callOne(action: Action, place: CallPlace, where: StepWorld, turn: Promise<unknown>): Promise<MadeCall> {
    let read: ReturnType<typeof readCall>;
    try {
      read = readCall(action, tools);
    } catch (error) {
      return Promise.resolve(failed(action, new Error(messageOf(error))));
    }
    const { tool, given } = read;
    const key = `${tool.name} ${JSON.stringify(given)}`;
    const before = earlier.get(key);
    if (before !== undefined) return before.made.then((made) => repeated(made, before, where));
    const made = turn.then(() => run(tool, given, where.worldFor(place)));
    earlier.set(key, { ...place, made });
    const forget = () => void earlier.delete(key);
    made.then(({ use }) => use.outcome === 'wrong' && forget(), forget);
    return made;
  }

  return {
    specs: tools.map(toSpec),
    async callAll(actions, where) {
      let turn: Promise<unknown> = Promise.resolve();
      const calls = actions.map((action, index) => {
        const made = callOne(action, { step: where.step, call: index + 1 }, where, turn);
        if (makers.has(action.tool)) turn = made.catch(() => {});
        return made;
      });
      const settled = await Promise.allSettled(calls);
      const stops = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const reason of stops) if (!(reason instanceof RlmError)) throw reason;
      return {
        calls: settled.map((one, index) =>
          one.status === 'fulfilled' ? one.value : failed(actions[index]!, one.reason),
        ),
        stopped: stops[0] ?? null,
      };
    },
  };
}
