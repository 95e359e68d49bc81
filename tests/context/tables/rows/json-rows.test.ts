import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../../src/context/tables/rows/recognise.ts';
import { isBroken } from '../../../../src/context/tables/rows/row.ts';
import { storeOf } from '../support.ts';

const rowsOf = (text: string, name = 'a.jsonl') => {
  const table = tablesOf(storeOf({ [name]: text }), 0)[0];
  const rows = [...(table?.rows() ?? [])].map((row) => (isBroken(row) ? row.problem : row.cells));
  return { columns: table?.columns, rows };
};

describe('rows of JSON', () => {
  it('have the dotted paths of their keys as columns', () => {
    expect(rowsOf('{"a":1,"b":{"c":"x","d":null}}\r\n\n{"b":{"c":true},"e":[1,{"f":2}]}')).toEqual({
      columns: ['a', 'b.c', 'b.d', 'e'],
      rows: [
        ['1', 'x', null],
        [null, 'true', null, '[1,{"f":2}]'],
      ],
    });
  });

  it('keep every digit of numbers that are too long for a computer’s own', () => {
    const { rows } = rowsOf('{"n":12345678901234567890,"s":"1\\"2345678901234567","d":0.12345678901234567}\n');
    expect(rows).toEqual([['12345678901234567890', '1"2345678901234567', '0.12345678901234567']]);
  });

  it('are reported where they cannot be read', () => {
    expect(rowsOf('{"a":1}\n{"a":\n[1]\n{"a":2}\n{"a":3}\n').rows).toEqual([
      ['1'],
      'that cannot be read as a JSON object',
      'that cannot be read as a JSON object',
      ['2'],
      ['3'],
    ]);
  });

  it('are the objects of an array, whatever their strings hold', () => {
    const objects = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string(), { minKeys: 1 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 2), (all, indent) => {
        expect(rowsOf(JSON.stringify(all, null, indent), 'a.json').rows).toHaveLength(all.length);
      }),
    );
    expect(rowsOf('[{"a":1},{"a":2', 'a.json').rows).toEqual([['1'], 'that cannot be read as a JSON object']);
  });

  it('are none in a configuration, and in other text', () => {
    expect(rowsOf('{"name":"x","version":"1"}\n', 'package.json').columns).toBeUndefined();
    expect(rowsOf('{\n  "a": 1\n}\n', 'a.json').columns).toBeUndefined();
    expect(rowsOf('not json\n{"a":1}\n', 'a.jsonl').columns).toBeUndefined();
  });
});
