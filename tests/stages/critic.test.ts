import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import { askScripted } from '../support/scripted-run.ts';

describe('the critic', () => {
  it('says what it thinks, which is not the confidence', async () => {
    const { result } = await askScripted({
      critic: { confidenceScore: '8.5/10', gaps: ['when'], uncertainties: 'none', reasoning: 'fair' },
    });
    expect(result.critique).toEqual({ score: 85, gaps: ['when'], uncertainties: [], reasoning: 'fair' });
    expect(result.confidence).toBeNull();
  });

  it('sees the passages that are cited, else the best that were found', async () => {
    const cited = { answer: 'It was release 4.2 [P2].', citations: [], assumptions: [] };
    expect((await askScripted({ answer: cited })).of('critic')[0]).toMatchObject({
      answer: 'It was release 4.2 [P2].',
      passages: [{ id: 'P2' }],
      unanswered: [],
    });
    expect((await askScripted({})).of('critic')[0]!.passages).toHaveLength(2);
  });

  it.each([
    ['fails', () => new RlmError('provider-failed', 'gone'), 3],
    ['talks rubbish', 'Looks good to me!', 4],
    ['gives an impossible score', { confidenceScore: 150 }, 4],
  ])('is done without when it %s: the answer is kept, and that is said', async (_, critic, calls) => {
    const { result } = await askScripted({ critic });
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'About Why did it fail?',
      critique: null,
      error: null,
      usage: { calls },
    });
    expect(result.warnings).toEqual([expect.stringContaining('the answer was not criticised: ')]);
  });
});
