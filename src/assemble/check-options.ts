/** Checks the names and types of the options that a program gives. */
import { nearest } from '../base/nearest.ts';
import { settingsByKey } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { AskOptions, RunOptions } from './ask-options.ts';

interface Kind {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const text: Kind = { name: 'a string', holds: (value) => typeof value === 'string' };
const flag: Kind = { name: 'true or false', holds: (value) => typeof value === 'boolean' };
const object: Kind = { name: 'an object', holds: isObject };
const callback: Kind = { name: 'a function', holds: (value) => typeof value === 'function' };
const duration: Kind = {
  name: 'a number of ms, at least 0',
  holds: (value) => typeof value === 'number' && value >= 0,
};
const texts: Kind = {
  name: 'a list of strings',
  holds: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};
const answers: Kind = {
  name: 'a list of { question, answer }',
  holds: (value) =>
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item.question === 'string' && typeof item.answer === 'string'),
};
const documents: Kind = {
  name: 'a list of { name, text }, or a function',
  holds: (value) =>
    typeof value === 'function' ||
    (Array.isArray(value) && value.every((item) => isObject(item) && typeof item.name === 'string')),
};

const running = {
  ...{ settings: object, provider: object, providers: object, signal: object, env: object, limiters: object },
  ...{ onEvent: callback, onTrajectory: callback, onReading: callback, written: texts, usedMs: duration, cwd: text },
} satisfies Record<keyof RunOptions, Kind>;
const asking = {
  ...{ ...running, paths: texts, documents, index: text, context: object, configuration: object },
  ...{ record: text, replay: text, earlier: answers, resumable: flag, partOf: text },
} satisfies Record<keyof AskOptions, Kind>;

const { context: _, ...opening } = asking;

/** The options of each function of the library. */
const optionsOf = {
  ask: asking,
  dryRun: asking,
  openContext: opening,
  followUp: { ...running, resumable: flag, flags: object, context: object },
  resume: { ...running, force: flag, flags: object },
};

function unknownOption(name: string, known: readonly string[]): RlmError {
  const setting = [...settingsByKey.keys()].find((key) => key === name || key.endsWith(`.${name}`));
  const near = nearest(name, known);
  const nested = setting?.split('.').reduceRight((inner, part) => `{ ${part}: ${inner} }`, '…');
  const others = near ? `Did you mean "${near}"?` : `The options are ${known.join(', ')}.`;
  const hint = nested ? `It is a setting: { settings: ${nested} }.` : others;
  return new RlmError('usage', `there is no option "${name}"`, { hint });
}

/** Options that cannot be combined with `context`. */
const otherText = ['paths', 'documents', 'index'];

/** Throws RlmError `usage` for an option that the function does not have, or that is of another type. */
export function checkOptions(of: keyof typeof optionsOf, options: object): void {
  const kinds = new Map<string, Kind>(Object.entries(optionsOf[of]));
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownOption(name, [...kinds.keys()]);
    if (value === undefined || kind.holds(value)) continue;
    throw new RlmError('usage', `the option "${name}" must be ${kind.name}`, { hint: `It is ${typeof value} here.` });
  }
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const other = given.includes('context') ? given.find((name) => otherText.includes(name)) : undefined;
  if (other === undefined) return;
  throw new RlmError('usage', `"context" and "${other}" cannot be asked together`, { hint: 'Give one of the two.' });
}
