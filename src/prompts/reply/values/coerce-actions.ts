import type { Action } from '../fields.ts';
import { plainName } from '../label-aliases.ts';
import { isNothing, toText, under, unwrap } from './text-values.ts';

const actionLine = /^[\s\-*]*[`"]?([a-z]\w*)[`"]?\s*[:(]?\s*(\{[\s\S]*\})?\s*\)?\s*$/i;

/** `search_context {"pattern": "x"}`, one or several, each beginning on a line of its own. */
function actionsIn(text: string): Action[] {
  const starts = text.split(/\n(?=[\s\-*]*[`"]?[a-z]\w*[`"]?\s*[:(]?\s*(?:\{|$))/i);
  return starts.flatMap((one) => {
    const match = actionLine.exec(one);
    return match === null ? [] : [{ tool: match[1]!, arguments: match[2] ?? {} }];
  });
}

const toolNames = ['tool', 'name', 'toolname', 'action', 'function'];
const argumentNames = ['arguments', 'args', 'parameters', 'input', 'params'];

/** What stands beside the name, where no field is called arguments. */
function othersIn(call: object): object {
  return Object.fromEntries(Object.entries(call).filter(([key]) => !toolNames.includes(plainName(key))));
}

/** `{"search_context": {"words": "x"}}` */
function namedByKey(call: object): Action[] {
  const [[tool, given] = ['', null], ...others] = Object.entries(call);
  const isCall = others.length === 0 && typeof given === 'object' && given !== null;
  return isCall ? [{ tool, arguments: given }] : [];
}

function toAction(item: unknown): Action[] {
  if (typeof item === 'string') return actionsIn(item);
  if (typeof item !== 'object' || item === null) return [];
  const inner = under(item, ['function']);
  const call = typeof inner === 'object' && inner !== null ? inner : item;
  const tool = toText(under(call, toolNames));
  if (tool === undefined) return namedByKey(call);
  const given = under(call, argumentNames);
  return [{ tool, arguments: given === undefined ? othersIn(call) : (given ?? {}) }];
}

/** A call that JSON among other words is, with a name and arguments; null when it may be anything else. */
export function toCall(value: unknown): Action | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = under(value, argumentNames);
  return typeof under(value, toolNames) === 'string' && typeof given === 'object' ? (toAction(value)[0] ?? null) : null;
}

/** Tools that a reply names, with their arguments, however it writes them down. */
export function toActions(value: unknown): Action[] {
  if (value === null) return [];
  if (typeof value === 'string') return isNothing(value) ? [] : actionsIn(unwrap(value));
  return (Array.isArray(value) ? value : [value]).flatMap(toAction);
}
