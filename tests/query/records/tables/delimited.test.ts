import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecordDocument } from '../../../../src/query/records/reader.ts';
import { asDelimited } from '../../../../src/query/records/tables/delimited.ts';
import { type CellRow, cellOf } from '../../../../src/query/records/tables/typed-table.ts';
import { storeOf } from '../../support.ts';

const rowsOf = (text: string, name = 'a.csv') => {
  const store = storeOf({ [name]: text });
  const table = asDelimited(openRecordDocument(store, 0));
  return { columns: table?.columns, rows: [...(table?.rows(() => true) ?? [])] };
};

const cellsOf = (rows: readonly CellRow[]) => rows.map((row) => ('problem' in row ? row.problem : row.cells));

/** Returns the line at which each part of a text begins. */
const linesOf = (parts: readonly string[], first: number) =>
  parts.map((_, index) => first + parts.slice(0, index).join('').split('\n').length - 1);

/** A simple parser of RFC 4180 that reads character by character. */
function referenceRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let [row, field, isQuoted] = [[] as string[], '', false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[at++];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === delimiter || character === '\n') {
      row.push(field);
      field = '';
      if (character === '\n') {
        rows.push(row);
        row = [];
      }
    } else field += character;
  }
  return rows;
}

const delimiters = [',', ';', '\t'] as const;
const hostile = fc
  .array(fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', '\0', 'a', 'é', '漢', '🙂', ' ', '1', "'", '\\', '#'), {
    maxLength: 8,
  })
  .map((characters) => characters.join(''));
const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;

describe('rows of a delimited document', () => {
  it('are equal to those of a simple parser, for any quoting, with their lines', () => {
    const rows = fc.array(fc.tuple(hostile, hostile, hostile), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.constantFrom(...delimiters), fc.constantFrom('\n', '\r\n'), (all, delimiter, end) => {
        const lines = [['one', 'two', 'three'], ...all].map((fields) => fields.map(quoted).join(delimiter));
        const text = `${lines.join(end)}${end}`;
        const expected = referenceRows(text, delimiter).slice(1);
        const found = rowsOf(text);
        expect(cellsOf(found.rows)).toEqual(
          expected.map((fields) => fields.map((field) => cellOf(field.replace(/\r$/, '')))),
        );
        const places = linesOf(
          lines.slice(1).map((line) => line + end),
          2,
        );
        expect(found.rows.map(({ line }) => line)).toEqual(places);
      }),
    );
  });

  it('have lines of any text once and in order, however broken it is', () => {
    const text = fc.array(fc.oneof(hostile, fc.constantFrom('\n', ',', '"')), { maxLength: 60 });
    fc.assert(
      fc.property(text, (pieces) => {
        const body = pieces.join('');
        const { rows } = rowsOf(`a,b,c\n${body}`);
        let before = 1;
        for (const { line } of rows) {
          expect(line).toBeGreaterThan(before);
          before = line;
        }
        expect(before).toBeLessThanOrEqual(1 + body.split('\n').length);
      }),
    );
  });

  it('are read across the ends of blocks, with exact places', () => {
    const long = `"${'x,\n'.repeat(60_000)}"`;
    const records = Array.from({ length: 40 }, (_, n) => `${n},é${n},${n % 7 === 0 ? long : 'short'}`);
    const { rows } = rowsOf(`id,name,note\n${records.join('\n')}\n`);
    expect(rows).toHaveLength(40);
    expect(rows.map((row) => 'cells' in row && [row.line, row.cells[1], row.cells[2]!.length])).toEqual(
      linesOf(
        records.map((record) => `${record}\n`),
        2,
      ).map((line, n) => [line, `é${n}`, n % 7 === 0 ? long.length - 3 : 5]),
    );
  });

  it('continue after a quotation mark that is never closed, with a note', () => {
    const { rows } = rowsOf('a,b\n1,"open\n2,x\n3,"y"\n4,z\n');
    expect(cellsOf(rows)).toEqual([
      'too long, or with a quotation mark that is not closed',
      ['2', 'x'],
      ['3', 'y'],
      ['4', 'z'],
    ]);
  });

  it('are skipped to the end of their line if they are longer than a row may be', () => {
    const { rows } = rowsOf(`a,b\n1,"${'x'.repeat(3_000_000)}"\n2,y\n`);
    expect(cellsOf(rows)).toEqual(['too long, or with a quotation mark that is not closed', ['2', 'y']]);
  });

  it('may have fewer fields; rows with more are reported', () => {
    expect(cellsOf(rowsOf('a,b,c\n1,2\n1,2,3,4\n1,2,3,\n').rows)).toEqual([
      ['1', '2'],
      'with more fields than the header',
      ['1', '2', '3'],
    ]);
  });

  it('have a header after a byte order mark, comments and the line of Excel', () => {
    expect(rowsOf('\uFEFFa;b\r\n1;2,5\r\n')).toMatchObject({ columns: ['a', 'b'], rows: [{ cells: ['1', '2,5'] }] });
    expect(rowsOf('# made by hand\nsep=;\na;b\n1;2\n').columns).toEqual(['a', 'b']);
    expect(rowsOf('a\tb\n1\t2\n', 'a.tsv').columns).toEqual(['a', 'b']);
    expect(rowsOf('only\n1\n2\n').columns).toEqual(['only']);
    expect(rowsOf('a,a,\n1,2,3\n').columns).toEqual(['a (column 1)', 'a (column 2)', 'column 3']);
  });

  it('do not exist without a header, or in text that is not a table', () => {
    expect(rowsOf('1,2\n3,4\n').columns).toBeUndefined();
    expect(rowsOf('One, two.\nThree.\nFour, five, six.\n', 'a.txt').columns).toBeUndefined();
    expect(rowsOf(' ', 'a.csv').columns).toBeUndefined();
    expect(rowsOf('who,n\nAnn,2\nBob,3\nCid,4\n', 'stdin').columns).toEqual(['who', 'n']);
    expect(rowsOf('Dear Ann, hello\nDear Bob, hi\nDear Cid, oh\nDear Dan, no\n', 'stdin').columns).toBeUndefined();
    expect(rowsOf('id,name,n\n1,a,2\n2,b,3\n3,c,4\n', 'stdin').columns).toEqual(['id', 'name', 'n']);
    expect(rowsOf('id,name,n\n1,a,2\n\n2,b,3\n3,c,4\n', 'a.txt').columns).toEqual(['id', 'name', 'n']);
  });
});
