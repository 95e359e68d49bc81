/** The format of a file that is a picture. */
export type FileFormat = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff';

const begins = (head: Uint8Array, ...bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);

/** Returns the format of a picture by its first bytes, whatever its name; null for other files. */
export function pictureFormat(head: Uint8Array): FileFormat | null {
  if (begins(head, 0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (begins(head, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  const isWebp = begins(head, 0x52, 0x49, 0x46, 0x46) && begins(head.subarray(8), 0x57, 0x45, 0x42, 0x50);
  if (isWebp) return 'image/webp';
  return begins(head, 0x49, 0x49, 0x2a, 0) || begins(head, 0x4d, 0x4d, 0, 0x2a) ? 'image/tiff' : null;
}
