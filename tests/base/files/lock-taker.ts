/** A process that takes the lock of a folder when it is told to, reports whether it has it, and stays. */
import { takeLock } from '../../../src/base/files/lock.ts';

const folder = process.argv[2]!;
process.on('message', (word) => {
  if (word !== 'take') process.exit();
  process.send!('release' in takeLock(folder) ? 'taken' : 'busy');
});
process.send!('ready');
