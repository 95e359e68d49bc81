import { createPacer } from '../../base/time.ts';
import { createDistinctNames } from '../distinct-names.ts';
import { isSecretPath } from '../find/secret-names.ts';
import { readUnpacked } from './damage.ts';
import {
  type Reader,
  type ReadLimits,
  type ReadMember,
  type ReadPart,
  readWhole,
  skippedAs,
  streamOf,
} from './reader.ts';
import { readDirectory, unzip, type ZipEntry } from './zip-file.ts';

const sliceMs = 50;

/**
 * Creates a reader of zip files. It reads the files in a zip file (`archive.zip/inner/path`), except hidden files.
 * `docx` reads a zip file that is a Word document.
 */
export const createZipReader = (readMember: ReadMember, docx: Reader): Reader => ({
  async *read(source, limits) {
    const zip = await readWhole(source, limits);
    const entries = readDirectory(zip, limits.maxUnpackRatio);
    if (isDocx(entries)) yield* docx.read({ name: source.name, bytes: streamOf(zip) }, limits);
    else {
      const distinct = createDistinctNames();
      const pace = createPacer(sliceMs);
      for (const entry of entries) {
        await pace(); // So that signals and timers are noticed, also among very many small files.
        if (entry.kind !== 'folder' && !isHidden(entry.name))
          yield* readEntry(distinct(`${source.name}/${entry.name}`), zip, entry, readMember, limits);
      }
    }
  },
});

const isDocx = (entries: readonly ZipEntry[]): boolean =>
  ['[Content_Types].xml', 'word/document.xml'].every((name) => entries.some((entry) => entry.name === name));

const isHidden = (name: string): boolean => /(?:^|\/)(?:\.|__MACOSX\/)/.test(name);

async function* readEntry(
  name: string,
  zip: Buffer,
  entry: ZipEntry,
  readMember: ReadMember,
  limits: ReadLimits,
): AsyncIterable<ReadPart> {
  limits.signal.throwIfAborted();
  if (entry.kind === 'symlink') return yield { name, reason: 'symlink' };
  if (isSecretPath(entry.name, false)) return yield { name, reason: 'likely secret', detail: 'unpack it and name it' };
  try {
    yield* readUnpacked(readMember, entry.name, { name, bytes: unzip(zip, entry) }, limits);
  } catch (error) {
    yield skippedAs(name, error);
  }
}
