import type { CommandSpec, OptionSpec } from '../command.ts';
import { contextPaths, settingOptions, timeoutOptions } from '../setting-flags.ts';

const contextOptions: readonly OptionSpec[] = [
  { flags: '--json', about: 'print JSON' },
  { flags: '--index <name>', about: 'use an index (rlm index add) instead of files', values: 'indexes' },
  { flags: '--no-stdin', about: 'do not read piped text' },
  ...settingOptions((key) => key.startsWith('inputs.')),
  ...timeoutOptions,
];

export const describeCommand: CommandSpec = {
  name: 'describe',
  about: 'Show the description of a text that a model would get: names, sizes, kinds, first lines.',
  args: [contextPaths],
  options: contextOptions,
  examples: [
    ['rlm describe docs/ src/', 'describe two folders'],
    ['cat build.log | rlm describe --json', 'describe piped text, as JSON'],
  ],
  run: async (invocation) => (await import('../actions/read-text.ts')).runDescribe(invocation),
};

export const searchCommand: CommandSpec = {
  name: 'search',
  about: 'Search text by a regular expression, without a model.',
  args: [{ name: '<pattern>', about: 'a regular expression, which is matched against each line' }, contextPaths],
  options: [
    { flags: '-i, --ignore-case', about: 'ignore case' },
    { flags: '-C, --context <lines>', about: 'lines to show before and after each match, at most 20' },
    {
      flags: '--limit <matches>',
      about: 'maximum number of matches to show; further matches are counted; default: 100',
    },
    { flags: '--exit-code', about: 'exit with 1 when no line matches, as grep does' },
    ...contextOptions,
  ],
  note: `The time is linear in the length of the text for any pattern. Patterns may contain literals, ., [classes], \\d \\w \\s
\\b \\p{L}, groups, |, ^, $ and * + ? {n,m}; lookaround and backreferences are not supported. Without --exit-code, the
exit status is 0 even when no line matches. For web pages, Word documents, notebooks and PDFs, the lines are those of
the extracted text.`,
  examples: [
    ["rlm search 'pool (exhausted|empty)' logs/", 'show every matching line with its file and number'],
    ['rlm search -i -C 2 timeout build.log', 'ignore case, and show two lines around each match'],
    ["cat build.log | rlm search 'FATAL|ERROR' --limit 5 --json", 'search piped text, with JSON output'],
  ],
  run: async (invocation) => (await import('../actions/read-text.ts')).runSearch(invocation),
};

export const queryCommand: CommandSpec = {
  name: 'query',
  about: 'Query logs, tables and other records by SQL, without a model.',
  args: [
    {
      name: '[sql]',
      about: 'one SELECT statement; without it, the tables are shown. An existing path or a glob is taken as a path',
    },
    contextPaths,
  ],
  options: [
    { flags: '--csv', about: 'print CSV', conflicts: ['json'] },
    { flags: '--max-rows <n>', about: 'rows to show; further rows are counted; default: 1000 (query.maxRows)' },
    ...contextOptions,
  ],
  note: `Tables: lines (of everything), log, access, packages, mail, changes, chat, paths (YAML, TOML, front matter) and
headings. Tables of CSV, TSV, JSON, Markdown and HTML files are named after their files. Each row has the columns
document and line. The column time is in UTC; timeText is the time as written. The SQL is that of SQLite, with text
REGEXP pattern, regexp_extract(text, pattern, group) and utc(text). It only reads. For web pages, Word documents,
notebooks and PDFs, the lines are those of the extracted text.`,
  examples: [
    ['rlm query logs/', 'show the tables, their columns and their first rows'],
    ["rlm query 'select level, count(*) from log group by 1' logs/", 'count log lines by level'],
    ["rlm query 'select * from orders order by total desc limit 5' orders.csv --csv", 'print rows as CSV'],
    [
      'cat build.log | rlm query "select number, text from lines where text regexp \'FATAL|ERROR\'"',
      'query piped text',
    ],
  ],
  run: async (invocation) => (await import('../actions/read-text.ts')).runQueryAction(invocation),
};

/** Settings that are stored with an index when it is created. */
const reading: readonly string[] = ['inputs.encoding', 'context.chunking', 'context.chunkTokens'];

export const indexCommand: CommandSpec = {
  name: 'index',
  about: 'Manage indexes of text that you ask about often: add, update, watch, list and remove.',
  args: [
    {
      name: '<action>',
      about: 'add PATHS... --name NAME, update [NAME...], watch NAME, list, or rm NAME...',
      choices: ['add', 'update', 'watch', 'list', 'rm'],
    },
    {
      name: '[names...]',
      about: 'add: files, folders and globs, as for rlm ask; update, watch, rm: names of indexes',
      values: 'indexes',
    },
  ],
  options: [
    {
      flags: '--name <name>',
      about: 'add: the index to create or to add to; update: an index to update',
      values: 'indexes',
    },
    { flags: '--all', about: 'update: also read unchanged files' },
    { flags: '--force', about: 'update: even if more than half of the files, or all files of a folder, are gone' },
    { flags: '--poll <seconds>', about: 'watch: check all files at this interval; also works on network mounts' },
    { flags: '--json', about: 'add, update, watch, list: print JSON' },
    ...settingOptions((key) => reading.includes(key)).map((option) => ({ ...option, about: `add: ${option.about}` })),
    ...timeoutOptions.map((option) => ({ ...option, about: `add, update: ${option.about}` })),
  ],
  takes: {
    add: ['name', 'json', 'encoding', 'chunking', 'chunkTokens', 'timeout'],
    update: ['name', 'all', 'force', 'json', 'timeout'],
    watch: ['poll', 'json'],
    list: ['json'],
    rm: [],
  },
  note: `An index contains the text of its files and the data to find passages in it. rlm ask --index NAME reads no files and
only parts of the index. update reads changed files; without names it updates every index. You can ask questions
during an update, and a process that is killed leaves the index unchanged. An update that would remove more than half
of an index, or all files of one of its folders, needs --force, because a disk may be unmounted. watch updates the index
within two seconds of a change, until Ctrl-C, and prints a line per batch. It refuses network mounts without --poll.`,
  examples: [
    ['rlm index add docs/ src/ --name docs', 'index two folders'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about the index'],
    ['rlm index update docs', 'read the files that have changed since the last update'],
    ['rlm index watch docs', 'update the index when files change, until Ctrl-C'],
    ['rlm index list', 'list every index: name, documents, size, last update, paths'],
    ['rlm index rm docs', 'remove an index, but not its files'],
  ],
  run: async (invocation) => (await import('../actions/indexes.ts')).runIndex(invocation),
};
