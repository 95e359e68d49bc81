import { join } from 'node:path';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnText } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import type { KnownModels, Lack } from '../run/door/layer.ts';
import type { Speed } from '../run/door/pace.ts';
import { modelName, type RunModel } from '../run/roster.ts';

interface KnownModel {
  readonly lacks: readonly Lack[];
  /** Null if it has not been measured yet. */
  readonly speed: Speed | null;
}

/** Models by name and digest. */
type Kept = Readonly<Record<string, KnownModel>>;

const unknown: KnownModel = { lacks: [], speed: null };

const changeWorthKeeping = 0.1;

const fileIn = (folder: string): string => join(folder, 'models.json');

const versionOf = (model: Pick<RunModel, 'provider' | 'info'>): string =>
  `${modelName(model)}@${model.info.digest ?? ''}`;

const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0;

function toKnown(given: unknown): KnownModel {
  const { lacks, speed } = (given ?? {}) as { lacks?: unknown; speed?: Partial<Speed> | null };
  const isSpeed = isPositive(speed?.read) && isPositive(speed.written);
  return { lacks: Array.isArray(lacks) ? lacks : [], speed: isSpeed ? (speed as Speed) : null };
}

async function read(folder: string): Promise<Kept> {
  try {
    const kept: unknown = decodeChecked(readOwnText(fileIn(folder)));
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).map(([version, given]) => [version, toKnown(given)]));
  } catch {
    return {};
  }
}

const isLike = (one: Speed | null, { read, written }: Speed): boolean =>
  one !== null &&
  Math.abs(read / one.read - 1) < changeWorthKeeping &&
  Math.abs(written / one.written - 1) < changeWorthKeeping;

/** Returns what earlier runs learned about a model. A null digest matches every version. */
export async function readKnownModel(
  folder: string,
  { name, digest }: { readonly name: string; readonly digest: string | null },
): Promise<KnownModel> {
  const versions = Object.entries(await read(folder)).filter(([version]) =>
    digest === null ? version.startsWith(`${name}@`) : version === `${name}@${digest}`,
  );
  const known = versions.map(([, one]) => one);
  return { lacks: known.flatMap(({ lacks }) => lacks), speed: known.at(-1)?.speed ?? null };
}

/** Opens the record of what runs learn about models. If `folder` is null, the record is kept for this run only. */
export async function openKnownModels(folder: string | null): Promise<KnownModels> {
  let known: Kept = folder === null ? {} : await read(folder);
  let writing: Promise<unknown> = Promise.resolve();

  async function write(version: string, change: (one: KnownModel) => KnownModel): Promise<void> {
    const kept = await read(folder!); // Reads again, because another run may have changed the file.
    const changed = { ...kept, [version]: change(kept[version] ?? unknown) };
    await replaceFile(fileIn(folder!), encodeChecked(JSON.stringify(changed)));
  }

  function keep(version: string, change: (one: KnownModel) => KnownModel): void {
    known = { ...known, [version]: change(known[version] ?? unknown) };
    if (folder !== null) writing = writing.then(() => write(version, change)).catch(() => {});
  }

  return {
    lacks: (model, ability) => known[versionOf(model)]?.lacks.includes(ability) ?? false,
    recordLack(model, ability) {
      const version = versionOf(model);
      if (known[version]?.lacks.includes(ability)) return;
      keep(version, (one) => ({ ...one, lacks: [...new Set([...one.lacks, ability])] }));
    },
    speedOf: (model) => known[versionOf(model)]?.speed ?? null,
    recordSpeed(model, speed) {
      const version = versionOf(model);
      if (!isLike(known[version]?.speed ?? null, speed)) keep(version, (one) => ({ ...one, speed }));
    },
  };
}
