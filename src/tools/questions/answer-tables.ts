/** What model calls answered, as tables that SQL can name beside those of the text. */
import type { TextSource } from '../../context/shown-text.ts';
import type { QueriedText } from '../../query/query.ts';

/** The answers of model calls as tables. */
export interface AnswerTables {
  /**
   * Adds a table.
   * @returns its name: the wanted one, with a number where there is one of that name.
   */
  add(name: string, rows: readonly Readonly<Record<string, string | number | null>>[]): string;
  /** Returns a text with the tables as further documents. */
  beside(text: QueriedText): QueriedText;
}

interface TableDocument {
  readonly name: string;
  readonly content: Buffer;
  readonly lines: number;
}

/** Creates an empty set of tables. */
export function createAnswerTables(): AnswerTables {
  const tables: TableDocument[] = [];
  return {
    add(wanted, rows) {
      const before = tables.filter(({ name }) => name.replace(/_\d+\.jsonl$|\.jsonl$/, '') === wanted).length;
      const name = before === 0 ? wanted : `${wanted}_${before + 1}`;
      const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      tables.push({ name: `${name}.jsonl`, content, lines: rows.length });
      return name;
    },
    beside(text) {
      if (tables.length === 0) return text;
      const { length } = text.documents;
      const added = tables.map(({ name, content, lines }) => ({ name, bytes: content.length, lines }));
      const read: TextSource['read'] = (document, startByte, endByte, room) =>
        document < length
          ? text.read(document, startByte, endByte, room)
          : tables[document - length]!.content.subarray(startByte, endByte);
      const origin = (document: number) =>
        (document < length ? text.origin?.(document) : undefined) ?? {
          source: document < length ? text.documents[document]!.name : added[document - length]!.name,
          startLine: 1,
        };
      return { documents: [...text.documents, ...added], read, origin };
    },
  };
}
