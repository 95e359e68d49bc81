import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type OfficialTools, program, type Report, root } from './official-tools.ts';

const atOnce = 200;

/** Makes many concurrent calls of one client, and checks that each is answered rightly. */
export async function checkManyCalls({ env }: OfficialTools, report: Report): Promise<void> {
  const args = [program, 'mcp', 'examples/incident', '-p', 'extractive'];
  const stdio = {
    command: process.execPath,
    args,
    cwd: root,
    stderr: 'ignore',
    env: env as Record<string, string>,
  } as const;
  const client = new Client({ name: 'many', version: '1.0.0' });
  await client.connect(new StdioClientTransport(stdio));
  const startedAt = performance.now();
  const question = 'How many WARN lines are there?';
  const asked = Array.from({ length: atOnce }, () =>
    client.callTool({ name: 'rlm_ask', arguments: { question } }, { timeout: 600_000 }),
  );
  const results = await Promise.all(asked);
  const good = results.filter(({ structuredContent }) => JSON.stringify(structuredContent).includes('812 lines'));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`${atOnce} calls at once`, good.length === atOnce, `${good.length} answered in ${seconds} s`);
  await client.close();
}
