import { UnreadableFile } from './reader.ts';

/** Unpacked size up to which any ratio is allowed, in bytes. */
const harmlessBytes = 16 * 1024 * 1024;

/** A ratio above the highest that deflate can reach, so that any deflated file is allowed. */
const anyRatio = 2000;

/** Checks the unpacked size of a file against `inputs.maxUnpackRatio`. Throws UnreadableFile. */
export function checkUnpacked(unpackedBytes: number, packedBytes: number, maxRatio: number): void {
  if (unpackedBytes <= Math.max(harmlessBytes, packedBytes * maxRatio)) return;
  const override = `to read it, set RLM_MAX_UNPACK_RATIO=${Math.max(anyRatio, maxRatio * 10)} (inputs.maxUnpackRatio)`;
  throw new UnreadableFile('decompression bomb', `it unpacks to more than ${maxRatio} times its size; ${override}`);
}

const maxPixels = 100_000_000;

/** Checks the size of a picture in pixels. Throws UnreadableFile when it is zero or would fill the memory. */
export function checkPixels(width: number, height: number): void {
  if (!(width * height > 0)) throw new UnreadableFile('corrupt', 'it is cut short, or not a picture');
  if (width * height <= maxPixels) return;
  const size = `${width} × ${height} pixels are more than ${maxPixels}`;
  throw new UnreadableFile('decompression bomb', `${size}; make it smaller`);
}
