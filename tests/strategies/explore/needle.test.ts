import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/index.ts';
import { askScripted, finalAnswer, look, variables } from '../../support/scripted-run.ts';

const words =
  'the harbour office keeps a list of all ships that came and went since the winter of the long frost'.split(' ');

/** Creates about this many tokens of prose, always the same, with one line that states a number. */
function haystack(tokens: number, depth: number): string {
  const lines = Array.from({ length: Math.ceil(tokens / 14) }, (_, line) =>
    Array.from({ length: 12 }, (_, at) => words[(line * 7 + at * 5) % words.length]).join(' '),
  );
  lines[Math.floor(lines.length * depth)] = `One of the special magic numbers for apple-pie is ${tokens + 48_151}.`;
  return lines.join('\n');
}

/** A model that makes the obvious search and answers from its result. */
function searcher(request: ModelRequest) {
  const [step] = variables(request, 'explore').steps;
  if (step === undefined) return look(['grep', { pattern: 'magic numbers? .*apple-pie' }]);
  const [, passage, number] = /\[(P\d+)\] \d+: .*apple-pie is (\d+)\./.exec(step.calls[0]!.result)!;
  return finalAnswer(`It is ${number} [${passage}].`);
}

it.each([
  [10_000, 0.1],
  [100_000, 0.5],
  [1_000_000, 0.95],
])('a needle in %i tokens is found with the same number of calls', async (tokens, depth) => {
  const documents = [{ name: 'text.txt', text: haystack(tokens, depth) }];
  const { result } = await askScripted(
    { explore: searcher },
    { documents, settings: { strategy: 'explore' } },
    'What is the special magic number for apple-pie?',
  );
  expect(result).toMatchObject({
    status: 'answered',
    answer: `It is ${tokens + 48_151} [1].`,
    citations: [{ source: 'text.txt' }],
    usage: { calls: 4 },
  });
});
