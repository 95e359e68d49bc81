/** The part of sql.js that is used: the functions of SQLite in WebAssembly, with pointers as numbers. */
declare module 'sql.js' {
  export interface SqliteFunctions {
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    stringToNewUTF8(text: string): number;
    addFunction(run: (...args: number[]) => void, signature: string): number;
    _sqlite3_open(name: number, database: number): number;
    _sqlite3_exec(database: number, sql: number, row: number, context: number, error: number): number;
    _sqlite3_prepare_v2(database: number, sql: number, bytes: number, statement: number, rest: number): number;
    _sqlite3_errmsg(database: number): number;
    _sqlite3_step(statement: number): number;
    _sqlite3_reset(statement: number): number;
    _sqlite3_finalize(statement: number): number;
    _sqlite3_bind_text(statement: number, index: number, text: number, bytes: number, destructor: number): number;
    _sqlite3_bind_double(statement: number, index: number, value: number): number;
    _sqlite3_bind_int(statement: number, index: number, value: number): number;
    _sqlite3_clear_bindings(statement: number): number;
    _sqlite3_column_count(statement: number): number;
    _sqlite3_column_name(statement: number, column: number): number;
    _sqlite3_column_type(statement: number, column: number): number;
    _sqlite3_column_double(statement: number, column: number): number;
    _sqlite3_column_text(statement: number, column: number): number;
    _sqlite3_column_blob(statement: number, column: number): number;
    _sqlite3_column_bytes(statement: number, column: number): number;
    _sqlite3_create_function_v2(
      database: number,
      name: number,
      args: number,
      encoding: number,
      context: number,
      run: number,
      step: number,
      final: number,
      destroy: number,
    ): number;
    _sqlite3_value_type(value: number): number;
    _sqlite3_value_text(value: number): number;
    _sqlite3_value_bytes(value: number): number;
    _sqlite3_result_int(context: number, value: number): void;
    _sqlite3_result_null(context: number): void;
    _sqlite3_result_text(context: number, text: number, bytes: number, destructor: number): void;
    _sqlite3_result_error(context: number, text: number, bytes: number): void;
  }
  export interface SqliteOptions {
    readonly useOldExtensionFunctions: boolean;
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void): object;
  }
  const initSqlJs: (options: SqliteOptions) => Promise<SqliteFunctions>;
  export default initSqlJs;
}
