import type { Environment } from '../config/setting-layers.ts';
import type { Role } from '../roles/role.ts';

/** Returns all roles, by name. A role in the user's folder replaces a shipped role of the same name. */
export async function listRoles({ env = process.env }: { readonly env?: Environment } = {}): Promise<readonly Role[]> {
  const roles = await import('../roles/find-role.ts');
  return roles.listRoles(env);
}
