import { describe, expect, it } from 'vitest';
import { rewriteCode } from '../../src/sandbox/rewrite-code.ts';

/** An expression in a template. */
const hole = ['$', '{x}'].join('');

describe('declarations outside of brackets', () => {
  it.each([
    ['let a = 1;', 'var a = 1;'],
    ['const { b, c: [d] } = e', 'var { b, c: [d] } = e'],
    ['let a, b;\nlet c = 1, d', 'var a=undefined, b=undefined;\nvar c = 1, d=undefined'],
    ['let a\nlet b', 'var a=undefined\nvar b=undefined'],
    ['class A { x = {} }\nnew A()', 'var A = class A { x = {} };\nnew A()'],
    ['{ let a = 1; }', '{ let a = 1; }'],
    ['for (const x of y) { const z = x; }', 'for (const x of y) { const z = x; }'],
    ['const f = () => { let x = 1; return x; };', 'var f = () => { let x = 1; return x; };'],
    ['x.let = 1; ({ const: 1 })', 'x.let = 1; ({ const: 1 })'],
    ['const s = "let a"; // let b\n/* const c */', 'var s = "let a"; // let b\n/* const c */'],
    ['const r = /[/"`]let /g; const q = 4 / 2 / 1;', 'var r = /[/"`]let /g; var q = 4 / 2 / 1;'],
    [
      `const t = \`${hole.replace('x', `\`let ${hole}\``)} const\`; let u = 1`,
      `var t = \`${hole.replace('x', `\`let ${hole}\``)} const\`; var u = 1`,
    ],
  ])('last and may be declared again: %s', (code, rewritten) => {
    expect(rewriteCode(code)).toBe(rewritten);
  });
});

describe('calls', () => {
  it.each([
    ['const r = llm_query("a")', 'var r = llm_query("a")'],
    ['const r = await llm_query("a")', 'var r = await llm_query.later("a")'],
    ['await Promise.all(xs.map(x => llm_query(x)))', 'await Promise.all(xs.map(x => llm_query.later(x)))'],
    ['await Promise.all(xs.map(llm_query))', 'await Promise.all(xs.map(llm_query.later))'],
    ['llm_query("a").then(print)', 'await llm_query.later("a").then(print)'],
    ['if (llm_query("a") === "yes") await Promise.all([])', 'if (llm_query("a") === "yes") await Promise.all([])'],
    ['rlm_query("q", c)\nmain()', 'await rlm_query("q", c)\nawait main()'],
    ['(async () => { f() })()', 'await (async () => { f() })()'],
    ['if (a) { f() }', 'if (a) { f() }'],
    ['const v = a\n(b)', 'var v = a\n(b)'],
    ['FINAL_VAR(answer)', 'await FINAL_VAR("answer", () => answer)'],
    ['FINAL_VAR("answer")', 'await FINAL_VAR("answer")'],
    ['o.llm_query("a"); Promise.all([])', 'o.llm_query("a"); Promise.all([])'],
    ['if ("yes" === llm_query("a")) await Promise.all([])', 'if ("yes" === llm_query("a")) await Promise.all([])'],
    ['const ask = { llm_query }; Promise.all([])', 'var ask = { llm_query }; Promise.all([])'],
    ['const ask = llm_query; Promise.all([])', 'var ask = llm_query.later; Promise.all([])'],
    ['async function f(llm_query) {} Promise.all([])', 'async function f(llm_query) {} Promise.all([])'],
    ['f().g().h', 'await f().g().h'],
    ['/* f() */ "f()"', '/* f() */ "f()"'],
  ])('wait, unless the code uses their promises: %s', (code, rewritten) => {
    expect(rewriteCode(code)).toBe(rewritten);
  });

  it.each([
    ['no program', 'let a = ;\nmain()'],
    ['nested deeper than the stack', `${'('.repeat(200_000)}${')'.repeat(200_000)}`],
  ])('and declarations stay unchanged in %s', (_, code) => {
    expect(rewriteCode(code)).toBe(code);
  });

  it('are found in chains that are deeper than the stack', () => {
    const chain = '.then(f)'.repeat(20_000);
    expect(rewriteCode(`llm_query("a")${chain}`)).toBe(`await llm_query.later("a")${chain}`);
  });

  it('stay on their lines, whatever the code', () => {
    const odd = ['`', '"', "'", '/', '${', '}', '`${', 'let', 'class {', '\\', '/*', '))', `a\n\`b\n${hole}\n\`\n/d/`];
    for (const code of odd) expect(rewriteCode(code).split('\n')).toHaveLength(code.split('\n').length);
  });
});
