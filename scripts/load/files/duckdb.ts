import { DuckDBInstance, type DuckDBDataChunk } from "@duckdb/node-api";

export interface DuckDb {
  run(statement: string): Promise<void>;
  /** The rows of a small result, with every value as JSON. */
  rows(statement: string): Promise<Record<string, unknown>[]>;
  /** A result in parts of about 2,000 rows; the statement runs while they are read. */
  chunks(statement: string): AsyncIterable<DuckDBDataChunk>;
  close(): void;
}

/** A database in memory that writes what does not fit to `directory`. */
export async function openDuckDb(directory: string): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: "2GB",
    temp_directory: directory,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  return {
    run: async (statement) => {
      await connection.run(statement);
    },
    rows: async (statement) => (await connection.runAndReadAll(statement)).getRowObjectsJson(),
    chunks: async function* (statement) {
      yield* await connection.stream(statement);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
