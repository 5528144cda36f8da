import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { g, m, p, s, t, totals, tp } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isInKnownMarket, selectHistoryFacts } from "../../db/fragments/completeness.ts";
import { isRankedGrade } from "../../db/fragments/grades.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { jobHeartbeats, leaderboardEntries, listGenerations, traderDays } from "../../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRows } from "../../db/sql.ts";
import { TIERS } from "../../domain/traders/tracking.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { HISTORY_FACTS } from "../../domain/traders/trader-completeness.ts";
import { isOverAt } from "../markets/market-status.ts";
import { GradeBasis, gradeBasis } from "./grade-basis.ts";
import { joinProfile, listedProfile, WHOLE_PROFILE, wholeProfile } from "./profiles.ts";
import { joinProviderFigures, PROVIDER_FIGURES, providerFigures } from "./provider-figures.ts";
import { CATEGORY_SKILL, selectCategorySkill } from "./select-category-skill.ts";
import { resolveTraderNames } from "./trader-names.ts";

const TraderRow = z.object({
  id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  forecast_score: z.number().nullable(),
  forecast_evidence: z.number().nullable(),
  /** When the grade, or that there is none, was published; null while the trader was never graded. */
  graded_at: z.string().nullable(),
  ungraded_reason: z.enum(["population_unknown", "too_few_markets", "too_little_information"]).nullable(),
  /** Null without a population, and when no profile is requested. */
  grade_basis: GradeBasis.nullable(),
  /** Rank on the overall leaderboard; null for traders that are not on it. */
  rank: integer.nullable(),
  /** When the leaderboard was built; null before the first time. */
  ranked_at: z.string().nullable(),
  tier: z.enum(TIERS),
  ...HISTORY_FACTS,
  realized_micro: bigintText.nullable(),
  settled_micro: bigintText.nullable(),
  fees_micro: bigintText.nullable(),
  rebates_micro: bigintText.nullable(),
  volume_micro: bigintText.nullable(),
  last_at: z.string().nullable(),
  /**
   * `markets_traded`: markets in which it ever held shares. Of those, `markets_resolved`: every share has
   * settled; `markets_won`: with a known profit; `markets_decided`: with any known profit or loss.
   */
  markets_traded: integer,
  markets_resolved: integer,
  markets_won: integer,
  markets_decided: integer,
  /** Days with a profit, and with any profit or loss. */
  days_won: integer,
  days_decided: integer,
  /** Its open positions in ordinary markets: their cost, and their realized profit so far, minus fees. */
  held_cost_micro: bigintText,
  held_realized_micro: bigintText,
  /** Their value; null when one of them has no price, because a partial sum would mislead. */
  held_value_micro: bigintText.nullable(),
  /**
   * When the valuation job last had nothing left to do: the as-of time of the value. Null before the first
   * time.
   */
  valued_at: z.string().nullable(),
  /**
   * Whether one of them is in a market that is over and has no result yet; null when no profile is requested.
   */
  awaits_result: z.boolean().nullable(),
  /** Number of markets in which their value is above 0. */
  held_markets: integer,
  ...WHOLE_PROFILE,
  /** When the profile was computed; null without a profile that may be served. */
  profiled_at: z.string().nullable(),
  ...PROVIDER_FIGURES,
  ...CATEGORY_SKILL,
});

export type TraderRow = z.output<typeof TraderRow>;

export type TraderRef = { readonly id: number } | { readonly address: string } | { readonly username: string };

/** One trader with the sums over its positions, or null. The parameters are those of `findTraders`. */
export async function findTrader(
  db: Database,
  ref: TraderRef,
  withProfile: boolean,
  now: Date,
): Promise<TraderRow | null> {
  const [row = null] = await findTraders(db, [ref], withProfile, now);
  return row;
}

/**
 * The referenced traders, in the order of the references, null where there is none. A username shared by
 * several traders selects the one first seen. One statement for any number of references; the sums of a
 * trader are computed once, however often it is referenced.
 *
 * @param withProfile whether to read the parts of a profile beyond `listedProfile` and `profiled_at`, which
 *   are most of a trader's data, the basis of its grade, and whether results are awaited; null without
 */
