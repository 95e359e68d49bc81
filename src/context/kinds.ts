/** Kinds of files by the extension of their names. */
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
