import type { Column } from '../../value.ts';

/** Columns of the table of configuration values. */
export const pathColumns: readonly Column[] = [
  { name: 'path', type: 'TEXT' },
  { name: 'value', type: 'TEXT' },
];

/** A value of a configuration, and where it stands. */
export interface PathValue {
  /** Such as `services.web.ports[0]`. */
  readonly path: string;
  readonly value: unknown;
  readonly line: number;
}

/** Adds a key to a path. A key with a dot is in quotes. */
export function joinFieldPath(path: string, key: string): string {
  const shown = /[.[\]"\s]/.test(key) ? JSON.stringify(key) : key;
  return path === '' ? shown : `${path}.${shown}`;
}
