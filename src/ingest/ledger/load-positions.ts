import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import { ledgerEntries, positions } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";
import type { PositionState } from "../../scoring/position-fold.ts";
import { identityParameters, type LedgerEntry, type PositionKey } from "./ledger-entry.ts";
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

/**
 * The recorded entries of a position as one text: fields between spaces, entries between commas, `-` for null. JSON takes Postgres
 * about three times as long (14 and 5 µs an entry), and a page may load thousands of entries.
 */
const RecordedEntries = z.string().transform((text, context) =>
  text.split(",").map((line) => {
    // The type of a match does not name the groups of its expression.
    const fields = RECORDED_ENTRY.exec(line)?.groups;
    if (fields !== undefined) return toRecorded(fields as Record<RecordedField, string>);
    context.addIssue(`no recorded entry: ${line}`);
    return z.NEVER;
  }),
);

type RecordedField = "id" | "tx" | "kind" | "shares" | "ordinal" | "usd" | "fee" | "realized" | "ms";

const RECORDED_ENTRY =
  /^(?<id>\d+) (?<tx>[0-9a-f]{64}) (?<kind>buy|sell|split|merge|convert_in|convert_out) (?<shares>-?\d+) (?<ordinal>\d+) (?<usd>-?\d+) (?<fee>-|-?\d+) (?<realized>-|-?\d+) (?<ms>\d+(?:\.\d+)?)$/;

const toRecorded = (fields: Readonly<Record<RecordedField, string>>) => ({
  id: fields.id,
  txHash: `0x${fields.tx}`,
  // The expression accepts these kinds alone.
  kind: fields.kind as LedgerEntry["kind"],
  sharesMicro: BigInt(fields.shares),
  ordinal: Number(fields.ordinal),
  usdMicro: BigInt(fields.usd),
  feeMicro: fields.fee === "-" ? null : BigInt(fields.fee),
  realizedMicro: fields.realized === "-" ? null : BigInt(fields.realized),
  tradedAtMs: Number(fields.ms),
});

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
  recorded: RecordedEntries.nullable(),
});

type PositionRow = z.output<typeof PositionRow>;

/**
 * Loads the positions that get entries or fees that are not recorded. Average cost depends on order. A position is therefore
 * loaded with all its entries, to be folded again, if it gets an entry that is not later than its last one, or if a recorded
 * entry gets its fee. Which entries are recorded is decided within the statement, so that it needs no result of another one.
 *
 * @param entries the entries of a page, each identity once
 */
export async function loadPositions(session: Session, entries: readonly LedgerEntry[]): Promise<LoadedPosition[]> {
  const rows = await selectRows(session, SELECT_POSITIONS(entries), PositionRow);
  return rows.map(toLoaded);
}

const q = alias(positions, "q");

/**
 * The recorded entry with the identity of the row `r`, for a lateral join: one index lookup per row. With a plain join, a
 * table of some hundred thousand rows is scanned for each page. The entries of the transaction are read apart (offset 0):
 * otherwise Postgres may use the index by position, and reads all of the trader's entries in the outcome.
 */
export const findRecorded = (r: SQL): SQL => sql`
  select ${e.id}, ${e.role}, ${e.feeMicro}, ${e.tradedAt}
  from (select * from ${ledgerEntries} where ${ledgerEntries.txHash} = ${r}.tx_hash offset 0) e
  where (${e.traderId}, ${e.outcomeId}, ${e.kind}, ${e.sharesMicro}, ${e.ordinal})
    = (${r}.trader_id, ${r}.outcome_id, ${r}.kind, ${r}.shares_micro, ${r}.ordinal)
  limit 1`;

/** All recorded entries of a position, as `RecordedEntries`. */
const RECORDED_ENTRIES: SQL = sql`
  select string_agg(${e.id}::text || ' ' || encode(${e.txHash}, 'hex') || ' ' || ${e.kind} || ' ' || ${e.sharesMicro}::text
    || ' ' || ${e.ordinal}::text || ' ' || ${e.usdMicro}::text || ' ' || coalesce(${e.feeMicro}::text, '-')
    || ' ' || coalesce(${e.realizedMicro}::text, '-') || ' ' || ${epochMs(e.tradedAt)}::text, ',')
  from ${e} where ${e.traderId} = t.trader_id and ${e.outcomeId} = t.outcome_id`;

/** A row for each key whose outcome is stored, with or without a position. */
const SELECT_POSITIONS = constantStatement<readonly LedgerEntry[]>(
  (parameters) => sql`with touched as materialized (
     select r.trader_id, r.outcome_id, min(r.traded_ms) filter (where found.id is null) as earliest_new_ms,
       bool_or(found.id is not null) as gets_fee
     from unnest(${identityParameters(parameters)}, ${parameters.array(hasFees, "boolean")},
       ${parameters.array(timesOf, "float8")})
       as r(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, has_fee, traded_ms)
     left join lateral (${findRecorded(sql`r`)}) found on true
     where found.id is null or r.has_fee and found.fee_micro is null
     group by r.trader_id, r.outcome_id
   )
   select t.trader_id, t.outcome_id, coalesce(${p.marketId}, ${o.marketId}) as market_id,
     ${p.sharesMicro}, ${p.costMicro}, ${p.realizedMicro}, ${p.settledMicro}, ${p.boughtSharesMicro},
     ${p.boughtUsdMicro}, ${p.soldSharesMicro}, ${p.soldUsdMicro}, ${p.feesMicro}, ${p.unmatchedSharesMicro},
     ${p.unmatchedUsdMicro}, ${p.entryCount}, ${isUnknownCombinationSql(m)} as is_excluded,
     ${epochMs(p.firstAt)} as first_ms, ${epochMs(p.lastAt)} as last_ms,
     case when not ${isUnknownCombinationSql(m)} then ${m.payoutsPpm}[${o.outcomeIndex} + 1] end as payout_ppm,
     ${m.settledOn} - date '1970-01-01' as settled_on,
     in_market.positions as market_positions, in_market.unsettled as market_unsettled,
     in_market.unmatched as market_unmatched, in_market.result_micro as market_result_micro,
     case when t.gets_fee or t.earliest_new_ms <= ${epochMs(p.lastAt)} then (${RECORDED_ENTRIES}) end as recorded
   from touched t
   join ${o} on ${o.id} = t.outcome_id
   join ${m} on ${m.id} = ${o.marketId}
   left join ${p} on ${p.traderId} = t.trader_id and ${p.outcomeId} = t.outcome_id
   cross join lateral (
     select count(*)::int as positions, count(*) filter (where ${q.settledMicro} is null)::int as unsettled,
       count(*) filter (where ${q.unmatchedSharesMicro} > 0)::int as unmatched,
       coalesce(sum(${positionResult(q)}), 0) as result_micro
     from ${q} where ${q.traderId} = t.trader_id and ${q.marketId} = coalesce(${p.marketId}, ${o.marketId})
   ) in_market`,
);

const hasFees = (entries: readonly LedgerEntry[]): boolean[] => entries.map(({ feeMicro }) => feeMicro !== null);
const timesOf = (entries: readonly LedgerEntry[]): number[] => entries.map(({ tradedAtMs }) => tradedAtMs);

function toLoaded(row: PositionRow): LoadedPosition {
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
    recorded: row.recorded?.map((entry) => ({ ...entry, ...key })) ?? null,
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
