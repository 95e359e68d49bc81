import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kinds, placeOf, wanted } from '../../scripts/able/question.ts';
import { lineOf, makeSuite } from '../../scripts/able/suite.ts';
import { parseSamples } from '../../src/eval/samples/read-samples.ts';
import { score } from '../../src/eval/scorers/score.ts';
import type { Result } from '../../src/index.ts';

const suites = new Map<number, ReturnType<typeof makeSuite>>();

/** Makes the suite of a seed, once, because that takes seconds. */
function suiteOf(seed: number) {
  const made = suites.get(seed) ?? makeSuite(seed);
  suites.set(seed, made);
  return made;
}

const suite = suiteOf(7);

const question = (id: string) => suite.questions.find((one) => one.id === id)!;

it('makes the same bytes from the same seed, and others from another', () => {
  const [again, other] = [makeSuite(7), suiteOf(8)];
  expect([...again.texts]).toEqual([...suite.texts]);
  expect(again.questions.map(lineOf)).toEqual(suite.questions.map(lineOf));
  const made = [...suite.texts.keys()].filter((path) => !path.includes('/source/'));
  expect(made.filter((path) => other.texts.get(path) === suite.texts.get(path))).toEqual([]);
});

it('has five questions of each kind, half of them in each half, about texts of this half alone', () => {
  const counts = kinds.map((_, kind) => suite.questions.filter((one) => placeOf(one)[0] === kind).length);
  expect(counts).toEqual(kinds.map(() => 5));
  expect(suite.questions.filter(({ half }) => half === 'dev')).toHaveLength(20);
  for (const { half, paths } of suite.questions) expect(paths.every((path) => path.startsWith(`${half}/`))).toBe(true);
});

it('asks about texts of 60 kB to 5 MB', () => {
  for (const { paths } of suite.questions) {
    const texts = [...suite.texts].filter(([name]) => paths.some((path) => name.startsWith(path)));
    const bytes = texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeGreaterThan(60_000);
    expect(bytes).toBeLessThan(5_000_000);
  }
});

it.each([7, 8, 9, 10])('has targets that can be computed from the texts of seed %i', (seed) => {
  const { questions, texts } = suiteOf(seed);
  const computed = questions.map((one) => [one.id, one.check(texts)]);
  expect(computed).toEqual(questions.map((one) => [one.id, wanted(one)]));
});

it.each([
  [
    'absent-0',
    'test/office/minutes.md',
    /works at (\w+)/,
    'At $ the last list of defects is ticked off, and it is ours now.',
  ],
  ['absent-1', 'dev/office/people.md', /for (.+)\?/, 'When $ is ill, Xaver Ypsen signs.'],
  ['absent-4', 'test/letters.txt', /cake/, 'I had the $ baked in Ypsendorf.'],
])('notices when the texts answer %s', (id, path, asked, sentence) => {
  const one = question(id);
  const found = asked.exec(one.question)!;
  const told = `${suite.texts.get(path)}\n${sentence.replace('$', found[1] ?? found[0])}\n`;
  expect(one.check(suite.texts)).toBe(true);
  expect(one.check(new Map(suite.texts).set(path, told))).toBe(false);
});

it.each([
  ['meaning-0', 'dev'],
  ['meaning-1', 'test'],
])('counts the letters of the given text: %s', (id, half) => {
  const path = `${half}/letters.txt`;
  const letters = suite.texts.get(path)!.split(/^(?=--- \d+ ---$)/m);
  const count = (some: readonly string[]) => Number(question(id).check(new Map([[path, some.join('')]])));
  const first = count(letters.slice(0, 60));
  expect(letters).toHaveLength(195);
  expect(first).toBeGreaterThan(0);
  expect(first + count(letters.slice(60))).toBe(wanted(question(id)));
});

it('writes questions that an evaluation can read', () => {
  const samples = parseSamples(suite.questions.map(lineOf).join('\n'), '/texts/questions.jsonl');
  expect(samples.map(({ id }) => id)).toEqual(suite.questions.map(({ id }) => id));
  expect(samples.filter(({ answerable }) => !answerable)).toHaveLength(5);
});

it('scores the answers of an able model as people labelled them', () => {
  const samples = new Map(parseSamples(suite.questions.map(lineOf).join('\n'), 'q.jsonl').map((one) => [one.id, one]));
  const file = readFileSync(new URL('data/labelled-answers.jsonl', import.meta.url), 'utf8');
  const labelled = file
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { id: string; arm: string; right: boolean; tells: Result['tells']; answer: string },
    );
  const wrongly = labelled.filter(({ id, right, tells, answer }) => {
    const { lenient } = score(samples.get(id)!, { answer, sources: [], tells });
    return lenient >= 0.5 !== right;
  });
  expect(labelled).toHaveLength(72);
  expect(wrongly.map(({ id, arm }) => `${id} ${arm}`)).toEqual([]);
});
