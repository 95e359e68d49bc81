import mammoth from 'mammoth';
import type { Extract } from '../extractor.ts';
import { UnreadableFile, unreadableBy } from '../reader.ts';
import { readDirectory, unzip } from '../zip-file.ts';
import { extractHtml } from './html.ts';

/** The first bytes of an OLE file. A Word document with a password is an OLE file instead of a zip file. */
const encryptedStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Checks that each part has its declared size, because the parser unpacks whole parts at once. */
async function checkParts(bytes: Buffer, maxUnpackRatio: number): Promise<void> {
  for (const entry of readDirectory(bytes, maxUnpackRatio)) for await (const piece of unzip(bytes, entry)) void piece;
}

/** Converts a document to a page and extracts its text. Footnotes are at its end. Leaves out pictures. */
export const extractDocx: Extract = async (extraction) => {
  const { bytes, maxUnpackRatio } = extraction;
  if (bytes.subarray(0, 4).equals(encryptedStart)) throw new UnreadableFile('encrypted', 'or it is an old .doc file');
  await checkParts(bytes, maxUnpackRatio);
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const page = await mammoth.convertToHtml({ buffer: bytes }, { convertImage }).catch((error: unknown) => {
    throw unreadableBy(error, 'DOCX');
  });
  return extractHtml({ ...extraction, bytes: Buffer.from(page.value) });
};
