import { join } from "node:path";
import { sql } from "drizzle-orm";
import { o, p } from "../../src/db/aliases.ts";
import { isOpen } from "../../src/db/fragments/open-positions.ts";
import { outcomes } from "../../src/db/schema.ts";
import { columnName, run } from "../../src/db/sql.ts";
import { updateLastTrades } from "../../src/ingest/ledger/last-trades.ts";
import { CANDLE_MIN_SHARES_MICRO } from "../../src/scoring/signals/parameters.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { literal, type DuckDb } from "./files/duckdb.ts";
import { TX_HEX } from "./files/stage-file.ts";
import { inLoadTransaction, lockLoadedTables } from "./load-state.ts";
import { copyFile } from "./range/copy-rows.ts";

/**
 * Stores the last trades of the staged fills in one transaction, before the fills are folded: the fold then values its
 * positions at these prices, and leaves nothing for the job `value_positions`. An outcome that already has open positions
 * keeps the price that these are valued at. The job then values its positions, the loaded ones too.
 */
export async function priceOutcomes(client: Client, duck: DuckDb, directory: string): Promise<void> {
  const path = join(directory, "newest.csv");
  await writeNewest(duck, path);
  await inLoadTransaction(client, async () => {
    const session = sessionOverTcp(client);
    await lockLoadedTables(session);
    await client.query(
      `create temp table newest (outcome_id bigint, kind text, shares_micro bigint, price numeric, tx_hash bytea,
         traded_ms bigint) on commit drop`,
    );
    await copyFile(client, "newest", path);
    await updateLastTrades(
      session,
      sql`select outcome_id, kind, shares_micro, price, tx_hash, to_timestamp(traded_ms / 1000.0) as traded_at from newest`,
    );
    await run(
      session,
      sql`update ${o} set ${columnName(outcomes.valuedPrice)} = ${o.markPrice}
       where ${o.id} in (select outcome_id from newest) and ${o.markPrice} is distinct from ${o.valuedPrice}
         and not exists (select from ${p} where ${p.outcomeId} = ${o.id} and ${isOpen(p)})`,
    );
  });
}

/** Writes the fills that can be the last trade of their outcome: those of its newest instant. */
async function writeNewest(duck: DuckDb, path: string): Promise<void> {
  await duck.run(
    `copy (
       with newest as (
         select outcome_id, max(traded_ms) as traded_ms from staged
         where shares_micro >= ${CANDLE_MIN_SHARES_MICRO} group by outcome_id
       )
       select outcome_id, case when is_buy then 'buy' else 'sell' end, shares_micro,
         coalesce(price_text, rtrim(rtrim((price_units::decimal(11, 0) * 0.0000000001)::varchar, '0'), '.')), '\\x' || ${TX_HEX}, traded_ms
       from staged join newest using (outcome_id, traded_ms) where shares_micro >= ${CANDLE_MIN_SHARES_MICRO}
     ) to ${literal(path)} (format csv, header false)`,
  );
}
