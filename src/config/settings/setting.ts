import type { Check } from '../check.ts';

/** One setting: its type, what it means, and its names on the command line and in the environment. */
export interface Setting<T> {
  readonly check: Check<T>;
  /** What it means, with its unit. */
  readonly about: string;
  /** Environment variables, the first that is set wins. */
  readonly env: readonly string[];
  /** The flag of `rlm ask`, as commander reads it, or null. */
  readonly flag: string | null;
  /** What the flag does, where that is not what the setting says. */
  readonly flagAbout: string | null;
  /** Where a value may come from besides flags and environment: a project file cannot set a `user` setting. */
  readonly from: 'project' | 'user';
  /** `address`: a user and a password may stand in it, and are never shown. `secret`: never shown at all. */
  readonly holds: 'value' | 'address' | 'secret';
  /**
   * Whether a resumed run may have another value: it changes what the run may spend or where things lie, and no
   * request.
   */
  readonly mayChange: boolean;
}
