import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { grep } from '../../src/tools/texts/grep.ts';
import { listFiles } from '../../src/tools/texts/list-files.ts';
import { readFile } from '../../src/tools/texts/read-file.ts';
import type { ToolWorld } from '../../src/tools/tool.ts';
import type { WallReport } from './check.ts';
import { canary, createWorld, createYard, inside, tell, wordsOf, type Yard } from './file-walls.ts';

/** Swaps four places between inside and outside as fast as possible until it is stopped. Counts the swaps. */
const swapper = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { workerData: { root, outside, flips } } = require('node:worker_threads');
const count = new Int32Array(flips);
const pointTo = (name, target) => {
  symlinkSync(target, root + '/next');
  renameSync(root + '/next', root + '/' + name);
};
const replace = (folder, isOut) => {
  if (isOut) {
    renameSync(folder, folder + '-parked');
    symlinkSync(outside + '/sub', folder);
  } else {
    unlinkSync(folder);
    renameSync(folder + '-parked', folder);
  }
};
for (let isOut = true; Atomics.load(count, 1) === 0; isOut = !isOut) {
  pointTo('flip.txt', isOut ? outside + '/canary.txt' : 'a.txt');
  pointTo('flip', isOut ? outside + '/sub' : 'sub');
  replace(root + '/real', isOut);
  replace(root + '-swapped', isOut);
  Atomics.add(count, 0, 4);
}
`;

interface Swapping {
  /** Returns the number of swaps so far. */
  count(): number;
  stop(): Promise<void>;
}

async function startSwapping({ base, root }: Yard): Promise<Swapping> {
  const flips = new SharedArrayBuffer(8);
  const counts = new Int32Array(flips);
  const worker = new Worker(swapper, { eval: true, workerData: { root, outside: join(base, 'outside'), flips } });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  await new Promise((resolve) => worker.once('online', resolve));
  return {
    count: () => Atomics.load(counts, 0),
    async stop() {
      Atomics.store(counts, 1, 1);
      await ended;
    },
  };
}

/** Creates the folder and the root that are swapped. */
function prepare({ root, world }: Yard): { readonly inner: ToolWorld; readonly swapped: ToolWorld } {
  for (const folder of [join(root, 'real'), `${root}-swapped`]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'b.txt'), inside);
  }
  return { inner: world, swapped: createWorld(`${root}-swapped`) };
}

/**
 * Resolves a path, checks it, and then opens it, as careless programs do. This shows that the swaps are fast enough.
 */
function checkThenOpen({ root }: Yard): string {
  try {
    const path = join(root, 'flip.txt');
    return realpathSync(path).startsWith(`${root}/`) ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Reads, lists and greps while links are swapped, until this many calls had a swap while they ran. */
export async function checkSwapRaces(count: number): Promise<WallReport> {
  const yard = createYard();
  const { inner, swapped } = prepare(yard);
  const calls = [
    () => tell(readFile, { path: 'flip.txt' }, inner),
    () => tell(readFile, { path: 'flip/b.txt' }, inner),
    () => tell(readFile, { path: 'real/b.txt' }, inner),
    () => tell(listFiles, { path: 'flip' }, inner),
    () => tell(listFiles, { path: 'real' }, inner),
    () => tell(grep, { pattern: '.', path: 'real' }, inner),
    () => tell(readFile, { path: 'b.txt' }, swapped),
    () => tell(grep, { pattern: '.' }, swapped),
  ];
  const seen = { calls: 0, races: 0, inside: 0, bytes: 0, plain: 0 };
  const breaches: string[] = [];
  const swapping = await startSwapping(yard);
  try {
    while (seen.races < count) {
      const before = swapping.count();
      const reply = await calls[seen.calls++ % calls.length]!().catch(wordsOf);
      if (swapping.count() !== before) seen.races++;
      if (reply.includes('inside')) seen.inside++;
      if (reply.includes(canary)) {
        seen.bytes += Buffer.byteLength(reply);
        breaches.push(reply.slice(0, 200));
      }
      if (checkThenOpen(yard).includes(canary)) seen.plain++;
    }
  } finally {
    await swapping.stop();
    yard.remove();
  }
  const figures = [
    ['calls while links are swapped', seen.calls],
    ['races: calls with a swap in their midst', seen.races],
    ['swaps', swapping.count()],
    ['replies that show a file inside', seen.inside],
    ['times that checking, then opening gets out', seen.plain],
    ['bytes from outside', seen.bytes],
  ] as const;
  return { figures, breaches };
}
