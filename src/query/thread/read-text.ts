import type { MessagePort } from 'node:worker_threads';
import type { TextSource } from '../../context/shown-text.ts';
import { type FromThread, pageBytes, type ThreadSetup } from './messages.ts';

/** Reads one page, at most `pageBytes`. The thread sleeps until the main thread has filled it. */
function readPage(port: MessagePort, flag: Int32Array, request: Extract<FromThread, { kind: 'read' }>): void {
  Atomics.store(flag, 0, 0);
  port.postMessage(request);
  // The wake-up of an earlier page may come late, so only the value tells.
  while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0);
  if (Atomics.load(flag, 0) !== 1) throw new Error('the text cannot be read any more');
}

/** Creates the source of text in the thread: the main thread has the bytes. */
export function createThreadSource({ documents, page, flag, port }: ThreadSetup): TextSource {
  return {
    documents,
    read(document, startByte, endByte) {
      const bytes = Buffer.allocUnsafeSlow(endByte - startByte);
      for (let at = startByte; at < endByte; at += pageBytes) {
        const end = Math.min(endByte, at + pageBytes);
        readPage(port, flag, { kind: 'read', document, startByte: at, endByte: end });
        bytes.set(new Uint8Array(page, 0, end - at), at - startByte);
      }
      return bytes;
    },
  };
}
