import { sql, type SQL } from "drizzle-orm";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import { skillDue, skillMarkets } from "../../db/schema.ts";
import { array, epochMs, run, selectRows } from "../../db/sql.ts";
import { PositionRow, toPosition, type TraderPosition } from "./trader-position.ts";

/** A row takes about 1 KB in memory while it is parsed, and most traders have fewer positions than this. */
export const POSITIONS_PER_PART = 4_000;

/**
 * Sent before the second part. Where the statistics expect fewer positions of a trader than a part has, Postgres would choose a
 * bitmap, and read and sort all that are left for each part.
 */
export const WITHOUT_BITMAPS: SQL = sql`set local enable_bitmapscan = off`;

/** Positions of these traders in outcomes after this one. */
export interface PositionRange {
  readonly traderIds: readonly number[];
  /** 0 is before every outcome. Otherwise the range is of one trader: the rest of its outcomes in the primary key. */
  readonly afterOutcomeId: number;
}

/**
 * Reads every position that some traders ever had, in parts, in the order of traders and their outcomes. Fewer positions than
 * one part take one statement. The caller's transaction must be REPEATABLE READ, so that all parts are of one moment; more
 * than one part leaves it without bitmap scans.
 *
 * @param asOf YYYY-MM-DD; a market that settled on a later day counts as unsettled
 */
export async function* readTraderPositions(
  session: Session,
  traderIds: readonly number[],
  asOf: string,
  partSize = POSITIONS_PER_PART,
): AsyncGenerator<readonly TraderPosition[], void> {
  let hasCut = false;
  let waiting = traderIds.toSorted((a, b) => a - b);
  let range: PositionRange = { traderIds: waiting, afterOutcomeId: 0 };
  while (range.traderIds.length > 0) {
    const part = await loadPositionPart(session, range, asOf, partSize);
    yield part;
    const last = part.length < partSize ? undefined : part.at(-1);
    if (last !== undefined) waiting = waiting.filter((id) => id > last.traderId);
    else if (range.afterOutcomeId === 0) return;
    if (!hasCut) await run(session, WITHOUT_BITMAPS);
    hasCut = true;
    // The trader whose positions the part cut, then the traders after it.
    range =
      last === undefined
        ? { traderIds: waiting, afterOutcomeId: 0 }
        : { traderIds: [last.traderId], afterOutcomeId: last.outcomeId };
  }
}

/**
 * Loads the first positions of a range. A market whose bets are due to be scored again, or were counted by an earlier version
 * of the method, counts as not scored.
 */
export async function loadPositionPart(
  session: Session,
  range: PositionRange,
  asOf: string,
  partSize: number,
): Promise<TraderPosition[]> {
  const rows = await selectRows(session, selectPart(range, asOf, partSize), PositionRow);
  return rows.map(toPosition);
}

const SETTLED_AT: SQL = sql`coalesce(${m.resolvedAt}, ${m.settledOn}::timestamp at time zone 'UTC')`;

/**
 * `given`: the sums of splits and conversions of the part's positions. A position has the sums of its purchases; these are in
 * its entries, which the index finds by their kind. The bounds keep the read within the part: an entry of another part is not
 * read again.
 */
const givenShares = (afterOutcomeId: number): SQL => sql`
  given as (
    select ${e.traderId}, ${e.outcomeId}, sum(${e.usdMicro}) as usd_micro, sum(${e.sharesMicro}) as shares_micro,
      bool_or(${e.kind} = 'convert_in') as has_conversion, bool_or(${e.kind} = 'split') as has_split
    from ${e}
    where ${e.traderId} = any(array(select distinct trader_id from part)) and ${e.outcomeId} > ${afterOutcomeId}
      and ${e.outcomeId} <= (select max(outcome_id) from part) and ${e.kind} in ('split', 'convert_in')
    group by ${e.traderId}, ${e.outcomeId}
  )`;

/**
 * The sums of a position's market, if they count: one index lookup a position. With a plain join, Postgres compared each position with all
 * scored markets of its trader.
 */
const BETS: SQL = sql`
  select ${skillMarkets.usdMicro}, ${skillMarkets.edgeMicro} from ${skillMarkets}
  where ${skillMarkets.marketId} = ${p.marketId} and ${skillMarkets.traderId} = ${p.traderId} and ${skillMarkets.isByRole}
    and not exists (select from ${skillDue} where ${skillDue.marketId} = ${skillMarkets.marketId})
  limit 1`;

const selectPart = ({ traderIds, afterOutcomeId }: PositionRange, asOf: string, partSize: number): SQL => sql`
  with part as materialized (
    select * from ${p}
    where ${p.traderId} = any(${array(traderIds, "bigint")}) and ${p.outcomeId} > ${afterOutcomeId}
    order by ${p.traderId}, ${p.outcomeId} limit ${partSize}
  ), ${givenShares(afterOutcomeId)}
  select ${p.traderId}, ${p.outcomeId}, ${p.marketId}, ${m.conditionId}, ${m.category},
    case when ${m.category} = 'Esports' then ${m.tags} end as esports_tags,
    coalesce(${m.eventId}, -${m.id}) as cluster, not ${isUnknownCombinationSql(m)} as is_known,
    ${p.boughtUsdMicro}, ${p.boughtSharesMicro}, given.usd_micro as given_usd_micro,
    given.shares_micro as given_shares_micro, given.has_split, given.has_conversion,
    ${positionResult(p)} as pnl_micro, ${p.unmatchedSharesMicro} = 0 as is_matched,
    case when ${p.settledMicro} is not null and ${m.settledOn} <= ${asOf}::date then ${epochMs(SETTLED_AT)} end as settled_ms,
    ${m.payoutsPpm}[${o.outcomeIndex} + 1] as payout_ppm,
    bets.usd_micro as bets_usd_micro, bets.edge_micro as bets_edge_micro,
    ${epochMs(p.firstAt)} as first_ms, ${epochMs(p.lastAt)} as last_ms
  from part p
  join ${m} on ${m.id} = ${p.marketId}
  join ${o} on ${o.id} = ${p.outcomeId}
  left join given on given.trader_id = ${p.traderId} and given.outcome_id = ${p.outcomeId}
  left join lateral (${BETS}) bets on true
  order by ${p.traderId}, ${p.outcomeId}`;
