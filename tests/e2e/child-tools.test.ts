import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatCall, promptOf } from '../servers/ollama-server.ts';
import { everyStage, plan, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm } from './run-rlm.ts';

const noise = (about: string) =>
  Array.from({ length: 1_500 }, (_, line) => `${about} ${line}: the ${about} service answered in time.`).join('\n');

/** More text than the largest window holds; who wrote the change is said in other words than the question's. */
const bigFolder = () =>
  createFolder({
    'checkout.log': `${noise('checkout')}\nThe pool was lowered by config C-1187.\n${noise('orders')}\n`,
    'commits.md': `${noise('commit')}\nC-1187 authored: Mara Lindgren\n`,
  });

const question = 'By whom was the pool lowered?';
const passageWith = ({ messages }: ChatCall, words: string) =>
  messages
    .at(-1)!
    .content.split('<passage ')
    .find((passage) => passage.includes(words))
    ?.match(/id="(P\d+)"/)?.[1];

/** Asks for the search that the first passage suggests, and answers from what that brings. */
function searching(call: ChatCall) {
  const found = passageWith(call, 'authored: Mara');
  const nothing = { citations: [], assumptions: [] };
  if (found === undefined) return { searches: ['C-1187 authored'], answer: '', ...nothing };
  return { searches: [], answer: `Mara Lindgren [${found}].`, ...nothing };
}

const handlers = {
  planner: plan('decompose', [question, 'What was lowered?']),
  search: searching,
  compose: (call: ChatCall) => ({
    finalAnswer: `Mara ${/\[P\d+\]/.exec(call.messages.at(-1)!.content)![0]}.`,
    assumptions: [],
  }),
};

const ask = ['ask', 'Who lowered the pool, and by what?', '.', '--child-tools', 'full'];

describe.concurrent('--child-tools full', () => {
  it('lets a part search further, and shows it in the events, the tree and rlm runs show', async () => {
    const cwd = bigFolder();
    const server = await startServer(handlers);
    const env = { ...server.env, RLM_HOME: join(cwd, '.state') };
    const run = await rlm([...ask, '--format', 'ndjson'], { cwd, env });
    expect(run.code).toBe(0);
    const { events, last } = eventsOf(run);
    const [child] = last.result.recursionTree!.children;
    expect(child).toMatchObject({ question, searches: [{ query: 'C-1187 authored' }] });
    expect(child!.citations).toMatchObject([{ source: 'commits.md' }]);
    expect(last.result.citations).toMatchObject([{ source: 'commits.md' }]);
    expect(events.filter(({ type }) => type === 'search.completed')).toContainEqual(
      expect.objectContaining({ path: '0.1', query: 'C-1187 authored', found: child!.searches[0]!.found }),
    );
    const shown = await rlm(['runs', 'show', last.result.runId!], { cwd, env });
    expect(shown.stdout).toMatch(/searched for "C-1187 authored": \d passages?/);
    expect(server.requests.map(({ cut }) => cut)).not.toContain(true);
  });

  it('documents searches only to the parts that have them', async () => {
    const server = await startServer(handlers);
    await rlm([...ask, '--json'], { cwd: bigFolder(), env: server.env });
    const mentions = ({ messages }: ChatCall) =>
      messages.some(({ content }) => /ask for (?:no )?searches/.test(content));
    for (const call of server.requests) expect(mentions(call)).toBe(promptOf(call) === 'search');
    expect(server.requests.some(mentions)).toBe(true);
  });

  it('is replayed without a model, searches included', async () => {
    const cwd = bigFolder();
    const server = await startServer(handlers);
    const first = resultOf(await rlm([...ask, '--json', '--record', 'run.cassette'], { cwd, env: server.env }));
    const again = await rlm([...ask, '--json', '--replay', 'run.cassette', '--concurrency', '1'], {
      cwd,
      env: everyStage,
    });
    expect(again.code).toBe(0);
    const trees = [first, resultOf(again)].map(({ recursionTree }) =>
      recursionTree!.children.map(({ answer, searches }) => ({ answer, searches })),
    );
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[0]![0]!.searches).toHaveLength(1);
  });

  it('does nothing where no model asks for searches', async () => {
    const asked = ['ask', 'Which config lowered the pool, and who authored C-1187?', ...ask.slice(2)];
    const flags = ['--strategy', 'decompose', '--provider', 'extractive', '--json'];
    const run = await rlm([...asked, ...flags], { cwd: bigFolder() });
    expect(run.code).toBe(0);
    const { recursionTree, answer } = resultOf(run);
    expect(answer).toContain('Mara Lindgren');
    expect(recursionTree!.children.map(({ searches }) => searches)).toEqual([[], []]);
  });
});
