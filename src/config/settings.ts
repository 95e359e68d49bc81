/**
 * The table `settings` defines the keys of configuration files, the flags, `rlm config` and the docs. The defaults are
 * in `rlm.config.json`.
 */
import { nearest } from '../base/nearest.ts';
import { answering, query, reasoner, reply, sandbox, stages, temperatures, tools } from './settings/answering.ts';
import { budget, keeping, log } from './settings/keeping.ts';
import { models, providers } from './settings/models.ts';
import type { Setting } from './settings/setting.ts';
import { context, embedding, inputs, retrieval } from './settings/text.ts';

const settings = {
  ...{ ...models, ...answering, ...keeping, ...providers },
  ...{ budget, stages, reasoner, tools, sandbox, query },
  ...{ context, retrieval, embedding, inputs, reply, temperatures, log },
};

type Values<T> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : Values<T[K]> };

export type Settings = Values<typeof settings>;

const isSetting = (value: object): value is Setting<unknown> => 'about' in value;

function listSettings(tree: object, prefix: string): [string, Setting<unknown>][] {
  return Object.entries(tree).flatMap(([key, value]: [string, object]): [string, Setting<unknown>][] =>
    isSetting(value) ? [[prefix + key, value]] : listSettings(value, `${prefix}${key}.`),
  );
}

/** Every setting by its dotted key, such as `budget.maxCalls`, in the table's order. */
export const settingsByKey: ReadonlyMap<string, Setting<unknown>> = new Map(listSettings(settings, ''));

/** Returns the known key that resembles an unknown key, which may lack its group. Null if no key resembles it. */
export function nearestSetting(key: string): string | null {
  const keys = [...settingsByKey.keys()];
  const inGroup = keys.find((known) => nearest(key, [known.slice(known.indexOf('.') + 1)]) !== null);
  return nearest(key, keys) ?? inGroup ?? null;
}
