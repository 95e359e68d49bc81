/** Limits what a project file may set. The file comes with the text, so the user may never have read it. */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { RlmError } from '../errors.ts';
import { packageRoot } from './folders.ts';
import { settingsByKey } from './settings.ts';

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function isTrusted(folder: string, trustedProjects: unknown): boolean {
  const trusted = Array.isArray(trustedProjects) ? trustedProjects : [];
  return trusted.some((entry) => realPath(String(entry)) === realPath(folder));
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function staysInside(folder: string, project: string): boolean {
  const root = realPath(project);
  return [folder, ...filesOf(folder)].map(realPath).every((path) => path === root || path.startsWith(root + sep));
}

export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const linkNote = (paths: readonly string[]): string => {
  const link = paths.find(isLink);
  return link === undefined ? '' : `: ${link} is a link, and links out of the folder are not followed`;
};

export const isRolePath = (role: string): boolean => /[/\\]|\.md$/i.test(role);

const isRoleInside = (role: string, project: string): boolean =>
  isRolePath(role)
    ? staysInside(resolve(project, role), project)
    : existsSync(join(packageRoot, 'roles', `${role}.md`));

type Values = ReadonlyMap<string, unknown>;

/** The limits on what a run may cost. A project file may lower these of the user's file, but not raise them. */
const costLimits = ['budget.maxCost', 'budget.maxTokens'];

const isRaised = (key: string, own: Values, values: Values): boolean =>
  typeof own.get(key) === 'number' && values.has(key) && !(Number(values.get(key) ?? Infinity) <= Number(own.get(key)));

/**
 * Throws RlmError `config-invalid` for a value that an untrusted project file may not have.
 * @param users the values of the user's file.
 */
export function checkUntrusted(values: Values, path: string, users: Values, userPath: string): void {
  const folder = dirname(path);
  const refusal = (what: string) =>
    new RlmError('config-invalid', `${path}: a project file may not ${what}`, {
      hint: `Set it in ${userPath} or by its flag or environment variable, or trust the project: add "trustedProjects": ["${folder}"] to ${userPath}.`,
    });
  for (const key of values.keys()) if (settingsByKey.get(key)!.from !== 'project') throw refusal(`set "${key}"`);
  for (const key of costLimits) if (isRaised(key, users, values)) throw refusal(`raise "${key}" of ${userPath}`);
  const prompts = values.get('prompts');
  if (typeof prompts === 'string') {
    const own = resolve(folder, prompts);
    if (!staysInside(own, folder))
      throw refusal(`name "prompts" outside its folder${linkNote([own, ...filesOf(own)])}`);
  }
  const role = values.get('role');
  if (typeof role === 'string' && !isRoleInside(role, folder))
    throw refusal(`name a "role" that is neither shipped nor in its folder${linkNote([resolve(folder, role)])}`);
}
