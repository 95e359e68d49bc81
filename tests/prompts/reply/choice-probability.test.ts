import { describe, expect, it } from 'vitest';
import { assess } from '../../../src/prompts/questions.ts';
import { choiceProbability, type TokenOdds } from '../../../src/prompts/reply/choice-probability.ts';

/** Creates a token with its alternatives, by their probabilities. */
function token(text: string, odds: Readonly<Record<string, number>> = {}): TokenOdds {
  const alternatives = Object.entries(odds).map(([other, share]) => ({ token: other, logprob: Math.log(share) }));
  return { token: text, logprob: Math.log(odds[text] ?? 0.9), alternatives };
}

const plain = (...texts: string[]) => texts.map((text) => token(text));
const isComplex = (tokens: readonly TokenOdds[]) => choiceProbability(assess.fields, assess.probabilityOf, tokens);
const head = plain('{', '\n ', ' "', 'ver', 'dict', '":', ' "');

describe('the probability of a choice', () => {
  it('is that of the tokens that begin its options, at the beginning of the value', () => {
    const verdict = token('S', { S: 0.5, COM: 0.2, C: 0.05, The: 0.1, '"': 0.01 });
    expect(isComplex([...head, verdict, ...plain('IMPLE', '",', ' "reason', '": "')])).toBeCloseTo(0.25 / 0.75);
  });

  it('counts the chosen token even if it was forced and is not among the likely ones', () => {
    const verdict = { ...token('COM', { This: 0.5, S: 0.2, ' ': 0.001 }), logprob: Math.log(0.6) };
    expect(isComplex([...head, verdict])).toBeCloseTo(0.75);
  });

  it('is found if the value begins within a token', () => {
    const verdict = token(' "SIM', { ' "SIM': 0.6, ' "COM': 0.2, COM: 0.1, ' ': 0.05 });
    expect(isComplex([...head.slice(0, -1), verdict])).toBeCloseTo(0.25);
  });

  it('is found in labelled text, whatever surrounds the label', () => {
    const verdict = token(' complex', { ' complex': 0.3, ' SIMPLE': 0.1, ' Well': 0.1 });
    expect(isComplex([...plain('**', 'ASS', 'ESSMENT', ':**'), verdict])).toBeCloseTo(0.75);
  });

  it('is that of the last of several', () => {
    const again = [...head, token('S', { S: 0.9, C: 0.1 })];
    expect(isComplex([...head, token('C', { C: 0.9, S: 0.1 }), ...plain('OMPLEX"', '}\n'), ...again])).toBeCloseTo(0.1);
  });

  it('is 0 or 1 if the other option has no weight', () => {
    expect(isComplex([...head, token('S', { S: 0.98, The: 0.001 })])).toBe(0);
    expect(isComplex([...head, token('C', { C: 0.98, The: 0.001 })])).toBe(1);
  });

  it.each([
    ['the other option may weigh as much as the least that is told', [...head, token('S', { S: 0.5, The: 0.2 })]],
    ['no option is likely at all', [...head, token('Maybe', { Maybe: 0.9 })]],
    ['there are no alternatives', [...head, token('S')]],
    ['the value never comes', head],
    ['there is no verdict', plain('Well', ', it depends')],
    ['there are no tokens', []],
  ])('is unknown if %s', (_what, tokens) => {
    expect(isComplex(tokens)).toBeNull();
  });

  it('does not exist for other fields', () => {
    const tokens = [...plain('"reason": "'), token('S', { S: 0.9, C: 0.1 })];
    expect(choiceProbability(assess.fields, { field: 'reason', option: 'COMPLEX' }, tokens)).toBeNull();
  });
});
