/** The named contexts: parts of the text, the whole of it first. */
export interface Contexts {
  readonly names: readonly string[];
}
