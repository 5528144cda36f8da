import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isOrdinary, leftOut } from "../db/completeness.ts";
import { GRADES } from "../domain/grades.ts";
import { LeftOut } from "../domain/wallet-completeness.ts";
import { CATEGORY_SKILL, categorySkill } from "./category-skill.ts";
import { GradeBasis, gradeBasis } from "./grade-basis.ts";
import { isOverAt } from "./market-status.ts";
import { joinProfile, listedProfile, WHOLE_PROFILE, wholeProfile } from "./profiles.ts";
import { joinProviderFigures, PROVIDER_FIGURES, providerFigures } from "./provider-figures.ts";
import { big, count, iso, selectRows } from "./rows.ts";

const TraderRow = z.object({
  id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  forecast_score: z.number().nullable(),
  forecast_evidence: z.number().nullable(),
  /** When the grade, or that there is none, was published; null while the wallet was never graded. */
  graded_at: z.string().nullable(),
  ungraded_reason: z.enum(["population_unknown", "too_few_markets", "too_little_information"]).nullable(),
  /** Null without a population, and where no profile is asked for. */
  grade_basis: GradeBasis.nullable(),
  /** Place on the overall leaderboard; null for wallets that are not on it. */
  rank: count.nullable(),
  /** When the leaderboard was built; null while it never was. */
  ranked_at: z.string().nullable(),
  tier: z.enum(["hot", "warm", "cold"]),
  /** When the wallet's activity was last read to its end; null while it never was. */
  synced_at: z.string().nullable(),
  followed: z.boolean(),
  gaps: z.array(z.string()).nullable(),
  left_out: LeftOut,
  realized_micro: big.nullable(),
  settled_micro: big.nullable(),
  fees_micro: big.nullable(),
  rebates_micro: big.nullable(),
  volume_micro: big.nullable(),
  last_at: z.string().nullable(),
  /** Markets it ever held shares in; of those, the ones whose every share has settled, with a known profit, and with any known profit or loss. */
  markets_traded: count,
  markets_resolved: count,
  markets_won: count,
  markets_decided: count,
  /** Days with a profit, and with any profit or loss. */
  days_won: count,
  days_decided: count,
  /** Its holdings in ordinary markets that have not settled: what they cost, and what they have realized so far, fees off. */
  held_cost_micro: big,
  held_realized_micro: big,
  /** What they are worth; null when one of them has no price: a part of a sum is not the sum. */
  held_value_micro: big.nullable(),
  /** When the last round of valuing found nothing to do: what they are worth is of then. Null before the first. */
  valued_at: z.string().nullable(),
  /** Whether one of them is of a market that is over and has no result yet; null where no profile is asked for. */
  awaits_result: z.boolean().nullable(),
  /** Markets in which they are worth anything. */
  held_markets: count,
  ...WHOLE_PROFILE,
  /** When the profile was computed; null without one that may be served. */
  profiled_at: z.string().nullable(),
  ...PROVIDER_FIGURES,
  ...CATEGORY_SKILL,
});

export type TraderRow = z.output<typeof TraderRow>;

export type TraderRef = { readonly id: number } | { readonly address: string } | { readonly username: string };

/** One wallet with the sums over its positions, or null. The parameters are those of `findTraders`. */
export async function findTrader(db: Database, ref: TraderRef, withProfile: boolean, now: Date): Promise<TraderRow | null> {
  const [row = null] = await findTraders(db, [ref], withProfile, now);
  return row;
}

/**
 * The wallets that references name, in their order, null where there is none. A username shared by several is that of the first seen. One
 * statement however many are asked for, and one wallet's sums are made once however often it is named.
 *
 * @param withProfile whether to read what a profile has beside `listedProfile` and `profiled_at`, which is most of a wallet, and what its grade
 *   rests on and whether results of what it holds are awaited: null without
 */
