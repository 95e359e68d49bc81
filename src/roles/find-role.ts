import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readOwnTextIfAny } from '../base/files/own-file.ts';
import { nearest } from '../base/nearest.ts';
import { ownRolesFolder, packageRoot } from '../config/folders.ts';
import type { Environment } from '../config/setting-layers.ts';
import { isLink, isRolePath } from '../config/trust.ts';
import { RlmError } from '../errors.ts';
import { type Role, readRole } from './role.ts';

const shippedFolder = join(packageRoot, 'roles');

async function readRoleFile(path: string): Promise<Role | null> {
  const hint = 'Make the file readable, or name another one with --role.';
  const unreadable = (why: string) =>
    new RlmError('config-invalid', `the role ${path} cannot be read (${why})`, { hint });
  const text = readOwnTextIfAny(path, unreadable);
  return text === null ? null : readRole(path, text);
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries.filter((entry) => entry.endsWith('.md') && entry !== 'README.md').map((entry) => entry.slice(0, -3));
}

function noRole(value: string, cwd: string, names: readonly string[]): RlmError {
  const absent = (what: string, hint: string) =>
    new RlmError('config-invalid', `there is no ${what} (setting role)`, { hint });
  if (isRolePath(value)) {
    const end = isLink(resolve(cwd, value)) ? ': it is a link that leads nowhere' : '';
    return absent(`file ${value}${end}`, 'Name a markdown file, or a role that this command lists: rlm roles');
  }
  const near = nearest(value, names);
  return absent(`role "${value}"`, near ? `Did you mean ${near}?` : `The roles are ${names.join(', ')}.`);
}

/** Returns all roles sorted by name. A role in the user's own folder replaces the shipped role of the same name. */
export async function listRoles(env: Environment): Promise<readonly Role[]> {
  const folders = [shippedFolder, ownRolesFolder(env)];
  const paths = new Map<string, string>();
  for (const folder of folders) for (const name of await namesIn(folder)) paths.set(name, join(folder, `${name}.md`));
  const roles = await Promise.all([...paths.values()].sort().map(readRoleFile));
  return roles.filter((role) => role !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Finds a role by the path of its file, or by its name: among the user's own roles first, then among the shipped ones.
 * @throws RlmError `config-invalid` for an unknown role, and for an unreadable or invalid file.
 */
export async function findRole(value: string, cwd: string, env: Environment): Promise<Role> {
  const folders = isRolePath(value) ? [cwd] : [ownRolesFolder(env), shippedFolder];
  const file = isRolePath(value) ? value : `${value}.md`;
  for (const folder of folders) {
    const role = await readRoleFile(resolve(folder, file));
    if (role !== null) return role;
  }
  const names = await Promise.all([shippedFolder, ownRolesFolder(env)].map(namesIn));
  throw noRole(value, cwd, [...new Set(names.flat())].sort());
}
