import { RlmError } from '../errors.ts';
import type { Output } from './terminal.ts';

const interruptions = {
  SIGINT: { code: 'interrupted', exit: 130, message: 'interrupted by Ctrl-C' },
  SIGTERM: { code: 'terminated', exit: 143, message: 'terminated by SIGTERM' },
  SIGHUP: { code: 'hung-up', exit: 129, message: 'ended by SIGHUP: the terminal was closed' },
} as const;

/** The reason of a signal that is aborted because the reader of stdout closed it, as in `| head -1`. */
export const readerClosed = new RlmError('interrupted', 'the reader of the output closed it');

/**
 * Does work with a signal that SIGINT, SIGTERM and SIGHUP abort, so that it can keep what it found. A second one ends
 * the program immediately.
 * @param options the output whose end also aborts the work; the hint of the error: what becomes of the work so far.
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
