import { UnreadableFile } from './reader.ts';

/** Text rarely shrinks to less than a fiftieth; deflate can shrink zeros to a thousandth. */
const maxRatio = 200;
/** What is small when unpacked does no harm, whatever its ratio. */
const harmlessBytes = 16 * 1024 * 1024;

/** Throws UnreadableFile when so much comes out of so few bytes that they are made to fill the memory. */
export function checkUnpacked(unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes <= Math.max(harmlessBytes, packedBytes * maxRatio)) return;
  throw new UnreadableFile('decompression bomb', `it unpacks to more than ${maxRatio} times its size`);
}
