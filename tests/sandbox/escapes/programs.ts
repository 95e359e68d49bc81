import { type Canaries, payloadsFor } from './payloads.ts';
import { ways } from './ways.ts';

/** Programs of more than one expression, with names, values and sizes that a careless host would trust. */
const others: readonly string[] = [
  'Object.prototype.polluted = "yes"; Object.prototype.kind = "done"; llm_query("a");',
  'Object.setPrototypeOf(Object.prototype, new Proxy({}, { get: () => "x" }));',
  'llm_query(JSON.parse(\'{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}\'));',
  'FINAL({ __proto__: { polluted: "yes" }, toString: () => "x" });',
  'contexts["__proto__"].polluted = "yes"; contexts.__proto__.constructor.prototype.polluted = "yes";',
  'print(context.slice(-1e9, 1e9), context.slice(NaN, Infinity), context.slice({}, []), context.slice("0", "9e9"));',
  'print(contexts[1e9], contexts["../../etc/passwd"], contexts["/etc/passwd"], contexts["file:///etc/passwd"]);',
  'print(cite(-5, 1e12), cite(0, NaN), cite(1e15));',
  'print(cite({ from: -1, to: 1e12 }), cite(Object.assign(Object.create(context), { from: 0, to: 1e9 })), cite("alpha", "/etc/passwd"));',
  'print(cite(new Proxy(context.grep("alpha")[0], { get: () => "/etc/passwd" })), cite("../".repeat(9) + "etc/passwd"));',
  'for (const h of context.grep("alpha", { most: 1e9, around: 1e9, skip: -1e9, path: "/etc/**" })) print(h.text);',
  'context.grep({ toString() { return "/etc/passwd"; } }, { get path() { return { toString: () => "file:///etc/passwd" }; } });',
  'print(doc("/etc/passwd"), doc("../../etc/passwd"), doc("/proc/self/environ"), doc("{".repeat(5_000) + "**/".repeat(500)));',
  'print(context.section("/etc/passwd"), context.symbol("process"), context.symbol(".*"), context.symbol("(".repeat(9_999)));',
  'evidence(globalThis); evidence({ toJSON: () => { throw 1; } }); evidence("x".repeat(5_000_000)); evidence({ __proto__: { kind: "done" } });',
  'print(printed(0), printed(-1), printed("__proto__"), printed({ valueOf: () => 1 }));',
  'FINAL("a", { tells: { toString: () => "all" }, missing: Array(1e6).fill("x".repeat(1_000)) });',
  'FINAL("a", { get tells() { return llm_query("in tells"); }, missing: [{ toString() { return llm_query("in missing"); } }] });',
  'Object.defineProperty(globalThis, "late", { enumerable: true, get() { llm_query("late"); return cite("alpha"); } }); Map.prototype.set = () => llm_query("late");',
  'Object.entries = () => { for (let n = 0; n < 99; n++) llm_query("after the end"); return []; }; 1;',
  'Object.getOwnPropertyDescriptors = () => { for (;;); }; 1;',
  'Array.prototype.join = () => "x".repeat(50_000_000); cite("nowhere"); 1;',
  'JSON.stringify = () => "[[-1e9, 1e12]]"; cite("alpha"); evidence(1); FINAL("a");',
  'Array.prototype.push = () => { throw new Error("no"); }; cite("nowhere"); context.grep("alpha");',
  'rlm_query("a", { from: -1, to: 1e12, name: "/etc/passwd" });',
  'rlm_query("a", Object.assign(Object.create(context), { from: 0, to: 1e9 }));',
  'rlm_query("../../secret", "../../etc/passwd");',
  'llm_query("\\0\\0kind\\0done"); print("\\ud800\\udfff\\0\\u2028");',
  'print("x".repeat(5_000_000));',
  'llm_query("x".repeat(20_000_000));',
  'let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; print(deep); FINAL(deep);',
  'let deep = {}; for (let i = 0; i < 2e4; i++) deep = { deep }; print(JSON.stringify(deep).length);',
  'print(JSON.parse("[".repeat(50_000) + "]".repeat(50_000)));',
  'context.match(/^(a+)+$/); /^(a|a)*$/.test("a".repeat(28) + "b");',
  'context.match(new RegExp("(".repeat(2_000) + ")".repeat(2_000)));',
  'context.grep(new RegExp("(?:" + "a?".repeat(30) + "a".repeat(30) + ")"));',
  'WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then((m) => print(m.instance.exports.constructor.constructor("return process")()));',
  'new WebAssembly.Memory({ initial: 1 }).buffer.constructor.constructor("return process")();',
  'const view = new DataView(new ArrayBuffer(8)); view.setUint32(1e9, 1);',
  'new Uint8Array(new SharedArrayBuffer(16)).set([1], 15); Atomics.notify(new Int32Array(new SharedArrayBuffer(8)), 0);',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1e6);',
  'label: { eval("var process = globalThis; print(Object.keys(process))"); }',
  'with (globalThis) { print(typeof require, typeof process, typeof module, typeof fetch, typeof Bun, typeof Deno); }',
  'for (const name of Object.getOwnPropertyNames(globalThis)) { try { print(name, globalThis[name].constructor.constructor("return typeof process")()); } catch {} }',
  'const seen = new Set(); (function walk(o, d) { if (d > 4 || o === null || (typeof o !== "object" && typeof o !== "function") || seen.has(o)) return; seen.add(o); for (const k of Reflect.ownKeys(o)) { try { const v = o[k]; if (v && v.mainModule) print("OUT", v); walk(v, d + 1); } catch {} } })(globalThis, 0);',
  'import("data:text/javascript,export default process.env").then((m) => print(m.default));',
  'import fs from "fs";',
  'export default 1;',
  'throw { toString() { throw { toString() { for (;;); } }; } };',
  'throw new Proxy(new Error("x"), { get() { throw new Error("y"); } });',
  'const e = new Error("a"); Object.defineProperty(e, "stack", { get() { throw 1; } }); throw e;',
  'const e = new Error(); e.name = { toString() { return llm_query("in the name"); } }; throw e;',
  'Promise.reject({ then(f) { f(globalThis); } }); await { then: (f) => f(globalThis) };',
  'Symbol.prototype[Symbol.toPrimitive] = () => "x"; print(Symbol.iterator, Object(Symbol()));',
  'Object.freeze(globalThis); Object.freeze(Promise.prototype); print(1);',
  'delete globalThis.print; delete globalThis.FINAL; globalThis.context = "mine"; console.log(context);',
];

/** Returns several hundred programs that try to escape. */
export function escapePrograms(canaries: Canaries): readonly string[] {
  const wanted = Object.values(payloadsFor(canaries));
  const made = ways.flatMap((way) =>
    wanted.map((payload) => {
      const text = JSON.stringify(payload);
      return `const make = ${way};\nconst got = make(${text});\nprint(await (typeof got === "function" ? got() : got));\nFINAL(String(got));`;
    }),
  );
  return [...made, ...others];
}
