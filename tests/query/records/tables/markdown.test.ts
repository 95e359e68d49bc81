import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecordDocument } from '../../../../src/query/records/reader.ts';
import { findMarkdownTables } from '../../../../src/query/records/tables/markdown-tables.ts';
import { storeOf } from '../../support.ts';

const tablesIn = (text: string, name = 'notes.md') =>
  findMarkdownTables(openRecordDocument(storeOf({ [name]: text }), 0)).map(({ columns, heading, rows }) => ({
    columns,
    heading,
    rows: [...rows(() => true)].map((row) => ('problem' in row ? row.problem : row.cells)),
    lines: [...rows(() => true)].map(({ line }) => line),
  }));

const notes = `# Café

| id | what |
|----|-----:|
| A | **bold** \`code\` |
| B | [a link](https://x.example/y) a\\|b |
No row.

## Second table ##
\`\`\`text
| no | table |
|----|-------|
| 1  | 2     |
\`\`\`
left | right
:--- | ---
1 | n/a
2 | 3 | 4
`;

describe('tables in Markdown', () => {
  it('are found with the headings above them, outside of code, and cited line by line', () => {
    const [first, second, ...more] = tablesIn(notes.replaceAll('\n', '\r\n'));
    expect(more).toEqual([]);
    expect(first).toMatchObject({ columns: ['id', 'what'], heading: 'Café' });
    expect(first!.rows).toEqual([
      ['A', 'bold code'],
      ['B', 'a link a|b'],
    ]);
    expect(first!.lines).toEqual([5, 6]);
    expect(second).toMatchObject({ columns: ['left', 'right'], heading: 'Second table' });
    expect(second!.rows).toEqual([['1', 'n/a'], 'with more fields than the header']);
  });

  it('are found below a line of code in backticks', () => {
    expect(tablesIn('```inline```\n# Below\n|a|b|\n|-|-|\n|1|2|\n')).toMatchObject([{ heading: 'Below' }]);
  });

  it('are found in text without a name, even if it begins with one', () => {
    expect(tablesIn('|a|b|\n|-|-|\n|1|2|\n', 'stdin')).toMatchObject([{ columns: ['a', 'b'], rows: [['1', '2']] }]);
    expect(tablesIn(notes, 'stdin')).toHaveLength(2);
    expect(tablesIn('a line - | of a log\n- | -\n', 'stdin')).toEqual([]);
  });

  it('are separate and in order in any text, and none is read if there are too many', () => {
    const piece = fc.constantFrom('|', '-', ':', ' ', '\n', '\n|-|-|\n', '|a|b|\n', '```\n', '# ', '\\', '[', 'é', '*');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = `.${pieces.join('')}`;
        let before = 0;
        for (const { lines } of tablesIn(text)) {
          for (const line of lines) {
            expect(line).toBeGreaterThan(before);
            before = line;
          }
        }
        expect(before).toBeLessThanOrEqual(text.split('\n').length);
      }),
      { numRuns: 60 },
    );
    expect(tablesIn('|a|\n|-|\n|1|\n\n'.repeat(501))).toEqual([]);
  });
});
