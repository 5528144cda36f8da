import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { positions } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";
import type { PositionState } from "../../scoring/position-fold.ts";
import { positionKey, type LedgerEntry, type PositionKey } from "./ledger-entry.ts";
import type { MarketPositionSums } from "./market-counts.ts";

export interface LoadedPosition {
  readonly key: PositionKey;
  readonly state: PositionState;
  /** Null for a position without entries. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly settledMicro: bigint | null;
  /**
   * Payout of one share in millionths; null while the market is unresolved or the token's index is unknown.
   */
  readonly payoutPpm: number | null;
  /** Whether its market is a combination whose legs are not known: it counts in volume and not in profit. */
  readonly isExcluded: boolean;
  /**
   * The UTC day on which the market's payout counts, in days since 1970-01-01; null while it is unresolved.
   */
  readonly settledOn: number | null;
  /** Sums over all positions of the trader in this market, including this one. */
  readonly marketSums: MarketPositionSums;
  /** All recorded entries if the position must be folded again from the start, else null. */
  readonly recorded: readonly RecordedEntry[] | null;
}

export interface RecordedEntry extends Omit<LedgerEntry, "role" | "price"> {
  readonly id: string;
  readonly realizedMicro: bigint | null;
}

/** A sum of a position; null, and so 0, while there is no position. */
const sum = z
  .string()
  .nullable()
  .transform((text) => BigInt(text ?? 0));

const PositionRow = z.object({
  trader_id: integer,
  outcome_id: integer,
  market_id: integer,
  shares_micro: sum,
  cost_micro: sum,
  realized_micro: sum,
  settled_micro: bigintText.nullable(),
  bought_shares_micro: sum,
  bought_usd_micro: sum,
  sold_shares_micro: sum,
  sold_usd_micro: sum,
  fees_micro: sum,
  unmatched_shares_micro: sum,
  unmatched_usd_micro: sum,
  entry_count: z.number().nullable(),
  first_ms: z.number().nullable(),
  last_ms: z.number().nullable(),
  payout_ppm: z.number().nullable(),
  is_excluded: z.boolean(),
  settled_on: z.number().nullable(),
  market_positions: z.number(),
  market_unsettled: z.number(),
  market_unmatched: z.number(),
  market_result_micro: bigintText,
});

type PositionRow = z.output<typeof PositionRow>;

/**
 * Loads the positions that a page touches. Average cost depends on order. A position is therefore loaded with
 * all its entries, to be folded again, if it gets an entry that is not later than its last one, or if its
 * recorded entries changed.
 */
export async function loadPositions(
  session: Session,
  keys: readonly PositionKey[],
  fresh: readonly LedgerEntry[],
  changed: ReadonlySet<string>,
): Promise<LoadedPosition[]> {
  const rows = await selectRows(session, selectPositions(keys), PositionRow);
  const earliestNewMs = earliestByPosition(fresh);
  const refolded = rows.filter((row) => {
    const key = positionKey({ traderId: row.trader_id, outcomeId: row.outcome_id });
    return row.last_ms !== null && (changed.has(key) || (earliestNewMs.get(key) ?? Infinity) <= row.last_ms);
  });
  const recorded = await loadRecorded(
    session,
    refolded.map((row) => ({ traderId: row.trader_id, outcomeId: row.outcome_id })),
  );
  return rows.map((row) => toLoaded(row, recorded));
}

const q = alias(positions, "q");

/** A row for each key whose outcome is stored, with or without a position. */
const selectPositions = (keys: readonly PositionKey[]): SQL =>
  sql`select t.trader_id, t.outcome_id, coalesce(${p.marketId}, ${o.marketId}) as market_id,
     ${p.sharesMicro}, ${p.costMicro}, ${p.realizedMicro}, ${p.settledMicro}, ${p.boughtSharesMicro},
     ${p.boughtUsdMicro}, ${p.soldSharesMicro}, ${p.soldUsdMicro}, ${p.feesMicro}, ${p.unmatchedSharesMicro},
     ${p.unmatchedUsdMicro}, ${p.entryCount}, ${isUnknownCombinationSql(m)} as is_excluded,
     ${epochMs(p.firstAt)} as first_ms, ${epochMs(p.lastAt)} as last_ms,
     case when not ${isUnknownCombinationSql(m)} then ${m.payoutsPpm}[${o.outcomeIndex} + 1] end as payout_ppm,
     ${m.settledOn} - date '1970-01-01' as settled_on,
     in_market.positions as market_positions, in_market.unsettled as market_unsettled,
     in_market.unmatched as market_unmatched, in_market.result_micro as market_result_micro
   from ${recordsetOfKeys(keys)}
   join ${o} on ${o.id} = t.outcome_id
   join ${m} on ${m.id} = ${o.marketId}
   left join ${p} on ${p.traderId} = t.trader_id and ${p.outcomeId} = t.outcome_id
   cross join lateral (
     select count(*)::int as positions, count(*) filter (where ${q.settledMicro} is null)::int as unsettled,
       count(*) filter (where ${q.unmatchedSharesMicro} > 0)::int as unmatched,
       coalesce(sum(${positionResult(q)}), 0) as result_micro
     from ${q} where ${q.traderId} = t.trader_id and ${q.marketId} = coalesce(${p.marketId}, ${o.marketId})
   ) in_market`;

