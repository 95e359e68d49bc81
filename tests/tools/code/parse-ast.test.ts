import { describe, expect, it } from 'vitest';
import { parseAst } from '../../../src/tools/code/parse-ast.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';

const code = `function add(a, b) {
  return a + b;
}

class Point {
  length() {
    return 0;
  }
}
`;

describe('parse_ast', () => {
  it('shows the syntax tree with the lines of each node', async () => {
    const world = fileWorld(tempFolder({ 'a.js': code }));
    expect(await parseAst.run({ path: 'a.js', depth: 2 }, world)).toBe(
      [
        '(program 1-10',
        '  (function_declaration 1-3',
        '    name: (identifier 1 "add")',
        '    parameters: (formal_parameters 1 …)',
        '    body: (statement_block 1-3 …))',
        '  (class_declaration 5-9',
        '    name: (identifier 5 "Point")',
        '    body: (class_body 5-9 …)))',
        'a.js, lines 1-10',
      ].join('\n'),
    );
  });

  it('shows the smallest part that holds some lines', async () => {
    const world = fileWorld(tempFolder({ 'a.js': code }));
    expect(await parseAst.run({ path: 'a.js', startLine: 2 }, world)).toBe(
      [
        '(return_statement 2',
        '  (binary_expression 2',
        '    left: (identifier 2 "a")',
        '    right: (identifier 2 "b")))',
        'a.js, lines 2-2',
      ].join('\n'),
    );
    expect(await parseAst.run({ path: 'a.js', startLine: 6, endLine: 8 }, world)).toMatch(/^\(method_definition 6-8\n/);
    expect(await parseAst.run({ path: 'a.js', startLine: 2, endLine: 7 }, world)).toMatch(/^\(program 1-10\n/);
  });

  it('goes as deep as there is room for', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `function f${at}(a) { return a * ${at}; }\n`).join('');
    const folder = tempFolder({ 'a.js': many });
    const bounds = { characters: 3_000, lines: 60 };
    const shown = await parseAst.run({ path: 'a.js' }, fileWorld(folder, { bounds }));
    expect(shown).not.toContain('Left out');
    expect([...shown.matchAll(/\(function_declaration/g)]).toHaveLength(30);
    const cut = await parseAst.run({ path: 'a.js', depth: 10 }, fileWorld(folder, { bounds }));
    expect(cut).toContain('Left out: nodes behind the last line');
    expect(cut.length).toBeLessThanOrEqual(bounds.characters);
    expect(cut.split('\n').length).toBeLessThanOrEqual(bounds.lines);
  });

  it('describes the error', async () => {
    const world = fileWorld(
      tempFolder({ 'a.js': code, 'b.js': 'function (', 'c.rb': 'class A', 'd.js': `x;${' '.repeat(1_000_001)}` }),
    );
    expect(await parseAst.run({ path: 'b.js' }, world)).toContain('The file has syntax errors');
    expect(await refusal(parseAst, { path: 'a.js', startLine: 99 }, world)).toContain('there is no line 99');
    expect(await refusal(parseAst, { path: 'a.js', startLine: 5, endLine: 2 }, world)).toContain('is before startLine');
    expect(await refusal(parseAst, { path: 'c.rb' }, world)).toContain('no grammar for c.rb');
    expect(await refusal(parseAst, { path: 'd.js' }, world)).toContain('too large to be parsed');
    expect(await refusal(parseAst, { path: '/etc/passwd' }, world)).toContain('there is no /etc/passwd');
  });
});
