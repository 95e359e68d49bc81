import initSqlJs, { type SqliteFunctions } from 'sql.js';

/** A `WebAssembly.Module`, which Node's types lack. */
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

/** SQLite, and the memory that all of its values are in. */
export interface Sqlite {
  readonly functions: SqliteFunctions;
  /** The memory as it is now; it is another buffer after it grew. */
  buffer(): ArrayBuffer;
}

/** Lets a memory grow to a limit. SQLite takes a refusal as "out of memory". */
function limit(memory: Memory, megabytes: number): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages: number) => {
    if (memory.buffer.byteLength + pages * pageBytes > megabytes * megabyte)
      throw new RangeError('the memory of the query is used up');
    return grow(pages);
  };
}

/**
 * Starts SQLite, once in a thread.
 * @param memoryMb memory that it may take, in MB.
 */
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
  return { functions, buffer: () => memory!.buffer };
}
