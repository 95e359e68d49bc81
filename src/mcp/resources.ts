/** What clients can read: runs, and contexts by name. */

import { listRuns, showRun } from '../index.ts';
import { documentsOf } from './documents.ts';
import { type McpServer, ResourceTemplate } from './protocol.ts';
import type { World } from './world.ts';

const listed = 50;
const mostBytes = 1_000_000;

/** Runs of the folder that the server works in. */
async function ownRuns() {
  return (await listRuns()).filter(({ cwd }) => cwd === process.cwd());
}

async function runText(id: string): Promise<string> {
  const own = (await ownRuns()).find(({ runId }) => runId === id);
  if (own === undefined) throw new Error(`there is no run ${id.slice(0, 100)}`);
  return JSON.stringify(await showRun(own.runId), null, 2);
}

/** The beginning of a context, with its documents' names above their text. */
async function contextText(world: World, name: string): Promise<string> {
  const parts: string[] = [];
  let bytes = 0;
  for (const { name: source, text } of documentsOf(await world.contexts.get(name), null)) {
    parts.push(`==> ${source} <==\n`);
    for await (const piece of text as AsyncIterable<Uint8Array>) {
      const room = mostBytes - bytes;
      if (room <= 0) return `${parts.join('')}\n[cut at ${mostBytes} bytes]`;
      parts.push(new TextDecoder().decode(piece.subarray(0, room)));
      bytes += piece.length;
    }
  }
  return parts.join('');
}

/** Registers `rlm://runs/ID` and `rlm://contexts/NAME`. */
export function registerResources(server: McpServer, world: World): void {
  const runs = new ResourceTemplate('rlm://runs/{id}', {
    list: async () => ({
      resources: (await ownRuns()).slice(0, listed).map(({ runId, task, at }) => ({
        uri: `rlm://runs/${runId}`,
        name: runId,
        title: (task ?? runId).slice(0, 200),
        description: `asked ${at ?? 'at an unknown time'}`,
        mimeType: 'application/json',
      })),
    }),
  });
  const about = { title: 'A recorded run', description: 'The question, the calls and the result.' };
  server.registerResource('run', runs, { ...about, mimeType: 'application/json' }, async (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: await runText(String(id)) }],
  }));
  const contexts = new ResourceTemplate('rlm://contexts/{name}', {
    list: async () => ({
      resources: world.contexts.list().map(({ name, from }) => ({
        uri: `rlm://contexts/${encodeURIComponent(name)}`,
        name,
        description: from,
        mimeType: 'text/plain',
      })),
    }),
  });
  const ofContext = { title: 'A loaded context', description: 'Its text, at most 1 MB.' };
  server.registerResource('context', contexts, { ...ofContext, mimeType: 'text/plain' }, async (uri, { name }) => ({
    contents: [
      { uri: uri.href, mimeType: 'text/plain', text: await contextText(world, decodeURIComponent(String(name))) },
    ],
  }));
}
