/** Documents, passages that were found in them, and citations of passages in an answer. */

/** The index from which a run reads its text, and the age of that text. */
export interface AskedIndex {
  readonly name: string;
  /** Time of its last change or update, in ISO 8601. */
  readonly updatedAt: string;
  /**
   * Whether a process updates the index whenever files change. False while updates fail, for example because a file
   * cannot be read.
   */
  readonly isWatched: boolean;
}

/** One file, or the piped text, in the context. */
export interface DocumentInfo {
  /** The path as the user typed it or would type it, with `/` separators; `stdin` for piped text. */
  readonly name: string;
  /** Size of the decoded text as UTF-8, in bytes. */
  readonly bytes: number;
  readonly lines: number;
  /** Whether the text was extracted from a format such as PDF. Its lines are then not lines of the file. */
  readonly isExtracted?: boolean | undefined;
}

/** A chunk retrieved for a question. */
export interface Passage {
  /**
   * `P` and the chunk's number in the context. A chunk has the same id in the whole run. Passages from a search server,
   * file lines that a tool read, and computed values are no chunks. Their numbers have ten digits and are derived
   * from source, place and text.
   */
  readonly id: string;
  /** The document's name. */
  readonly source: string;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Byte range in the document's UTF-8 text, end exclusive; for a search server's passage, in the passage's text. */
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
  /**
   * The context above the passage that is not in `text`, outermost first: headings, the header of its table, the first
   * lines of the enclosing definitions. Absent if there is none, or if it was not determined.
   */
  readonly under?: readonly string[];
  /** The retriever's score for the question, 0 or more; 0 if no search found the passage. */
  readonly score: number;
  /** First 16 hex digits of the SHA-256 of `text`. */
  readonly hash: string;
}

/** The first and the last line of a stretch of a document, counted from 1. */
interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * A passage that is shown in part. `text` is that part, with an ellipsis on a separate line for skipped text. `under`
 * is the nearest heading that is not in `text`. All other fields are those of the whole passage.
 */
export interface Excerpt extends Passage {
  /** The lines of each stretch of the text, in order. */
  readonly spans: readonly LineSpan[];
}

/** A passage as the recursion tree lists it: without its text. */
export type PassageRef = Omit<Passage, 'text'>;

/** A passage, or a part of one, that supports an answer. It was checked against the text. */
export interface Citation extends Pick<Passage, 'source' | 'startLine' | 'endLine' | 'startByte' | 'endByte'> {
  /** The number in the answer, as in `[1]`. */
  readonly number: number;
  readonly passage: string;
  /** The hash of the passage that contains the citation. */
  readonly hash: string;
  /** The quoted words as in the source; null if the whole passage is cited. */
  readonly quote: string | null;
  /** reply: the reply named the passage. code: the reply named none, and code found words that confirm the answer. */
  readonly origin: 'reply' | 'code';
  /** The page on which the citation begins; left out for a document without pages. */
  readonly page?: number;
  /**
   * True if the line numbers count lines of extracted text, such as that of a web page. Left out if they count lines of
   * the file itself.
   */
  readonly isExtracted?: true;
  /**
   * The context above the first cited line, outermost first: headings, the header of a table, enclosing definitions,
   * keys, the day and the speaker; last, the comment above a definition. Left out if there is no context.
   */
  readonly under?: readonly string[];
}
