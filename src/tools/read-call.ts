import { jsonrepair } from 'jsonrepair';
import * as z from 'zod/mini';
import { isObject } from '../base/is-object.ts';
import { nearest } from '../base/nearest.ts';
import { beginning, counted } from '../base/text.ts';
import type { Action } from '../prompts/reply/fields.ts';
import { tryParse } from '../prompts/reply/json-reply.ts';
import { argumentForm } from '../prompts/reply/reply-form.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const rightForm = ({ name, example }: Tool): string => `The form of a call: ${name} ${argumentForm(example)}`;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^.*[.:/]/, '')
    .replace(/[^a-z0-9]/g, '');

function findTool(name: string, tools: readonly Tool[]): Tool {
  const found = tools.find((tool) => plain(tool.name) === plain(name));
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name);
  const nearName = nearest(name, names);
  const near = tools.find((tool) => tool.name === nearName);
  const suggested = near === undefined ? '' : ` Did you mean ${near.name}? ${rightForm(near)}`;
  throw new ToolError(`there is no tool "${beginning(name, 60)}".${suggested} The tools are ${names.join(', ')}.`);
}

function fromText(text: string): unknown {
  const sound = tryParse(text);
  const read = sound === undefined ? tryParse(text, jsonrepair) : sound;
  return read === undefined ? text : read;
}

/** Returns the arguments as an object. Some models write the object as text, or encode it twice. */
function toObject(given: unknown, tool: Tool): Record<string, unknown> {
  const once = typeof given === 'string' ? (given.trim() === '' ? {} : fromText(given)) : (given ?? {});
  const object = typeof once === 'string' ? fromText(once) : once;
  if (!isObject(object)) throw new ToolError(`the arguments of ${tool.name} must be a JSON object. ${rightForm(tool)}`);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

const switches: Readonly<Record<string, boolean>> = { true: true, false: false };

function mended(value: unknown, expected: string): unknown {
  if (typeof value !== 'string') return expected === 'array' && isObject(value) ? [value] : value;
  if (expected === 'number' || expected === 'int') return value.trim() === '' ? value : Number(value);
  if (expected === 'boolean') return switches[value.toLowerCase()] ?? value;
  if (expected !== 'array') return expected === 'object' ? fromText(value) : value;
  const read = fromText(value);
  return Array.isArray(read) ? read : [read];
}

function mend(given: Record<string, unknown>, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> {
  const copy = structuredClone(given);
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || issue.path.length === 0) continue;
    let place: unknown = copy;
    for (const key of issue.path.slice(0, -1)) place = (place as Record<PropertyKey, unknown>)?.[key];
    const last = issue.path.at(-1)!;
    if (typeof place !== 'object' || place === null) continue;
    const values = place as Record<PropertyKey, unknown>;
    if (values[last] === '' && issue.expected !== 'string') delete values[last];
    else if (typeof values[last] === 'number' && issue.expected === 'string') values[last] = String(values[last]);
    else if (last in values) values[last] = mended(values[last], issue.expected);
  }
  return copy;
}

function withoutWrong(given: Record<string, unknown>, { parameters, lenient = [] }: Tool): Record<string, unknown> {
  const issues = z.safeParse(parameters, given).error?.issues ?? [];
  const wrong = new Set(issues.map(({ path: [first] }) => first).filter((key) => lenient.includes(String(key))));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key)));
}

function sizeOf(bound: string, size: number | bigint, origin: string): string {
  const counts = origin === 'string' ? 'character' : origin === 'array' ? 'item' : null;
  return counts === null ? `be ${bound} ${size}` : `have ${bound} ${counted(Number(size), counts)}`;
}

function complaintOf(issue: z.core.$ZodIssue, given: Record<string, unknown>, tool: Tool): string {
  const where = issue.path.join('.') || 'the arguments';
  if (issue.path.length === 1 && !(issue.path[0]! in given)) {
    const shape = Object.keys((tool.parameters as unknown as { shape?: object }).shape ?? {});
    const strange = Object.keys(given).filter((key) => !shape.includes(key));
    return `"${where}" is missing${strange.length > 0 ? `, and ${strange.join(', ')} is no argument of it` : ''}`;
  }
  if (issue.code === 'invalid_type')
    return `"${where}" must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
  if (issue.code === 'too_small') return `"${where}" must ${sizeOf('at least', issue.minimum, issue.origin)}`;
  if (issue.code === 'too_big') return `"${where}" must ${sizeOf('at most', issue.maximum, issue.origin)}`;
  return `"${where}": ${issue.message}`;
}

/** Finds the tool of a call and reads its arguments. Throws ToolError with the fault and a call of the right form. */
export function readCall(
  { tool: name, arguments: given }: Action,
  tools: readonly Tool[],
): { tool: Tool; given: unknown } {
  const tool = findTool(name, tools);
  const read = toObject(given, tool);
  let object = tool.name === 'sub_query' && 'question' in read ? { queries: [read] } : read;
  let parsed = z.safeParse(tool.parameters, object);
  // Repairs up to twice, because repairing a list that was written as text may reveal faults in its items.
  for (let tries = 0; !parsed.success && tries < 2; tries++) {
    object = mend(object, parsed.error.issues);
    parsed = z.safeParse(tool.parameters, object);
  }
  if (!parsed.success) parsed = z.safeParse(tool.parameters, withoutWrong(object, tool));
  if (parsed.success) return { tool, given: parsed.data };
  const complaints = parsed.error.issues.slice(0, 3).map((issue) => complaintOf(issue, object, tool));
  throw new ToolError(`wrong arguments for ${tool.name}: ${complaints.join('; ')}. ${rightForm(tool)}`);
}
