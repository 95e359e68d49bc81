import Papa from 'papaparse';
import { readBuffer, type TextSource } from '../../../../context/shown-text.ts';
import { type AnyRow, cellOf, mostRowBytes, type RowSource } from './row.ts';

const blockBytes = 1024 * 1024;
/** Bytes that are read at once after an unreadable row. */
const smallBlockBytes = 32 * 1024;
/** Stray quotation marks that are skipped, at most; then the rest of the document is left out. */
const mostStrayQuotes = 1000;
const lineFeed = '\n';

/** The format of a document's rows. */
export interface Dialect {
  readonly delimiter: string;
  readonly columns: readonly string[];
  /** First byte of the rows, below the header. */
  readonly firstByte: number;
}

/** Fields of a record, and its position in its block. */
interface RecordPlace {
  readonly fields: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Whether a quotation mark is misplaced or not closed. */
  readonly isMalformed: boolean;
}

/** Splits a block into records. The block is decoded as Latin-1, so that a character is a byte. */
export function recordsIn(block: string, delimiter: string): RecordPlace[] {
  const records: RecordPlace[] = [];
  let start = 0;
  Papa.parse<string[]>(block, {
    delimiter,
    newline: lineFeed,
    step({ data, errors, meta: { cursor: end } }) {
      if (end > start) records.push({ fields: data, start, end, isMalformed: errors.length > 0 });
      start = end;
    },
  });
  return records;
}

/** Decodes a field of a Latin-1 block as UTF-8. */
export const utf8 = (field: string): string =>
  /[\x80-\xff]/.test(field) ? Buffer.from(field, 'latin1').toString('utf8') : field;

const isBlank = (fields: readonly string[]): boolean => fields.length === 1 && fields[0]!.trim() === '';

/** Whether a stray quotation mark merged several lines into one record. */
const isRunOn = ({ fields, isMalformed }: RecordPlace, { columns }: Dialect): boolean =>
  (isMalformed || fields.length !== columns.length) && fields.some((field) => field.trim().includes(lineFeed));

const strayQuote = 'too long, or with a quotation mark that is not closed';

function toRow({ fields }: RecordPlace, { columns }: Dialect, place: { startByte: number; endByte: number }): AnyRow {
  if (fields.slice(columns.length).some((field) => field.trim() !== ''))
    return { problem: 'with more fields than the header', ...place };
  return { cells: columns.map((_, index) => cellOf(utf8(fields[index] ?? ''))), ...place };
}

/** The rows of a block, how much of it was read, and whether reading stopped at a stray quotation mark. */
interface Block {
  readonly rows: readonly AnyRow[];
  readonly used: number;
  readonly isStray: boolean;
}

/** Reads the rows of a block; an incomplete last row is left to the next block unless the text ends here. */
function readBlock(
  block: string,
  { at, isLast, isFull }: { readonly at: number; readonly isLast: boolean; readonly isFull: boolean },
  dialect: Dialect,
): Block {
  const rows: AnyRow[] = [];
  let used = 0;
  const stray = (): Block => {
    const feed = block.indexOf(lineFeed, used);
    const end = feed === -1 ? block.length : feed + 1;
    rows.push({ problem: strayQuote, startByte: at + used, endByte: at + end });
    return { rows, used: end, isStray: true };
  };
  const records = recordsIn(block, dialect.delimiter);
  for (const [index, record] of records.entries()) {
    if (index === records.length - 1 && !isLast) return used === 0 && isFull ? stray() : { rows, used, isStray: false };
    if (isRunOn(record, dialect)) return stray();
    if (!isBlank(record.fields)) rows.push(toRow(record, dialect, { startByte: at + used, endByte: at + record.end }));
    used = record.end;
  }
  return { rows, used: block.length, isStray: false };
}

/** Returns the byte after the line that contains a byte. */
function nextLine(store: TextSource, document: number, startByte: number): number {
  const { bytes: size } = store.documents[document]!;
  for (let at = startByte; at < size; at += blockBytes) {
    const feed = readBuffer(store, document, at, Math.min(size, at + blockBytes)).indexOf(lineFeed);
    if (feed !== -1) return at + feed + 1;
  }
  return size;
}

/** Creates the source of the rows of a delimited document, below its header. */
export function createDelimitedRows(store: TextSource, document: number, dialect: Dialect): RowSource {
  function* rows(): Generator<AnyRow> {
    const { bytes: size } = store.documents[document]!;
    let length = blockBytes;
    let strayQuotes = 0;
    for (let at = dialect.firstByte; at < size; ) {
      const end = Math.min(size, at + length);
      const text = readBuffer(store, document, at, end).toString('latin1');
      const block = readBlock(text, { at, isLast: end === size, isFull: text.length > mostRowBytes }, dialect);
      yield* block.rows;
      at += block.used;
      // A line longer than a row may be is skipped to its end.
      if (block.isStray && text[block.used - 1] !== lineFeed) at = nextLine(store, document, at);
      length = block.isStray ? smallBlockBytes : block.used === 0 ? length * 2 : Math.min(blockBytes, length * 2);
      if (block.isStray && ++strayQuotes > mostStrayQuotes) {
        yield { problem: `${strayQuote}, and all below`, startByte: at, endByte: size };
        return;
      }
    }
  }
  return { columns: dialect.columns, rows };
}
