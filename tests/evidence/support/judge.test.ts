import { describe, expect, it } from 'vitest';
import { readEvidence } from '../../../src/evidence/support/evidence-text.ts';
import { judge } from '../../../src/evidence/support/judge.ts';
import { passagesOf } from '../../support/passages.ts';

const text = [
  'Acme Corp acquired Zeta Labs in May 2019 for $40 million.',
  'The pool holds 20 connections and was never drained before the restart.',
  'Most workers restarted after the patch was applied.',
  'Backups are kept for 30 days, and each file is limited to 4 GB.',
  'Guests may not enter the vault.',
  'Beta Bank was bought by Gamma Group.',
  'The audit of the 2018–19 season began on 4 March 2020 and found faults in 7 reports, 2 plans and 1 budget.',
].join('\n\n');
const evidence = readEvidence(passagesOf(text));
const of = (claim: string) => judge(claim, evidence);

describe('a claim that the text bears out', () => {
  it.each([
    'Acme Corp acquired Zeta Labs in May 2019 for $40 million.',
    'In May 2019, Acme Corp acquired Zeta Labs for 40 million dollars.',
    'Zeta Labs was acquired by Acme Corp in May 2019.',
    'The pool holds twenty connections.'.replace('twenty', '20'),
    'Each file is limited to 4,000 MB.',
    'Backups are kept for thirty days.'.replace('thirty', '30'),
    'Guests may not enter the vault.',
    'Gamma Group bought Beta Bank.',
    'The audit of the 2018–19 season began on March 4, 2020.',
  ])('is supported: %s', (claim) => {
    const { verdict, support } = of(claim);
    expect(verdict).toBe('supported');
    expect(support).toBeGreaterThan(0.6);
  });
});

describe('a claim that sums up what the text lists', () => {
  it('has no fault for a small number in words', () => {
    expect(of('The audit found faults in three kinds of reports, plans and budgets.').isFault).toBe(false);
  });
});

describe('a claim that differs in one thing', () => {
  it.each([
    ['a number', 'The pool holds 34 connections.', 'the passage says 20, the answer 34'],
    ['a year', 'Acme Corp acquired Zeta Labs in May 2012.', 'the passage says 2019, the answer 2012'],
    ['a month', 'Acme Corp acquired Zeta Labs in June 2019.', 'the passage says May, the answer June'],
    ['a day', 'The audit began on March 7, 2020.', 'the passage says March 4, the answer March 7'],
    ['the end of years', 'The audit of the 2018–28 season began.', 'the answer 28'],
    ['a unit', 'Each file is limited to 4 MB.', 'the passage says 4 GB, the answer 4 MB'],
    [
      'a scale',
      'Acme Corp acquired Zeta Labs for $40 billion.',
      'the passage says $40 million, the answer $40 billion',
    ],
    ['swapped names', 'Zeta Labs acquired Acme Corp in May 2019.', "Zeta Labs and Acme Corp in each other's place"],
    ['swapped names in the passive', 'Acme Corp was acquired by Zeta Labs.', "in each other's place"],
    ['an added negation', 'Backups are not kept for 30 days.', 'the answer says "not", the passage does not'],
    ['a missing negation', 'Guests may enter the vault.', 'the passage says "not", the answer does not'],
    [
      'before and after',
      'Most workers restarted before the patch was applied.',
      'the passage says after, the answer before',
    ],
  ])('is contradicted, and why is said: %s', (_, claim, reason) => {
    const { verdict, support, reason: said } = of(claim);
    expect([verdict, said]).toEqual(['contradicted', expect.stringContaining(reason)]);
    expect(support).toBeLessThanOrEqual(0.15);
  });

  it('is partial where the text says some and the claim all', () => {
    expect(of('All workers restarted after the patch was applied.')).toMatchObject({
      verdict: 'partial',
      reason: 'the passage says "Most", the answer "All"',
    });
  });
});

describe('denials, scores and dates', () => {
  const other = readEvidence(
    passagesOf(
      [
        'Nov 10, 2018 at 4:14 PM',
        'Liz Paterson dies at 78, her family said.',
        'The never-say-die crew was given the harbour prize.',
        'Members of the order are against the use of tobacco.',
        'Williams holds a 10-7 lead after the opening night of 15 frames.',
        'The man found in the caravan has never been identified.',
      ].join('\n\n'),
    ),
  );
  it.each([
    ['The crew was not given the harbour prize.', 'contradicted', 'the answer says "not"'],
    ['Williams had a 15–7 lead after the opening night.', 'contradicted', 'the passage says 10-7, the answer 15–7'],
    ['The man found in the caravan has not never been identified.', 'contradicted', 'the passage denies it once'],
  ] as const)('are compared: %s', (claim, verdict, reason) => {
    expect(judge(claim, other)).toMatchObject({ verdict, reason: expect.stringContaining(reason), isFault: true });
  });

  it('of what the text says nothing of are not supported', () => {
    const plain = readEvidence(passagesOf('The harbour crew was given the prize after the race in June.'));
    const claim = 'The harbour crew was given the prize after the race and never sold its yellow boat.';
    expect(judge(claim, plain)).toMatchObject({ verdict: 'unsupported', isFault: true });
  });

  it.each([
    'Members of the order are not allowed to use tobacco.',
    'Williams had a 10–7 lead after the opening night.',
    'The man in the caravan was never identified.',
    'Liz Paterson died on November 10, 2018.',
  ])('have no fault where the text says the same in other words: %s', (claim) => {
    expect(judge(claim, other)).toMatchObject({ isFault: false });
  });
});

describe('dates and labels', () => {
  const vault = readEvidence(
    passagesOf(
      [
        'The vault at Gate 7 was opened on 2015.10.30, and a forerunner had burned down in 1987.',
        'It is open 9-17 for guests, said keeper Ada Poole; a plate of 2018 shows the "Silver Herald".',
        'Ada Poole praised the "Silver Herald" that the city of Dublin had paid for.',
      ].join('\n\n'),
    ),
  );
  it.each([
    ['The vault at Gate 7 was opened in October 2018.', 'the passage says October 2015, the answer October 2018'],
    ['The vault at Gate 4 was opened.', 'the passage says Gate 7, the answer Gate 4'],
    ['It is open for guests from 9 to 12.', 'the answer 12'],
  ])('are compared: %s', (claim, reason) => {
    expect(judge(claim, vault)).toMatchObject({ verdict: 'contradicted', reason: expect.stringContaining(reason) });
  });

  it.each([
    'The vault at Gate 7 was opened on 30 October 2015.',
    'A forerunner of the vault had burned down in the 1980s.',
    'It is open for guests from 9 to 17.',
  ])('have no fault in another form: %s', (claim) => {
    expect(judge(claim, vault)).toMatchObject({ isFault: false });
  });
});

describe('a claim of something else', () => {
  it.each(['The harbour was rebuilt after the storm of 1953.', 'Elephants crossed the Alps.'])(
    'is unsupported: %s',
    (claim) => {
      expect(of(claim).verdict).toBe('unsupported');
    },
  );

  it('is unsupported where nothing was read', () => {
    expect(judge('The pool holds 20 connections.', readEvidence([]))).toMatchObject({
      support: 0,
      verdict: 'unsupported',
    });
  });
});
