/** Sends a download as one JSON object per line. */
import type { ServerResponse } from 'node:http';

/** An object in the stream of /api/pull, or a pause in ms. An infinite pause leaves the connection open. */
export type PullLine =
  | { readonly status: string; readonly [more: string]: unknown }
  | { readonly error: string }
  | number;

/** The digest of a layer, in the form of the server. */
export const layer = (digit: string) => `sha256:${digit.repeat(64)}`;

/** Returns the messages of a download of one layer, in this many steps. */
export function pullLines(totalBytes: number, steps: number, from = 0): PullLine[] {
  const digest = layer('a');
  const status = `pulling ${digest.slice(7, 19)}`;
  const progress = Array.from({ length: steps + 1 }, (_, step) => ({
    status,
    digest,
    total: totalBytes,
    completed: Math.round(from + ((totalBytes - from) * step) / steps),
  }));
  // The real server leaves out a count of 0.
  const lines = progress.map(({ completed, ...rest }) => (completed === 0 ? rest : { ...rest, completed }));
  const end = ['verifying sha256 digest', 'writing manifest', 'success'].map((done) => ({ status: done }));
  return [{ status: 'pulling manifest' }, ...lines, ...end];
}

/** Streams the lines. Resolves to whether the download succeeded. */
export async function sendPull(response: ServerResponse, lines: readonly PullLine[]): Promise<boolean> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  for (const line of lines) {
    if (line === Number.POSITIVE_INFINITY || response.destroyed) return false;
    if (typeof line === 'number') await new Promise((resolve) => setTimeout(resolve, line));
    else response.write(`${JSON.stringify(line)}\n`);
  }
  response.end();
  return lines.some((line) => typeof line === 'object' && 'status' in line && line.status === 'success');
}
