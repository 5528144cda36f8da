import type { Pool } from "@neondatabase/serverless";
import type { z } from "zod";
import { canonicalPayload, commitmentHash, commitmentInstant } from "../../../../src/domain/picks/commitment.ts";
import {
  EDGE_LISTS,
  EDGE_SPORTS,
  type StoredEdgeSnapshot,
  type StoredPile,
} from "../../../../src/domain/edge/edge-snapshot.ts";

const PICK_DAYS = 60;
const PICKS_A_DAY = 4;
const LABEL = "Generated";
/** As the column stores it. */
const PRICE = "0.550000";
/** Rows of each cohort of the edge lists: more than a board that scans 120 markets ever has. */
const ROWS = 120;

const pile = {
  outcome_index: 0,
  outcome_label: LABEL,
  token_id: "1",
  title: "Generated: who wins?",
  raw_category: "Sports",
  event_slug: null,
  event_id: null,
  parent_event_id: null,
  price_micro: "550000",
  volume_usd: "100000",
  side_share: 0.8,
  pile_share: 0.7,
  backed_micro: "90000000000",
  backing_micro: "80000000000",
  s_count: 2,
  a_count: 1,
  b_count: 3,
  top_grade: "S",
  rank_score: 0.9,
  scanned_at: "2026-01-01T00:00:00.000Z",
  is_scan_complete: true,
  one_way: { holders: 5, hedged_holders: 1, micro: "70000000000" },
  net_side: "BUY",
  skill: {
    status: "live",
    observation_started_at: "2026-01-01T00:00:00.000Z",
    as_of: "2026-01-01T00:00:00.000Z",
    eligible_holders: 3,
    covered_holders: 3,
    covered_micro: "80000000000",
    coverage: 1,
    edge_mean: 0.02,
    lower_mean: 0.01,
    specialist_micro: "80000000000",
    specialist_share: 1,
    largest_share: 0.5,
    minimum_events: 40,
  },
} satisfies z.input<typeof StoredPile>;

const snapshot: StoredEdgeSnapshot = {
  is_degraded: false,
  funnel: EDGE_SPORTS.map((sport) => ({
    sport,
    board_input: ROWS,
    live_available: true,
    upcoming_status: "available",
    input: ROWS,
    terminals: {},
  })),
  skill_as_of: "2026-01-01T00:00:00.000Z",
};

/** Generated picks of sixty days, settled and opened, and full edge lists, in a loaded database without them. */
export async function writeGeneratedSports(pool: Pool): Promise<void> {
  await writePicks(pool);
  await writeEdgeLists(pool);
}

interface AddedPick {
  readonly id: string;
  readonly condition_id: string;
  readonly kickoff: Date;
  readonly pick_date: string;
  readonly rank: number;
}

async function writePicks(pool: Pool): Promise<void> {
  const { rows } = await pool.query<AddedPick>(
    `with numbered as (
       select n, current_date - 1 - (n / ${PICKS_A_DAY})::int as day, 1 + n % ${PICKS_A_DAY} as rank, g.id as game_id,
         m.id as market_id, m.condition_id
       from (select id, row_number() over (order by id) - 1 as n from games) g
       join (select id, condition_id, row_number() over (order by id) - 1 as n from markets
         where length(condition_id) = 66) m using (n)
       where n < ${PICK_DAYS * PICKS_A_DAY}
     ), added as (
       insert into picks (pick_date, rank, is_free, game_id, market_id, market_kind, outcome_index, outcome_label, matchup,
         category, kickoff, release_at, selected_at, backed_price, backing, published_at)
       select day, rank, rank = 1, game_id, market_id, 'moneyline', 0, '${LABEL}', 'Generated ' || n || ' vs. Generated', 'Soccer',
         day + interval '20 h', day + interval '19 h', day + interval '10 h', ${PRICE},
         '{"top_grade": "S", "backed_micro": "90000000000", "opposed_micro": "1000000000", "holders": []}', day + interval '19 h'
       from numbered returning id, market_id, kickoff, pick_date, rank
     )
     select added.id, condition_id, kickoff, pick_date::text, added.rank from added join numbered using (market_id)`,
  );
  const sealed = await Promise.all(
    rows.map(async (pick) => {
      const payload = canonicalPayload({
        backed_price: PRICE,
        condition_id: pick.condition_id,
        kickoff: commitmentInstant(pick.kickoff) ?? "",
        pick_date: pick.pick_date,
        pick_outcome_index: 0,
        pick_outcome_label: LABEL,
        pick_rank: pick.rank,
        platform: "polymarket",
      });
      const nonce = pick.id.padStart(64, "0");
      return { id: pick.id, payload, nonce, hash: await commitmentHash(payload, nonce) };
    }),
  );
  await pool.query(
    `insert into pick_commitments (pick_id, hash, sealed_at, kickoff, payload, sealed_nonce, nonce, opened_at)
     select k.id, s.hash, k.kickoff - interval '1 h', k.kickoff, s.payload, 'generated', s.nonce, k.kickoff + interval '3 h'
     from jsonb_to_recordset($1::jsonb) s(id bigint, hash text, payload text, nonce text) join picks k using (id)`,
    [JSON.stringify(sealed)],
  );
  await pool.query(
    `insert into pick_revisions (pick_id, outcome, payout_ppm, recorded_at)
     select id, case when id % 2 = 0 then 'win' else 'loss' end, case when id % 2 = 0 then 1000000 else 0 end,
       kickoff + interval '3 h' from picks`,
  );
}

async function writeEdgeLists(pool: Pool): Promise<void> {
  for (const [list, cohorts] of [
    [EDGE_LISTS.pre_game, ["signal", "wider_holder"]],
    [EDGE_LISTS.in_play, ["in_play"]],
  ] as const)
    await pool.query(
      `with opened as (
         insert into list_generations (list, built_at, row_count, detail) values ($1, now(), $2, $3) returning id
       )
       insert into edge_entries (generation, cohort, rank, condition_id, sport, kickoff_at, top_grade, is_emerging, pile)
       select opened.id, cohort, n, m.condition_id, ($5::text[])[1 + n % ${EDGE_SPORTS.length}], now() + n * interval '20 minutes',
         'S', cohort = 'wider_holder' and n % 3 = 0, $6
       from opened, unnest($4::text[]) cohort,
         (select condition_id, row_number() over (order by id) as n from markets where length(condition_id) = 66 limit ${ROWS}) m`,
      [list, ROWS * cohorts.length, JSON.stringify(snapshot), cohorts, EDGE_SPORTS, JSON.stringify(pile)],
    );
}
