import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { median } from "../reads/measure-load.ts";

const ROUNDS = 5;

/** One column of all rows, and the rows of one market. */
const QUERIES = {
  "dollars by side": (source: string) =>
    `select side, sum(size_usd::decimal(18, 6)) from ${source} group by side order by side`,
  "trades of a market": (source: string) =>
    `select count(*), max(traded_at)::timestamptz::varchar from ${source}
     where condition_id = (select min(condition_id) from ${source})`,
};

/**
 * Times the same queries of DuckDB over both forms of one dataset.
 *
 * @throws Error when a query does not have the same result for both
 */
export async function compareQueries(files: { readonly ndjson: string; readonly parquet: string }): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const sources = {
    ndjson: `read_json('${files.ndjson}', format = 'newline_delimited', compression = 'gzip')`,
    parquet: `read_parquet('${files.parquet}')`,
  };
  try {
    for (const [name, query] of Object.entries(QUERIES)) {
      const ndjson = await time(connection, query(sources.ndjson));
      const parquet = await time(connection, query(sources.parquet));
      if (ndjson.result !== parquet.result) throw new Error(`${name}: ${ndjson.result} is not ${parquet.result}`);
      console.log(
        `files, DuckDB, ${name}: Parquet ${parquet.ms.toFixed(0)} ms, NDJSON.gz ${ndjson.ms.toFixed(0)} ms ` +
          `(${(ndjson.ms / parquet.ms).toFixed(1)} times)`,
      );
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function time(connection: DuckDBConnection, query: string): Promise<{ ms: number; result: string }> {
  const times: number[] = [];
  let result = "";
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    result = JSON.stringify((await connection.runAndReadAll(query)).getRowsJson());
    times.push(performance.now() - startedAt);
  }
  return { ms: median(times), result };
}
