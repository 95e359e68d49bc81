import initSqlJs, { type SqliteFunctions } from 'sql.js';

/** A `WebAssembly.Module`; Node's types lack it. */
export type CompiledSqlite = object;

interface WebAssemblyParts {
  readonly Instance: new (
    module: CompiledSqlite,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (...args: never[]) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

type Memory = InstanceType<WebAssemblyParts['Memory']>;
const { Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyParts }).WebAssembly;

const pageBytes = 65_536;
const megabyte = 1024 * 1024;

/** SQLite, and the WebAssembly memory that contains all its data. */
export interface Sqlite {
  readonly functions: SqliteFunctions;
  readonly memoryMb: number;
  /** Returns the current buffer of the memory. The memory gets a new buffer when it grows. */
  buffer(): ArrayBuffer;
}

/** Limits the growth of a memory. SQLite reports a refused growth as "out of memory". */
function limit(memory: Memory, megabytes: number): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages: number) => {
    if (memory.buffer.byteLength + pages * pageBytes > megabytes * megabyte)
      throw new RangeError('the memory of the query is used up');
    return grow(pages);
  };
}

/** Starts SQLite. Call it once per thread. */
export async function startSqlite(compiled: CompiledSqlite, memoryMb: number): Promise<Sqlite> {
  let memory: Memory | null = null;
  const functions = await initSqlJs({
    useOldExtensionFunctions: false,
    instantiateWasm(imports, receive) {
      const instance = new Instance(compiled, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof Memory) as Memory;
      limit(memory, memoryMb);
      receive(instance, compiled);
      return instance.exports;
    },
  });
  return { functions, memoryMb, buffer: () => memory!.buffer };
}
