import { listRuns, showRun } from '../api/runs/recorded-runs.ts';
import { renderReport } from '../api/runs/reports.ts';
import { beginning } from '../base/text.ts';
import { ToolFailure } from './arguments.ts';
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from './protocol.ts';
import type { NamedContext } from './text/contexts.ts';
import type { World } from './world.ts';

const listed = 50;
const mostBytes = 1_000_000;
/** In UTF-16 units. */
const longestReport = 4_000_000;

/** Returns the runs that were started in the server's working folder. */
export const ownRuns = async () => (await listRuns()).filter(({ cwd }) => cwd === process.cwd());

async function checkOwn(id: string): Promise<void> {
  if ((await ownRuns()).some(({ runId }) => runId === id)) return;
  throw new ToolFailure('run_not_found', `run ${id.slice(0, 100)} not found`);
}

function contextText({ context }: NamedContext): string {
  const parts: string[] = [];
  let room = mostBytes;
  for (const [document, { name: source, bytes }] of context.documents.entries()) {
    parts.push(`==> ${source} <==\n`, new TextDecoder().decode(context.read(document, 0, room), { stream: true }));
    room -= bytes;
    if (room < 0) return `${parts.join('')}\n[cut at ${mostBytes} bytes]`;
  }
  return parts.join('');
}

const toList = (runs: Awaited<ReturnType<typeof ownRuns>>, end: string, prefix: string) =>
  runs.slice(0, listed).map(({ runId, task, at }) => ({
    uri: `rlm://runs/${runId}${end && '/report'}`,
    name: `${runId}${end}`,
    title: `${prefix}${beginning(task ?? runId, 200)}`,
    description: `asked ${at ?? 'at an unknown time'}`,
  }));

const runs = {
  name: 'run',
  address: 'rlm://runs/{id}',
  about: {
    title: 'A recorded run',
    description: 'The question, the calls and the result.',
    mimeType: 'application/json',
  },
  list: async () => toList(await ownRuns(), '', ''),
  async read(id: string) {
    await checkOwn(id);
    return JSON.stringify(await showRun(id), null, 2);
  },
};

const reports = {
  name: 'report',
  address: 'rlm://runs/{id}/report',
  about: {
    title: 'The report of a run',
    description: 'A page with the answer, its evidence and its steps.',
    mimeType: 'text/html',
  },
  async list() {
    const ended = (await ownRuns()).filter(({ status }) => status !== 'running');
    return toList(ended, ' report', 'Report: ');
  },
  async read(id: string) {
    await checkOwn(id);
    const { text } = await renderReport(id);
    if (text.length <= longestReport) return text;
    throw new Error(`the report has ${text.length} characters; rlm report ${id} writes it to a file`);
  },
};

const contextsOf = (world: World) => ({
  name: 'context',
  address: 'rlm://contexts/{name}',
  about: { title: 'A loaded context', description: 'Its text, at most 1 MB.', mimeType: 'text/plain' },
  list: async () =>
    world.contexts.list().map(({ name, from }) => {
      return { uri: `rlm://contexts/${encodeURIComponent(name)}`, name, description: from };
    }),
  read: async (id: string) => world.contexts.use(decodeURIComponent(id), async (found) => contextText(found)),
});

/** Reports an unknown name or a wrong address as a wrong parameter. The protocol reports other errors as internal. */
function refuse(error: unknown): never {
  if (!(error instanceof ToolFailure) && !(error instanceof URIError)) throw error;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
}

/** Registers `rlm://runs/ID`, `rlm://runs/ID/report` and `rlm://contexts/NAME`. */
export function registerResources(server: McpServer, world: World): void {
  for (const { name, address, about, list, read } of [runs, reports, contextsOf(world)]) {
    const { mimeType } = about;
    const listAll = async () => ({ resources: (await list()).map((one) => ({ ...one, mimeType })) });
    const template = new ResourceTemplate(address, { list: listAll });
    server.registerResource(name, template, about, async ({ href: uri }, variables) => ({
      contents: [{ uri, mimeType, text: await read(String(Object.values(variables)[0])).catch(refuse) }],
    }));
  }
}
