import { createWriteStream, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pino from 'pino';
import { RlmError } from '../errors.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import { escapeControls } from './terminal.ts';

interface LogOptions {
  readonly toStderr: boolean;
  /** The file to append to. Null when there is none. */
  readonly file: string | null;
}

const debugTypes: readonly string[] = ['call.progress', 'answer.progress', 'index.progress', 'embedding.completed'];

function levelOf(event: RunEvent): 'debug' | 'info' | 'warn' | 'error' {
  if (
    event.type === 'warning' ||
    event.type === 'call.retried' ||
    event.type === 'embedding.retried' ||
    event.type === 'run.stopped'
  )
    return 'warn';
  if (event.type === 'call.failed') return 'error';
  return debugTypes.includes(event.type) ? 'debug' : 'info';
}

const stderrStream = () =>
  new Writable({
    write: (chunk: Buffer, _, done) => void process.stderr.write(escapeControls(chunk.toString()), () => done()),
  });

const unwritable = (path: string, { code }: NodeJS.ErrnoException): RlmError =>
  new RlmError('output-unwritable', `the log ${path} cannot be written (${code})`, {
    hint: 'Give another file with --log-file (setting log.file), or free disk space.',
  });

function openLogFile(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
}

/**
 * Writes the structured log of a run, one line per event. The log contains the questions, the plan, sizes, warnings
 * and errors, which may quote a few words of a reply. It never contains prompts, answers, documents or credentials.
 * @throws RlmError `output-unwritable`; `close` throws it, too.
 */
export function createLog({ toStderr, file }: LogOptions): { onEvent: EventListener; close(): Promise<void> } {
  const fileStream = file === null ? null : createWriteStream(file, { fd: openLogFile(file) });
  let failure: NodeJS.ErrnoException | null = null;
  fileStream?.on('error', (error) => {
    failure ??= error;
  });
  const streams = [...(toStderr ? [stderrStream()] : []), ...(fileStream ? [fileStream] : [])];
  const logger = pino(
    { level: 'debug', base: null, timestamp: false },
    pino.multistream(streams.map((stream) => ({ stream, level: 'debug' as const }))),
  );
  return {
    onEvent: ({ type, at, ...rest }) => logger[levelOf({ type, at, ...rest } as RunEvent)]({ time: at, ...rest }, type),
    async close() {
      fileStream?.end();
      if (fileStream !== null && failure === null) await finished(fileStream).catch(() => {});
      if (failure !== null) throw unwritable(file!, failure);
    },
  };
}