const recordsetOfKeys = (keys: readonly Pick<PositionKey, "traderId" | "outcomeId">[]): SQL =>
  recordset("t", keys, {
    trader_id: ["bigint", ({ traderId }) => traderId],
    outcome_id: ["bigint", ({ outcomeId }) => outcomeId],
  });

function earliestByPosition(fresh: readonly LedgerEntry[]): Map<string, number> {
  const earliest = new Map<string, number>();
  for (const entry of fresh) {
    const key = positionKey(entry);
    earliest.set(key, Math.min(earliest.get(key) ?? Infinity, entry.tradedAtMs));
  }
  return earliest;
}

const RecordedRow = z
  .object({
    id: z.string(),
    tx: z.string(),
    trader_id: integer,
    outcome_id: integer,
    market_id: integer,
    kind: z.enum(["buy", "sell", "split", "merge", "convert_in", "convert_out"]),
    shares_micro: bigintText,
    ordinal: z.number(),
    usd_micro: bigintText,
    fee_micro: bigintText.nullable(),
    realized_micro: bigintText.nullable(),
    traded_ms: z.number(),
  })
  .transform((row): RecordedEntry => ({
    id: row.id,
    txHash: row.tx,
    traderId: row.trader_id,
    outcomeId: row.outcome_id,
    marketId: row.market_id,
    kind: row.kind,
    sharesMicro: row.shares_micro,
    ordinal: row.ordinal,
    usdMicro: row.usd_micro,
    feeMicro: row.fee_micro,
    realizedMicro: row.realized_micro,
    tradedAtMs: row.traded_ms,
  }));

async function loadRecorded(
  session: Session,
  keys: readonly Pick<PositionKey, "traderId" | "outcomeId">[],
): Promise<Map<string, RecordedEntry[]>> {
  const byPosition = new Map<string, RecordedEntry[]>();
  if (keys.length === 0) return byPosition;
  const entries = await selectRows(
    session,
    sql`select ${e.id}, '0x' || encode(${e.txHash}, 'hex') as tx, ${e.traderId}, ${e.outcomeId}, ${e.marketId},
       ${e.kind}, ${e.sharesMicro}, ${e.ordinal}, ${e.usdMicro}, ${e.feeMicro}, ${e.realizedMicro},
       ${epochMs(e.tradedAt)} as traded_ms
     from ${recordsetOfKeys(keys)}
     join ${e} using (trader_id, outcome_id)`,
    RecordedRow,
  );
  for (const key of keys) byPosition.set(positionKey(key), []);
  for (const entry of entries) byPosition.get(positionKey(entry))?.push(entry);
  return byPosition;
}

function toLoaded(row: PositionRow, recorded: ReadonlyMap<string, RecordedEntry[]>): LoadedPosition {
  const key = { traderId: row.trader_id, outcomeId: row.outcome_id, marketId: row.market_id };
  return {
    key,
    state: toState(row),
    firstAtMs: row.first_ms,
    lastAtMs: row.last_ms,
    settledMicro: row.settled_micro,
    payoutPpm: row.payout_ppm,
    isExcluded: row.is_excluded,
    settledOn: row.settled_on,
    marketSums: {
      positions: row.market_positions,
      unsettled: row.market_unsettled,
      unmatched: row.market_unmatched,
      resultMicro: row.market_result_micro,
    },
    recorded: recorded.get(positionKey(key)) ?? null,
  };
}

const toState = (row: PositionRow): PositionState => ({
  sharesMicro: row.shares_micro,
  costMicro: row.cost_micro,
  realizedMicro: row.realized_micro,
  boughtSharesMicro: row.bought_shares_micro,
  boughtUsdMicro: row.bought_usd_micro,
  soldSharesMicro: row.sold_shares_micro,
  soldUsdMicro: row.sold_usd_micro,
  feesMicro: row.fees_micro,
  unmatchedSharesMicro: row.unmatched_shares_micro,
  unmatchedUsdMicro: row.unmatched_usd_micro,
  entryCount: row.entry_count ?? 0,
});
