import { contextOptions, contextPaths } from '../actions/with-context.ts';
import type { CommandSpec } from '../command.ts';

export const queryCommand: CommandSpec = {
  name: 'query',
  about: 'Query logs, tables and other records by SQL, without a model.',
  args: [
    {
      name: '[sql]',
      about: 'one SELECT statement; without it, the tables are shown. An existing path or a glob here is a path',
    },
    contextPaths,
  ],
  options: [
    { flags: '--csv', about: 'print CSV', conflicts: ['json'] },
    { flags: '--max-rows <n>', about: 'rows to show; further rows are counted; default: 1000 (query.maxRows)' },
    ...contextOptions,
  ],
  note: [
    'Tables: lines (of everything), log, access, packages, mail, changes, chat, paths (YAML, TOML, front matter) and',
    'headings; CSV, TSV, JSON and the tables of Markdown and HTML have the names of their files. Each row has the columns',
    'document and line. Times are UTC in time, and as written in timeText. The SQL is that of SQLite, with text REGEXP',
    'pattern, regexp_extract(text, pattern, group) and utc(text). It only reads.',
  ].join('\n'),
  examples: [
    ['rlm query logs/', 'show the tables, their columns and their first rows'],
    ["rlm query 'select level, count(*) from log group by 1' logs/", 'count log lines by level'],
    ["rlm query 'select * from orders order by total desc limit 5' orders.csv --csv", 'print rows as CSV'],
    [
      'cat build.log | rlm query "select number, text from lines where text regexp \'FATAL|ERROR\'"',
      'query piped text',
    ],
  ],
  run: async (invocation) => (await import('../actions/query.ts')).runQuery(invocation),
};
