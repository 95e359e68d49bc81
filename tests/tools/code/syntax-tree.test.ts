import { describe, expect, it } from 'vitest';
import { extractSymbols } from '../../../src/tools/code/extract-symbols.ts';
import { partOf } from '../../../src/tools/places.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';
import { tell, worldOf } from '../tool-world.ts';

const code = `function add(a, b) {
  return a + b;
}

class Point {
  length() {
    return 0;
  }
}
`;

describe('the syntax tree', () => {
  it('shows the syntax tree with the lines of each node', async () => {
    const world = fileWorld(tempFolder({ 'a.js': code }));
    const lines = (await tell(extractSymbols, { tree: true, path: 'a.js' }, world)).split('\n');
    expect(lines.slice(0, 6)).toEqual([
      '(program 1-10',
      '  (function_declaration 1-3',
      '    name: (identifier 1 "add")',
      '    parameters: (formal_parameters 1',
      '      (identifier 1 "a")',
      '      (identifier 1 "b"))',
    ]);
    expect(lines).toContain('  (class_declaration 5-9');
    expect(lines.at(-1)).toBe('a.js, lines 1-10');
  });

  it('shows the smallest part that contains some lines', async () => {
    const world = fileWorld(tempFolder({ 'a.js': code }));
    expect(await tell(extractSymbols, { tree: true, path: 'a.js', startLine: 2 }, world)).toBe(
      [
        '(return_statement 2',
        '  (binary_expression 2',
        '    left: (identifier 2 "a")',
        '    right: (identifier 2 "b")))',
        'a.js, lines 2-2',
      ].join('\n'),
    );
    expect(await tell(extractSymbols, { tree: true, path: 'a.js', startLine: 6, endLine: 8 }, world)).toMatch(
      /^\(method_definition 6-8\n/,
    );
    expect(await tell(extractSymbols, { tree: true, path: 'a.js', startLine: 2, endLine: 7 }, world)).toMatch(
      /^\(program 1-10\n/,
    );
  });

  it('counts lines in the whole document if the text is a part of it', async () => {
    const { store, ...world } = worldOf({ 'a.js': code });
    const part = { ...world, store: partOf(store, { path: 'a.js', startLine: 5, endLine: 9 })! };
    const lines = (await tell(extractSymbols, { tree: true, path: 'a.js' }, part)).split('\n');
    expect(lines[0]).toBe('(program 5-10');
    expect(lines).toContain('  (class_declaration 5-9');
    expect(lines.at(-1)).toBe('a.js, lines 5-10');
    const given = { tree: true, path: 'a.js', startLine: 6, endLine: 8 };
    expect(await tell(extractSymbols, given, part)).toMatch(/^\(method_definition 6-8\n/);
    expect(await refusal(extractSymbols, { ...given, startLine: 99, endLine: 99 }, part)).toContain('no line 99');
    expect(await refusal(extractSymbols, { ...given, startLine: 2, endLine: 3 }, part)).toContain('no line 2');
  });

  it('goes as deep as fits', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `function f${at}(a) { return a * ${at}; }\n`).join('');
    const folder = tempFolder({ 'a.js': many });
    const bounds = { characters: 3_000, lines: 60 };
    const shown = await tell(extractSymbols, { tree: true, path: 'a.js' }, fileWorld(folder, { bounds }));
    expect(shown).not.toContain('Left out');
    expect([...shown.matchAll(/\(function_declaration/g)]).toHaveLength(30);
    const narrow = { characters: 600, lines: 20 };
    const cut = await tell(extractSymbols, { tree: true, path: 'a.js' }, fileWorld(folder, { bounds: narrow }));
    expect(cut).toContain('Left out: nodes behind the last line');
    expect(cut.length).toBeLessThanOrEqual(narrow.characters);
    expect(cut.split('\n').length).toBeLessThanOrEqual(narrow.lines);
  });

  it('describes the error', async () => {
    const world = fileWorld(
      tempFolder({ 'a.js': code, 'b.js': 'function (', 'c.rb': 'class A', 'd.js': `x;${' '.repeat(1_000_001)}` }),
    );
    expect(await tell(extractSymbols, { tree: true, path: 'b.js' }, world)).toContain('The file has syntax errors');
    expect(await refusal(extractSymbols, { tree: true, path: 'a.js', startLine: 99 }, world)).toContain(
      'there is no line 99',
    );
    expect(await refusal(extractSymbols, { tree: true, path: 'a.js', startLine: 5, endLine: 2 }, world)).toContain(
      'is before startLine',
    );
    expect(await refusal(extractSymbols, { tree: true, path: 'c.rb' }, world)).toContain('no grammar for c.rb');
    expect(await refusal(extractSymbols, { tree: true, path: 'd.js' }, world)).toContain('too large to be parsed');
    expect(await refusal(extractSymbols, { tree: true, path: '/etc/passwd' }, world)).toContain(
      'there is no /etc/passwd',
    );
  });
});
