import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContextStore } from '../../src/context/store/store.ts';
import type { QueryLimits, QueryResult } from '../../src/query/query-result.ts';
import { runQuery } from '../../src/query/run-query.ts';
import { startSqlite } from '../../src/query/sqlite/start.ts';

export type Texts = Readonly<Record<string, string>>;

export const storeOf = (texts: Texts) =>
  createContextStore(Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));

export const limits: QueryLimits = {
  megabytes: 10,
  timeoutMs: 10_000,
  memoryMb: 128,
  rows: 100,
  characters: 100_000,
};

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
const { Module } = (globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } })
  .WebAssembly;
const compiled = new Module(readFileSync(wasm));

/** SQLite starts once in a process, even if a test of another file loads the modules again. */
const started = globalThis as { sqliteOfTests?: ReturnType<typeof startSqlite> };
started.sqliteOfTests ??= startSqlite(compiled, limits.memoryMb);
export const sqlite = started.sqliteOfTests;

const queryText = (texts: Texts) => {
  const source = storeOf(texts);
  return { source, origins: source.documents.map(({ name }) => ({ name, linesBefore: 0 })) };
};

/** Runs SQL in this thread. */
export async function run(sql: string, texts: Texts, given: Partial<QueryLimits> = {}): Promise<QueryResult> {
  return runQuery(await sqlite, queryText(texts), sql, { ...limits, ...given });
}

/** Returns the rows of a query. */
export const rowsOf = async (sql: string, texts: Texts) => (await run(sql, texts)).rows;
