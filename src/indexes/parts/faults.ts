import { hostname } from 'node:os';
import type { Holder } from '../../base/files/lock.ts';
import { RlmError } from '../../errors.ts';

/** A file of an index is not what it was when it was written. */
export class Damage extends Error {
  override readonly name = 'Damage';
}

export function missingIndex(name: string, near: string | null): RlmError {
  const hint = near === null ? `To make one: rlm index add PATHS… --name ${name}` : `Did you mean ${near}?`;
  return new RlmError('index-missing', `there is no index "${name}"`, { hint: `${hint}. rlm index list shows all.` });
}

export function damagedIndex(name: string, why: string): RlmError {
  return new RlmError('index-damaged', `the index "${name}" is damaged: ${why}`, {
    hint: `rlm index update --name ${name} --all reads its files anew; rlm index rm ${name} removes it.`,
  });
}

/** Without its manifest nobody knows what an index was made of. */
export function unreadableIndex(name: string, why: string): RlmError {
  return new RlmError('index-damaged', `the index "${name}" is damaged: ${why}`, {
    hint: `Remove it and make it anew: rlm index rm ${name}, then rlm index add PATHS… --name ${name}`,
  });
}

export function outdatedIndex(name: string, version: unknown): RlmError {
  const which = typeof version === 'number' ? `version ${version}` : 'an unknown version';
  return new RlmError('index-outdated', `the index "${name}" was made by another version of rlm (${which})`, {
    hint: `Make it anew: rlm index rm ${name}, then rlm index add PATHS… --name ${name}`,
  });
}

export function busyIndex(name: string, folder: string, { pid, host }: Holder): RlmError {
  const elsewhere = host === hostname() ? '' : ` If that machine does not work on it any more, remove ${folder}/lock.*`;
  return new RlmError('index-busy', `process ${pid} on ${host} is writing the index "${name}"`, {
    hint: `Wait for it, or end it first. Questions can be asked meanwhile.${elsewhere}`,
  });
}
