import type { DuckDb } from "./duckdb.ts";

const IDENTITY = "tx_hash, wallet, token_id, is_buy, shares_micro";

/**
 * Numbers equal rows of a transaction like `numberRows` of src/ingest/feeds: counting restarts whenever the transaction
 * changes, so a stretch of rows that the file repeats is the same fills again. Writes the table `ordinals`: the number
 * of each row of `raw` that is not the only one of its identity, and whether an earlier row is the same fill.
 *
 * @param stated the file has the ordinals
 * @returns how many rows repeat an earlier one
 */
export async function numberRepeats(duck: DuckDb, stated: boolean): Promise<number> {
  const hash = `hash(${IDENTITY}${stated ? ", stated_ordinal" : ""})`;
  // Most identities occur once. Equal hashes of different rows only make more rows be compared.
  await duck.run(
    `create or replace table suspects as select h from (select ${hash} as h from raw) group by h having count(*) > 1`,
  );
  const numbered = stated
    ? `select rowid as row, ${IDENTITY}, stated_ordinal as ordinal from raw where ${hash} in (from suspects)`
    : `select row, ${IDENTITY}, row_number() over (partition by ${IDENTITY}, run order by row) - 1 as ordinal
       from (
         -- Rows of one transaction that are next to each other: row number and position grow together.
         select rowid as row, ${IDENTITY}, rowid - row_number() over (partition by tx_hash order by rowid) as run
         from raw where tx_hash in (select tx_hash from raw where ${hash} in (from suspects))
       )`;
  await duck.run(
    `create or replace table ordinals as
     select row, ordinal, row_number() over (partition by ${IDENTITY}, ordinal order by row) > 1 as is_repeat
     from (${numbered})`,
  );
  const [counts] = await duck.rows(`select count(*)::double as repeats from ordinals where is_repeat`);
  return Number(counts?.["repeats"]);
}
