/** The part of sql.js that is used: the functions of SQLite in WebAssembly, with pointers and values as numbers. */
declare module 'sql.js' {
  type Native = '_malloc' | '_free' | `_sqlite3_${NativeOfSqlite}`;
  type NativeOfSqlite =
    | ('open' | 'exec' | 'prepare_v2' | 'errmsg' | 'step' | 'reset' | 'finalize' | 'create_function_v2')
    | `bind_${'text' | 'double' | 'int'}`
    | 'clear_bindings'
    | `column_${'count' | 'name' | 'type' | 'double' | 'text' | 'blob' | 'bytes'}`
    | `value_${'type' | 'text' | 'bytes'}`
    | `result_${'int' | 'null' | 'text' | 'error'}`;
  export interface SqliteFunctions extends Readonly<Record<Native, (...args: number[]) => number>> {
    stringToNewUTF8(text: string): number;
    addFunction(run: (...args: number[]) => void, signature: string): number;
  }
  export interface SqliteOptions {
    readonly useOldExtensionFunctions: boolean;
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void): object;
  }
  const initSqlJs: (options: SqliteOptions) => Promise<SqliteFunctions>;
  export default initSqlJs;
}
