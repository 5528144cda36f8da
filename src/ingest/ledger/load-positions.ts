import type { Session } from "../../db/client.ts";
import { isCombination } from "../../db/completeness.ts";
import { EMPTY_POSITION, type PositionState } from "../../scoring/position.ts";
import { positionKey, type Entry, type PositionKey } from "./entry.ts";
import type { MarketStanding } from "./market-counts.ts";

export interface LoadedPosition {
  readonly key: PositionKey;
  readonly state: PositionState;
  /** Null for a position that has no entries yet. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly settledMicro: bigint | null;
  /** Payout of one share in millionths, null while the market is unresolved or the token's index is unknown. */
  readonly payoutPpm: number | null;
  /** Whether its market is a combination: it counts in volume and in no profit. */
  readonly isCombination: boolean;
  /** The UTC day that what the market pays counts on, in days since 1970-01-01; null while it is unresolved. */
  readonly settledOn: number | null;
  /** Over all positions the wallet has in this market, this one among them. */
  readonly inMarket: MarketStanding;
  /** All recorded entries when the position has to be folded again from the start, else null. */
  readonly recorded: readonly RecordedEntry[] | null;
}

export interface RecordedEntry extends Omit<Entry, "role" | "price"> {
  readonly id: string;
  readonly realizedMicro: bigint | null;
}

interface PositionRow {
  trader_id: string;
  outcome_id: string;
  market_id: string;
  shares_micro: string | null;
  cost_micro: string;
  realized_micro: string;
  settled_micro: string | null;
  bought_shares_micro: string;
  bought_usd_micro: string;
  sold_shares_micro: string;
  sold_usd_micro: string;
  fees_micro: string;
  unmatched_shares_micro: string;
  unmatched_usd_micro: string;
  entry_count: number;
  first_ms: number | null;
  last_ms: number | null;
  payout_ppm: number | null;
  is_combination: boolean;
  settled_on: number | null;
  market_positions: number;
  market_unsettled: number;
  market_unmatched: number;
  market_result_micro: string;
}

/**
 * The positions a page touches. One that gets an entry not later than its last, or whose recorded entries changed, brings all its
 * entries along: average cost depends on order, so it is folded again.
 */
export async function loadPositions(
  session: Session,
  keys: readonly PositionKey[],
  fresh: readonly Entry[],
  changed: ReadonlySet<string>,
): Promise<LoadedPosition[]> {
  const { rows } = await session.query<PositionRow>(
    `select t.trader_id, t.outcome_id, coalesce(p.market_id, o.market_id) as market_id, p.shares_micro, p.cost_micro, p.realized_micro,
       p.settled_micro, p.bought_shares_micro, p.bought_usd_micro, p.sold_shares_micro, p.sold_usd_micro,
       p.fees_micro, p.unmatched_shares_micro, p.unmatched_usd_micro, p.entry_count, ${isCombination("m.condition_id")} as is_combination,
       (extract(epoch from p.first_at) * 1000)::float8 as first_ms, (extract(epoch from p.last_at) * 1000)::float8 as last_ms,
       case when not ${isCombination("m.condition_id")} then m.payouts_ppm[o.outcome_index + 1] end as payout_ppm, m.settled_on - date '1970-01-01' as settled_on,
       in_market.positions as market_positions, in_market.unsettled as market_unsettled, in_market.unmatched as market_unmatched,
       in_market.result_micro as market_result_micro
     from unnest($1::bigint[], $2::bigint[]) as t(trader_id, outcome_id)
     join outcomes o on o.id = t.outcome_id
     join markets m on m.id = o.market_id
     left join positions p on p.trader_id = t.trader_id and p.outcome_id = t.outcome_id
     cross join lateral (
       select count(*)::int as positions, count(*) filter (where q.settled_micro is null)::int as unsettled,
         count(*) filter (where q.unmatched_shares_micro > 0)::int as unmatched,
         coalesce(sum(q.realized_micro + coalesce(q.settled_micro, 0) - q.fees_micro), 0) as result_micro
       from positions q where q.trader_id = t.trader_id and q.market_id = coalesce(p.market_id, o.market_id)
     ) in_market`,
    [keys.map((key) => key.traderId), keys.map((key) => key.outcomeId)],
  );
  const earliestFresh = earliestByPosition(fresh);
  const refolded = rows.filter((row) => {
    const key = positionKey({ traderId: Number(row.trader_id), outcomeId: Number(row.outcome_id) });
    return row.last_ms !== null && (changed.has(key) || (earliestFresh.get(key) ?? Infinity) <= row.last_ms);
  });
  const recorded = await loadRecorded(session, refolded);
  return rows.map((row) => toLoaded(row, recorded));
}

