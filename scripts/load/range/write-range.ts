import { sql } from "drizzle-orm";
import { o } from "../../../src/db/aliases.ts";
import { run } from "../../../src/db/sql.ts";
import { captureLargeTrades } from "../../../src/ingest/feeds/capture-large-trades.ts";
import type { LedgerEntry } from "../../../src/ingest/ledger/ledger-entry.ts";
import { positionValue } from "../../../src/ingest/ledger/position-value.ts";
import { writeRealized } from "../../../src/ingest/ledger/write-ledger.ts";
import { markSettled } from "../../../src/ingest/skill/mark-due.ts";
import { rewarmTraders, trackTraders, tradersToWarm } from "../../../src/ingest/traders/track-traders.ts";
import { isLargeTrade } from "../../../src/domain/trades/large-trade.ts";
import { chunk } from "../../../src/lib/chunk.ts";
import { COLUMNS, FIGURES_TABLES, type FiguresTable } from "../../recompute/figures.ts";
import type { TraderRange } from "../../recompute/read-traders.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { copyLines } from "./copy-rows.ts";
import type { FoldedRange } from "./fold-range.ts";
import { isWithin } from "./read-range.ts";

const TRADES_AT_ONCE = 1_000;

/** Adds the staged fills of a range to the ledger and replaces the figures of its traders. */
export async function writeRange(
  client: Client,
  range: TraderRange,
  folded: FoldedRange,
  /** Traders that may have figures already. */
  stale: readonly string[],
): Promise<void> {
  await client.query(`create temp table realized (row bigint not null, realized_micro bigint) on commit drop`);
  await copyLines(client, "realized", folded.realized);
  await client.query(
    `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro,
       fee_micro, price, role, traded_at, realized_micro)
     select s.tx_hash, s.trader_id, s.outcome_id, s.market_id, s.kind, s.shares_micro, s.ordinal, s.usd_micro,
       s.fee_micro, s.price, s.role, to_timestamp(s.traded_ms / 1000.0), r.realized_micro
     from bulk_load.fills s left join realized r using (row)
     where ${isWithin("s.trader_id", range)} order by s.row`,
  );
  await writeRealized(sessionOverTcp(client), folded.changed);
  for (const table of FIGURES_TABLES) {
    if (stale.length > 0) await client.query(`delete from ${table} where trader_id = any($1::bigint[])`, [stale]);
  }
  await writePositions(client, folded.figures.positions);
  await writeFigures(client, "trader_totals", folded.figures.trader_totals);
  await copyLines(client, `trader_days (trader_id, ${COLUMNS.trader_days.join(", ")})`, folded.figures.trader_days);
}

/** Positions get the value at the price of their outcome, as `writePositions` of src/ingest/ledger gives it. */
async function writePositions(client: Client, lines: readonly string[]): Promise<void> {
  await copyToTemporary(client, "positions", lines);
  const value = positionValue({ shares: sql`n.shares_micro`, settled: sql`n.settled_micro`, price: o.valuedPrice });
  const columns = sql.raw(COLUMNS.positions.join(", "));
  await run(
    sessionOverTcp(client),
    sql`insert into positions (trader_id, ${columns}, value_micro)
      select n.trader_id, ${sql.raw(COLUMNS.positions.map((name) => instantOf(name)).join(", "))}, ${value}
      from new_positions n left join ${o} on ${o.id} = n.outcome_id`,
  );
}

async function writeFigures(client: Client, table: "trader_totals", lines: readonly string[]): Promise<void> {
  await copyToTemporary(client, table, lines);
  await client.query(
    `insert into ${table} (trader_id, ${COLUMNS[table].join(", ")})
     select n.trader_id, ${COLUMNS[table].map((name) => instantOf(name)).join(", ")} from new_${table} n`,
  );
}

async function copyToTemporary(client: Client, table: FiguresTable, lines: readonly string[]): Promise<void> {
  const columns = COLUMNS[table].map((name) => `${name} ${isInstant(name) ? "float8" : "bigint"}`);
  await client.query(`create temp table new_${table} (trader_id bigint, ${columns.join(", ")}) on commit drop`);
  await copyLines(client, `new_${table}`, lines);
}

const isInstant = (name: string): boolean => name === "first_at" || name === "last_at";
const instantOf = (name: string): string => (isInstant(name) ? `to_timestamp(n.${name} / 1000)` : `n.${name}`);

/**
 * What ingest does for the entries of a page, after they are recorded: captures large trades and follows traders.
 */
export async function trackRange(
  client: Client,
  fills: readonly LedgerEntry[],
  { traderIds, settledMarkets }: { traderIds: readonly number[]; settledMarkets: FoldedRange["settledMarkets"] },
  largeTradeMinUsd: number,
): Promise<void> {
  const session = sessionOverTcp(client);
  const large = fills.filter((fill) => isLargeTrade(fill, largeTradeMinUsd));
  for (const part of chunk(large, TRADES_AT_ONCE)) await captureLargeTrades(session, part, largeTradeMinUsd);
  await trackTraders(
    session,
    large.map(({ traderId }) => traderId),
    "hot",
  );
  await trackTraders(session, tradersToWarm(fills), "warm");
  await rewarmTraders(session, traderIds);
  await markSettled(session, [...settledMarkets]);
}