export async function findTraders(
  db: Database,
  refs: readonly TraderRef[],
  withProfile: boolean,
  now: Date,
): Promise<(TraderRow | null)[]> {
  const rows = await selectRows(
    db,
    sql`with named as (${resolveTraderNames(refs)}), wanted as (
        select trader_id, jsonb_agg(ordinal) as ordinals from named where trader_id is not null group by trader_id
          limit ${refs.length}
      )
      select wanted.ordinals, ${t.id}, ${t.address}, ${t.username}, ${t.grade}, ${t.score}, ${t.forecastScore},
        ${t.forecastEvidence}, ${isoText(t.gradedAt)} as graded_at, newest.ungraded_reason, newest.grade_basis,
        board.rank, board.built_at as ranked_at, ${t.tier},
        ${selectHistoryFacts(totals, s)}, ${sums}, d.days_won, d.days_decided,
        h.held_cost_micro, h.held_realized_micro, h.held_value_micro, h.held_markets,
        (select ${isoText(jobHeartbeats.succeededAt)} from ${jobHeartbeats} where ${jobHeartbeats.job} = 'value_positions')
          as valued_at,
        ${withProfile ? awaitsResult(now) : sql`null::boolean`} as awaits_result,
        ${withProfile ? sql`${wholeProfile}, ${selectCategorySkill(t.id)}` : WITHOUT_PROFILE},
        ${isoText(tp.computedAt)} as profiled_at, ${providerFigures}
      from wanted join ${t} on ${t.id} = wanted.trader_id
      left join ${s} on ${s.traderId} = ${t.id}
      left join ${totals} on ${totals.traderId} = ${t.id}
      left join lateral (${selectNewestGrade(withProfile)}) newest on true
      left join lateral (${selectBoardRank}) board on true
      cross join lateral (${countDays}) d
      cross join lateral (${sumOpenPositions}) h
      ${joinProfile(t.id, now)}
      ${joinProviderFigures(t.id)}`,
    TraderRow.extend({ ordinals: z.array(integer) }),
  );
  const byOrdinal = new Map(rows.flatMap((row) => row.ordinals.map((ordinal) => [ordinal, row] as const)));
  return refs.map((_, index) => byOrdinal.get(index + 1) ?? null);
}

// The parts of the statement, for the trader `t` with the totals `totals`.

/** A trader without totals has no position, so it has traded in no market. */
const sums: SQL = sql`${totals.realizedMicro}, ${totals.settledMicro}, ${totals.feesMicro}, ${totals.rebatesMicro},
  ${totals.volumeMicro}, ${isoText(totals.lastAt)} as last_at,
  coalesce(${totals.marketsTraded}, 0) as markets_traded, coalesce(${totals.marketsResolved}, 0) as markets_resolved,
  coalesce(${totals.marketsWon}, 0) as markets_won, coalesce(${totals.marketsDecided}, 0) as markets_decided`;

const selectNewestGrade = (withBasis: boolean): SQL => sql`
  select ${g.ungradedReason}, ${withBasis ? gradeBasis(g) : sql`null::jsonb`} as grade_basis
  from ${g} where ${g.traderId} = ${t.id} order by ${g.validFrom} desc, ${g.id} desc limit 1`;

const board = alias(listGenerations, "board");
const ranked = alias(leaderboardEntries, "ranked");

/** The rank on the newest overall leaderboard, and when that was built. */
const selectBoardRank: SQL = sql`
  select ${isoText(board.builtAt)} as built_at, ${ranked.rank}
  from (
    select ${board.id}, ${board.builtAt} from ${board} where ${board.list} = 'leaderboard'
      order by ${board.id} desc limit 1
  ) board
  left join ${ranked} on ${ranked.generation} = ${board.id} and ${ranked.category} = ''
    and ${ranked.traderId} = ${t.id} and ${isRankedGrade(t.grade)}`;

const countDays: SQL = sql`
  select count(*) filter (where pnl_micro > 0) as days_won, count(*) filter (where pnl_micro <> 0) as days_decided
  from (
    select ${bookedProfit(traderDays)} as pnl_micro from ${traderDays} where ${traderDays.traderId} = ${t.id}
  ) per_day`;

const sumOpenPositions: SQL = sql`
  select coalesce(sum(${p.costMicro}), 0)::bigint::text as held_cost_micro,
    coalesce(sum(${p.realizedMicro} - ${p.feesMicro}), 0)::bigint::text as held_realized_micro,
    case when bool_and(${p.valueMicro} is not null) is not false then coalesce(sum(${p.valueMicro}),
      0)::bigint::text end as held_value_micro,
    -- An expression, not the plain column: Postgres 18 then sorts only the ids, not whole rows.
    count(distinct ${p.marketId} + 0) filter (where ${p.valueMicro} > 0) as held_markets
  from ${p} where ${p.traderId} = ${t.id} and ${isOpen(p)} and ${isInKnownMarket(p, totals)}`;

/** The market of each open position is looked up until one matches. */
const awaitsResult = (now: Date): SQL => sql`exists (
  select from ${p} cross join lateral (
    select from ${m} where ${m.id} = ${p.marketId} and ${m.payoutsPpm} is null and ${isOverAt(now)} offset 0
  ) awaited
  where ${p.traderId} = ${t.id} and ${isOpen(p)})`;

const WITHOUT_PROFILE: SQL = sql`${listedProfile}, null::jsonb as quant_metrics, null::jsonb as category_strengths,
  null::jsonb as category_skill`;
