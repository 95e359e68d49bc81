import { Fraction } from 'fraction.js';
import { ToolError } from '../tool-error.ts';

/** A length of time. Months have no fixed length, so they are kept apart. */
export interface Duration {
  readonly months: Fraction;
  readonly seconds: Fraction;
}

/** A day, or a moment. */
export interface Moment {
  /** Since the beginning of 1970, in UTC. */
  readonly since1970: Fraction;
  readonly hasTime: boolean;
}

/** The kinds of values. */
export interface Kinds {
  readonly number: Fraction;
  readonly truth: boolean;
  readonly text: string;
  readonly list: readonly Value[];
  readonly duration: Duration;
  readonly date: Moment;
}

export type Kind = keyof Kinds;

/** The value of an expression or of a part of it. */
export type Value = Fraction | boolean | string | readonly Value[] | Duration | Moment;

const names: Readonly<Record<Kind, string>> = {
  number: 'a number',
  truth: 'true or false',
  text: 'a text',
  list: 'a list',
  duration: 'a duration',
  date: 'a date',
};

export function kindOf(value: Value): Kind {
  if (value instanceof Fraction) return 'number';
  if (typeof value === 'boolean') return 'truth';
  if (typeof value === 'string') return 'text';
  if ('months' in value) return 'duration';
  return 'since1970' in value ? 'date' : 'list';
}

export const isKind = <K extends Kind>(value: Value, kind: K): value is Kinds[K] & Value => kindOf(value) === kind;

/** Names the kind of a value, for an error. */
export const nameKind = (value: Value): string => names[kindOf(value)];

/** @throws ToolError when a value is of another kind. */
export function expectKind<K extends Kind>(value: Value, kind: K, what: string): Kinds[K] {
  if (isKind(value, kind)) return value;
  throw new ToolError(`${what} needs ${names[kind]}, not ${nameKind(value)}`);
}
