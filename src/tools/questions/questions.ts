import type { ContextStore } from '../../context/document.ts';
import type { TextSource } from '../../context/shown-text.ts';
import type { QueriedText } from '../../query/query.ts';
import type { TreeNode } from '../../state.ts';

/** A question about a part of the text, or about all of it (`text` null). */
export interface SubQuery {
  readonly question: string;
  readonly text: ContextStore | null;
}

/** Items for a model to label. */
export interface LabelRequest {
  /** The instruction that decides the label of an item. */
  readonly question: string;
  /** At most 26. */
  readonly labels: readonly string[];
  readonly items: readonly string[];
}

export interface Questions {
  /** Returns why sub-queries are not allowed; null if they are allowed. */
  refusal(): string | null;
  /** Answers all queries concurrently, one level below the question. Numbers the nodes in the order of the queries. */
  ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]>;
  /** Returns a label for each item; null if the model gave none. Throws ToolError when too few calls are left. */
  label(request: LabelRequest): Promise<readonly (string | null)[]>;
  readonly tables: AnswerTables;
}

type AnswerTables = ReturnType<typeof createAnswerTables>;

export function createAnswerTables() {
  const tables: { readonly name: string; readonly content: Buffer; readonly lines: number }[] = [];
  return {
    /** Adds a table and returns its name: `wanted`, with a number if that name is taken. */
    add(wanted: string, rows: readonly Readonly<Record<string, string | number | null>>[]): string {
      const before = tables.filter(({ name }) => name.replace(/_\d+\.jsonl$|\.jsonl$/, '') === wanted).length;
      const name = before === 0 ? wanted : `${wanted}_${before + 1}`;
      const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      tables.push({ name: `${name}.jsonl`, content, lines: rows.length });
      return name;
    },
    beside(text: QueriedText): QueriedText {
      if (tables.length === 0) return text;
      const own = text.documents.length;
      const added = tables.map(({ name, content, lines }) => ({ name, bytes: content.length, lines }));
      const documents = [...text.documents, ...added];
      const read: TextSource['read'] = (document, startByte, endByte, room) =>
        document < own
          ? text.read(document, startByte, endByte, room)
          : tables[document - own]!.content.subarray(startByte, endByte);
      const origin = (document: number) =>
        (document < own ? text.origin?.(document) : undefined) ?? { source: documents[document]!.name, startLine: 1 };
      return { documents, read, origin };
    },
  };
}
