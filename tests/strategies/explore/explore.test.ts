import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/index.ts';
import type { Reply } from '../../../src/prompts/index.ts';
import type { ScriptedOptions } from '../../../src/providers/scripted.ts';
import { askScripted, failing, finalAnswer, look, type Script, variables } from '../../support/scripted-run.ts';

const filler = (about: string, count: number) =>
  Array.from({ length: count }, (_, line) => `${about} entry ${line}: nothing else happened.`).join('\n');

const documents = [
  {
    name: 'log.txt',
    text: `${filler('early', 2_000)}\nThe pool was lowered to 4 by config C-1187.\n${filler('late', 2_000)}\n`,
  },
  { name: 'src/commits.md', text: `# Commits\nC-1187 was authored by Mara.\n${filler('commit', 300)}\n` },
];

type Step = Reply<'explore'>;
type Settings = NonNullable<Parameters<typeof askScripted>[1]>['settings'];

const noted = (step: Step, ...findings: Step['findings']): Step => ({ ...step, findings });
const fact = (evidence: string, source: string, line: number) => ({
  description: `It says: ${evidence}`,
  evidence,
  source,
  startLine: line,
  endLine: line,
  confidence: 90,
});

async function exploring(
  steps: readonly (Step | string | object)[],
  settings: Settings = {},
  script: Script = {},
  scripted: ScriptedOptions = {},
) {
  const explore = (_: ModelRequest, index: number) => steps[index] ?? finalAnswer('No more steps.');
  const asked = await askScripted(
    { explore, ...script },
    { documents, settings: { strategy: 'explore', ...settings }, scripted },
    'Who lowered the pool?',
  );
  const tree = asked.result.recursionTree!;
  return {
    ...asked,
    tree,
    steps: tree.steps,
    results: tree.steps.map(({ calls }) => calls.map(({ result }) => result)),
  };
}

describe('exploring', () => {
  it('looks, notes what it finds, and answers with checked citations', async () => {
    const { result, tree, steps } = await exploring([
      look(['search_context', { words: 'pool lowered' }], ['describe_context', {}]),
      noted(look(['search_context', { pattern: 'C-1187' }]), fact('lowered to 4 by config C-1187', 'log.txt', 2_001)),
      noted(
        finalAnswer('Mara, by C-1187 [P117].', { evidence: [{ passage: 'P117', quote: 'authored by Mara' }] }),
        fact('C-1187 was authored by Mara', 'commits.md', 2),
      ),
    ]);
    expect(result).toMatchObject({ status: 'answered', answer: expect.stringContaining('Mara') });
    expect(steps.map(({ number, calls }) => [number, calls.length])).toEqual([
      [1, 2],
      [2, 1],
      [3, 1],
    ]);
    expect(steps[0]!.calls[0]!.result).toMatch(/log\.txt:2001: The pool was lowered to 4/);
    expect(steps[1]!.findings).toMatchObject([
      { source: 'log.txt', startLine: 2001, passage: expect.stringMatching(/^P\d+$/) },
    ]);
    expect(tree.strategy).toBe('explore');
  });
});
