import { z } from "zod";
import { WARM_MIN_FILL_USD } from "../../../src/domain/traders/tracking.ts";
import { bigintText, integer } from "../../../src/db/sql.ts";
import type { LedgerEntry } from "../../../src/ingest/ledger/ledger-entry.ts";
import { recordLedgerEntries } from "../../../src/ingest/ledger/record-ledger-entries.ts";
import { chunk } from "../../../src/lib/chunk.ts";
import { toMicro } from "../../../src/scoring/dollar-floor.ts";
import type { TraderRange } from "../../recompute/read-traders.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { isWithin } from "./read-range.ts";

/** The product's own page size. */
const ENTRIES_AT_ONCE = 1_000;

const StagedRow = z
  .object({
    trader_id: integer,
    outcome_id: integer,
    market_id: integer,
    kind: z.enum(["buy", "sell"]),
    tx: z.string(),
    shares_micro: bigintText,
    ordinal: z.number(),
    usd_micro: bigintText,
    fee_micro: bigintText.nullable(),
    price: z.string(),
    role: z.literal("taker").nullable(),
    traded_ms: integer,
  })
  .transform((row): LedgerEntry => ({
    txHash: row.tx,
    traderId: row.trader_id,
    outcomeId: row.outcome_id,
    marketId: row.market_id,
    kind: row.kind,
    sharesMicro: row.shares_micro,
    ordinal: row.ordinal,
    usdMicro: row.usd_micro,
    feeMicro: row.fee_micro,
    price: row.price,
    role: row.role,
    tradedAtMs: row.traded_ms,
  }));

const STAGED_ROW = `select s.trader_id, s.outcome_id, s.market_id, s.kind, '0x' || encode(s.tx_hash, 'hex') as tx,
  s.shares_micro, s.ordinal, s.usd_micro, s.fee_micro, s.price::text, s.role, s.traded_ms from bulk_load.fills s`;
const IDENTITY = "tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal";
const SAME_IDENTITY = `(e.tx_hash, e.trader_id, e.outcome_id, e.kind, e.shares_micro, e.ordinal)
  = (s.tx_hash, s.trader_id, s.outcome_id, s.kind, s.shares_micro, s.ordinal)`;

/** The staged fills that make their trader warm or hot, or that may be large trades. */
export async function listTrackingFills(
  client: Client,
  range: TraderRange,
  largeTradeMinUsd: number,
): Promise<LedgerEntry[]> {
  // A cent less: dollar floors compare in rounded cents.
  const floor = toMicro(Math.min(WARM_MIN_FILL_USD, largeTradeMinUsd)) - 10_000n;
  return listStaged(
    client,
    `${STAGED_ROW} where ${isWithin("s.trader_id", range)} and s.usd_micro >= ${floor} order by s.row`,
  );
}

/** The traders of a range with recorded entries. */
export async function listKnownTraders(client: Client, range: TraderRange): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select trader_id::text as id
     from (select distinct trader_id from bulk_load.fills where ${isWithin("trader_id", range)}) s
     where exists (select from ledger_entries e where e.trader_id = s.trader_id) order by trader_id`,
  );
  return rows.map((row) => row.id);
}

/**
 * Removes the staged fills of a range that are recorded. Roles and fees that the ledger lacks are filled in from them
 * before, by the function that ingest uses.
 */
export async function removeRecorded(client: Client, range: TraderRange): Promise<void> {
  const recorded = `${isWithin("s.trader_id", range)} and ${SAME_IDENTITY}`;
  const updates = await listStaged(
    client,
    `${STAGED_ROW} join ledger_entries e on ${recorded}
     where e.role is null and s.role is not null or e.fee_micro is null and s.fee_micro is not null`,
  );
  for (const part of chunk(updates, ENTRIES_AT_ONCE)) await recordLedgerEntries(sessionOverTcp(client), part);
  await client.query(`delete from bulk_load.fills s using ledger_entries e where ${recorded}`);
}

/**
 * Removes repeated fills of a range, which several files have. The row with a role remains, then the one with a fee,
 * then the first.
 */
export async function removeRepeats(client: Client, range: TraderRange): Promise<void> {
  await client.query(
    `delete from bulk_load.fills where row in (
       select row from (
         select row, row_number() over (
           partition by ${IDENTITY} order by role nulls last, fee_micro is null, row
         ) as place
         from bulk_load.fills where ${isWithin("trader_id", range)}
       ) s where place > 1
     ) and ${isWithin("trader_id", range)}`,
  );
}

async function listStaged(client: Client, statement: string): Promise<LedgerEntry[]> {
  const { rows } = await client.query(statement);
  return z.array(StagedRow).parse(rows);
}
