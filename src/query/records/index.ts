import type { TextSource } from '../../context/shown-text.ts';
import { findFrontMatter, findToml, findYaml } from './data/configuration.ts';
import { findJson } from './data/json.ts';
import { findAccessLog } from './logs/access-log.ts';
import { findJsonLog, findLogfmt } from './logs/json-log.ts';
import { findTimedLog } from './logs/log.ts';
import { findPackageLog } from './logs/package-log.ts';
import { findChangelog } from './prose/changelog.ts';
import { findChat } from './prose/chat.ts';
import { findHeadings } from './prose/headings.ts';
import { findMail } from './prose/mbox.ts';
import { type FindTables, openRecordDocument, type RecordDocument, type RecordTable } from './reader.ts';
import { findDelimited } from './tables/delimited.ts';
import { findHtmlTables } from './tables/html-tables.ts';
import { findTablesOfMarkdown } from './tables/markdown-tables.ts';

/** Formats of whole documents. The first format that finds tables reads the document. */
const ofDocuments: readonly FindTables[] = [
  ...[findMail, findPackageLog, findAccessLog, findJsonLog, findLogfmt, findJson, findYaml, findToml],
  ...[findHtmlTables, findChat, findTimedLog, findDelimited],
];

/** Formats of records that may also occur within other text. */
const besideText: readonly FindTables[] = [findTablesOfMarkdown, findChangelog];

const ofProse: readonly FindTables[] = [findHeadings, findFrontMatter];

const mostLooked = 200;
const leastShare = 0.2;

function firstOf(formats: readonly FindTables[], document: RecordDocument): readonly RecordTable[] {
  const [first, ...rest] = formats;
  const tables = first?.(document) ?? [];
  return tables.length > 0 || first === undefined ? tables : firstOf(rest, document);
}

export const recordsOf = (document: RecordDocument): readonly RecordTable[] => [
  ...firstOf(ofDocuments, document),
  ...[...besideText, ...ofProse].flatMap((find) => find(document)),
];

/** Whether documents of records make up at least a fifth of the bytes of the first 200 documents. */
export function hasRecords(source: TextSource): boolean {
  let [all, ofRecords] = [0, 0];
  for (const [index, { bytes }] of source.documents.slice(0, mostLooked).entries()) {
    all += bytes;
    if (firstOf(ofDocuments, openRecordDocument(source, index)).length > 0) ofRecords += bytes;
  }
  return all > 0 && ofRecords / all >= leastShare;
}

/** Whether any of the first 200 documents has a table, a log or other records. */
export const holdsRecords = (source: TextSource): boolean =>
  source.documents
    .slice(0, mostLooked)
    .some((_, index) => firstOf([...ofDocuments, ...besideText], openRecordDocument(source, index)).length > 0);
