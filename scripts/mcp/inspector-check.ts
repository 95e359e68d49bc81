/** Lists and calls every tool with the official inspector, with and without a handshake. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mcpTools } from '../../src/mcp/tools/index.ts';
import { type OfficialTools, program, type Report, root } from './official-tools.ts';

const token = 'a-token-for-the-inspector-alone-0123456789';

/** Results of earlier calls: the handle of a context, and the id of a run. */
interface Known {
  readonly context: string;
  readonly runId: string;
}

/** Returns calls of every tool with valid arguments, in an order that satisfies their dependencies. */
const calls: readonly (readonly [tool: string, given: (known: Known) => readonly string[]])[] = [
  ['rlm_ask', () => ['question=How many WARN lines are there?']],
  ['rlm_search', () => ['query=pool exhausted']],
  ['rlm_query', () => ['sql=select level, count(*) from log group by 1']],
  ['rlm_start', () => ['question=How many WARN lines are there?']],
  ['rlm_result', ({ runId }) => [`run_id=${runId}`]],
  ['rlm_runs', () => []],
  ['rlm_load_context', () => ['name=log', 'path=examples/incident']],
  ['rlm_inspect_context', ({ context }) => [`name=${context}`]],
  ['rlm_chunk_context', ({ context }) => [`name=${context}`]],
  ['rlm_get_chunk', ({ context }) => [`name=${context}`, 'chunk_index=0']],
  ['rlm_filter_context', ({ context }) => [`name=${context}`, 'output_name=warn', 'pattern=WARN']],
  ['rlm_list_contexts', () => []],
  ['rlm_sub_query', ({ context }) => ['query=What failed first?', `context_name=${context}`]],
  [
    'rlm_sub_query_batch',
    ({ context }) => ['query=What failed first?', `context_name=${context}`, 'chunk_indices=[0,1]'],
  ],
];

/** The output of a tool call. */
interface Printed {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

function read(stdout: string): Printed {
  try {
    return JSON.parse(stdout) as Printed;
  } catch {
    return { isError: true };
  }
}

async function startServer({ folder, env }: OfficialTools) {
  const file = join(folder, 'token');
  writeFileSync(file, token);
  const args = [program, 'mcp', 'examples', '-p', 'extractive', '--http', '0', '--token-file', file];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /http:\S+\/mcp/.exec(line)?.[0];
    if (address !== undefined) return { address, stop: () => child.kill() };
  }
  throw new Error('rlm mcp --http has ended');
}

async function callAll(era: string, tools: OfficialTools, address: string, report: Report): Promise<void> {
  let known: Known = { context: '', runId: '' };
  for (const [name, given] of calls) {
    const args = given(known).flatMap((one) => ['--tool-arg', one]);
    const target = ['--cli', '--protocol-era', era, address, '--header', `Authorization: Bearer ${token}`];
    const { stdout } = await tools.run('mcp-inspector', [
      ...target,
      '--method',
      'tools/call',
      '--tool-name',
      name,
      ...args,
    ]);
    const { isError = false, content = [], structuredContent = {} } = read(stdout);
    report(
      `inspector, ${era}: ${name}`,
      !isError && content.length > 0,
      (content[0]?.text ?? stdout).slice(0, 60).replace(/\s+/g, ' '),
    );
    const { name: context, run_id: runId } = structuredContent as Readonly<Record<string, string>>;
    if (name === 'rlm_load_context') known = { ...known, context: context! };
    if (name === 'rlm_start') known = { ...known, runId: runId! };
  }
}

/** Lists the tools over stdio, and calls them over HTTP, where contexts outlive the inspector's process. */
export async function checkInspector(tools: OfficialTools, report: Report): Promise<void> {
  const { address, stop } = await startServer(tools);
  try {
    for (const era of ['legacy', 'modern']) {
      const server = [process.execPath, program, 'mcp', 'examples', '-p', 'extractive', '--tools', 'grep,read_file'];
      const args = ['--cli', '--protocol-era', era, ...server, '--method', 'tools/list', '--strict'];
      const { code, stdout, stderr } = await tools.run('mcp-inspector', args);
      const missing = mcpTools.filter(
        ({ name }) => !stdout.includes(`"name": "${name}"`) || !calls.some(([one]) => one === name),
      );
      report(`inspector, ${era}: tools/list --strict`, code === 0 && missing.length === 0, stderr.trim());
      await callAll(era, tools, address, report);
    }
  } finally {
    stop();
  }
}
