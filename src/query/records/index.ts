import type { TextSource } from '../../context/shown-text.ts';
import { frontMatterReader, tomlReader, yamlReader } from './data/configuration.ts';
import { jsonReader } from './data/json.ts';
import { accessLogReader } from './logs/access-log.ts';
import { jsonLogReader, logfmtReader } from './logs/json-log.ts';
import { logReader } from './logs/log.ts';
import { packageLogReader } from './logs/package-log.ts';
import { changelogReader } from './prose/changelog.ts';
import { chatReader } from './prose/chat.ts';
import { headingsReader } from './prose/headings.ts';
import { mboxReader } from './prose/mbox.ts';
import type { RecordReader } from './reader.ts';
import { openRecordDocument } from './reader.ts';
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

/** Documents that are looked at, the first of the text. */
const mostLooked = 200;
/** The share of the text that has to be records, so that SQL over it makes sense. */
const leastShare = 0.2;

/** Readers of what most documents of prose have. */
const ofProse: readonly string[] = ['headings', 'front matter'];

const ownReaders = recordReaders.filter(({ isBeside }) => !isBeside);

/** Whether a good part of a text is records: tables, logs, mail, data. Reads the first lines of its documents. */
export function hasRecords(source: TextSource): boolean {
  let [all, ofRecords] = [0, 0];
  for (const [index, { bytes }] of source.documents.slice(0, mostLooked).entries()) {
    all += bytes;
    const document = openRecordDocument(source, index);
    if (ownReaders.some((reader) => reader.find(document).length > 0)) ofRecords += bytes;
  }
  return all > 0 && ofRecords / all >= leastShare;
}

/** Whether one of the first documents has a table, a log or other records. */
export const holdsRecords = (source: TextSource): boolean =>
  source.documents.slice(0, mostLooked).some((_, index) => {
    const document = openRecordDocument(source, index);
    return recordReaders.some(({ name, find }) => !ofProse.includes(name) && find(document).length > 0);
  });
