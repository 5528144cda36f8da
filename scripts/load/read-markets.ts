import type { DuckDb } from "./files/duckdb.ts";
import { sourceOf } from "./files/normalize-file.ts";

const TOKEN_COLUMNS = ["token1", "token2"];

/** Whether a file lists markets: a condition id and the tokens of its two outcomes. */
export function isMarketsFile(columns: readonly string[]): boolean {
  const names = new Set(columns.map((name) => name.toLowerCase()));
  return names.has("condition_id") && TOKEN_COLUMNS.every((name) => names.has(name));
}

/** Adds the tokens of a file of markets to the DuckDB table `token_markets`. */
export async function readMarkets(duck: DuckDb, path: string): Promise<void> {
  await duck.run(
    `create table if not exists token_markets (token_id varchar, condition_id varchar, outcome_index varchar)`,
  );
  for (const [index, column] of TOKEN_COLUMNS.entries()) {
    await duck.run(
      `insert into token_markets select trim("${column}"::varchar), lower(trim(condition_id::varchar)), '${index}'
       from ${sourceOf(path)} where trim("${column}"::varchar) not in (select token_id from token_markets)
       qualify row_number() over (partition by trim("${column}"::varchar)) = 1`,
    );
  }
}
