import { describe, expect, it } from 'vitest';
import { outcomeOf, type SampleOutcome } from '../../../src/eval/run/evaluation-journal.ts';
import { onFittedCurve } from '../../../src/eval/statistics/calibration.ts';
import { fitConfidence, fitInWords } from '../../../src/eval/summary/fit-confidence.ts';
import { RlmError } from '../../../src/index.ts';
import { failedResult } from '../../../src/result.ts';

const sample = (id: number) => ({ id: `q${String(id).padStart(4, '0')}` }) as never;

/** Creates answers whose confidence is too high. `rightAt` returns the share of right ones. */
function outcomes(
  count: number,
  rightAt: (confidence: number) => number,
  changes: Partial<SampleOutcome> = {},
): SampleOutcome[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, id) => {
    const confidence = Math.round(100 * random()) / 100;
    const lenient = random() < rightAt(confidence) ? 1 : 0;
    const outcome = outcomeOf(sample(id), 'auto', failedResult('Q?', new RlmError('internal', 'x')));
    return {
      ...outcome,
      status: 'answered',
      score: { ...outcome.score, lenient },
      confidence,
      confidenceKind: 'evidence',
      ...changes,
    };
  });
}

describe("the confidence fitted to the user's questions", () => {
  it('reports the share of right answers among those held out', () => {
    const fit = fitConfidence(
      outcomes(600, (confidence) => 0.5 * confidence),
      'auto',
    );
    expect(fit).toMatchObject({ kind: 'evidence', fitted: 300, heldOut: 300, refused: null });
    expect(fit.after!.error!).toBeLessThan(0.08);
    expect(fit.before!.error!).toBeGreaterThan(0.15);
    expect(onFittedCurve(fit.curve!, 0.9)).toBeGreaterThan(onFittedCurve(fit.curve!, 0.1));
    expect(fitInWords(fit, '/home/config.json')).toMatch(
      /config\.json now has confidenceMap\.evidence = \{"constant":-/,
    );
  });

  it.each([
    [
      'few answers',
      outcomes(40, (confidence) => confidence),
      /40 answers have a confidence, and at least 60 are needed/,
    ],
    ['answers that are all right', outcomes(100, () => 1), /at least 8 right and 8 wrong/],
    [
      'confidences that say the opposite',
      outcomes(400, (confidence) => 1 - confidence),
      /do not have more confidence than wrong/,
    ],
    ['what code computed', outcomes(400, () => 0.5, { confidenceKind: 'code' }), /^0 answers/],
    ['another arm', outcomes(400, () => 0.5, { arm: 'plain' }), /^0 answers/],
  ])('is refused for %s', (_, given, why) => {
    const fit = fitConfidence(given, 'auto');
    expect(fit).toMatchObject({ curve: null, refused: expect.stringMatching(why) });
    expect(fitInWords(fit, null)).toContain('nothing was written');
  });
});
