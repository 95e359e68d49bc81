import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractSymbols } from '../../../src/tools/code/extract-symbols.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';
import { tell } from '../tool-world.ts';

/** Returns the lines of a list without the heading and the notes. */
const symbolsIn = async (name: string, code: string) => {
  const shown = await tell(extractSymbols, { path: name }, fileWorld(tempFolder({ [name]: code })));
  return shown.split('\n').slice(1, -1);
};

const languages: readonly (readonly [name: string, code: string, symbols: readonly string[]])[] = [
  [
    'a.ts',
    `export class A<T> extends B {\n  constructor(a: string) { const inner = 1; }\n  run = async () => {};\n}\nexport default function f() {\n  function hidden() {}\n}\nconst g = (a: number) => a;\ninterface I { m(): void }\ntype T = string;\nenum E { X }\nnamespace N {\n  export const q = 1;\n}\nabstract class C { abstract m(): void }`,
    [
      '1-4 class A',
      '  2 method constructor',
      '  3 method run',
      '5-7 function f',
      '8 function g',
      '9 interface I',
      '  9 method m',
      '10 type T',
      '11 enum E',
      '12-14 module N',
      '  13 variable q',
      '15 class C',
      '  15 method m',
    ],
  ],
  [
    'a.mjs',
    'export function* f() {}\nclass A { m() {} }\nmodule.exports.x = () => 1;',
    ['1 function f', '2 class A', '  2 method m', '3 function module.exports.x'],
  ],
  ['a.tsx', 'export const View = () => <b>text</b>;', ['1 function View']],
  [
    'a.py',
    '@dec\nclass A(B):\n    X = 1\n    @property\n    def m(self):\n        def inner(): pass\nasync def f(a, b=1): pass\nCONST = 3',
    ['2-6 class A', '  3 field X', '  5-6 method m', '7 function f', '8 variable CONST'],
  ],
  [
    'a.go',
    'package a\nconst (\n A = 1\n)\ntype T struct { x int }\ntype I interface { M() }\nfunc (t *T) M(a int) {\n}\nfunc F() {}',
    ['3 constant A', '5 type T', '6 type I', '  6 method M', '7-8 method (t *T) M', '9 function F'],
  ],
  [
    'a.rs',
    'mod m { pub fn a() {} }\npub struct S<T> { x: T }\ntrait T { fn m(&self); }\nimpl<T> T for S<T> {\n fn m(&self) {}\n}\nconst C: i32 = 1;\nmacro_rules! mm { () => {} }',
    [
      '1 module m',
      '  1 function a',
      '2 struct S',
      '3 trait T',
      '  3 method m',
      '4-6 impl T for S<T>',
      '  5 method m',
      '7 constant C',
      '8 macro mm',
    ],
  ],
  [
    'A.java',
    'class A extends B {\n int x = 1;\n A() {}\n void m() {}\n class In {}\n}\ninterface I { void m(); }\nenum E { X; void q() {} }\nrecord R(int a) {}',
    [
      '1-6 class A',
      '  2 field x',
      '  3 constructor A',
      '  4 method m',
      '  5 class In',
      '7 interface I',
      '  7 method m',
      '8 enum E',
      '  8 method q',
      '9 record R',
    ],
  ],
];

const byPatterns: readonly (readonly [name: string, code: string, symbols: readonly string[]])[] = [
  [
    'a.c',
    '#define MAX 3\nstruct point { int x; };\nstatic int add(int a, int b)\n{\n  return add(a, b);\n}\nint call(void);',
    ['1 macro MAX', '2 struct point', '3 function add'],
  ],
  ['a.rb', 'module M\n  class A\n    def go!\n    end\n  end\nend', ['1 module M', '2 class A', '3 function go!']],
  [
    'a.kt',
    'data class P(val x: Int)\nprivate suspend fun load() {}\nobject O',
    ['1 class P', '2 function load', '3 object O'],
  ],
  ['a.sh', '# a comment\ndeploy() {\n}\nfunction build {\n}', ['2 function deploy', '4 function build']],
  [
    'a.sql',
    'CREATE TABLE IF NOT EXISTS users (\n id int\n);\ncreate or replace view v as select 1;',
    ['1 table users', '4 view v'],
  ],
  ['a.lua', 'local function f()\nend\nfunction M.g()\nend', ['1 function f', '3 function M.g']],
];

