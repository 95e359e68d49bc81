/** The resources that clients can read: runs, their reports, and named contexts. */

import { listRuns, showRun } from '../api/runs/list-runs.ts';
import { renderReport } from '../api/runs/reports.ts';
import { type McpServer, ResourceTemplate } from './protocol.ts';
import type { World } from './world.ts';

const listed = 50;
const mostBytes = 1_000_000;
/** In UTF-16 units. */
const longestReport = 4_000_000;

/** Returns the runs that were started in the server's working folder. */
async function ownRuns() {
  return (await listRuns()).filter(({ cwd }) => cwd === process.cwd());
}

/** Throws Error for an unknown run, or a run of another folder. */
async function checkOwn(id: string): Promise<void> {
  const isOwn = (await ownRuns()).some(({ runId }) => runId === id);
  if (!isOwn) throw new Error(`run ${id.slice(0, 100)} not found`);
}

async function runText(id: string): Promise<string> {
  await checkOwn(id);
  return JSON.stringify(await showRun(id), null, 2);
}

/** Returns the beginning of a context, with each document's name above its text. */
async function contextText(world: World, name: string): Promise<string> {
  const parts: string[] = [];
  let room = mostBytes;
  const { context } = await world.contexts.get(name);
  for (const [document, { name: source, bytes }] of context.documents.entries()) {
    parts.push(`==> ${source} <==\n`, new TextDecoder().decode(context.read(document, 0, room)));
    room -= bytes;
    if (room < 0) return `${parts.join('')}\n[cut at ${mostBytes} bytes]`;
  }
  return parts.join('');
}

const listedAt = (at: string | null) => `asked ${at ?? 'at an unknown time'}`;

function registerRuns(server: McpServer): void {
  const template = new ResourceTemplate('rlm://runs/{id}', {
    list: async () => ({
      resources: (await ownRuns()).slice(0, listed).map(({ runId, task, at }) => ({
        uri: `rlm://runs/${runId}`,
        name: runId,
        title: (task ?? runId).slice(0, 200),
        description: listedAt(at),
        mimeType: 'application/json',
      })),
    }),
  });
  const about = { title: 'A recorded run', description: 'The question, the calls and the result.' };
  server.registerResource('run', template, { ...about, mimeType: 'application/json' }, async (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: await runText(String(id)) }],
  }));
}

/** Returns the HTML report of a run that has ended. Throws Error when the report is too long for a resource. */
async function reportOf(id: string): Promise<string> {
  await checkOwn(id);
  const { text } = await renderReport(id);
  if (text.length <= longestReport) return text;
  throw new Error(`the report has ${text.length} characters; rlm report ${id} writes it to a file`);
}

function registerReports(server: McpServer): void {
  const template = new ResourceTemplate('rlm://runs/{id}/report', {
    list: async () => ({
      resources: (await ownRuns())
        .filter(({ status }) => status !== 'running')
        .slice(0, listed)
        .map(({ runId, task, at }) => ({
          uri: `rlm://runs/${runId}/report`,
          name: `${runId} report`,
          title: `Report: ${(task ?? runId).slice(0, 200)}`,
          description: listedAt(at),
          mimeType: 'text/html',
        })),
    }),
  });
  const about = { title: 'The report of a run', description: 'A page with the answer, its evidence and its steps.' };
  server.registerResource('report', template, { ...about, mimeType: 'text/html' }, async (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'text/html', text: await reportOf(String(id)) }],
  }));
}

function registerContexts(server: McpServer, world: World): void {
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

/** Registers `rlm://runs/ID`, `rlm://runs/ID/report` and `rlm://contexts/NAME`. */
export function registerResources(server: McpServer, world: World): void {
  registerRuns(server);
  registerReports(server);
  registerContexts(server, world);
}
