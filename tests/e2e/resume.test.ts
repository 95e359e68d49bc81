import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

describe('rlm resume', () => {
  it('goes on after a limit was raised, and makes no recorded call again', async () => {
    const state = createFolder();
    const cwd = createFolder({ 'a.md': 'The pool ran out.\n' });
    const server = await startServer({});
    const env = { RLM_HOME: state, OLLAMA_HOST: server.url };
    const first = await rlm(['ask', 'Why did it fail?', 'a.md', '--json', '--max-calls', '1'], { cwd, env });
    expect(first.code).toBe(6);
    const [runId] = readdirSync(join(state, 'runs')) as [string];
    expect(first.stderr).toContain(`To go on: rlm resume ${runId}`);
    const asked = server.requests.length;
    const second = await rlm(['resume', '--json', '--max-calls', '20'], { env });
    expect(second.code, second.stderr).toBe(0);
    const result = resultOf(second);
    expect(result).toMatchObject({ runId, status: 'answered', error: null, resumable: false });
    expect(result.usage.replayedCalls).toBe(asked);
    expect(server.requests.length).toBe(result.usage.calls);
    const journal = readFileSync(join(state, 'runs', runId, 'journal.jsonl'), 'utf8');
    expect(journal.match(/"type":"call"/g)).toHaveLength(result.usage.calls);
  });
});
