import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A file system on another machine. The local system does not report changes made there. */
export interface NetworkMount {
  readonly at: string;
  /** The type that the system reports, such as `nfs4`. */
  readonly type: string;
}

/** Types of network file systems. They include FUSE, which may access another machine, but not the local `fuseblk`. */
const networkType =
  /^(?:nfs\d?|cifs|smb\w*|afpfs|afs|9p|ncpfs|webdav|davfs\d?|ceph|gluster\w*|lustre|beegfs|gpfs|orangefs|ocfs2|vboxsf|vmhgfs|prl_fs|virtiofs|drvfs|osxfuse|macfuse|fuse\..+)$/;

/** Decodes a path in which Linux writes spaces and some other characters in octal. */
const unescaped = (path: string): string =>
  path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Parses the network mounts in `/proc/self/mounts` (Linux) or in the output of `mount` (macOS, BSD). */
export function networkMounts(list: string): NetworkMount[] {
  return list.split('\n').flatMap((line) => {
    const [, at = '', type = ''] = /^.* on (\/.*) \((\w+)/.exec(line) ?? /^\S+ (\S+) (\S+)/.exec(line) ?? [];
    return networkType.test(type) ? [{ at: unescaped(at), type }] : [];
  });
}

/** Returns the network mounts of this machine; none if the system does not list its mounts, as on Windows. */
export function findNetworkMounts(): NetworkMount[] {
  try {
    return networkMounts(
      process.platform === 'linux' ? readFileSync('/proc/self/mounts', 'utf8') : execFileSync('mount').toString(),
    );
  } catch {
    return [];
  }
}
