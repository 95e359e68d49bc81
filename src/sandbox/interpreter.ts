import releaseVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSEmscriptenModule,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { HostFunctions } from './guest/host-functions.ts';
import guestSource from './guest/library.ts?script';
import type { CompiledInterpreter } from './messages.ts';

/** An interpreter with the guest library loaded. Variables persist between evaluations. */
export type Interpreter = Awaited<ReturnType<typeof createInterpreter>>;

interface InterpreterOptions {
  readonly compiled: CompiledInterpreter;
  readonly memoryMb: number;
  readonly host: HostFunctions;
  isOver(): boolean;
}

const wasmPageBytes = 65_536;
const megabyte = 1024 * 1024;
const initialPages = 256;
/** The interpreter's own memory, in addition to the code's values. */
const ownBytes = 4 * megabyte;
const stackBytes = 256 * 1024;
/** The number of jobs that run between two checks of the limits. Without checks, jobs could create new jobs forever. */
const jobsAtOnce = 1_000;
const endlessJobs = 'InternalError: endless jobs';

const asyncScript = 1 << 7;

/** The package's types describe the module instead of its export. */
const variant = releaseVariant as unknown as QuickJSSyncVariant;

type Memory = { readonly buffer: ArrayBuffer };

/** The part of `WebAssembly` that is used here. Node's types lack `WebAssembly`. */
const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => Memory } }
).WebAssembly;

/** Replaces the interpreter's own encoder, which takes 65 ns a character. */
function withFastStrings(memory: Memory, base: QuickJSSyncVariant): QuickJSSyncVariant {
  const encoder = new TextEncoder();
  return {
    ...base,
    importModuleLoader: async () => {
      const imported = await base.importModuleLoader();
      const load = (
        typeof imported === 'function' ? imported : imported.default
      ) as EmscriptenModuleLoader<QuickJSEmscriptenModule>;
      return async (options) => {
        const module = await load(options);
        return Object.assign(module, {
          lengthBytesUTF8: (text: string) => Buffer.byteLength(text),
          stringToUTF8(text: string, at: number, most: number) {
            const room = new Uint8Array(memory.buffer, at, most);
            const { written } = encoder.encodeInto(text, room.subarray(0, most - 1));
            room[written] = 0;
          },
        });
      };
    },
  };
}

/**
 * Creates a context with limited memory. Also limits the WebAssembly memory, because the interpreter's own limit
 * misses many medium-sized allocations.
 */
async function createContext({ compiled, memoryMb, isOver }: InterpreterOptions): Promise<QuickJSContext> {
  const memory = new Memory({ initial: initialPages, maximum: (memoryMb * megabyte) / wasmPageBytes });
  const limited = newVariant(variant, { wasmMemory: memory, wasmModule: compiled } as Parameters<typeof newVariant>[1]);
  const module = await newQuickJSWASMModuleFromVariant(withFastStrings(memory, limited));
  const runtime = module.newRuntime();
  runtime.setMemoryLimit(memoryMb * megabyte - ownBytes);
  runtime.setMaxStackSize(stackBytes);
  runtime.setInterruptHandler(isOver);
  return runtime.newContext();
}

function argument(context: QuickJSContext, handle: QuickJSHandle): unknown {
  const type = context.typeof(handle);
  if (type === 'number') return context.getNumber(handle);
  return type === 'string' ? context.getString(handle) : undefined;
}

/** Replaces NUL, because a text that is passed to the guest ends at NUL. */
const plain = (text: string): string => text.replaceAll('\0', '\uFFFD');

function toHandle(context: QuickJSContext, value: unknown): QuickJSHandle {
  if (typeof value === 'number') return context.newNumber(value);
  if (typeof value === 'string') return context.newString(plain(value));
  return value instanceof ArrayBuffer ? context.newArrayBuffer(value) : context.undefined;
}

function createHostObject(context: QuickJSContext, host: HostFunctions): QuickJSHandle {
  const object = context.newObject();
  for (const [name, answer] of Object.entries(host) as [string, (...values: unknown[]) => unknown][]) {
    const method = context.newFunction(name, (...handles) => {
      try {
        return toHandle(context, answer(...handles.map((handle) => argument(context, handle))));
      } catch (error) {
        // Passes only name and message: the guest must not see more of the host's errors.
        const { name: kind, message } = error as Error;
        return { error: context.newError({ name: kind, message: plain(message) }) };
      }
    });
    context.setProp(object, name, method);
    method.dispose();
  }
  return object;
}

type Library = typeof import('./guest/library.ts');

/** Creates a function that calls functions of the library. It returns null if the library function throws. */
function createCall(context: QuickJSContext, library: QuickJSHandle) {
  return (name: keyof Library, ...args: readonly (QuickJSHandle | number | string)[]): string | null => {
    const own = args.map((arg) => (typeof arg === 'object' ? null : toHandle(context, arg)));
    const method = context.getProp(library, name);
    const given = args.map((arg, index) => own[index] ?? (arg as QuickJSHandle));
    const result = context.callFunction(method, context.undefined, ...given);
    for (const handle of [method, ...own]) handle?.dispose();
    if (result.error) {
      result.error.dispose();
      return null;
    }
    const text = context.typeof(result.value) === 'string' ? context.getString(result.value) : '';
    result.value.dispose();
    return text;
  };
}

/** Starts an interpreter whose code can call the functions of `host`. */
export async function createInterpreter(options: InterpreterOptions) {
  const { isOver } = options;
  const context = await createContext(options);
  const host = createHostObject(context, options.host);
  const define = context.unwrapResult(context.evalCode(guestSource, 'library.js'));
  const library = context.unwrapResult(context.callFunction(define, context.undefined, host));
  let script: QuickJSHandle | null = null;

  const call = createCall(context, library);

  function explain(thrown: QuickJSHandle): string {
    const text = call('explain', thrown) ?? 'out of memory';
    thrown.dispose();
    return text;
  }

  return {
    /** Begins a script that may await. Returns the error if the script cannot begin; else null. */
    begin(code: string, name: string): string | null {
      script?.dispose();
      script = null;
      const result = context.evalCode(code, name, asyncScript);
      if (result.error) return explain(result.error);
      script = result.value;
      return null;
    },
    /** Runs the jobs that are ready. Returns the thrown error; null if nothing was thrown. */
    runJobs(): string | null {
      while (context.runtime.hasPendingJob()) {
        if (isOver()) return endlessJobs;
        const result = context.runtime.executePendingJobs(jobsAtOnce);
        if (result.error) return explain(result.error);
        result.dispose();
      }
      return null;
    },
    /** Returns the last script's `value` as text or its `thrown` error; an empty object while the script is pending. */
    ended(): { readonly value?: string; readonly thrown?: string } {
      if (script === null) return { value: '' };
      const state = context.getPromiseState(script);
      if (state.type === 'pending') return {};
      if (state.type === 'rejected') return { thrown: explain(state.error) };
      const value = context.getProp(state.value, 'value');
      const shown = context.typeof(value) === 'undefined' ? '' : (call('show', value) ?? '');
      value.dispose();
      state.value.dispose();
      return { value: shown };
    },
    settle: (id: number, text: string, isFailure: boolean) => void call('settle', id, text, isFailure ? 1 : 0),
    keep: (turn: number, output: string) => void call('keep', turn, output),
    /** Returns the problems, one per line, and clears them. */
    problems: () => call('problems') ?? '',
    variables: () => call('variables') ?? '',
    /** Returns a global variable as an answer; null if there is none with this name. */
    variable: (name: string) => call('variable', name),
  };
}
