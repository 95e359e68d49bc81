import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillFormByWords,
  readDates,
  readNames,
  readNumbers,
  readTimestamps,
} from '../../../src/providers/extractive/fields.ts';
import { createAnswerSchema } from '../../../src/schema/answer-schema.ts';
import { passagesOf } from '../../support/passages.ts';

const invoice = `# Invoice 1043

Vendor: Acme Tools GmbH
Invoice date: 12 May 2026
Total: 1,240.50 EUR
Status: overdue
Paid: no

The invoice was approved by Maria Lopez on 14 May 2026. It covers three drills and 2 saws.
The note says "handle with care".
`;

function fill(properties: object, text = invoice): unknown {
  const schema = createAnswerSchema({ type: 'object', properties }, 'it');
  const { json } = fillFormByWords({
    question: 'What does the invoice say?',
    answer: '',
    passages: passagesOf(text),
    schema,
  });
  return JSON.parse(json);
}

const values = (read: typeof readDates, text: string) => read(text).map(({ value }) => value);

describe('a form that is filled without a model', () => {
  it.each([
    ['another quantity of the clause', 'rent', 'The rent was agreed for 38 months at 4,150 EUR a month.', null],
    ['two numbers beside one name', 'rent', 'Rent: 38 months at 4,150 EUR a month.', null],
    ['two lines that differ', 'rent', 'The rent is 4,150 EUR.\n\nThe rent is 3,900 EUR.', null],
    ['one number beside its name', 'rent', 'It runs for 38 months, and the rent is 4,150 EUR a month.', 4150],
    ['a number before its name', 'connections', 'Since May the pool has 40 connections.', 40],
    ['one pair of several', 'max', 'pool max=40 min=4', 40],
    ['a side of a change', 'before', 'changed the pool from 40 to 4', null],
  ])('does not guess: %s', (_, key, text, expected) => {
    expect(fill({ [key]: { type: ['integer', 'null'] } }, text)).toEqual({ [key]: expected });
  });

  it('has the quoted line as the answer, where the schema asks for one', () => {
    const schema = createAnswerSchema({ type: 'object', properties: { answer: { type: 'string' } } }, 'it');
    const answer = 'The pump failed. [P1]';
    const { json } = fillFormByWords({ question: 'Why?', answer, passages: passagesOf('The pump failed.'), schema });
    expect(JSON.parse(json)).toEqual({ answer: 'The pump failed.' });
  });

  it('has dates, numbers, names, options, switches and quoted words', () => {
    const given = {
      vendor: { type: 'string' },
      invoiceDate: { type: 'string', format: 'date' },
      total: { type: 'number' },
      saws: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
      status: { enum: ['open', 'paid', 'overdue'] },
      paid: { type: 'boolean' },
      approvedBy: { type: ['string', 'null'], description: 'the person who approved it' },
      note: { type: 'string' },
      currency: { const: 'EUR' },
    };
    expect(fill(given)).toEqual({
      vendor: 'Acme Tools GmbH',
      invoiceDate: '2026-05-12',
      total: 1240.5,
      saws: 2,
      status: 'overdue',
      paid: false,
      approvedBy: 'Maria Lopez',
      note: 'handle with care',
      currency: 'EUR',
    });
  });

  it('has null where no sentence holds a value', () => {
    expect(
      fill({ refund: { type: 'number' }, courier: { type: 'string' }, rows: { type: 'array', items: {} } }),
    ).toEqual({
      refund: null,
      courier: null,
      rows: [],
    });
    expect(fill({ total: { type: 'number' } }, 'Nothing of the kind.')).toEqual({ total: null });
  });

  it('has lists of values, and objects within objects', () => {
    const text = 'The pools have 20, 35 and 40 connections.\nFor the gateway, the owner is Jo Kern.\n';
    const given = {
      pools: { type: 'array', items: { type: 'integer' } },
      gateway: { type: 'object', properties: { owner: { type: 'string' } } },
    };
    expect(fill(given, text)).toEqual({ pools: [20, 35, 40], gateway: { owner: 'Jo Kern' } });
  });

  it('reads dates in their ways, and no number out of them', () => {
    expect(values(readDates, 'On 2026-05-01, 3rd of June 2025 and Dec. 24, 2024.')).toEqual([
      '2026-05-01',
      '2025-06-03',
      '2024-12-24',
    ]);
    expect(values(readTimestamps, 'at 2026-05-01 10:20 and 2026-05-01T10:20:30+02:00')).toEqual([
      '2026-05-01T10:20:00Z',
      '2026-05-01T10:20:30+02:00',
    ]);
    expect(values(readNumbers, 'v1.2.3 on 2026-05-01 at 10:20 took -1,500.25 of 7 in a-4 x')).toEqual([-1500.25, 7]);
    expect(values(readNames, 'The gate of Port Royal was opened by Ada de Vries.')).toEqual([
      'Port Royal',
      'Ada de Vries',
    ]);
  });

  it('is JSON of the form for any text', () => {
    const properties = { when: { type: 'string' }, size: { type: 'number' }, name: { type: 'string' } };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(Object.keys(fill(properties, `size name when ${text}`) as object)).toEqual(['when', 'size', 'name']);
      }),
      { numRuns: 60 },
    );
  });
});
