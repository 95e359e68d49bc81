import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pino from 'pino';
import type { EventListener, RunEvent } from '../index.ts';

interface LogOptions {
  readonly toStderr: boolean;
  /** Appended to; null: none. */
  readonly file: string | null;
}

function levelOf(event: RunEvent): 'debug' | 'info' | 'warn' | 'error' {
  if (event.type === 'warning' || event.type === 'call.retried' || event.type === 'run.stopped') return 'warn';
  if (event.type === 'call.failed') return 'error';
  return event.type === 'call.progress' ? 'debug' : 'info';
}

const stderrStream = () => new Writable({ write: (chunk, _, done) => void process.stderr.write(chunk, () => done()) });

/** Structured logs of a run: each event is a line. They hold questions and sizes, never documents or credentials. */
export function createLog({ toStderr, file }: LogOptions): { onEvent: EventListener; close(): Promise<void> } {
  const fileStream = file === null ? null : createWriteStream(file, { flags: 'a', mode: 0o600 });
  fileStream?.on('error', (error) =>
    process.stderr.write(`rlm: the log ${file} cannot be written: ${error.message}\n`),
  );
  const streams = [...(toStderr ? [stderrStream()] : []), ...(fileStream ? [fileStream] : [])];
  const logger = pino(
    { level: 'debug', base: null, timestamp: false },
    pino.multistream(streams.map((stream) => ({ stream, level: 'debug' as const }))),
  );
  return {
    onEvent: ({ type, at, ...rest }) => logger[levelOf({ type, at, ...rest } as RunEvent)]({ time: at, ...rest }, type),
    async close() {
      if (fileStream === null || fileStream.destroyed) return;
      fileStream.end();
      await finished(fileStream).catch(() => {});
    },
  };
}
