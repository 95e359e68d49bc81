const extensionsOf = {
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
} as const;

export type Language = keyof typeof extensionsOf;

const languages = new Map(
  Object.entries(extensionsOf).flatMap(([language, extensions]) =>
    extensions.map((extension) => [extension as string, language as Language] as const),
  ),
);

const otherCode = new Set(
  (
    'c h cc cpp cxx hh hpp hxx cs kt kts swift scala rb php pl pm lua r jl dart ex exs erl hs ml mli clj cljs groovy gradle ' +
    'sh bash zsh fish ps1 sql vue svelte css scss less proto graphql tf zig nim v sol m mm vb fs fsx'
  ).split(' '),
);

/** Returns the name of the file in a compressed file: `app.log` for `app.log.gz`. */
export const unpackedName = (name: string): string => name.replace(/(?<=[^/])\.(?:gz|gzip|zst)$/i, '');

/**
 * Returns the extension of a name in lower case, without its dot; empty when there is none. For a compressed file,
 * returns the extension of the file in it.
 */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(unpackedName(name))?.[1]?.toLowerCase() ?? '';

/** Returns the language of a file name, or null when there is no grammar for it. */
export const languageOf = (name: string): Language | null => languages.get(extensionOf(name)) ?? null;

export const isCodeName = (name: string): boolean => languageOf(name) !== null || otherCode.has(extensionOf(name));

const extensionsByKind = {
  C: 'c',
  'C header': 'h',
  'C++': 'cc cpp',
  'C#': 'cs',
  configuration: 'conf ini',
  Go: 'go',
  HTML: 'htm',
  Java: 'java',
  JavaScript: 'js jsx mjs',
  'JSON lines': 'jsonl ndjson',
  Kotlin: 'kt',
  Markdown: 'md',
  notebook: 'ipynb',
  Python: 'py',
  reStructuredText: 'rst',
  Ruby: 'rb',
  Rust: 'rs',
  'shell script': 'bash sh',
  Swift: 'swift',
  text: 'txt',
  TypeScript: 'ts tsx',
  'Word document': 'docx',
  YAML: 'yml',
};
const kinds = new Map([
  ...'css csv html json pdf php sql toml tsv xml yaml'.split(' ').map((name) => [name, name.toUpperCase()] as const),
  ...Object.entries(extensionsByKind).flatMap(([kind, all]) => all.split(' ').map((name) => [name, kind] as const)),
]);

const named: ReadonlySet<string> = new Set(kinds.values());

/** Whether a kind says nothing about the form of its text: `text`, `log`, or an unknown extension such as `old`. */
export const isPlainKind = (kind: string): boolean => kind === 'text' || !named.has(kind);

/** Returns the kind of a document, such as `Markdown`; for an unknown kind, the extension of its name, or `text`. */
export function documentKindOf(name: string): string {
  const [, ending = ''] = /[^/.][^/]*?\.(\w{1,12})$/.exec(unpackedName(name)) ?? [];
  const lower = ending.toLowerCase();
  return kinds.get(lower) ?? (lower || 'text');
}

/** Chunks of program code are smaller than others by this factor (decision 0049). */
export const codeParts = 3;

/** Returns the size of a document's chunks in bytes. `ordinary`: the size for ordinary text. */
export const chunkBytesOf = (name: string, ordinary: number): number =>
  isCodeName(name) ? Math.ceil(ordinary / codeParts) : ordinary;

const leastShare = 1 / 3;
const fewestDocuments = 20;

/** Whether the documents are a source tree: at least 20 of them, and at least a third, are program code. */
export function isSourceTree(documents: readonly { readonly name: string }[]): boolean {
  const code = documents.filter(({ name }) => isCodeName(name)).length;
  return code >= fewestDocuments && code >= leastShare * documents.length;
}
