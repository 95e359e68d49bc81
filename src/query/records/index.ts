import { jsonReader } from './data/json.ts';
import { tomlReader } from './data/toml.ts';
import { frontMatterReader, yamlReader } from './data/yaml.ts';
import { accessLogReader } from './logs/access-log.ts';
import { jsonLogReader, logfmtReader } from './logs/json-log.ts';
import { logReader } from './logs/log.ts';
import { packageLogReader } from './logs/package-log.ts';
import { changelogReader } from './prose/changelog.ts';
import { chatReader } from './prose/chat.ts';
import { headingsReader } from './prose/headings.ts';
import { mboxReader } from './prose/mbox.ts';
import type { RecordReader } from './reader.ts';
import { delimitedReader } from './tables/delimited.ts';
import { htmlTablesReader } from './tables/html-tables.ts';
import { markdownTablesReader } from './tables/markdown-tables.ts';

/** Every reader of records. Of those that are not beside others, the first that finds tables reads a document. */
export const recordReaders: readonly RecordReader[] = [
  mboxReader,
  packageLogReader,
  accessLogReader,
  jsonLogReader,
  logfmtReader,
  jsonReader,
  yamlReader,
  tomlReader,
  htmlTablesReader,
  chatReader,
  logReader,
  delimitedReader,
  markdownTablesReader,
  changelogReader,
  headingsReader,
  frontMatterReader,
];
