/** A value that passed, or what was expected instead. */
type Checked<T> = { readonly value: T } | { readonly expected: string };

/** Looks whether a value is of a type. */
export type Check<T> = (value: unknown) => Checked<T>;
