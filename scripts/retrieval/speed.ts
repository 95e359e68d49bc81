/** Measures an index over a large text: time to build, memory, and time of a query. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from './measures.ts';

/** The measurements of one process. */
export interface Taken {
  readonly chunks: number;
  readonly buildMs: number;
  readonly buildCpuMs: number;
  readonly queryMs: readonly number[];
  /** The peak resident memory of the process, including the text. */
  readonly peakMb: number;
}

async function measureOnce(bytes: number): Promise<Taken> {
  const child = fork(fileURLToPath(new URL('speed-process.ts', import.meta.url)), [String(bytes)]);
  const [taken] = (await once(child, 'message')) as [Taken];
  return taken;
}

/** Formats the median and all measurements. */
function spread(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${quantile(values, 0.5).toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

/** Prints a row for each size. Every round runs in a separate process. */
export async function printSpeed(sizes: readonly { readonly bytes: number; readonly rounds: number }[]): Promise<void> {
  const heads = ['build s', 'build CPU s', 'query p50 ms', 'query p95 ms', 'peak MB'];
  console.log(`\n${'Synthetic text: median (least–most)'.padEnd(40)}${heads.map((head) => head.padEnd(22)).join('')}`);
  for (const { bytes, rounds } of sizes) {
    const all: Taken[] = [];
    for (let round = 0; round < rounds; round++) all.push(await measureOnce(bytes));
    const cells = [
      spread(
        all.map(({ buildMs }) => buildMs / 1000),
        2,
      ),
      spread(
        all.map(({ buildCpuMs }) => buildCpuMs / 1000),
        2,
      ),
      spread(
        all.map(({ queryMs }) => quantile(queryMs, 0.5)),
        2,
      ),
      spread(
        all.map(({ queryMs }) => quantile(queryMs, 0.95)),
        2,
      ),
      spread(
        all.map(({ peakMb }) => peakMb),
        0,
      ),
    ];
    const label = `${bytes / 1e6} MB, ${all[0]!.chunks} chunks, ${rounds} runs`;
    console.log(label.padEnd(40) + cells.map((cell) => cell.padEnd(22)).join(''));
  }
}
