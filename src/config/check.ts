/** A valid value, or a description of what was expected instead. */
type Checked<T> = { readonly value: T } | { readonly expected: string };

/** Checks whether a value has the type. */
export type Check<T> = (value: unknown) => Checked<T>;
