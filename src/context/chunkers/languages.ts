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

export const isCodeName = (name: string): boolean => languageOf(name) !== null || otherCode.has(extensionOf(name));

const kinds: Readonly<Record<string, string>> = {
  bash: 'shell script',
  c: 'C',
  cc: 'C++',
  conf: 'configuration',
  cpp: 'C++',
  cs: 'C#',
  css: 'CSS',
  csv: 'CSV',
  go: 'Go',
  h: 'C header',
  htm: 'HTML',
  html: 'HTML',
  ini: 'configuration',
  ipynb: 'notebook',
  java: 'Java',
  js: 'JavaScript',
  json: 'JSON',
  jsonl: 'JSON lines',
  jsx: 'JavaScript',
  kt: 'Kotlin',
  log: 'log',
  md: 'Markdown',
  mjs: 'JavaScript',
  ndjson: 'JSON lines',
  php: 'PHP',
  pdf: 'PDF',
  docx: 'Word document',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  rst: 'reStructuredText',
  sh: 'shell script',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsv: 'TSV',
  tsx: 'TypeScript',
  txt: 'text',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** Returns the kind of a document: `Markdown`, `log`; for an unknown one the extension of its name, or `text`. */
export function documentKindOf(name: string): string {
  const [, ending = ''] = /[^/.][^/]*?\.(\w{1,12})$/.exec(name) ?? [];
  const lower = ending.toLowerCase();
  return Object.hasOwn(kinds, lower) ? kinds[lower]! : lower || 'text';
}

/** Chunks of program code are smaller than others by this factor: a function is described in fewer words. */
export const codeParts = 3;

/** Returns the size of a document's chunks, given the size for ordinary text; in bytes. */
export const chunkBytesOf = (name: string, ordinary: number): number =>
  isCodeName(name) ? Math.ceil(ordinary / codeParts) : ordinary;

/** The least share, and the least number, of code files in a tree of program code. */
const leastShare = 1 / 3;
const fewestDocuments = 20;

/** Whether the documents are a tree of program code, with other files in it. */
export function isSourceTree(documents: readonly { readonly name: string }[]): boolean {
  const code = documents.filter(({ name }) => isCodeName(name)).length;
  return code >= fewestDocuments && code >= leastShare * documents.length;
}
