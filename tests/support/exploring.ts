import type { ModelRequest } from '../../src/index.ts';
import type { Reply } from '../../src/prompts/index.ts';
import type { ScriptedOptions } from '../../src/providers/scripted/provider.ts';
import { askScripted, finalAnswer, type Script } from './scripted-run.ts';

const filler = (about: string, count: number) =>
  Array.from({ length: count }, (_, line) => `${about} entry ${line}: nothing else happened.`).join('\n');

/** Two documents that together do not fit one prompt. Two steps show who lowered the pool. */
export const logs = [
  {
    name: 'log.txt',
    text: `${filler('early', 2_000)}\nThe pool was lowered to 4 by config C-1187.\n${filler('late', 2_000)}\n`,
  },
  { name: 'src/commits.md', text: `# Commits\nC-1187 was authored by Mara.\n${filler('commit', 300)}\n` },
];

export type Step = Reply<'explore'>;

/** Creates a step that also notes these findings. */
export const noting = (step: Step, ...findings: Step['findings']): Step => ({ ...step, findings });

export const fact = (evidence: string, source: string, line: number) => ({
  description: `It says: ${evidence}`,
  evidence,
  source,
  startLine: line,
  endLine: line,
  confidence: 90,
});

export const lowered = fact('lowered to 4 by config C-1187', 'log.txt', 2_001);
export const authored = fact('C-1187 was authored by Mara', 'src/commits.md', 2);

interface Options {
  readonly settings?: object;
  readonly script?: Script;
  readonly scripted?: ScriptedOptions;
  readonly documents?: typeof logs;
}

/** Asks a model that takes these steps, each a reply or a function of its request, and then answers. */
export async function explore(steps: readonly (Step | Error | string | object)[], options: Options = {}) {
  const { settings = {}, script = {}, scripted = {}, documents = logs } = options;
  const reply = (request: ModelRequest, index: number) => {
    const step = steps[index] ?? finalAnswer('Nothing more.');
    return typeof step === 'function' ? step(request) : step;
  };
  const asked = await askScripted(
    { explore: reply, ...script },
    { documents, settings: { strategy: 'explore', context: { maxWindowTokens: 16_384 }, ...settings }, scripted },
    'Who lowered the pool?',
  );
  const tree = asked.result.recursionTree!;
  const results = tree.steps.map(({ calls }) => calls.map(({ result }) => result));
  return { ...asked, tree, steps: tree.steps, results };
}
