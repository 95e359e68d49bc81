import type { TextSource } from '../context/shown-text.ts';
import { recordReaders } from './records/index.ts';
import { openRecordDocument } from './records/record-document.ts';

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
