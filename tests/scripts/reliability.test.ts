import { expect, it } from 'vitest';
import { reliabilityBins, renderReliability } from '../../scripts/fitting/reliability.ts';

/** Creates this many answers with the same confidence; the first `right` ones are right. */
const answers = (count: number, said: number, right: number) =>
  Array.from({ length: count }, (_, place) => ({ said, isRight: place < right }));

const binsOf = (all: readonly { said: number; isRight: boolean }[]) =>
  reliabilityBins(
    all.map(({ said }) => said),
    all.map(({ isRight }) => isRight),
  );

/** Returns the captured numbers of each element that matches the pattern. */
const numbers = (svg: string, element: RegExp): number[][] =>
  [...svg.matchAll(element)].map((found) => found.slice(1).map(Number));

const dots = /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g;
const whiskers = /<line x1="([\d.]+)" x2="[\d.]+" y1="([\d.]+)" y2="([\d.]+)"/g;

it('puts answers with nearly the same confidence into one bin, with the interval of the share of right answers', () => {
  const bins = binsOf([...answers(40, 0.2, 10), ...answers(40, 0.3, 10), ...answers(1, 1, 1), ...answers(1, 0.95, 0)]);
  expect(bins).toEqual([
    {
      said: expect.closeTo(0.2),
      right: 0.25,
      low: expect.closeTo(0.142, 3),
      high: expect.closeTo(0.402, 3),
      questions: 40,
    },
    {
      said: expect.closeTo(0.3),
      right: 0.25,
      low: expect.closeTo(0.142, 3),
      high: expect.closeTo(0.402, 3),
      questions: 40,
    },
    {
      said: expect.closeTo(0.975),
      right: 0.5,
      low: expect.closeTo(0.095, 3),
      high: expect.closeTo(0.905, 3),
      questions: 2,
    },
  ]);
});

it('draws a dot at the confidence and the share of right answers, with an area for the questions, within its interval', () => {
  const bins = binsOf([...answers(100, 0.25, 50), ...answers(25, 0.75, 25)]);
  const svg = renderReliability({ title: 'Known', figures: '125 questions', bins });
  // The square has its lower left corner at 56, 384 and sides of 320.
  expect(numbers(svg, dots)).toEqual([
    [56 + 0.25 * 320, 384 - 0.5 * 320, 12],
    [56 + 0.75 * 320, 384 - 320, 6],
  ]);
  const [low, high] = [bins[0]!.low, bins[0]!.high];
  const first = numbers(svg, whiskers)[0]!;
  expect(first[0]).toBe(136);
  expect(first[1]).toBeCloseTo(384 - low * 320, 0);
  expect(first[2]).toBeCloseTo(384 - high * 320, 0);
  expect(svg).toContain('<line class="even" x1="56.0" y1="384.0" x2="376.0" y2="64.0"/>');
  expect(svg).toContain('<title>said 25, right 50 (40–60), 100 questions</title>');
});

it('draws the same text again, below 10 kB even if all bins have answers', () => {
  const all = Array.from({ length: 10 }, (_, bin) => answers(1000, bin / 10 + 0.05, 100 * bin)).flat();
  const draw = () => renderReliability({ title: 'All <bins>', figures: 'AUROC .5', bins: binsOf(all) });
  expect(draw()).toBe(draw());
  expect(numbers(draw(), dots)).toHaveLength(10);
  expect(draw()).toContain('All &lt;bins&gt;');
  expect(Buffer.byteLength(draw())).toBeLessThan(10_000);
});
