import { join } from 'node:path';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnText } from '../base/own-file.ts';
import { replaceFile } from '../base/replace-file.ts';
import type { Ability, KnownAbilities } from '../run/door/abilities.ts';
import { modelName, type RunModel } from '../run/roster.ts';

/** What each version of a model lacks, by its name and digest. */
type KeptAbilities = Readonly<Record<string, readonly Ability[]>>;

const fileIn = (folder: string): string => join(folder, 'abilities.json');

/** How a version of a model is named in the file. */
const versionOf = (model: Pick<RunModel, 'provider' | 'info'>): string =>
  `${modelName(model)}@${model.info.digest ?? ''}`;

/** What was found out in earlier runs; nothing where there is no file, or a damaged one. */
export async function readAbilities(folder: string): Promise<KeptAbilities> {
  try {
    const kept: unknown = decodeChecked(readOwnText(fileIn(folder)));
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, lacks]) => Array.isArray(lacks)));
  } catch {
    return {};
  }
}

/**
 * What models lack, remembered from one run to the next. What cannot be kept is found out again.
 * @param folder that of the cache; null: nothing is read or kept.
 */
export async function openAbilities(folder: string | null): Promise<KnownAbilities> {
  let known = folder === null ? {} : await readAbilities(folder);
  let writing: Promise<unknown> = Promise.resolve();

  async function write(version: string, ability: Ability): Promise<void> {
    const kept = await readAbilities(folder!); // Another run may have learned something meanwhile.
    const merged = { ...kept, [version]: [...new Set([...(kept[version] ?? []), ability])] };
    await replaceFile(fileIn(folder!), encodeChecked(JSON.stringify(merged)));
  }

  return {
    lacks: (model, ability) => (known[versionOf(model)] ?? []).includes(ability),
    learn(model, ability) {
      const version = versionOf(model);
      if ((known[version] ?? []).includes(ability)) return;
      known = { ...known, [version]: [...(known[version] ?? []), ability] };
      if (folder !== null) writing = writing.then(() => write(version, ability)).catch(() => {});
    },
  };
}
