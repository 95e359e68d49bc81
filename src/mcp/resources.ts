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

/** Returns the HTML report of a run that has ended. Throws Error when the report is too long for a resource. */
async function reportOf(id: string): Promise<string> {
  await checkOwn(id);
  const { text } = await renderReport(id);
  if (text.length <= longestReport) return text;
  throw new Error(`the report has ${text.length} characters; rlm report ${id} writes it to a file`);
}

/** A resource as clients see it in a list. */
interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
}

/** A kind of resource, whose URI holds the name of one in braces. */
interface ResourceKind {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  list(): Promise<readonly Listed[]>;
  /** Throws Error when there is none of that name. */
  read(name: string): Promise<string>;
}

const longestTitle = 200;

const listedRun = ({ runId, task, at }: Awaited<ReturnType<typeof ownRuns>>[number]): Listed => ({
  uri: `rlm://runs/${runId}`,
  name: runId,
  title: (task ?? runId).slice(0, longestTitle),
  description: `asked ${at ?? 'at an unknown time'}`,
});

function listedReport(run: Awaited<ReturnType<typeof ownRuns>>[number]): Listed {
  const { uri, name, title, description } = listedRun(run);
  return { uri: `${uri}/report`, name: `${name} report`, title: `Report: ${title}`, description };
}

const kindsOf = (world: World): readonly ResourceKind[] => [
  {
    uri: 'rlm://runs/{id}',
    name: 'run',
    title: 'A recorded run',
    description: 'The question, the calls and the result.',
    mimeType: 'application/json',
    list: async () => (await ownRuns()).slice(0, listed).map(listedRun),
    read: runText,
  },
  {
    uri: 'rlm://runs/{id}/report',
    name: 'report',
    title: 'The report of a run',
    description: 'A page with the answer, its evidence and its steps.',
    mimeType: 'text/html',
    list: async () =>
      (await ownRuns())
        .filter(({ status }) => status !== 'running')
        .slice(0, listed)
        .map(listedReport),
    read: reportOf,
  },
  {
    uri: 'rlm://contexts/{name}',
    name: 'context',
    title: 'A loaded context',
    description: 'Its text, at most 1 MB.',
    mimeType: 'text/plain',
    list: async () =>
      world.contexts.list().map(({ name, from }) => ({
        uri: `rlm://contexts/${encodeURIComponent(name)}`,
        name,
        description: from,
      })),
    read: (name) => contextText(world, decodeURIComponent(name)),
  },
];

/** Registers `rlm://runs/ID`, `rlm://runs/ID/report` and `rlm://contexts/NAME`. */
export function registerResources(server: McpServer, world: World): void {
  for (const { uri: pattern, name: kind, list, read, ...about } of kindsOf(world)) {
    const { mimeType } = about;
    const template = new ResourceTemplate(pattern, {
      list: async () => ({ resources: (await list()).map((one) => ({ ...one, mimeType })) }),
    });
    server.registerResource(kind, template, about, async (uri, variables) => ({
      contents: [{ uri: uri.href, mimeType, text: await read(String(Object.values(variables)[0])) }],
    }));
  }
}
