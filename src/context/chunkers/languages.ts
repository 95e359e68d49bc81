const extensionsOf = {
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
} as const;

/** A language that has a grammar. */
export type Language = keyof typeof extensionsOf;

const languages = new Map(
  Object.entries(extensionsOf).flatMap(([language, extensions]) =>
    extensions.map((extension) => [extension as string, language as Language] as const),
  ),
);

/** Extensions of code that is cut by indentation. */
const otherCode = new Set(
  (
    'c h cc cpp cxx hh hpp hxx cs kt kts swift scala rb php pl pm lua r jl dart ex exs erl hs ml mli clj cljs groovy gradle ' +
    'sh bash zsh fish ps1 sql vue svelte css scss less proto graphql tf zig nim v sol m mm vb fs fsx'
  ).split(' '),
);

/** Returns the extension of a name in lower case, without its dot; empty when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns the language of a file name, or null when there is no grammar for it. */
export const languageOf = (name: string): Language | null => languages.get(extensionOf(name)) ?? null;

/** Whether a file name is that of program code. */
export const isCodeName = (name: string): boolean => languageOf(name) !== null || otherCode.has(extensionOf(name));
