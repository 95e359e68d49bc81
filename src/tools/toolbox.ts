import * as z from 'zod/mini';
import { weigh } from '../context/text-size.ts';
import { type ErrorCode, RlmError } from '../errors.ts';
import type { ToolSpec } from '../prompts/prompt.ts';
import type { Action } from '../prompts/reply/fields.ts';
import type { Passage, ToolUse } from '../state.ts';
import { readCall } from './read-call.ts';
import type { FittingResult, Tool, ToolWorld } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Divides `room` among results of these sizes. Long results get the room that short ones do not need. */
function shareRoom(sizes: readonly number[], room: number): readonly number[] {
  const ascending = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  const shares = sizes.map(() => 0);
  let left = room;
  for (const [place, { size, index }] of ascending.entries()) {
    const fair = Math.floor(left / (ascending.length - place));
    shares[index] = Math.min(size, fair);
    left -= shares[index]!;
  }
  return shares;
}

export interface MadeCall {
  readonly use: ToolUse;
  /** The checked arguments; null for an invalid call. */
  readonly given: unknown;
}

interface StepWorld {
  readonly step: number;
  /** The first step whose results the model still sees in full. */
  readonly firstShown: number;
  readonly world: ToolWorld;
  /** Receives the shown passages, in call order. */
  keep(passages: readonly Passage[]): void;
}

export type Toolbox = ReturnType<typeof createToolbox>;

/** Schema keywords that a model does not need. The error for a call that violates one shows the right form. */
const unneeded: ReadonlySet<string> = new Set(
  '$schema additionalProperties minimum maximum minLength minItems maxItems'.split(' '),
);

/** Returns a shortened schema, because every prompt with tools contains it. */
function shortSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => !unneeded.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, shortSchema(value)]));
}

/** Returns a tool as it is offered to a model. */
export const toSpec = ({ name, about, parameters, example }: Tool): ToolSpec => ({
  name,
  about,
  schema: shortSchema(z.toJSONSchema(parameters)) as object,
  example,
});

/** Codes of errors in a model's request, which do not end the run. */
const mendable: readonly string[] = ['usage', 'input-missing', 'pattern-invalid'] satisfies ErrorCode[];

function messageOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof RlmError && mendable.includes(error.code))
    return [error.message, error.hint].filter(Boolean).join('. ');
  throw error;
}

interface RawCall extends MadeCall {
  /** Renders the result within bounds. Null if the result of `use` is shown unchanged. */
  readonly fits: FittingResult | null;
}

const wrong = ({ tool, arguments: given }: Action, message: string): RawCall => ({
  use: { tool, arguments: given, result: message, outcome: 'wrong' },
  given: null,
  fits: null,
});

interface EarlierCall {
  readonly step: number;
  /** Number of the call in its step, from 1. */
  readonly call: number;
  readonly made: Promise<RawCall>;
  /** The result as the model saw it; null before it is shown. */
  result: string | null;
}

async function repeated(earlier: EarlierCall, where: StepWorld): Promise<RawCall> {
  const { use, given } = await earlier.made;
  if (use.outcome === 'wrong') return { use, given, fits: null };
  const { step, call } = earlier;
  const place = step === where.step ? `call ${call} of this step` : `step ${step}, call ${call}`;
  const result = step < where.firstShown && earlier.result !== null ? earlier.result : `The same as ${place}.`;
  return { use: { ...use, result, outcome: 'same' }, given, fits: null };
}

/** Minimum share of a step's room for all results that can be cut, however long the other results are. */
const leastShare = 0.25;

/** Fits results into a step's room, in characters of ordinary text. Text with more tokens takes more room. */
function render(calls: readonly RawCall[], { world: { bounds }, keep }: StepWorld): MadeCall[] {
  const taken = calls.reduce((sum, { use, fits }) => sum + (fits === null ? weigh(use.result) : 0), 0);
  const room = Math.max(bounds.characters - taken, Math.floor(bounds.characters * leastShare));
  const all = calls.map(({ fits }) => fits?.({ ...bounds, characters: room }) ?? null);
  const weights = all.map((shown) => (shown === null ? 0 : weigh(shown.text)));
  const shares = shareRoom(weights, room);
  return calls.map(({ use, given, fits }, index) => {
    const whole = all[index] ?? null;
    if (fits === null || whole === null) return { use, given };
    const part = shares[index]! / Math.max(1, weights[index]!);
    const shown = part >= 1 ? whole : fits({ ...bounds, characters: Math.floor(whole.text.length * part) });
    keep(shown.passages);
    return { use: { ...use, result: shown.text }, given };
  });
}

async function run(tool: Tool, given: unknown, world: ToolWorld): Promise<RawCall> {
  const use = { tool: tool.name, arguments: given };
  try {
    const result = await tool.run(given, world);
    const isText = typeof result === 'string';
    return { use: { ...use, result: isText ? result : '', outcome: 'done' }, given, fits: isText ? null : result };
  } catch (error) {
    return wrong(use, messageOf(error));
  }
}

/** Creates a toolbox, which remembers its calls. `offered`: tools that prompts list. `callable`: tools that it runs. */
export function createToolbox(offered: readonly Tool[], callable: readonly Tool[] = offered) {
  const earlier = new Map<string, EarlierCall>();

  function callOne(action: Action, call: number, where: StepWorld): { made: Promise<RawCall>; entry?: EarlierCall } {
    let read: ReturnType<typeof readCall>;
    try {
      read = readCall(action, callable);
    } catch (error) {
      return { made: Promise.resolve(wrong(action, messageOf(error))) };
    }
    const { tool, given } = read;
    const key = `${tool.name} ${JSON.stringify(given)}`;
    const before = earlier.get(key);
    if (before !== undefined) return { made: repeated(before, where) };
    const made = run(tool, given, where.world);
    const entry: EarlierCall = { step: where.step, call, made, result: null };
    earlier.set(key, entry);
    const forget = () => void earlier.delete(key);
    made.then(({ use }) => use.outcome === 'wrong' && forget(), forget);
    return { made, entry };
  }

  return {
    specs: offered.map(toSpec),
    /** Makes all calls. Returns their results in order, and the error that ends the run, or null. */
    async callAll(actions: readonly Action[], where: StepWorld) {
      const begun = actions.map((action, index) => callOne(action, index + 1, where));
      const settled = await Promise.allSettled(begun.map(({ made }) => made));
      const stops = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const reason of stops) if (!(reason instanceof RlmError)) throw reason;
      const raw = settled.map((one, index) =>
        one.status === 'fulfilled' ? one.value : wrong(actions[index]!, one.reason.message),
      );
      const calls = render(raw, where);
      for (const [index, { entry }] of begun.entries())
        if (entry !== undefined) entry.result = calls[index]!.use.result;
      return { calls, stopped: (stops[0] ?? null) as RlmError | null };
    },
  };
}