function earliestByPosition(fresh: readonly Entry[]): Map<string, number> {
  const earliest = new Map<string, number>();
  for (const entry of fresh) {
    const key = positionKey(entry);
    earliest.set(key, Math.min(earliest.get(key) ?? Infinity, entry.tradedAtMs));
  }
  return earliest;
}

async function loadRecorded(session: Session, positions: readonly PositionRow[]): Promise<Map<string, RecordedEntry[]>> {
  const byPosition = new Map<string, RecordedEntry[]>();
  if (positions.length === 0) return byPosition;
  const { rows } = await session.query<{
    id: string;
    tx: string;
    trader_id: string;
    outcome_id: string;
    market_id: string;
    kind: Entry["kind"];
    shares_micro: string;
    ordinal: number;
    usd_micro: string;
    fee_micro: string | null;
    realized_micro: string | null;
    traded_ms: number;
  }>(
    `select e.id, '0x' || encode(e.tx_hash, 'hex') as tx, e.trader_id, e.outcome_id, e.market_id, e.kind, e.shares_micro, e.ordinal,
       e.usd_micro, e.fee_micro, e.realized_micro, (extract(epoch from e.traded_at) * 1000)::float8 as traded_ms
     from unnest($1::bigint[], $2::bigint[]) as t(trader_id, outcome_id)
     join ledger_entries e using (trader_id, outcome_id)`,
    [positions.map((row) => row.trader_id), positions.map((row) => row.outcome_id)],
  );
  for (const position of positions) byPosition.set(`${position.trader_id}:${position.outcome_id}`, []);
  for (const row of rows) {
    byPosition.get(`${row.trader_id}:${row.outcome_id}`)?.push({
      id: row.id,
      txHash: row.tx,
      traderId: Number(row.trader_id),
      outcomeId: Number(row.outcome_id),
      marketId: Number(row.market_id),
      kind: row.kind,
      sharesMicro: BigInt(row.shares_micro),
      ordinal: row.ordinal,
      usdMicro: BigInt(row.usd_micro),
      feeMicro: row.fee_micro === null ? null : BigInt(row.fee_micro),
      realizedMicro: row.realized_micro === null ? null : BigInt(row.realized_micro),
      tradedAtMs: row.traded_ms,
    });
  }
  return byPosition;
}

function toLoaded(row: PositionRow, recorded: ReadonlyMap<string, RecordedEntry[]>): LoadedPosition {
  const state: PositionState =
    row.shares_micro === null
      ? EMPTY_POSITION
      : {
          sharesMicro: BigInt(row.shares_micro),
          costMicro: BigInt(row.cost_micro),
          realizedMicro: BigInt(row.realized_micro),
          boughtSharesMicro: BigInt(row.bought_shares_micro),
          boughtUsdMicro: BigInt(row.bought_usd_micro),
          soldSharesMicro: BigInt(row.sold_shares_micro),
          soldUsdMicro: BigInt(row.sold_usd_micro),
          feesMicro: BigInt(row.fees_micro),
          unmatchedSharesMicro: BigInt(row.unmatched_shares_micro),
          unmatchedUsdMicro: BigInt(row.unmatched_usd_micro),
          entryCount: row.entry_count,
        };
  return {
    key: { traderId: Number(row.trader_id), outcomeId: Number(row.outcome_id), marketId: Number(row.market_id) },
    state,
    firstAtMs: row.first_ms,
    lastAtMs: row.last_ms,
    settledMicro: row.settled_micro === null ? null : BigInt(row.settled_micro),
    payoutPpm: row.payout_ppm,
    isCombination: row.is_combination,
    settledOn: row.settled_on,
    inMarket: {
      positions: row.market_positions,
      unsettled: row.market_unsettled,
      unmatched: row.market_unmatched,
      resultMicro: BigInt(row.market_result_micro),
    },
    recorded: recorded.get(`${row.trader_id}:${row.outcome_id}`) ?? null,
  };
}
