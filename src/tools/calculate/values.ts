import { ToolError } from '../tool-error.ts';
import type { Rational } from './rational.ts';

/** A length of time. Months have no fixed length, so they are kept apart. */
export interface Duration {
  readonly kind: 'duration';
  readonly months: Rational;
  readonly seconds: Rational;
}

/** A day, or a moment. */
export interface Moment {
  readonly kind: 'date';
  /** Since the beginning of 1970, in UTC. */
  readonly seconds: Rational;
  readonly hasTime: boolean;
}

/** The value of an expression or of a part of it. */
export type Value =
  | { readonly kind: 'number'; readonly value: Rational }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | Duration
  | Moment;

/** A value of one kind. */
export type ValueOf<Kind extends Value['kind']> = Extract<Value, { readonly kind: Kind }>;

const words: Readonly<Record<Value['kind'], string>> = {
  number: 'a number',
  truth: 'true or false',
  text: 'a text',
  list: 'a list',
  duration: 'a duration',
  date: 'a date',
};

/** Names the kind of a value, for an error. */
export const kindOf = ({ kind }: Value): string => words[kind];

export const numberOf = (value: Rational): ValueOf<'number'> => ({ kind: 'number', value });

export const textOf = (value: string): ValueOf<'text'> => ({ kind: 'text', value });

export const truthOf = (value: boolean): ValueOf<'truth'> => ({ kind: 'truth', value });

/** @throws ToolError when a value is of another kind. */
export function expectKind<Kind extends Value['kind']>(
  value: Value | undefined,
  kind: Kind,
  what: string,
): ValueOf<Kind> {
  if (value?.kind === kind) return value as ValueOf<Kind>;
  throw new ToolError(`${what} needs ${words[kind]}, not ${value === undefined ? 'nothing' : kindOf(value)}`);
}
