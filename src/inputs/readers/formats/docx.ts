import mammoth from 'mammoth';
import type { Extract } from '../extractor.ts';
import { signBefore, UnreadableFile, unreadableBy } from '../reader.ts';
import { readDirectory, unzip } from '../zip-file.ts';

/** The first bytes of an OLE file. A Word document with a password is an OLE file instead of a zip file. */
const encryptedStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Checks that each part has its declared size, because the parser unpacks whole parts at once. */
async function checkParts(bytes: Buffer, maxUnpackRatio: number): Promise<void> {
  for (const entry of readDirectory(bytes, maxUnpackRatio)) for await (const piece of unzip(bytes, entry)) void piece;
}

/** A part of the document that the parser makes, with the fields that its text depends on. */
interface Part {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Part[];
  readonly verticalAlignment?: string;
}

interface Parsed extends Part {
  readonly notes: { resolve(reference: Part): { readonly body: readonly Part[] } | null };
}

/** Returns the text of a document: breaks end a line, and each note follows the paragraph that refers to it first. */
function textOf(document: Parsed): string {
  const told = new Set<object>();
  function noteOf(reference: Part): string {
    const note = document.notes.resolve(reference);
    if (note === null || told.has(note)) return '';
    told.add(note);
    return `[note] ${textIn({ type: 'note', children: note.body }, []).trim()}\n\n`;
  }
  function textIn(part: Part, references: Part[]): string {
    const { type, value, children = [] } = part;
    if (type === 'tab') return '\t';
    if (type === 'break') return '\n';
    if (type === 'noteReference') references.push(part);
    const own = type === 'paragraph' ? [] : references;
    const text = value ?? children.map((child) => textIn(child, own)).join('');
    if (type === 'paragraph') return `${text}\n\n${own.map(noteOf).join('')}`;
    return part.verticalAlignment === 'superscript' ? signBefore(text) + text : text;
  }
  return textIn(document, []);
}

export const extractDocx: Extract = async ({ bytes, maxUnpackRatio }) => {
  if (bytes.subarray(0, 4).equals(encryptedStart)) throw new UnreadableFile('encrypted', 'or it is an old .doc file');
  await checkParts(bytes, maxUnpackRatio);
  let text = '';
  const transformDocument = (document: Parsed): Parsed => {
    text = textOf(document); // The parser's own text has no breaks and no notes.
    return { ...document, children: [] };
  };
  await mammoth.convertToHtml({ buffer: bytes }, { transformDocument }).catch((error: unknown) => {
    throw unreadableBy(error, 'DOCX');
  });
  if (text.trim() === '') throw new UnreadableFile('without text');
  return { text, warnings: [] };
};
