import { createPacer } from '../base/pacer.ts';
import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { createContextStore } from '../context/store/store.ts';
import { hashText } from '../context/text-hash.ts';
import { RlmError } from '../errors.ts';
import type { FoundInputs } from '../inputs/find/find-inputs.ts';
import type { Input } from '../inputs/find/located.ts';
import { createInputTotal } from '../inputs/input-total.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import type { Reading, ReadingProgress } from '../inputs/reading.ts';
import type { Skipped } from '../inputs/skipped.ts';
import { keyOf, stampOf } from './found-files.ts';
import type { IndexedFile, ReadingTerms } from './parts/manifest.ts';

interface ChangeRequest {
  readonly reading: ReadingTerms;
  /** Files by their keys. */
  readonly known: ReadonlyMap<string, IndexedFile>;
  readonly inputs: Pick<Settings['inputs'], 'maxBytes' | 'maxUnpackRatio' | 'readTimeout' | 'strict'>;
  readonly onReading: (progress: ReadingProgress) => void;
  readonly signal: AbortSignal;
}

/** A file as it is now. */
interface CurrentFile {
  readonly file: IndexedFile;
  /** Indexes of its documents in the store of what was read; null where its text is that which the index has. */
  readonly read: readonly number[] | null;
}

/** All files of an index, and the text of those that are new or have changed. */
export interface ChangedFiles {
  readonly files: readonly CurrentFile[];
  readonly store: ContextStore;
  /** What of the store is new, with its hashes. */
  readonly fresh: ReadonlyMap<number, string>;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  close(): void;
}

/** What skipped a file for a reason that is not in the file alone: it may be read the next time. */
const passing: readonly Skipped['reason'][] = ['unreadable', 'gone', 'too slow to read', 'decompression bomb'];

const isLasting = ({ reason }: Skipped): boolean => !passing.includes(reason);

function skippedStrictly(skipped: readonly Skipped[]): RlmError {
  const [{ name, reason }] = skipped as [Skipped];
  const more = skipped.length > 1 ? `, and ${skipped.length - 1} more` : '';
  return new RlmError('input-unreadable', `not all files can be read: ${name} (${reason})${more}`, {
    hint: 'Leave them out (.rlmignore), repair them, or set inputs.strict to false.',
  });
}

/**
 * Reads the files of an index that are not as they are known.
 * @throws RlmError as `readInputs` does; the signal's reason.
 */
export async function readChanged(found: FoundInputs, request: ChangeRequest): Promise<ChangedFiles> {
  const { reading: terms, inputs, signal } = request;
  const store = createContextStore([], { kind: terms.kind, chunkBytes: terms.chunkBytes });
  const fresh = new Map<number, string>();
  const skipped = [...found.skipped];
  const warnings = [...found.warnings];
  const total = createInputTotal(inputs.maxBytes);
  const files: CurrentFile[] = [];
  const onProgress = () => void request.onReading({ files: files.length, bytes: total.bytes() });
  const reading: Reading = {
    store,
    encoding: terms.encoding,
    total,
    maxUnpackRatio: inputs.maxUnpackRatio,
    readTimeoutMs: inputs.readTimeout * 1000,
    onProgress: async () => onProgress(),
    signal,
  };
  const pace = createPacer(20);

  const keep = (file: IndexedFile): CurrentFile => {
    for (const { name, bytes } of file.documents) total.add(name, bytes);
    return { file, read: null };
  };

  async function read(input: Input, stamp: string | null, known: IndexedFile | undefined): Promise<CurrentFile> {
    const first = store.documents.length;
    const outcome = await readInputs({ inputs: [input], skipped: [], warnings: [] }, reading);
    skipped.push(...outcome.skipped);
    warnings.push(...outcome.warnings);
    const documents = Array.from({ length: store.documents.length - first }, (_, index) => first + index);
    const hashes = await Promise.all(documents.map((document) => hashText(store, document)));
    const lasting = outcome.skipped.every(isLasting) ? stamp : null;
    const isSame = known !== undefined && hashes.join() === known.documents.map(({ hash }) => hash).join();
    if (isSame) return { file: { ...known, stamp: lasting }, read: null };
    for (const [index, document] of documents.entries()) fresh.set(document, hashes[index]!);
    return { file: { key: keyOf(input), name: input.name, stamp: lasting, documents: [] }, read: documents };
  }

  try {
    for (const input of found.inputs) {
      await pace();
      signal.throwIfAborted();
      // Before it is read: what is written meanwhile is a change.
      const stamp = stampOf(input);
      const known = request.known.get(keyOf(input));
      const isKnown = known?.name === input.name;
      const isKept = isKnown && stamp !== null && known.stamp === stamp;
      files.push(isKept ? keep(known) : await read(input, stamp, isKnown ? known : undefined));
      onProgress();
    }
    if (inputs.strict && skipped.length > 0) throw skippedStrictly(skipped);
  } catch (error) {
    store.close();
    throw error;
  }
  return { files, store, fresh, skipped, warnings, close: store.close };
}
