import { describe, expect, it } from 'vitest';
import { networkMounts } from '../../../src/inputs/find/network-mounts.ts';
import { createWatchedFolders } from '../../../src/inputs/find/watched-folders.ts';
import { createFolder } from '../../e2e/run-rlm.ts';

describe('networkMounts', () => {
  it('reads the list of Linux', () => {
    const list = [
      '/dev/vda / ext4 rw,relatime 0 0',
      'proc /proc proc rw 0 0',
      'server:/export /mnt/my\\040files nfs4 rw,vers=4.2 0 0',
      '//server/share /mnt/share cifs rw 0 0',
      'me@host:/ /home/me/far fuse.sshfs rw 0 0',
      '/dev/sda1 /mnt/stick fuseblk rw 0 0',
      'C:\\134 /mnt/c 9p rw,aname=drvfs 0 0',
      '',
    ].join('\n');
    expect(networkMounts(list)).toEqual([
      { at: '/mnt/my files', type: 'nfs4' },
      { at: '/mnt/share', type: 'cifs' },
      { at: '/home/me/far', type: 'fuse.sshfs' },
      { at: '/mnt/c', type: '9p' },
    ]);
  });

  it('reads the list of macOS', () => {
    const list = [
      '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
      '//me@server/share on /Volumes/My Share (smbfs, nodev, nosuid, mounted by me)',
      'server:/export on /Volumes/on it (nfs, asynchronous)',
    ].join('\n');
    expect(networkMounts(list)).toEqual([
      { at: '/Volumes/My Share', type: 'smbfs' },
      { at: '/Volumes/on it', type: 'nfs' },
    ]);
  });
});

describe('createWatchedFolders', () => {
  it('refuses folders of a network mount, and names it', async () => {
    const at = createFolder({ 'a.md': 'A.' });
    const folders = createWatchedFolders('/nowhere', [{ at, type: 'nfs4' }]);
    const refused = { code: 'watch-unavailable', message: `${at} is on a network mount (nfs4 at ${at})` };
    await expect(folders.list(at)).rejects.toMatchObject(refused);
    expect(() => folders.expect(at)).toThrow(expect.objectContaining(refused));
    folders.close();
  });
});
