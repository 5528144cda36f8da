import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, e, l, m, o } from "../../db/aliases.ts";
import { inSnapshot, type Session } from "../../db/client.ts";
import { markets } from "../../db/schema.ts";
import { allOf, bigintText, epochMs, integer, selectRow, selectRows } from "../../db/sql.ts";
import { formatId } from "../../domain/ids.ts";
import type { ParquetColumn } from "../../lib/parquet/parquet-columns.ts";
import { formatMicro } from "../../domain/money.ts";
import { floorLowerBound } from "../../scoring/dollar-floor.ts";
import type { Snapshot } from "../jobs/lease.ts";
import { COMMIT_HORIZON } from "../../events/outbox/outbox-reader.ts";
import { JobRefused, SnapshotLost, type FileRow, type Source, type SourcePage } from "./source.ts";

/** Stored filters of a dataset. */
export const StoredFilters = z.object({
  from: z.string(),
  to: z.string(),
  condition_id: z.string().nullable(),
  min_size_cents: z.number().int().positive().nullable(),
});

export type StoredFilters = z.output<typeof StoredFilters>;

export const MAX_DATASET_ROWS = 1_000_000;

/** The rows that a dataset contains; of a row, only columns that never change decide. */
const matches = ({ from, to, condition_id: conditionId, min_size_cents: cents }: StoredFilters): SQL =>
  allOf([
    sql`${l.tradedAt} >= ${from}::timestamptz and ${l.tradedAt} < ${to}::timestamptz`,
    conditionId === null
      ? null
      : sql`${l.marketId} = (select ${markets.id} from ${markets} where ${markets.conditionId} = ${conditionId})`,
    cents === null ? null : sql`${l.sizeUsdMicro} >= ${String(floorLowerBound(BigInt(cents) * 10_000n))}::bigint`,
  ]);

const SelectedRow = z.object({
  epoch: z.number().int(),
  horizon: z.string(),
  selected_at: z.number(),
  total: integer,
});

/**
 * Selects the snapshot of a dataset in one REPEATABLE READ transaction: its commit horizon and the number of its
 * rows. Every transaction below the horizon has ended, large trades are never deleted, and the columns of the
 * file never change. So a later statement that reads below the same horizon sees exactly this snapshot.
 *
 * @throws JobRefused when there are more rows than a file may have
 */
export async function selectDatasetSnapshot(
  pool: Pool,
  filters: StoredFilters,
  newId: () => string,
): Promise<Snapshot> {
  const row = await inSnapshot(pool, (session) =>
    selectRow(
      session,
      sql`select ${currentEpoch.epoch}, ${COMMIT_HORIZON}::text as horizon, ${epochMs(sql`now()`)} as selected_at,
          (select count(*) from (
            select from ${l} where ${matches(filters)} and ${l.commitXid} < ${COMMIT_HORIZON} limit ${MAX_DATASET_ROWS + 1}
          ) counted) as total
        from ${currentEpoch} order by ${currentEpoch.epoch} desc limit 1`,
      SelectedRow,
    ),
  );
  if (row === null) throw new Error("the outbox has no epoch");
  if (row.total > MAX_DATASET_ROWS)
    throw new JobRefused(
      `The range has more than ${MAX_DATASET_ROWS} trades. Submit shorter ranges or a larger min_size.`,
    );
  return {
    generationId: newId(),
    selectedAt: new Date(row.selected_at),
    epoch: row.epoch,
    horizonXid: row.horizon,
    totalTrades: row.total,
  };
}

const Position = z.object({ traded_at: z.string(), id: z.number().int() });

/** A timestamp without time zone, as Postgres writes it: `2026-11-20 12:00:05.25`. */
const utcText = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/);
const digits = z.string().regex(/^\d+$/);

/** Plain columns as the driver gives them: text, and small integers as numbers. */
const Trade = z.object({
  epoch: z.number().int(),
  id: digits,
  traded_at: utcText,
  trader_id: digits,
  condition_id: z.string(),
  side: z.enum(["BUY", "SELL"]),
  outcome_index: z.number().int().nullable(),
  price: z.string(),
  size_usd_micro: bigintText,
  inserted_xid: digits,
  entry_id: digits,
  ingested_at: utcText,
});

/** Of a page without trades there is one row, so that its epoch is known. */
const PageRow = z.union([Trade, z.object({ epoch: z.number().int().nullable(), id: z.null() })]);

