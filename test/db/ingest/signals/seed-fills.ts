import type { Pool } from "@neondatabase/serverless";
import { inSnapshot, type Session } from "../../../../src/db/client.ts";
import { listDueTrades, type DueTrade } from "../../../../src/ingest/signals/due-trades.ts";

/*
 * Ledgers of eight traders in six markets, and large trades among them. Traders and markets differ in what has
 * been read of them. The numbers here are the row ids; outcomes of market 3 are 30 and 31.
 */

const STRANGER = 8;
const WITH_GAP = 7;
const READ_IN_PART = 6;
const OLDER_THAN_FEED = 6;
export const OF_THREE_OUTCOMES = 5;

export const TRADERS = [1, 2, 3, 4, 5, READ_IN_PART, WITH_GAP, STRANGER];
export const MARKETS = [1, 2, 3, 4, OF_THREE_OUTCOMES, OLDER_THAN_FEED];

/** In hours from the first possible fill. */
const FEED_READ_TO = 50;
const TRADER_READ_TO = 40;

const FIRST_AT = "2026-11-10T00:00:00Z";
export const timeMs = (hour: number): number => Date.parse(FIRST_AT) + hour * 3_600_000;

/** All waited for six hours by then. */
export const NOW = new Date("2026-11-20T12:00:00Z");

/** One entry of a ledger. A share costs half a dollar. */
export interface Fill {
  readonly id: number;
  readonly trader: number;
  readonly market: number;
  readonly outcome: 0 | 1;
  readonly kind: "buy" | "sell" | "split";
  readonly shares: number;
  readonly hour: number;
  readonly isTaker: boolean;
  /** It was captured as a large trade if it is a taker's. */
  readonly isLarge: boolean;
}

export const aFill = (id: number, facts: Partial<Fill>): Fill => ({
  ...{ id, trader: 1, market: 1, outcome: 0, kind: "buy", shares: 100_000, hour: 1, isTaker: true, isLarge: true },
  ...facts,
});

export const isLargeTrade = ({ kind, isTaker, isLarge }: Fill): boolean => isTaker && isLarge && kind !== "split";

/** What has been read up to a trade. */
export function readBefore({ trader, market, hour }: Fill) {
  const isCovered = trader !== STRANGER && (trader !== READ_IN_PART || hour <= TRADER_READ_TO);
  return {
    isCovered,
    hasHistory: isCovered && trader !== WITH_GAP,
    isMarketRead: market !== OLDER_THAN_FEED && hour <= FEED_READ_TO,
  };
}

/** Traders, markets and the state of the feed. */
export async function seedWorld(pool: Pool): Promise<void> {
  const at = (hour: number) => `timestamptz '${FIRST_AT}' + ${hour} * interval '1 hour'`;
  await pool.query(`
    insert into traders (id, address) overriding system value select n, 'wallet-' || n from generate_series(1, 9) n;
    insert into trader_syncs (trader_id, complete_at, covered_to, gaps)
      select id, ${at(100)}, case when id = ${READ_IN_PART} then ${at(TRADER_READ_TO)} else ${at(100)} end,
        case when id = ${WITH_GAP} then '{conversion}'::text[] else '{}' end
      from traders where id <> ${STRANGER};
    insert into markets (id, condition_id, hydrated_at, provider_created_at) overriding system value
      select n, 'condition-' || n, now(), case when n = ${OLDER_THAN_FEED} then ${at(-3)} else ${at(-1)} end
      from generate_series(1, 7) n;
    insert into outcomes (id, market_id, token_id, outcome_index) overriding system value
      select 10 * id + i, id, id || '-' || i, i from markets, generate_series(0, 2) i
      where i < 2 or id = ${OF_THREE_OUTCOMES};
    insert into ingest_checkpoints (feed, state)
      values ('trades:takers', jsonb_build_object('watermarkMs', ${timeMs(FEED_READ_TO)}))`);
}

/** Replaces the ledger. All large trades are due but the first one of the feed. The first trader has no totals. */
export async function seedFills(pool: Pool, fills: readonly Fill[]): Promise<void> {
  const first = { id: 0, trader: 9, market: 7, outcome: 0, kind: "buy", shares: 1, hour: -2, isTaker: true };
  await pool.query("truncate large_trades, suspicious_trades, ledger_entries, trader_totals, events cascade");
  await pool.query(
    `insert into ledger_entries (id, tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, role, traded_at)
     overriding system value
     select id, int4send(id), trader, 10 * market + outcome, market, kind, shares * 1000000, 0, shares * 500000, 0.5,
       case when "isTaker" then 'taker' end, $2::timestamptz + hour * interval '1 hour'
     from jsonb_to_recordset($1::jsonb)
       as x(id int, trader int, market int, outcome int, kind text, shares bigint, hour int, "isTaker" boolean)`,
    [JSON.stringify([first, ...fills]), FIRST_AT],
  );
  await pool.query(
    `insert into large_trades (id, entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price,
       traded_at, recorded_at, judged_at, review_score, grade_at_trade_status)
     overriding system value
     select id, id, trader_id, market_id, outcome_id, upper(kind), usd_micro, shares_micro, price, traded_at, traded_at,
       case when id = 0 then traded_at end, 0.5, 'unknown' from ledger_entries where id = any($1::bigint[])`,
    [[0, ...fills.filter(isLargeTrade).map(({ id }) => id)]],
  );
  await pool.query(
    `insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
     select trader_id, 0, 0, 0, 0, count(*), min(traded_at), max(traded_at) from ledger_entries where trader_id > 1 group by 1`,
  );
}

/** The due trades, in the snapshot that reads their inputs. */
export const withDueTrades = <T>(
  pool: Pool,
  work: (session: Session, trades: readonly DueTrade[]) => Promise<T>,
): Promise<T> => inSnapshot(pool, async (session) => work(session, await listDueTrades(session, NOW)));
