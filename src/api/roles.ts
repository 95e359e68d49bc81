import type { Environment } from '../config/setting-layers.ts';
import type { Role } from '../roles/role.ts';

/** Lists all roles, sorted by name. A role of the user replaces the shipped role of the same name. */
export async function listRoles({ env = process.env }: { readonly env?: Environment } = {}): Promise<readonly Role[]> {
  const roles = await import('../roles/find-role.ts');
  return roles.listRoles(env);
}
