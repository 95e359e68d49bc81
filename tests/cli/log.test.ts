import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/cli/log.ts';
import type { EventBody } from '../../src/run/events.ts';
import { createFolder } from '../e2e/run-rlm.ts';

const told = 'The pool holds 4.';
const call = { path: '0', step: 1, call: 1 };

const bodies: readonly EventBody[] = [
  { type: 'node.started', path: '0', depth: 0, question: 'How large is the pool?' },
  { type: 'answer.progress', call: 1, from: 0, text: told },
  {
    ...call,
    type: 'tool.called',
    tool: 'grep',
    arguments: { pattern: told },
    outcome: 'done',
    result: `a.md:1: ${told}`,
  },
  { ...call, type: 'step.completed', thought: told, next: told, findings: [], summarisedTo: 0, timeMs: 1 },
  { type: 'evidence.checked', answer: told, claims: [], contradictions: [] },
];

describe('the log', () => {
  it('contains the questions, and no words of an answer or of a document', async () => {
    const path = join(createFolder(), 'run.log');
    const log = createLog(false, path);
    bodies.forEach((body, at) => void log.onEvent({ ...body, seq: at + 1, at: 'now', runId: 'r' }));
    await log.close();
    const text = readFileSync(path, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual(bodies.map(({ type }) => type));
    expect(lines[0]).toMatchObject({ question: 'How large is the pool?', level: 30 });
    expect(lines[2]).toMatchObject({ tool: 'grep', outcome: 'done' });
    expect(text).not.toContain(told);
  });
});
