import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DoneJob } from '../../../src/inputs/readers/worker.ts';
import { runJob } from '../../../src/inputs/readers/worker-pool.ts';
import { createPdf } from '../../support/packed-files.ts';

const limits = { maxBytes: 1_000_000, timeoutMs: 25_000, signal: new AbortController().signal };
const pdfJob = (bytes: Buffer) =>
  ({ format: 'pdf', name: 'a.pdf', bytes, maxChars: 1_000_000, maxUnpackRatio: 2000, encoding: 'utf-8' }) as const;
const textOf = async (text: string) => Buffer.from((await runJob(pdfJob(createPdf([text])), limits)).bytes).toString();

/** A PDF that takes a parser in JavaScript many times longer to unpack than the time limits of these tests. */
const slow = createPdf(['x'], { content: Buffer.alloc(30_000_000, ' ') });

describe('a reader thread', () => {
  it('serves files in sequence, and several concurrently', async () => {
    const texts = ['one', 'two', 'three', 'four', 'five'];
    expect(await Promise.all(texts.map(textOf))).toEqual(texts.map((text) => `[page 1]\n${text}\n`));
    expect(await textOf('six')).toContain('six');
  });

  it('is ended when a file takes too long, and the next file gets another thread', async () => {
    const job = runJob(pdfJob(slow), { ...limits, timeoutMs: 100 });
    await expect(job).rejects.toMatchObject({ reason: 'too slow to read', message: expect.stringContaining('0.1 s') });
    expect(await textOf('next')).toContain('next');
  });

  it('is ended with the run', async () => {
    const stop = new AbortController();
    const job = runJob(pdfJob(slow), { ...limits, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(job).rejects.toThrow('enough');
    expect(await textOf('next')).toContain('next');
  });

  it('is kept for two seconds after its last file', async () => {
    const fail = () => expect(runJob(pdfJob(slow), { ...limits, timeoutMs: 100 })).rejects.toThrow();
    await Promise.all([fail(), fail()]); // No idle thread is left.
    const started = vi.fn();
    process.on('worker', started);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.runAllTimers();
      vi.useRealTimers();
      process.off('worker', started);
    });
    for (const [idleMs, threads] of [
      [1_900, 1],
      [1_900, 1],
      [2_000, 2],
    ] as const) {
      await textOf('one');
      vi.advanceTimersByTime(idleMs);
      await textOf('two');
      expect(started).toHaveBeenCalledTimes(threads);
    }
  });

  it('is not started for a run that has ended', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(runJob(pdfJob(createPdf(['x'])), { ...limits, signal })).rejects.toThrow('enough');
  });

  it("abandons a stream that unpacks to more than the thread's memory", async () => {
    const bomb = createPdf(['x'], { content: Buffer.alloc(70_000_000, ' ') });
    const job = runJob(pdfJob(bomb), { ...limits, timeoutMs: 110_000 });
    await expect(job).rejects.toMatchObject({ reason: 'decompression bomb' });
    expect(await textOf('next')).toContain('next');
  }, 120_000);

  it('names a page that is nested too deeply', async () => {
    for (const depth of [20_000, 1_000_000]) {
      const bytes = Buffer.from(`${'<div>'.repeat(depth)}x`);
      const job = runJob({ ...pdfJob(bytes), format: 'html' }, { ...limits, timeoutMs: 50_000 });
      await expect(job).rejects.toMatchObject({ reason: 'corrupt', message: expect.stringContaining('too deeply') });
    }
  }, 120_000);

  it('reads a page whose many elements are not nested', async () => {
    const parts = [
      '<br>',
      '<p>a',
      '<li><i>a</li>',
      '<img src="x">',
      '<svg><path d="M0"/></svg>',
      '<b>x</b>',
      '<!-- <i> -->',
    ];
    const script = `<script>${'"<div>";'.repeat(40_000)}</script>`;
    const bytes = Buffer.from(`<body>${parts.map((part) => part.repeat(40_000)).join('')}${script}needle`);
    const { bytes: text } = (await runJob(
      { ...pdfJob(bytes), format: 'html' },
      { ...limits, timeoutMs: 50_000 },
    )) as DoneJob;
    expect(Buffer.from(text).toString()).toContain('needle');
  }, 120_000);

  it('leaves the given bytes unchanged', async () => {
    const bytes = createPdf(['kept']);
    await runJob(pdfJob(bytes), limits);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });
});
