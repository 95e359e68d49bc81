import { RlmError } from '../errors.ts';
import type { Output } from './terminal.ts';

const interruptions = {
  SIGINT: { code: 'interrupted', exit: 130, message: 'interrupted by Ctrl-C' },
  SIGTERM: { code: 'terminated', exit: 143, message: 'terminated by SIGTERM' },
  SIGHUP: { code: 'hung-up', exit: 129, message: 'ended by SIGHUP: the terminal was closed' },
} as const;

/** The abort reason when the reader of stdout closes it, as in `| head -1`. */
export const readerClosed = new RlmError('interrupted', 'the reader of the output closed it');

/** Time to end after SIGTERM or SIGHUP, in ms. Supervisors usually kill a process 10 s after SIGTERM. */
const mostEndingMs = 8_000;

/**
 * Runs work with an abort signal. The first SIGINT, SIGTERM or SIGHUP aborts the work; a second one ends the program.
 * After SIGTERM or SIGHUP, the program ends within 8 s, even if the reader of an output has stopped reading.
 * @param options `stdout`: the work is also aborted when the reader of this stream closes it. `hint`: the hint of the
 *   RlmError with which a signal aborts the work.
 */
export async function underSignals<T>(
  { stdout, hint = '' }: { readonly stdout?: Output; readonly hint?: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  stdout?.onClosed(() => controller.abort(readerClosed));
  const handlers = (Object.keys(interruptions) as (keyof typeof interruptions)[]).map((signal) => {
    const { code, exit, message } = interruptions[signal];
    const handler = () => {
      if (controller.signal.aborted) process.exit(exit);
      if (signal !== 'SIGINT') setTimeout(() => process.exit(exit), mostEndingMs).unref();
      controller.abort(new RlmError(code, message, { hint }));
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  try {
    return await work(controller.signal);
  } finally {
    for (const stop of handlers) stop();
  }
}
