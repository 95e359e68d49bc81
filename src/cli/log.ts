import { endWriting, openToWrite } from '../base/files/write-stream.ts';
import { type RlmError, unwritable } from '../errors.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import { escapeControls } from './terminal.ts';

const debugTypes: readonly string[] = ['call.progress', 'answer.progress', 'index.progress', 'embedding.completed'];

/** Fields that the log omits, because they hold words of an answer, of a model's reply or of a document. */
const withheld = 'text answer claims contradictions arguments result thought next findings'.split(' ');

/** Returns the level of an event, numbered as in pino and bunyan. */
function levelOf({ type }: RunEvent): number {
  if (type === 'call.failed') return 50;
  if (['warning', 'call.retried', 'embedding.retried', 'run.stopped'].includes(type)) return 40;
  return debugTypes.includes(type) ? 20 : 30;
}

const noReader = 'It is a named pipe that no process reads. Start the reader first.';
const otherFile = 'Give another file with --log-file (setting log.file), or free disk space.';

const failed = (path: string, error: unknown): RlmError =>
  unwritable(`the log ${path}`, error, (error as NodeJS.ErrnoException).code === 'ENXIO' ? noReader : otherFile);

function openLog(path: string) {
  try {
    return openToWrite(path, 'a', 0o600);
  } catch (error) {
    throw failed(path, error);
  }
}

/**
 * Writes the structured log of a run, one line per event, without the fields of `withheld`.
 * @throws RlmError `output-unwritable`. `close` rejects with the same error if a line could not be written.
 */
export function createLog(toStderr: boolean, file: string | null): { onEvent: EventListener; close(): Promise<void> } {
  const fileStream = file === null ? null : openLog(file);
  return {
    onEvent(event) {
      const { type: msg, at: time, ...rest } = event;
      const shown = Object.fromEntries(Object.entries(rest).filter(([name]) => !withheld.includes(name)));
      const line = `${JSON.stringify({ level: levelOf(event), time, ...shown, msg })}\n`;
      if (toStderr) process.stderr.write(escapeControls(line));
      fileStream?.write(line);
    },
    async close() {
      if (fileStream === null) return;
      await endWriting(fileStream).catch((error) => {
        throw failed(file!, error);
      });
    },
  };
}
