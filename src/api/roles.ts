import type { Environment } from '../config/setting-layers.ts';
import type { Role } from '../roles/role.ts';

/** Lists all roles by name: the user's own, and the shipped ones unless the user has one of the same name. */
export async function listRoles({ env = process.env }: { readonly env?: Environment } = {}): Promise<readonly Role[]> {
  const roles = await import('../roles/find-role.ts');
  return roles.listRoles(env);
}
