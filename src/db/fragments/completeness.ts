import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { COMBINATION_GAP } from "../../domain/traders/trader-completeness.ts";
import { markets, positions, traderTotals, type traderSyncs } from "../schema.ts";
import { alias, array, isoText, type Columns } from "../sql.ts";

/*
 * The completeness rules of a trader's figures, as SQL. `traderCompleteness` of src/domain defines the same
 * rules as a function, with texts. Every query that shows, ranks or sums traders' figures uses these
 * fragments.
 *
 * - Activity never read to its end: only what the trade feed has shown is known.
 * - A gap other than combinations (a conversion, a migration, an unreadable row, a pending split or merge):
 *   positions and profit are unknown.
 * - A gap of combinations of markets: everything in ordinary markets is known.
 * - A combination whose legs are not known counts in volume and not in profit. Once the markets of all its legs
 *   are known, its results are booked as in any other market.
 * - Unmatched shares (no recorded acquisition): only the profit of those positions is unknown.
 */

type Sync = Columns<typeof traderSyncs, "completeAt" | "gaps">;
type Totals = Columns<
  typeof traderTotals,
  "unmatchedPositions" | "unmatchedUsdMicro" | "combinationMarkets" | "combinationVolumeMicro"
>;

const ONLY_COMBINATIONS: SQL = sql.raw(`'{${COMBINATION_GAP}}'::text[]`);

/** The trader's positions and profit in ordinary markets follow from its whole activity. */
export const isHistoryKnown = (sync: Sync): SQL =>
  sql`(${sync.completeAt} is not null and ${sync.gaps} <@ ${ONLY_COMBINATIONS})`;

/**
 * A stored condition id identifies a combination of markets. `isCombination` of src/domain/ids.ts is the same
 * rule as a function.
 */
export const isCombinationSql = (conditionId: AnyPgColumn): SQL =>
  sql`(length(${conditionId}) = 64 and ${conditionId} like '0x03%')`;

/**
 * The market is a combination whose legs, or whose legs' markets, are not known: its results cannot be booked.
 * A combination counts as hydrated from the transaction in which they become known.
 */
export const isUnknownCombinationSql = (market: Columns<typeof markets, "conditionId" | "hydratedAt">): SQL =>
  sql`(${market.hydratedAt} is null and ${isCombinationSql(market.conditionId)})`;

/**
 * What a trader's profit excludes, as JSON for `ExcludedActivity` of src/domain; both rows may be null.
 */
export const excludedActivityJson = (totals: Totals, sync: Pick<Sync, "gaps">): SQL =>
  sql`jsonb_build_object('unmatched_positions', coalesce(${totals.unmatchedPositions}, 0),
    'unmatched_usd_micro', coalesce(${totals.unmatchedUsdMicro}, 0)::text,
    'combination_markets', coalesce(${totals.combinationMarkets}, 0),
    'combination_volume_micro', coalesce(${totals.combinationVolumeMicro}, 0)::text,
    'has_combination_gap', coalesce(${COMBINATION_GAP} = any(${sync.gaps}), false))`;

/** The columns of `HISTORY_FACTS` of src/domain; both rows may be null. */
export const selectHistoryFacts = (totals: Totals, sync: Sync & Columns<typeof traderSyncs, "traderId">): SQL =>
  sql`${sync.traderId} is not null as followed, ${isoText(sync.completeAt)} as synced_at, ${sync.gaps},
    ${excludedActivityJson(totals, sync)} as left_out`;

const combined = alias(markets, "combined");

/**
 * The position of a trader with the given totals is in a market whose results can be booked. The market is
 * looked up only for traders of unknown combinations, so that positions of all others are read from the index
 * alone. A scalar subquery, because for "not exists" Postgres would build a hash table of all markets.
 */
export const isInKnownMarket = (
  position: Columns<typeof positions, "marketId">,
  totals: Pick<Totals, "combinationMarkets">,
): SQL =>
  sql`(coalesce(${totals.combinationMarkets}, 0) = 0
    or not (select ${isUnknownCombinationSql(combined)} from ${combined}
      where ${combined.id} = ${position.marketId}))`;

const combining = alias(traderTotals, "combining");
const held = alias(positions, "held");

/**
 * A select of the market ids of all unknown combinations in which the traders ever had a position. The markets of a trader's
 * positions are looked up one by one: Postgres expects few unknown combinations, and would read the positions of all traders
 * in all of them.
 */
export const selectUnknownCombinations = (traderIds: readonly (number | string)[]): SQL =>
  sql`select market_id from (
     select own.market_id from ${combining} cross join lateral (
       select ${held.marketId} from ${held} where ${held.traderId} = ${combining.traderId} offset 0
     ) own
     where ${combining.traderId} = any(${array(traderIds, "bigint")}) and ${combining.combinationMarkets} > 0 offset 0
   ) own
   where (select ${isUnknownCombinationSql(combined)} from ${combined} where ${combined.id} = own.market_id)`;
