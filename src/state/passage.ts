/** What is asked about: documents, the passages of them that are found, and what an answer cites of those. */

/** An index that was asked, and how old its text is. */
export interface AskedIndex {
  readonly name: string;
  /** When it was last changed or updated, in ISO 8601. */
  readonly updatedAt: string;
  /** Whether a process takes in the changes of its files as they happen; false while it refuses them. */
  readonly isWatched: boolean;
}

/** One file, or the piped text, in the context. */
export interface DocumentInfo {
  /** The path as the user gave or would type it, with `/` separators; `stdin` for piped text. */
  readonly name: string;
  /** Size of the decoded text as UTF-8, in bytes. */
  readonly bytes: number;
  readonly lines: number;
}

/** A chunk retrieved for a question. */
export interface Passage {
  /**
   * `P` and the chunk's number in the context: the same chunk has the same id in the whole run. Of a passage from a
   * search server, and of lines of a file that a tool has read, the number has ten digits and is made of its source,
   * its place and its text.
   */
  readonly id: string;
  /** The document's name. */
  readonly source: string;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Byte range in the document's UTF-8 text, end exclusive; from a search server in the passage's own text. */
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
  /**
   * The context above it that is not in its text, the outermost first: headings, the head of its table, the first lines
   * of the definitions that it is in. Absent where there is nothing, or it was not looked for.
   */
  readonly under?: readonly string[];
  /** The retriever's score for the question, 0 or more; 0 when the passage was not searched for. */
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
 * A passage that is shown in part: `text` is that part, with an ellipsis on a line of its own where text is skipped,
 * and `under` the nearest heading that is not in it. All other fields are those of the whole passage.
 */
export interface Excerpt extends Passage {
  /** The lines of each stretch of the text, in order. */
  readonly spans: readonly LineSpan[];
}

/** A passage as it is listed in the recursion tree: everything but its text. */
export type PassageRef = Omit<Passage, 'text'>;

/** A passage, or a part of one, that an answer rests on; checked against the text. */
export interface Citation extends Pick<Passage, 'source' | 'startLine' | 'endLine' | 'startByte' | 'endByte'> {
  /** The number in the answer, as in `[1]`. */
  readonly number: number;
  readonly passage: string;
  /** Of the passage the citation lies in. */
  readonly hash: string;
  /** The quoted words as in the source, or null when the whole passage is cited. */
  readonly quote: string | null;
  /** reply: the reply named the passage. code: the reply named none, and code has found the words that bear it out. */
  readonly origin: 'reply' | 'code';
  /** The page that it begins on; left out for a document without pages. */
  readonly page?: number;
  /**
   * Its lines are those of the text that was taken out of the file, such as a web page. Left out where they are the
   * file's own.
   */
  readonly isExtracted?: true;
  /**
   * The context above its first line, the outermost first: headings, the head of a table, enclosing definitions, keys,
   * the day and the speaker; last, the comment above a definition. Left out where there is none.
   */
  readonly under?: readonly string[];
}
