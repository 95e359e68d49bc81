/** A process that takes the lock of a folder on request, reports whether it got the lock, and keeps running. */
import { takeLock } from '../../../src/base/files/lock.ts';

const folder = process.argv[2]!;
process.on('message', (word) => {
  if (word !== 'take') process.exit();
  process.send!('release' in takeLock(folder) ? 'taken' : 'busy');
});
process.send!('ready');
