import type { Environment } from '../config/setting-layers.ts';
import type { Role } from '../roles/role.ts';

/** Every role by name: those of the user's own folder, and the shipped ones that have no namesake there. */
export async function listRoles({ env = process.env }: { readonly env?: Environment } = {}): Promise<readonly Role[]> {
  const roles = await import('../roles/find-role.ts');
  return roles.listRoles(env);
}
