import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { evalAble as evaluate } from '../../scripts/eval-able.ts';
import { tempFolder } from '../support/temp-folder.ts';

let asked = 0;
const chunk = (fields: object) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', id: 'x', ...fields })}\n\n`;

/** Starts an OpenAI-compatible server that gives every request the same answer. */
const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (request.url!.endsWith('/models')) {
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'able', object: 'model', max_model_len: 32_768 }] }));
    return;
  }
  asked += 1;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const delta = { role: 'assistant', content: 'It is the third flowerpot from the left.' };
  response.write(chunk({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const usage = { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 };
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }));
  response.end('data: [DONE]\n\n');
});

beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue(undefined));
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));
afterAll(() => void vi.restoreAllMocks());

/** Runs the script, and returns its tables and its exit status. */
async function evalAble(recorded: string, ...args: readonly string[]) {
  const common = ['--recorded', recorded, '--window', '8192', '--arms', 'rag,plain', '--half', 'dev'];
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await evaluate([...common, ...args], print, new AbortController().signal);
  return { code, stdout: printed.join('') };
}

const withModel = () => [
  '--model',
  'able',
  '--base-url',
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
];

it('asks unrecorded questions, and replays the same tables from texts in another folder', async () => {
  const recorded = join(tempFolder(), 'recorded');
  const first = await evalAble(recorded, '--first', '3', ...withModel());
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('| rag | 1 of 3 | 33 (6–79) | 3 |');
  expect(readdirSync(join(recorded, '8192'))).toEqual([
    'hops-1.rag.gz',
    'look-up-0.rag.gz',
    'meaning-0.plain.gz',
    'meaning-0.rag.gz',
  ]);
  const calls = asked;
  expect(await evalAble(recorded, '--first', '3')).toEqual(first);

  rmSync(join(recorded, '8192/meaning-0.plain.gz'));
  const further = await evalAble(recorded, '--first', '4');
  expect(further.code).toBe(5);
  expect(further.stdout).toContain('Not recorded for rag at 8192: records-1\n');
  expect(further.stdout).toContain('Not recorded for plain at 8192: meaning-0\n');
  expect((await evalAble(recorded, '--first', '4', ...withModel())).code).toBe(0);
  expect(asked - calls).toBe(2);
}, 120_000);
