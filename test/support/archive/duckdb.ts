import { DuckDBInstance } from "@duckdb/node-api";

/** Runs one statement in a DuckDB of its own. @returns its rows, with every value as JSON */
export async function queryDuckDb(statement: string): Promise<Record<string, any>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(statement)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