export async function findTraders(
  db: Database,
  refs: readonly TraderRef[],
  withProfile: boolean,
  now: Date,
): Promise<(TraderRow | null)[]> {
  const rows = await selectRows(
    db,
    sql`with named as (
        select a.place, coalesce(
          (select id from traders where id = (a.ref ->> 'id')::bigint),
          (select id from traders where address = a.ref ->> 'address'),
          -- The fence keeps the search in the index of names: the least of few ids, not the first of all.
          (select min(id) from (select id from traders where lower(username) = a.ref ->> 'username' offset 0) namesakes)
        ) as trader_id
        from jsonb_array_elements(${JSON.stringify(refs)}::jsonb) with ordinality as a(ref, place)
      ), wanted as (
        select trader_id, jsonb_agg(place) as places from named where trader_id is not null group by trader_id limit ${refs.length}
      )
      select wanted.places, t.id, t.address, t.username, t.grade, t.score, t.forecast_score, t.forecast_evidence,
        ${iso(sql`t.graded_at`)} as graded_at, newest.ungraded_reason, newest.grade_basis, board.rank, board.built_at as ranked_at, t.tier,
        ${iso(sql`s.complete_at`)} as synced_at, s.trader_id is not null as followed, s.gaps, ${sql.raw(leftOut("tt"))} as left_out, tt.realized_micro, tt.settled_micro,
        tt.fees_micro, tt.rebates_micro, tt.volume_micro, ${iso(sql`tt.last_at`)} as last_at, ${marketCounts}, d.days_won,
        d.days_decided, h.held_cost_micro, h.held_realized_micro, h.held_value_micro, h.held_markets,
        (select ${iso(sql`succeeded_at`)} from job_heartbeats where job = 'values') as valued_at,
        ${withProfile ? awaitsResult(now) : sql`null::boolean`} as awaits_result,
        ${withProfile ? sql`${wholeProfile}, ${categorySkill(sql`t.id`)}` : WITHOUT_PROFILE}, ${iso(sql`tp.computed_at`)} as profiled_at,
        ${providerFigures}
      from wanted join traders t on t.id = wanted.trader_id
      left join wallet_syncs s on s.trader_id = t.id
      left join trader_totals tt on tt.trader_id = t.id
      left join lateral (
        select ungraded_reason, ${withProfile ? gradeBasis : sql`null::jsonb`} as grade_basis
        from trader_grades where trader_id = t.id order by valid_from desc, id desc limit 1
      ) newest on true
      left join lateral (
        select ${iso(sql`g.built_at`)} as built_at, e.rank
        from (${selectNewestBoard}) g
        left join leaderboard_entries e
          on e.generation = g.id and e.category = '' and e.trader_id = t.id and t.grade in ('S', 'A', 'B')
      ) board on true
      cross join lateral (
        select count(*) filter (where pnl_micro > 0) as days_won, count(*) filter (where pnl_micro <> 0) as days_decided
        from (
          select realized_micro + settled_micro - fees_micro + rebates_micro as pnl_micro from trader_days where trader_id = t.id
        ) per_day
      ) d
      cross join lateral (
        select coalesce(sum(cost_micro), 0)::bigint::text as held_cost_micro,
          coalesce(sum(realized_micro - fees_micro), 0)::bigint::text as held_realized_micro,
          case when bool_and(value_micro is not null) is not false then coalesce(sum(value_micro), 0)::bigint::text end as held_value_micro,
          -- Of an expression: Postgres 18 then sorts the ids alone, and not all rows by the column.
          count(distinct market_id + 0) filter (where value_micro > 0) as held_markets
        from positions p where trader_id = t.id and settled_micro is null and shares_micro > 0 and ${sql.raw(isOrdinary("p", "tt"))}
      ) h
      ${joinProfile(sql`t.id`, now)}
      ${joinProviderFigures(sql`t.id`)}`,
    TraderRow.extend({ places: z.array(count) }),
  );
  const byPlace = new Map(rows.flatMap((row) => row.places.map((place) => [place, row] as const)));
  return refs.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Of a wallet `t`. The market of each holding is looked up until one is found. */
const awaitsResult = (now: Date): SQL => sql`exists (
  select from positions p cross join lateral (
    select from markets m where m.id = p.market_id and m.payouts_ppm is null and ${isOverAt(now)} offset 0
  ) awaited
  where p.trader_id = t.id and p.settled_micro is null and p.shares_micro > 0)`;

const WITHOUT_PROFILE: SQL = sql`${listedProfile}, null::jsonb as quant_metrics, null::jsonb as category_strengths, null::jsonb as category_skill`;

const selectNewestBoard = sql`select id, built_at from list_generations where list = 'leaderboard' order by id desc limit 1`;

/** A wallet without totals has no position, so it has been in no market. */
const marketCounts: SQL = sql.join(
  ["traded", "resolved", "won", "decided"].map((name) => sql.raw(`coalesce(tt.markets_${name}, 0) as markets_${name}`)),
  sql`, `,
);
