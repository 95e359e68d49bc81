/** Creates small files of binary formats, valid and hostile ones, according to their specifications. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

interface PdfOptions {
  /** Further fields of the trailer. */
  readonly trailer?: string;
  /** The content of a page in place of its text; it is deflated. */
  readonly content?: Buffer;
}

/** Creates a PDF with a page for each text. A page with an empty text draws nothing. */
export function createPdf(pages: readonly string[], { trailer = '', content }: PdfOptions = {}): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
  ].map((text) => Buffer.from(text));
  for (const [index, text] of pages.entries()) {
    const lines = text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`);
    const drawn = content ?? Buffer.from(text === '' ? '' : `BT /F1 12 Tf 50 700 Td ${lines.join('\n')} ET`);
    const packed = deflateSync(drawn);
    const own = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R`;
    objects.push(Buffer.from(`${own} /Resources << /Font << /F1 3 0 R >> >> >>`));
    const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
    objects.push(Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]));
  }
  return writePdf(objects, trailer);
}

/** Creates a PDF of these objects. The first one is its catalog. */
function writePdf(objects: readonly Buffer[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(whole);
    length += whole.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/**
 * Creates a PDF of scanned pages without a text layer. Each page shows one JPEG of grey pixels, and an empty one shows
 * nothing. Page n is 400 + 100 n points high, so that rendered pages can be distinguished.
 */
export function createScannedPdf(scans: readonly Buffer[], [width, height]: readonly [number, number]): Buffer {
  const kids = scans.map((_, index) => `${3 + index * 3} 0 R`).join(' ');
  const stream = (head: string, data: Buffer) =>
    Buffer.concat([Buffer.from(`<< ${head} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`;
  return writePdf([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${scans.length} >>`),
    ...scans.flatMap((scan, index) => {
      const first = 3 + index * 3;
      const box = `/MediaBox [0 0 600 ${500 + 100 * index}] /Resources << /XObject << /I ${first + 2} 0 R >> >>`;
      return [
        Buffer.from(`<< /Type /Page /Parent 2 0 R ${box} /Contents ${first + 1} 0 R >>`),
        stream('', Buffer.from(scan.length === 0 ? '' : 'q 600 0 0 400 0 50 cm /I Do Q')),
        stream(image, scan),
      ];
    }),
  ]);
}

/** A PDF that requires a password. */
export const createEncryptedPdf = (): Buffer =>
  createPdf(['secret'], {
    trailer: `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
  });

/** A file in a zip file. */
export interface ZipMember {
  readonly name: string;
  readonly content: string | Buffer;
  readonly stored?: boolean;
  readonly encrypted?: boolean;
  readonly symlink?: boolean;
  /** Wrong values that the archive states in place of the right ones. */
  readonly declaredBytes?: number;
}

/**
 * Creates a zip file.
 * @param isLarge whether its end states the place of the directory in 64-bit fields (Zip64).
 */
export function createZip(members: readonly ZipMember[], isLarge = false): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const packed = member.stored ? content : deflateRawSync(content);
    const name = Buffer.from(member.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(member.encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(member.stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(member.declaredBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    local.push(Buffer.from('PK\x03\x04'), fields, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(member.symlink ? 0o120777 * 0x10000 : 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  if (!isLarge) return Buffer.concat([...local, ...directory, end]);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(0xffffffff, 16);
  const large = Buffer.alloc(56 + 20);
  large.write('PK\x06\x06', 0, 'latin1');
  large.writeBigUInt64LE(BigInt(members.length), 32);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.write('PK\x06\x07', 56, 'latin1');
  large.writeBigUInt64LE(BigInt(offset + Buffer.concat(directory).length), 64);
  return Buffer.concat([...local, ...directory, large, end]);
}

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const documentRelation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';

/** Creates a Word document of paragraphs. */
export function createDocx(paragraphs: readonly string[], more: readonly ZipMember[] = []): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  return createZip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${packageNamespace}/content-types"><Override PartName="/word/document.xml" ContentType="${wordType}"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="r1" Type="${documentRelation}" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      content: `<w:document xmlns:w="${wordNamespace}"><w:body>${body}</w:body></w:document>`,
    },
    ...more,
  ]);
}

/** Creates a Jupyter notebook with these cells. */
export const createNotebook = (cells: readonly unknown[]): string =>
  JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
