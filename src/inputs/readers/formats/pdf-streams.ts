import { checkPixels } from '../unpack-limit.ts';

/** Number of bytes before a stream that are searched for its dictionary. */
const headBytes = 1_000;

/** Yields the packed streams of a PDF, which it finds by the keywords around them. */
export function* packedStreams(pdf: Buffer) {
  for (let at = pdf.indexOf('stream'); at >= 0; at = pdf.indexOf('stream', at)) {
    const before = pdf.toString('latin1', Math.max(0, at - headBytes), at);
    const head = before.slice(before.lastIndexOf(' obj') + 1);
    const [keywordLine] = /^[^\r\n]*(?:\r\n?|\n)?/.exec(pdf.toString('latin1', at, at + headBytes))!;
    const start = at + keywordLine.length;
    const end = pdf.indexOf('endstream', start);
    const isImage = /\/Subtype\s*\/Image/.test(head);
    yield { head, isImage, bytes: pdf.subarray(start, end < 0 ? pdf.length : end) };
    if (end < 0) return;
    at = end + 'endstream'.length;
  }
}

/** Throws UnreadableFile for an image that unpacks to too much memory. */
export function checkImages(pdf: Buffer): void {
  for (const { head, isImage } of packedStreams(pdf)) {
    const [width, height] = [/\/Width\s+(\d+)/, /\/Height\s+(\d+)/].map((size) => Number(size.exec(head)?.[1] ?? 1));
    if (isImage) checkPixels(width!, height!);
  }
}