/** The trades of a snapshot, in the order of (traded_at, id). */
export class DatasetSource implements Source {
  readonly #session: Session;
  readonly #filters: StoredFilters;
  readonly #snapshot: Pick<Snapshot, "epoch" | "horizonXid">;

  readonly #pageRows: number;

  constructor(
    session: Session,
    filters: StoredFilters,
    snapshot: Pick<Snapshot, "epoch" | "horizonXid">,
    pageRows: number,
  ) {
    this.#session = session;
    this.#filters = filters;
    this.#snapshot = snapshot;
    this.#pageRows = pageRows;
  }

  /** @throws SnapshotLost after a restore of the database */
  async readPage(position: unknown): Promise<SourcePage> {
    const after = position === null ? null : Position.parse(position);
    const rows = await this.#select(after);
    if (rows[0]?.epoch !== this.#snapshot.epoch) throw new SnapshotLost("the database was restored");
    const trades = rows.filter((row) => row.id !== null);
    const last = trades.at(-1);
    return {
      rows: trades.map(presentTrade),
      position: last === undefined ? after : { traded_at: `${last.traded_at}Z`, id: Number(last.id) },
      isLast: trades.length < this.#pageRows,
    };
  }

  #select(after: z.output<typeof Position> | null) {
    const isAfter =
      after === null ? null : sql`(${l.tradedAt}, ${l.id}) > (${after.traded_at}::timestamptz, ${after.id})`;
    return selectRows(
      this.#session,
      sql`with page as materialized (
          select ${l.id}, ${l.tradedAt}, ${l.entryId}, ${l.traderId}, ${l.marketId}, ${l.outcomeId}, ${l.side}, ${l.price},
            ${l.sizeUsdMicro}, ${l.commitXid}
          from ${l} where ${matches(this.#filters)} and ${l.commitXid} < ${this.#snapshot.horizonXid}::xid8
            ${isAfter === null ? sql`` : sql`and ${isAfter}`}
          order by ${l.tradedAt}, ${l.id} limit ${this.#pageRows}
        ), newest as (
          select max(${currentEpoch.epoch}) as epoch from ${currentEpoch}
        )
        select newest.epoch, t.id, t.traded_at at time zone 'UTC' as traded_at, t.trader_id, t.condition_id, t.side,
          t.outcome_index, t.price, t.size_usd_micro, t.commit_xid as inserted_xid, t.entry_id,
          t.recorded_at at time zone 'UTC' as ingested_at
        from newest left join (
          select l.*, ${m.conditionId}, ${o.outcomeIndex}, ${e.recordedAt}
          from page l join ${m} on ${m.id} = l.market_id join ${o} on ${o.id} = l.outcome_id join ${e} on ${e.id} = l.entry_id
        ) t on true
        order by t.traded_at, t.id`,
      PageRow,
    );
  }
}

/** ISO text with milliseconds, of a timestamp with up to six decimals. */
const isoOf = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, "0")}Z`;

/** One row of the file: a WhaleDatasetTrade. */
const presentTrade = (trade: z.output<typeof Trade>): FileRow => ({
  id: formatId("largeTrade", Number(trade.id)),
  sequence: trade.id,
  trader_id: formatId("trader", Number(trade.trader_id)),
  condition_id: trade.condition_id,
  platform: "polymarket",
  traded_at: isoOf(trade.traded_at),
  side: trade.side,
  outcome_index: trade.outcome_index,
  price: trade.price,
  size_usd: formatMicro(trade.size_usd_micro),
  inserted_xid: trade.inserted_xid,
  trade_event_id: formatId("positionEvent", Number(trade.entry_id)),
  source_trade_ingested_at: isoOf(trade.ingested_at),
});

/** The columns of a Parquet file. Prices are text, because they have no common scale. */
export const DATASET_COLUMNS: readonly ParquetColumn[] = [
  { name: "id", kind: "text" },
  { name: "sequence", kind: "integer" },
  { name: "trader_id", kind: "text" },
  { name: "condition_id", kind: "text" },
  { name: "platform", kind: "text" },
  { name: "traded_at", kind: "instant" },
  { name: "side", kind: "text" },
  { name: "outcome_index", kind: "integer", isNullable: true },
  { name: "price", kind: "text" },
  { name: "size_usd", kind: "micro" },
  { name: "inserted_xid", kind: "integer" },
  { name: "trade_event_id", kind: "text" },
  { name: "source_trade_ingested_at", kind: "instant" },
];