describe('extract_symbols', () => {
  it.each(languages)('finds what %s defines by its syntax', async (name, code, symbols) => {
    expect(await symbolsIn(name, code)).toEqual(symbols);
  });

  it.each(byPatterns)('finds what %s defines by patterns', async (name, code, symbols) => {
    expect(await symbolsIn(name, code)).toEqual(symbols);
  });

  it('does not read a comment in fenced code as a heading', async () => {
    const fenced =
      '# One\n```inline```\n```sh\n# not this\n~~~\n# nor this\n```\n~~~~\n# nor that\n~~~\n~~~~\n## Two\n';
    const world = fileWorld(tempFolder({ 'a.md': fenced }));
    expect(await tell(extractSymbols, { path: 'a.md' }, world)).toContain('1 heading One\n12 heading Two\n');
  });

  it('says that it has only patterns', async () => {
    const world = fileWorld(tempFolder({ 'a.rb': 'class A\nend', 'b.md': 'class\n\n# Title\n', 'c.ts': 'class A {}' }));
    expect(await tell(extractSymbols, {}, world)).toBe(
      'a.rb (no grammar for this language: by patterns, some may be missing)\n1 class A\n\nc.ts\n1 class A\nLooked at 2 files of code',
    );
    expect(await tell(extractSymbols, { path: 'b.md' }, world)).toBe(
      'b.md (no code: its headings)\n3 heading Title\nLooked at 1 file of code',
    );
  });

  it('searches for a name in a whole folder, and says how much it leaves out', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `src/f${at}.ts`,
        `export function make${at}() {}\nexport class Other {}\n`,
      ]),
    );
    const world = fileWorld(tempFolder({ ...files, 'src/x.py': 'def make7(): pass' }), {
      bounds: { characters: 1_200, lines: 40 },
    });
    const found = await tell(extractSymbols, { path: 'src', name: 'make7' }, world);
    expect(found).toContain('src/f7.ts\n1 function make7\n\nsrc/x.py\n1 function make7\nLooked at');
    const cut = await tell(extractSymbols, { path: 'src', name: 'make' }, world);
    const left = /Left out: (\d+) more definitions/.exec(cut)![1];
    expect(Number(left) + [...cut.matchAll(/^1 function/gm)].length).toBe(41);
    expect(cut.length).toBeLessThanOrEqual(1_200);
  });

  it('survives endlessly nested code', async () => {
    const deep = `${'('.repeat(50_000)}1${')'.repeat(50_000)};\n`;
    const world = fileWorld(tempFolder({ 'a.js': `function f() {}\n${deep}`, 'b.js': '['.repeat(100_000) }));
    expect(await tell(extractSymbols, {}, world)).toContain('1 function f');
  });

  it('refuses forbidden files', async () => {
    const world = fileWorld(tempFolder({ 'a.ts': 'class A {}' }));
    expect(await refusal(extractSymbols, { path: '../a.ts' }, world)).toContain('there is no ../a.ts');
  });
});

it('says that code was left out only if that is so', async () => {
  const long = `/*${'nothing\n'.repeat(500_000)}*/ function last() {}\n`;
  const folder = tempFolder({ 'a.ts': long, 'b.md': 'No code.' });
  const leftOut = 'The rest of the files was not looked at';
  expect(await tell(extractSymbols, { path: '.' }, fileWorld(folder))).not.toContain(leftOut);
  writeFileSync(join(folder, 'c.ts'), 'function more() {}\n');
  expect(await tell(extractSymbols, { path: '.' }, fileWorld(folder))).toContain(leftOut);
});
