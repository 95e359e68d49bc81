import { describe, expect, it } from 'vitest';
import { warned } from '../support/warned.ts';
import { startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const cwd = createFolder({ 'notes.md': 'The pool was limited to 20 connections.' });
const ask = ['ask', 'What was the pool limited to?', 'notes.md', '--json'];

describe.concurrent('a flag without an effect', { timeout: 60_000 }, () => {
  it.each([
    [['mcp', '--watch'], '--watch needs --index'],
    [['mcp', '.', '--write'], '--write needs install'],
    [['mcp', '.', '--token-file', 'notes.md'], '--token-file needs --http'],
    [['mcp', 'install', 'cursor', '--seed', '3'], 'install does not take --seed'],
    [['eval', 'q.jsonl', '--samples', '3'], '--samples needs make'],
    [['eval', 'q.jsonl', '-o', 'out'], '--output needs make'],
    [['eval', 'q.jsonl', '--against', 'last.json'], '--against needs --max-regression'],
    [['eval', 'make', 'niah', '--resume'], 'make does not take --resume'],
    [['eval', 'init', '--json'], 'init does not take --json'],
  ])('is refused: %j', async (args, message) => {
    const run = await rlm(args, { cwd });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is named once in the warnings, with the reason', async () => {
    const flagsOf = async (args: readonly string[], env = {}) => {
      const told = warned(resultOf(await rlm([...ask, ...args], { cwd, env })), 'configuration');
      return [...told.matchAll(/^(--\S+) has no effect/gm)].map(([, flag]) => flag);
    };
    const idle = ['--seed', '3', '--reasoning', 'low', '--host', 'http://127.0.0.1:1', '--tools', 'grep'];
    expect(await flagsOf(['-p', 'extractive', ...idle])).toEqual(['--seed', '--reasoning', '--host', '--tools']);
    const words = ['--retrieval', 'lexical', '--embedding-model', 'some'];
    expect(await flagsOf(['-p', 'extractive', ...words], { RLM_SEED: '3' })).toEqual(['--embedding-model']);
    const server = await startServer({ answer: 'It was limited to 20 [P1].' });
    const asked = ['--seed', '3', '--fail-count', '2', '--child-tools', 'full'];
    expect(await flagsOf(asked, server.env)).toEqual([]);
    expect(await flagsOf([...asked, '--strategy', 'direct'], server.env)).toEqual(['--fail-count', '--child-tools']);
  });
});
