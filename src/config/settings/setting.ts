/** One setting: its type, its meaning, and its names on the command line and in the environment. */
export interface Setting<T> {
  /** Returns a valid value, or a description of what was expected instead. */
  check(value: unknown): { readonly value: T } | { readonly expected: string };
  /** Its meaning, with its unit. */
  readonly about: string;
  /** Environment variables. The first that is set wins. */
  readonly env: readonly string[];
  /** The flag of `rlm ask` in commander's syntax, or null. */
  readonly flag: string | null;
  /** The help text of the flag when it differs from `about`, or null. */
  readonly flagAbout: string | null;
  /** Which files may set it. A project file cannot set a `user` setting. */
  readonly from: 'project' | 'user';
  /** `address`: may contain a user and a password, which are never shown. `secret`: the value is never shown. */
  readonly holds: 'value' | 'address' | 'secret';
  /**
   * Whether a resumed run may change the value. True if no request depends on the value, or if the journal records the
   * choice that results from it, such as the provider.
   */
  readonly mayChange: boolean;
  /**
   * The setting has an effect only if all of these conditions hold; null: it always has an effect. A flag that has no
   * effect causes a warning.
   */
  readonly needs: {
    /** A language model. */
    readonly model?: true;
    readonly provider?: string;
    readonly strategies?: readonly string[];
    /** Values of retrieval.mode. */
    readonly retrieval?: readonly string[];
  } | null;
}
