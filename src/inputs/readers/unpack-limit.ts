import { UnreadableFile } from './reader.ts';

/** What is small when unpacked does no harm, whatever its ratio. */
const harmlessBytes = 16 * 1024 * 1024;

/** Above what deflate can do, so that it allows any file that deflate packed. */
const anyRatio = 2000;

/**
 * Checks that no more comes out of a packed file than is allowed: few bytes may be made to fill the memory.
 * @param maxRatio the setting `inputs.maxUnpackRatio`
 * @throws UnreadableFile
 */
export function checkUnpacked(unpackedBytes: number, packedBytes: number, maxRatio: number): void {
  if (unpackedBytes <= Math.max(harmlessBytes, packedBytes * maxRatio)) return;
  const override = `RLM_MAX_UNPACK_RATIO=${Math.max(anyRatio, maxRatio * 10)} (inputs.maxUnpackRatio) reads it`;
  throw new UnreadableFile('decompression bomb', `it unpacks to more than ${maxRatio} times its size; ${override}`);
}
