import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillForm } from '../../../../src/providers/extractive/fields/fill.ts';
import {
  readDates,
  readNames,
  readNumbers,
  readTimestamps,
} from '../../../../src/providers/extractive/fields/values.ts';
import { createAnswerSchema } from '../../../../src/schema/answer-schema.ts';
import { passagesOf } from '../../../support/passages.ts';

const invoice = `# Invoice 1043

Vendor: Acme Tools GmbH
Invoice date: 12 May 2026
Total: 1,240.50 EUR
Status: overdue
Paid: no

The invoice was approved by Maria Lopez on 14 May 2026. It covers three drills and 2 saws.
The note on it says "handle with care".
`;

function fill(properties: object, text = invoice): unknown {
  const schema = createAnswerSchema({ type: 'object', properties }, 'it');
  const { json } = fillForm({ question: 'What does the invoice say?', answer: '', passages: passagesOf(text), schema });
  return JSON.parse(json);
}

const values = (read: typeof readDates, text: string) => read(text).map(({ value }) => value);

describe('a form that is filled without a model', () => {
  it('distinguishes before and after by the line that has both, and leaves an undecidable value open', () => {
    const log = '10:00 INFO pool max=40\n10:05 INFO pool: changed the pool from 40 to 4\n10:06 WARN pool max=4\n';
    const schema = createAnswerSchema(
      {
        type: 'object',
        properties: { before: { type: 'integer' }, after: { type: 'integer' }, change: { type: ['string', 'null'] } },
      },
      'it',
    );
    const question = 'How large was the pool before and after the change?';
    const { json } = fillForm({ question, answer: '', passages: passagesOf(log), schema });
    expect(JSON.parse(json)).toEqual({ before: 40, after: 4, change: null });
    expect(values(readNames, 'ERROR Maria Lopez')).toEqual(['ERROR Maria Lopez']);
    expect(values(readNames, 'INFO the pool of WARN')).toEqual([]);
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
    const text = 'The pools have 20, 35 and 40 connections.\nThe owner of the gateway is Jo Kern.\n';
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
