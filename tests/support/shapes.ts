import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';

/** Returns a value if it conforms to a shipped schema (`result`, `event`, `dry-run`, …). Else throws the reasons. */
export function shaped<T>(name: string, value: unknown): T {
  const validator = validators.get(name) ?? new Validator(schemaOf(name), '7', false);
  validators.set(name, validator);
  const { valid, errors } = validator.validate(value);
  if (!valid) throw new Error(errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`).join('\n'));
  return value as T;
}

const validators = new Map<string, Validator>();

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));
