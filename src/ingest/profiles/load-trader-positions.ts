import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import { skillDue, skillMarkets } from "../../db/schema.ts";
import { array, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";

const PositionRow = z.object({
  trader_id: integer,
  market_id: integer,
  condition_id: z.string(),
  category: z.string().nullable(),
  esports_tags: z.array(z.string()).nullable(),
  cluster: integer,
  is_known: z.boolean(),
  bought_usd_micro: bigintText,
  bought_shares_micro: bigintText,
  given_usd_micro: bigintText.nullable(),
  given_shares_micro: bigintText.nullable(),
  has_split: z.boolean().nullable(),
  has_conversion: z.boolean().nullable(),
  pnl_micro: bigintText,
  is_matched: z.boolean(),
  settled_ms: z.number().nullable(),
  payout_ppm: integer.nullable(),
  bets_usd_micro: integer.nullable(),
  bets_edge_micro: integer.nullable(),
  first_ms: z.number(),
  last_ms: z.number(),
});

/** One position of a trader, with the facts of its market that its profile needs. */
export interface TraderPosition {
  readonly marketId: number;
  readonly conditionId: string;
  readonly category: string | null;
  /** The provider's tag slugs of an Esports market, which name its game; null in other categories. */
  readonly esportsTags: readonly string[] | null;
  /** The event of the market, or the market negated where no event is known. */
  readonly cluster: number;
  /** False in a combination whose legs are not known: its results cannot be booked. */
  readonly isKnown: boolean;
  readonly boughtUsdMicro: bigint;
  readonly boughtSharesMicro: bigint;
  /** Shares from splits and conversions, at their booked price; null without any. */
  readonly given: {
    readonly usdMicro: bigint;
    readonly sharesMicro: bigint;
    readonly hasSplit: boolean;
    readonly hasConversion: boolean;
  } | null;
  /** Sales and settlement minus cost and fees. */
  readonly pnlMicro: bigint;
  /** No shares were sold whose basis is unknown. */
  readonly isMatched: boolean;
  /** Null until the position has settled, by `asOf`. */
  readonly settledAtMs: number | null;
  /** Payout of a share, millionths; null until the market has resolved. */
  readonly payoutPpm: number | null;
  /** The sums of the trader's settled bets in the market; null while they are not counted by the current method. */
  readonly bets: { readonly usdMicro: number; readonly edgeMicro: number } | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

const SETTLED_AT: SQL = sql`coalesce(${m.resolvedAt}, ${m.settledOn}::timestamp at time zone 'UTC')`;

/**
 * `given`: the sums of splits and conversions. A position has the sums of its purchases; these are in its entries, which the
 * index finds by their kind.
 */
const givenShares = (traderIds: readonly number[]): SQL => sql`
  given as (
    select ${e.traderId}, ${e.outcomeId}, sum(${e.usdMicro}) as usd_micro, sum(${e.sharesMicro}) as shares_micro,
      bool_or(${e.kind} = 'convert_in') as has_conversion, bool_or(${e.kind} = 'split') as has_split
    from ${e} where ${e.traderId} = any(${array(traderIds, "bigint")}) and ${e.kind} in ('split', 'convert_in')
    group by ${e.traderId}, ${e.outcomeId}
  )`;

/**
 * Loads every position that some traders ever had, in the order of outcomes. A market whose bets are due to be scored again, or
 * were counted by an earlier version of the method, counts as not scored.
 *
 * @param asOf YYYY-MM-DD; a market that settled on a later day counts as unsettled
 */
export async function loadTraderPositions(
  session: Session,
  traderIds: readonly number[],
  asOf: string,
): Promise<Map<number, TraderPosition[]>> {
  const rows = await selectRows(
    session,
    sql`with ${givenShares(traderIds)}
     select ${p.traderId}, ${p.marketId}, ${m.conditionId}, ${m.category},
       case when ${m.category} = 'Esports' then ${m.tags} end as esports_tags,
       coalesce(${m.eventId}, -${m.id}) as cluster, not ${isUnknownCombinationSql(m)} as is_known,
       ${p.boughtUsdMicro}, ${p.boughtSharesMicro}, given.usd_micro as given_usd_micro,
       given.shares_micro as given_shares_micro, given.has_split, given.has_conversion,
       ${positionResult(p)} as pnl_micro, ${p.unmatchedSharesMicro} = 0 as is_matched,
       case when ${p.settledMicro} is not null and ${m.settledOn} <= ${asOf}::date then ${epochMs(SETTLED_AT)} end as settled_ms,
       ${m.payoutsPpm}[${o.outcomeIndex} + 1] as payout_ppm,
       ${skillMarkets.usdMicro} as bets_usd_micro, ${skillMarkets.edgeMicro} as bets_edge_micro,
       ${epochMs(p.firstAt)} as first_ms, ${epochMs(p.lastAt)} as last_ms
     from ${p}
     join ${m} on ${m.id} = ${p.marketId}
     join ${o} on ${o.id} = ${p.outcomeId}
     left join given on given.trader_id = ${p.traderId} and given.outcome_id = ${p.outcomeId}
     left join ${skillMarkets} on ${skillMarkets.marketId} = ${p.marketId} and ${skillMarkets.traderId} = ${p.traderId}
       and ${skillMarkets.isByRole} and not exists (select from ${skillDue} where ${skillDue.marketId} = ${skillMarkets.marketId})
     where ${p.traderId} = any(${array(traderIds, "bigint")})
     order by ${p.traderId}, ${p.outcomeId}`,
    PositionRow,
  );
  const positions = new Map<number, TraderPosition[]>(traderIds.map((id) => [id, []]));
  for (const row of rows) positions.get(row.trader_id)?.push(toPosition(row));
  return positions;
}

const toPosition = (row: z.output<typeof PositionRow>): TraderPosition => ({
  marketId: row.market_id,
  conditionId: row.condition_id,
  category: row.category,
  esportsTags: row.esports_tags,
  cluster: row.cluster,
  isKnown: row.is_known,
  boughtUsdMicro: row.bought_usd_micro,
  boughtSharesMicro: row.bought_shares_micro,
  given:
    row.given_usd_micro === null || row.given_shares_micro === null
      ? null
      : {
          usdMicro: row.given_usd_micro,
          sharesMicro: row.given_shares_micro,
          hasSplit: row.has_split === true,
          hasConversion: row.has_conversion === true,
        },
  pnlMicro: row.pnl_micro,
  isMatched: row.is_matched,
  settledAtMs: row.settled_ms,
  payoutPpm: row.payout_ppm,
  bets:
    row.bets_usd_micro === null || row.bets_edge_micro === null
      ? null
      : { usdMicro: row.bets_usd_micro, edgeMicro: row.bets_edge_micro },
  firstAtMs: row.first_ms,
  lastAtMs: row.last_ms,
});
