import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArms } from '../../../src/eval/arms/arm.ts';
import { type MakeOptions, makeTasks, taskKinds } from '../../../src/eval/make/make.ts';
import { createRandom } from '../../../src/eval/make/task.ts';
import { evaluate } from '../../../src/eval/run/evaluate.ts';
import { readSamples } from '../../../src/eval/samples/read-samples.ts';
import { score } from '../../../src/eval/scorers/score.ts';
import { createScriptedProvider, loadConfiguration, type ModelRequest } from '../../../src/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { guessers, solvers } from './solvers.ts';

const away = { cwd: import.meta.dirname, env: { HOME: '/dev/null/nowhere' } };

function options(changes: Partial<MakeOptions>): MakeOptions {
  return {
    kind: 'niah',
    tokens: [2_000],
    samples: 12,
    seed: 1,
    haystack: [],
    output: join(tempFolder(), 'out'),
    configuration: loadConfiguration(away),
    signal: new AbortController().signal,
    ...changes,
  };
}

async function made(changes: Partial<MakeOptions>) {
  const { questions } = await makeTasks(options(changes));
  const samples = readSamples(questions);
  return samples.map((sample) => ({ sample, text: readFileSync(sample.paths![0]!, 'utf8') }));
}

/** A reply with all scores. */
const scored = (sample: Parameters<typeof score>[0], answer: string) => score(sample, { answer, sources: [] });

describe.each(taskKinds)('%s', (kind) => {
  it('is solved completely by an informed solver, leniently and strictly', async () => {
    for (const { sample, text } of await made({ kind, tokens: [1_000, 3_000], samples: 24 })) {
      const { lenient, strict } = scored(sample, solvers[kind]!(sample.question, text));
      expect([sample.id, lenient, strict]).toEqual([sample.id, 1, 1]);
    }
  });

  it('is near chance for a guesser', async () => {
    const random = createRandom(7);
    const scores = (await made({ kind, samples: 40 })).map(({ sample, text }) =>
      scored(sample, guessers[kind]!(sample.question, text, random.below)),
    );
    const mean = scores.reduce((sum, { strict }) => sum + strict, 0) / scores.length;
    const chance: Record<string, number> = { oolong: 0.45, pairs: 0.25, multihop: 0.2 };
    expect(mean).toBeLessThan(chance[kind] ?? 0.1);
  });

  it('does not score completely for a reply that repeats the whole text', async () => {
    for (const { sample, text } of await made({ kind, samples: 8 }))
      expect(scored(sample, text).strict).toBeLessThan(0.9);
  });

  it('has about the requested length, the same for the same seed, and another for another seed', async () => {
    const [first, again, other] = [await made({ kind }), await made({ kind }), await made({ kind, seed: 2 })];
    expect(first.map(({ text }) => text)).toEqual(again.map(({ text }) => text));
    expect(first[0]!.text).not.toBe(other[0]!.text);
    for (const { text } of first) {
      expect(text.length / 4).toBeGreaterThan(1_500);
      expect(text.length / 4).toBeLessThan(2_600);
    }
  });
});

/** Returns the text within a plain prompt. */
const textOf = ({ messages }: ModelRequest) =>
  /lines="[^"]*">\n([\s\S]*)\n<\/passage>/.exec(messages.at(-1)!.content)![1]!;

it('a scripted model that solves everything is right on all tasks, from the file to the result', async () => {
  const folder = tempFolder();
  for (const kind of taskKinds) {
    const { questions } = await makeTasks(options({ kind, samples: 4, output: join(folder, kind) }));
    const query = (request: ModelRequest) =>
      solvers[kind]!(request.messages.at(-1)!.content.split('\n')[0]!, textOf(request));
    const { outcomes } = await evaluate({
      samples: readSamples(questions),
      arms: parseArms(['plain'], []),
      paths: [],
      flags: new Map(),
      limits: { calls: null, tokens: null, usd: null },
      resume: false,
      judge: null,
      record: null,
      replay: null,
      signal: new AbortController().signal,
      provider: createScriptedProvider({ query }),
      cwd: folder,
      env: { HOME: folder },
    });
    expect(outcomes.map(({ sample, score: { lenient, strict } }) => [sample, lenient, strict])).toEqual(
      outcomes.map(({ sample }) => [sample, 1, 1]),
    );
  }
});

describe('making tasks', () => {
  it("hides them in the user's own text", async () => {
    const notes = join(tempFolder({ 'a.md': '# Notes\n\nThe boat left at dawn. Nobody saw it.\n' }), 'a.md');
    const [only] = await made({ haystack: [notes], samples: 1 });
    const { text } = only!;
    expect(text).toContain('Nobody saw it.');
    expect(text).not.toContain('The grass is green.');
  });

  it('refuses an unknown kind, and a folder that is in use', async () => {
    expect(await errorOf(makeTasks(options({ kind: 'constructor' })))).toMatchObject({ code: 'usage' });
    const output = tempFolder({ 'questions.jsonl': '' });
    expect(await errorOf(makeTasks(options({ output })))).toMatchObject({ code: 'output-unwritable' });
  });

  it("keeps a file of the user that has a text's name", async () => {
    const output = tempFolder({ 'text/niah-1k-1.txt': 'mine' });
    const error = await errorOf(makeTasks(options({ output, tokens: [1_000], samples: 1 })));
    expect(error).toMatchObject({ code: 'output-unwritable', message: expect.stringContaining('(EEXIST)') });
    expect(readFileSync(join(output, 'text', 'niah-1k-1.txt'), 'utf8')).toBe('mine');
  });

  it('reports a folder that cannot be written', async () => {
    const output = join(tempFolder({ taken: '' }), 'taken', 'tasks');
    const error = await errorOf(makeTasks(options({ output })));
    expect(error).toMatchObject({ code: 'output-unwritable', message: expect.stringContaining('(ENOTDIR)') });
  });
});
