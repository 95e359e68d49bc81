import { describe, expect, it } from 'vitest';
import type { CodeCall } from '../../src/sandbox/sandbox.ts';
import { createGate } from '../support/gate.ts';
import { openSandbox, printed } from './sandbox-fixture.ts';

/**
 * Creates a host that records its calls. It answers when this many calls wait, the first ones last.
 */
function slowHost(together = 1) {
  const allWait = createGate(together);
  const made: CodeCall[] = [];
  let atOnce = 0;
  let most = 0;
  const answer = async (call: CodeCall) => {
    made.push(call);
    most = Math.max(most, ++atOnce);
    await allWait();
    await new Promise((resolve) => setTimeout(resolve, 30 - call.id));
    atOnce -= 1;
    if (call.args[0] === 'fail') throw new Error('the budget is used up');
    return `about ${call.args[0]}`;
  };
  return { answer, made, most: () => most };
}

describe('turns', () => {
  it('share their variables, however these are declared, and may declare them again', async () => {
    const sandbox = openSandbox();
    await sandbox.run('const a = 1; let b = [2]; class C { n = 3 } function f() { return a + b[0]; }');
    await sandbox.run('const a = 10; b.push(5);');
    expect(await printed(sandbox, 'print(a, b, new C().n, f())')).toBe('10 [2,5] 3 12');
  });

  it('keep variables that were set before an error, and the error names its line', async () => {
    const sandbox = openSandbox();
    expect(await printed(sandbox, 'const a = 1;\nconst b = 2;\nnope(a);')).toBe(
      "ReferenceError: 'nope' is not defined\n  in line 3: nope(a);",
    );
    expect(await printed(sandbox, 'const x = {;')).toMatch(/^SyntaxError: .*\n {2}in line 1: const x = \{;$/);
    expect(await printed(sandbox, 'print(a + b)')).toBe('3');
  });

  it('report an error of a function that nothing awaits', async () => {
    const failing = 'async function main() {\n  await llm_query("x");\n  throw new TypeError("oh");\n}\nmain();';
    expect(await printed(openSandbox(), failing)).toBe('TypeError: oh\n  in line 3: throw new TypeError("oh");');
  });

  it('show the last value if nothing is printed', async () => {
    const sandbox = openSandbox({ documents: { 'a.md': 'abc' } });
    expect(await printed(sandbox, 'context.length')).toBe('3');
    expect(await printed(sandbox, '({ a: [1, new Map([[1, 2]])], f() {} })')).toBe(
      '{"a":[1,{"Map":[[1,2]]}],"f":"[function f]"}',
    );
  });

  it('cut an output that is too long, and report its size', async () => {
    const { output, printed: size } = await openSandbox({ outputCharacters: 100 }).run('print("a".repeat(5000) + "z")');
    expect(size).toBe(5_002);
    expect(output.length).toBeLessThan(200);
    expect(output).toMatch(
      /^a{50}\n\[… 4902 of 5002 characters are left out here: print\(printed\(1\)\.slice\(50, 4952\)\).*\]\na+z\n$/s,
    );
  });

  it('say how much of a very long output is not kept', async () => {
    const sandbox = openSandbox({ outputCharacters: 100 });
    const { output } = await sandbox.run('print("a".repeat(300_000) + "z")');
    expect(output).toMatch(
      /^a{50}\n\[… 199900 of 300002 characters are left out here: print\(printed\(1\)\.slice\(50, 199950\)\) …\]\na{50}\n\[… the other 100002 .*not kept.*\]$/,
    );
    expect(await printed(sandbox, 'printed(1).slice(50, 199950).length')).toBe('199900');
    const roomy = await openSandbox({ outputCharacters: 1_000_000 }).run('print("a".repeat(300_000) + "z")');
    expect(roomy.output).toMatch(/^a{200000}\n\[… the other 100002 .*not kept.*\]$/);
  });

  it('have the time and random numbers of their seed', async () => {
    const code =
      'print(Math.random(), Math.random(), Date.now(), new Date().toISOString(), new Date().getTimezoneOffset())';
    const [one, again, other] = await Promise.all([1, 1, 2].map((seed) => printed(openSandbox({ seed }), code)));
    expect(one).toBe(again);
    expect(one).not.toBe(other);
    expect(one).toMatch(/2000-01-01T00:00:00.001Z 0$/);
  });
});

describe('calls', () => {
  it.each([
    ['awaited', 'const r = await llm_query("a"); print(r === "about a", r.length)'],
    ['not awaited', 'const r = llm_query("a"); print(r === "about a", r.length)'],
    [
      'not awaited, among others that are',
      'const r = llm_query("a"); await Promise.all([]); print(r == "about a", r.length)',
    ],
    [
      'in a function that is not awaited',
      'async function f() { const r = await llm_query("a"); print(r === "about a", r.length) }\nf()',
    ],
    ['in the promise of another', 'llm_query("a").then((r) => print(r === "about a", r.length))'],
  ])('return their reply if they are %s', async (_, code) => {
    expect(await printed(openSandbox(), code)).toBe('true 7');
  });

  it.each([
    'print(llm_query_batched(["a", "b", "c"]).join())',
    'print((await llm_query_batched(["a", "b", "c"])).join())',
    'print((await Promise.all(["a", "b", "c"].map((x) => llm_query(x)))).join())',
    'print((await Promise.all(["a", "b", "c"].map(async (x) => await llm_query(x)))).join())',
    'const p = ["a", "b", "c"].map(llm_query); const r = await Promise.all(p); print(r.join())',
  ])('run concurrently, and are numbered in program order: %s', async (code) => {
    const host = slowHost(3);
    expect(await printed(openSandbox(host), code)).toBe('about a,about b,about c');
    expect(host.most()).toBe(3);
    expect(host.made.map(({ turn, id, args }) => [turn, id, args[0]])).toEqual([
      [1, 1, 'a'],
      [1, 2, 'b'],
      [1, 3, 'c'],
    ]);
  });

  it('continue in program order, not in the order of the replies', async () => {
    const host = slowHost();
    const code =
      'await Promise.all(["a", "b"].map(async (x) => { const r = await llm_query(x); await llm_query(x + 2); }))';
    await openSandbox(host).run(code);
    expect(host.made.map(({ args }) => args[0])).toEqual(['a', 'b', 'a2', 'b2']);
  });

  it('throw their errors in the code', async () => {
    const { answer } = slowHost();
    const sandbox = openSandbox({ answer });
    expect(await printed(sandbox, 'const a = 1\nllm_query("fail")')).toBe(
      'Error: the budget is used up\n  in line 2: llm_query("fail")',
    );
    expect(await printed(sandbox, 'try { await llm_query("fail") } catch (e) { print("caught", e.message) }')).toBe(
      'caught the budget is used up',
    );
    expect(await printed(sandbox, 'print(llm_query_batched(["fail", "b"]))')).toBe(
      '[no reply: the budget is used up]\nabout b',
    );
    expect(await printed(sandbox, 'llm_query_batched(["fail", "fail"])')).toMatch(/^Error: the budget is used up/);
  });

  it('are limited, and require a text', async () => {
    const sandbox = openSandbox({ calls: 2 });
    expect(await printed(sandbox, 'for (let i = 0; i < 3; i++) llm_query("a")')).toMatch(
      /^Error: a turn may make at most 2 calls/,
    );
    expect(await printed(sandbox, 'llm_query(undefined)')).toMatch(/^TypeError: the prompt is undefined: give a text/);
  });

  it('name the places of the text that their prompt contains', async () => {
    const host = slowHost();
    const documents = { 'a.md': `${'ä'.repeat(50)}\n`, 'b.md': 'The second document has more than forty characters.' };
    const sandbox = openSandbox({ ...host, documents });
    await sandbox.run('llm_query("What? " + contexts[1].slice(0, 45)); rlm_query("What?", context)');
    expect(host.made.map(({ ranges }) => ranges)).toEqual([
      [{ document: 1, startByte: 0, endByte: 45 }],
      [
        { document: 0, startByte: 0, endByte: 101 },
        { document: 1, startByte: 0, endByte: 51 },
      ],
    ]);
  });
});

describe('the answer', () => {
  it.each([
    ['FINAL("It was (as said) 42.")', 'It was (as said) 42.'],
    ['FINAL(6 * 7)', '42'],
    ['FINAL({ a: [1] })', '{"a":[1]}'],
    ['const x = "forty-two"; FINAL_VAR(x)', 'forty-two'],
    ['var x = "forty-two"; FINAL_VAR("x")', 'forty-two'],
    ['function f() { const local = "inner"; FINAL_VAR(local) }\nf()', 'inner'],
    ['const p = llm_query("a"); FINAL(p)', 'about a'],
  ])('is the one of the code: %s', async (code, answer) => {
    expect((await openSandbox().run(code)).final).toEqual({ answer, tells: null, missing: [] });
  });

  it.each(['FINAL_VAR("nothing")', 'FINAL_VAR(nothing)', 'FINAL_VAR("Object")', 'FINAL(undefined)', 'FINAL(" ")'])(
    'is an error if there is none: %s',
    async (code) => {
      const { final, error } = await openSandbox().run(code);
      expect(final).toBeNull();
      expect(error).toMatch(/there is no variable|the answer is (?:undefined|empty)/);
    },
  );

  it('may be a variable that is named afterwards', async () => {
    const sandbox = openSandbox();
    expect(await sandbox.variable('x')).toBeNull();
    await sandbox.run('const x = [1, 2]');
    expect([await sandbox.variable('x'), await sandbox.variable('y'), await sandbox.variable('print')]).toEqual([
      '[1,2]',
      null,
      null,
    ]);
  });
});

describe('a turn that exceeds its limits', () => {
  it('is stopped when it takes too long, and keeps its variables', async () => {
    const sandbox = openSandbox({ turnMs: 200 });
    expect(await printed(sandbox, 'const a = 1;\nfor (;;) { try { for (;;); } catch {} }')).toMatch(
      /^the code was stopped after 0.2 s\. Variables that it had set by then are kept/,
    );
    expect(await printed(sandbox, 'print(a)')).toBe('1');
  });

  it('gets an error when it waits for a promise that never settles', async () => {
    expect(await printed(openSandbox(), 'await new Promise(() => {})')).toBe(
      'the code awaits something that never comes',
    );
  });

  it('loses its variables when it uses all memory, and gets a message about it', async () => {
    const sandbox = openSandbox();
    const { error, isLost } = await sandbox.run('var all = []; for (;;) all.push(new Array(100_000).fill(1));');
    expect(isLost).toBe(true);
    expect(error).toMatch(/^out of memory: all values together may take 64 MB.*\n.*\nAll variables are lost/s);
    expect(await printed(sandbox, 'print(typeof all, 1 + 1)')).toBe('undefined 2');
  });

  it('ends with the run', async () => {
    const controller = new AbortController();
    const sandbox = openSandbox({ signal: controller.signal, turnMs: 60_000 });
    await sandbox.run('1');
    const running = sandbox.run('for (;;);');
    controller.abort(new Error('interrupted'));
    await expect(running).rejects.toThrow('interrupted');
    await expect(sandbox.run('1')).rejects.toThrow('interrupted');
  });

  it('is ended from outside if the interpreter cannot stop it', async () => {
    const sandbox = openSandbox({ turnMs: 100 });
    // A single step in native code that takes minutes on any machine.
    const search = 'print("a".repeat(2_000_000).indexOf("a".repeat(1_000_000) + "b"))';
    const { error, isLost } = await sandbox.run(search);
    expect([isLost, error]).toEqual([true, expect.stringMatching(/^the code was stopped: it took longer than 0.1 s/)]);
  });
});
