import type { Session } from "../../db/client.ts";
import { positionValue } from "../values/position-value.ts";
import { toBytea, type Entry } from "./entry.ts";
import type { FoldedPosition, TotalsChange } from "./fold-positions.ts";

const text = (value: bigint | null) => (value === null ? null : String(value));

export async function writeEntries(session: Session, entries: readonly { entry: Entry; realizedMicro: bigint | null }[]): Promise<void> {
  if (entries.length === 0) return;
  await session.query(
    `insert into ledger_entries
       (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price, role, traded_at, realized_micro)
     select tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price, role,
       to_timestamp(traded_ms / 1000), realized_micro
     from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::smallint[], $8::bigint[],
       $9::bigint[], $10::numeric[], $11::text[], $12::float8[], $13::bigint[])
       as t(tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price, role, traded_ms, realized_micro)`,
    [
      entries.map(({ entry }) => toBytea(entry.txHash)),
      entries.map(({ entry }) => entry.traderId),
      entries.map(({ entry }) => entry.outcomeId),
      entries.map(({ entry }) => entry.marketId),
      entries.map(({ entry }) => entry.kind),
      entries.map(({ entry }) => text(entry.sharesMicro)),
      entries.map(({ entry }) => entry.ordinal),
      entries.map(({ entry }) => text(entry.usdMicro)),
      entries.map(({ entry }) => text(entry.feeMicro)),
      entries.map(({ entry }) => entry.price),
      entries.map(({ entry }) => entry.role),
      entries.map(({ entry }) => entry.tradedAtMs),
      entries.map(({ realizedMicro }) => text(realizedMicro)),
    ],
  );
}

export async function writeRealized(session: Session, changed: readonly { id: string; realizedMicro: bigint | null }[]): Promise<void> {
  if (changed.length === 0) return;
  await session.query(
    `update ledger_entries e set realized_micro = t.realized_micro
     from unnest($1::bigint[], $2::bigint[]) as t(id, realized_micro) where e.id = t.id`,
    [changed.map((row) => row.id), changed.map((row) => text(row.realizedMicro))],
  );
}

/** Values them as well, at the price that the other positions of their outcome have. */
export async function writePositions(session: Session, positions: readonly FoldedPosition[]): Promise<void> {
  await session.query(
    `insert into positions
       (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, settled_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, unmatched_usd_micro, entry_count, first_at, last_at, value_micro)
     select trader_id, outcome_id, t.market_id, shares_micro, cost_micro, realized_micro, settled_micro, bought_shares_micro,
       bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, unmatched_usd_micro, entry_count,
       to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000),
       ${positionValue({ shares: "shares_micro", settled: "settled_micro", price: "o.valued_price" })}
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::int[], $16::float8[], $17::float8[])
       as t(trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, settled_micro, bought_shares_micro,
         bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, unmatched_usd_micro, entry_count, first_ms,
         last_ms)
     left join outcomes o on o.id = t.outcome_id
     on conflict (trader_id, outcome_id) do update set
       shares_micro = excluded.shares_micro, cost_micro = excluded.cost_micro, realized_micro = excluded.realized_micro,
       settled_micro = excluded.settled_micro, bought_shares_micro = excluded.bought_shares_micro,
       bought_usd_micro = excluded.bought_usd_micro, sold_shares_micro = excluded.sold_shares_micro,
       sold_usd_micro = excluded.sold_usd_micro, fees_micro = excluded.fees_micro,
       unmatched_shares_micro = excluded.unmatched_shares_micro, unmatched_usd_micro = excluded.unmatched_usd_micro, entry_count = excluded.entry_count,
       first_at = excluded.first_at, last_at = excluded.last_at, value_micro = excluded.value_micro`,
    [
      positions.map((p) => p.key.traderId),
      positions.map((p) => p.key.outcomeId),
      positions.map((p) => p.key.marketId),
      positions.map((p) => text(p.state.sharesMicro)),
      positions.map((p) => text(p.state.costMicro)),
      positions.map((p) => text(p.state.realizedMicro)),
      positions.map((p) => text(p.settledMicro)),
      positions.map((p) => text(p.state.boughtSharesMicro)),
      positions.map((p) => text(p.state.boughtUsdMicro)),
      positions.map((p) => text(p.state.soldSharesMicro)),
      positions.map((p) => text(p.state.soldUsdMicro)),
      positions.map((p) => text(p.state.feesMicro)),
      positions.map((p) => text(p.state.unmatchedSharesMicro)),
      positions.map((p) => text(p.state.unmatchedUsdMicro)),
      positions.map((p) => p.state.entryCount),
      positions.map((p) => p.firstAtMs),
      positions.map((p) => p.lastAtMs),
    ],
  );
}

export async function writeTotals(session: Session, totals: readonly TotalsChange[]): Promise<void> {
  await session.query(
    `insert into trader_totals
       (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at,
        markets_traded, markets_resolved, markets_won, markets_decided, unmatched_positions, unmatched_usd_micro, combination_markets,
        combination_volume_micro)
     select trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count,
       to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), markets_traded, markets_resolved, markets_won, markets_decided,
       unmatched_positions, unmatched_usd_micro, combination_markets, combination_volume_micro
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[], $7::float8[], $8::float8[],
       $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::bigint[], $15::int[], $16::bigint[])
       as t(trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_ms, last_ms,
         markets_traded, markets_resolved, markets_won, markets_decided, unmatched_positions, unmatched_usd_micro, combination_markets,
         combination_volume_micro)
     on conflict (trader_id) do update set
       realized_micro = trader_totals.realized_micro + excluded.realized_micro,
       settled_micro = trader_totals.settled_micro + excluded.settled_micro,
       volume_micro = trader_totals.volume_micro + excluded.volume_micro,
       fees_micro = trader_totals.fees_micro + excluded.fees_micro,
       entry_count = trader_totals.entry_count + excluded.entry_count,
       first_at = least(trader_totals.first_at, excluded.first_at),
       last_at = greatest(trader_totals.last_at, excluded.last_at),
       markets_traded = trader_totals.markets_traded + excluded.markets_traded,
       markets_resolved = trader_totals.markets_resolved + excluded.markets_resolved,
       markets_won = trader_totals.markets_won + excluded.markets_won,
       markets_decided = trader_totals.markets_decided + excluded.markets_decided,
       unmatched_positions = trader_totals.unmatched_positions + excluded.unmatched_positions,
       unmatched_usd_micro = trader_totals.unmatched_usd_micro + excluded.unmatched_usd_micro,
       combination_markets = trader_totals.combination_markets + excluded.combination_markets,
       combination_volume_micro = trader_totals.combination_volume_micro + excluded.combination_volume_micro`,
    [
      totals.map((t) => t.traderId),
      totals.map((t) => text(t.realizedMicro)),
      totals.map((t) => text(t.settledMicro)),
      totals.map((t) => text(t.volumeMicro)),
      totals.map((t) => text(t.feesMicro)),
      totals.map((t) => t.entryCount),
      totals.map((t) => t.firstAtMs),
      totals.map((t) => t.lastAtMs),
      totals.map((t) => t.marketsTraded),
      totals.map((t) => t.marketsResolved),
      totals.map((t) => t.marketsWon),
      totals.map((t) => t.marketsDecided),
      totals.map((t) => t.unmatchedPositions),
      totals.map((t) => text(t.unmatchedUsdMicro)),
      totals.map((t) => t.combinationMarkets),
      totals.map((t) => text(t.combinationVolumeMicro)),
    ],
  );
}
