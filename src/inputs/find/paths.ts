import { normalize, relative, resolve, sep } from 'node:path';

/** A path for system calls: bytes if a name in it is not UTF-8, because no string can hold such a name. */
export type FilePath = string | Buffer;

/** Returns a string that is unique to the path, even if the path is not UTF-8. */
export const keyOfPath = (path: FilePath): string =>
  typeof path === 'string' ? path : `latin1:${path.toString('latin1')}`;

export function joinPath(folder: FilePath, name: FilePath): FilePath {
  if (typeof folder === 'string' && typeof name === 'string')
    return folder.endsWith(sep) ? folder + name : folder + sep + name;
  return Buffer.concat([folder, sep, name].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Returns the relative path from an absolute folder to an absolute path, with `/` separators; empty if equal. */
export function posixRelative(from: string, to: string): string {
  return toPosix(relative(from, to));
}

/** Whether an absolute path is `folder` or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Returns a path as a user in `cwd` would type it, with `/` separators; empty for `cwd` itself. */
export function displayName(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  if (isWithin(path, cwd)) return posixRelative(cwd, path);
  const name = toPosix(normalize(given));
  return name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
}

export function joinName(folder: string, below: string): string {
  if (folder === '') return below;
  return folder.endsWith('/') ? folder + below : `${folder}/${below}`;
}

function toPosix(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
