import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { listGenerations } from "../../../../src/db/schema.ts";
import { sha256, toHex } from "../../../../src/lib/crypto/hmac.ts";
import { departures } from "../../../contract/contract.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { A_PILE, A_PILE_SKILL, anEdgeEntry, anEdgeSnapshot } from "../../../support/seed/picks/edge.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const LIST = "/api/v1/sports/pre-game-sides";
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

async function open(builtAt = new Date(), facts: Parameters<typeof anEdgeSnapshot>[3] = {}) {
  const fresh = await openFreshApi();
  const generation = await anEdgeSnapshot(fresh.db, "pre_game", builtAt, facts);
  return { ...fresh, generation };
}

const conditionsOf = (body: { data: { condition_id: string }[] }) => body.data.map((row) => row.condition_id);

test("a signal has every field of the contract", async () => {
  const builtAt = new Date();
  const { api, db, generation } = await open(builtAt);
  const kickoffAt = inHours(3);
  const conditionId = await anEdgeEntry(db, { generation, kickoffAt });
  const { status, body, headers } = await api.get(LIST);
  expect(status).toBe(200);
  expect(departures("EdgeHunterSignalsResponse", body)).toEqual([]);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(body.data).toEqual([
    {
      side: "Arsenal",
      ranked_at: builtAt.toISOString(),
      backing_score: 5_250,
      side_share: 0.9234,
      condition_id: conditionId,
      signal_created_at: builtAt.toISOString(),
      token_id: "1000001",
      category: "Soccer",
      raw_category: "epl",
      title: "Arsenal vs. Chelsea",
      event_slug: "epl-ars-che",
      game_start_time: kickoffAt.toISOString(),
      piled_side: "Arsenal",
      piled_outcome_index: 0,
      sharp_pct: 0.9617,
      backed_sharp_usd: 7_500,
      s_count: 1,
      a_count: 0,
      b_count: 2,
      graded_holders: 3,
      top_grade: "S",
      smart_score: 0.9234,
      volume: 125_000.5,
      net_side: "BUY",
      conviction_score: 5_250,
      one_way_holder_count: 2,
      hedged_holder_count: 1,
      one_way_graded_usd: 6_000,
      directional_confidence: 0.7999,
      directional_rank_score: 10_002_000_007_500,
      category_skill: {
        status: "live",
        model_version: "category-skill-3",
        taxonomy_version: "categories-1",
        platform: "polymarket",
        scope: "observed_goldsky_primary_taker_fill",
        source_coverage: "graded_wallet_fills",
        observation_started_at: "2026-03-02T09:14:05.000Z",
        as_of: "2026-11-20T12:00:00.000Z",
        canonical_category: "Soccer",
        eligible_holders: 3,
        covered_holders: 2,
        backed_sharp_usd: 7_500,
        covered_backed_usd: 7_000,
        coverage_pct: 0.9333,
        weighted_edge_mean: 0.0214,
        weighted_holder_lower_mean: -0.011,
        specialist_backed_usd: 4_000,
        specialist_backed_usd_pct: 0.5333,
        largest_holder_backed_usd_pct: 0.5333,
        minimum_holder_event_count: 14,
      },
      rank: 1,
    },
  ]);
});

describe("filters", () => {
  test("signals are those within the horizon, of the sport and of the grade, ranked among themselves", async () => {
    const { api, db, generation } = await open();
    const late = await anEdgeEntry(db, { generation, rank: 1, kickoffAt: inHours(40) });
    const tennis = await anEdgeEntry(db, { generation, rank: 2, sport: "Tennis", topGrade: "A" });
    const soccer = await anEdgeEntry(db, { generation, rank: 3, topGrade: "B" });
    const listed = async (query: string) => {
      const { body } = await api.get(`${LIST}${query}`);
      return body.data.map((row: { condition_id: string; rank: number }) => [row.condition_id, row.rank]);
    };
    expect(await listed("")).toEqual([
      [tennis, 1],
      [soccer, 2],
    ]);
    expect(await listed("?horizon_hours=99")).toEqual([
      [late, 1],
      [tennis, 2],
      [soccer, 3],
    ]);
    expect(await listed("?horizon_hours=1")).toEqual([]);
    expect(await listed("?category=atp")).toEqual([[tennis, 1]]);
    expect(await listed("?category=Politics")).toEqual([]);
    expect(await listed("?min_grade=A")).toEqual([[tennis, 1]]);
    expect(await listed("?min_grade=S")).toEqual([]);
    expect(errorOf(await api.get(`${LIST}?min_grade=C`))).toMatchObject({ status: 400, param: "min_grade" });
  });

  test("a game that has begun since the snapshot is left out, and the others keep their rank", async () => {
    const { api, db, generation } = await open(ago(120));
    await anEdgeEntry(db, { generation, rank: 1, kickoffAt: ago(1) });
    const upcoming = await anEdgeEntry(db, { generation, rank: 2 });
    const { body } = await api.get(LIST);
    expect(body.data).toMatchObject([{ condition_id: upcoming, rank: 2 }]);
  });

  test("observations are not signals", async () => {
    const { api, db, generation } = await open();
    await anEdgeEntry(db, { generation, cohort: "wider_holder" });
    expect((await api.get(LIST)).body).toMatchObject({ data: [], has_more: false });
  });
});

describe("pages", () => {
  test("all pages of a walk come from the snapshot of the first page", async () => {
    const { api, db, generation } = await open();
    const rows: string[] = [];
    for (let rank = 1; rank <= 5; rank++) rows.push(await anEdgeEntry(db, { generation, rank }));
    const first = await api.get(`${LIST}?limit=2`);
    expect(first.body.next_cursor).toMatch(/^seo_v2_/);
    await anEdgeSnapshot(db, "pre_game", new Date());
    const second = await api.get(`${LIST}?limit=2&cursor=${first.body.next_cursor}`);
    const third = await api.get(`${LIST}?limit=2&cursor=${second.body.next_cursor}`);
    expect([first, second, third].flatMap(({ body }) => conditionsOf(body))).toEqual(rows);
    expect(third.body).toMatchObject({ has_more: false });
    expect((await api.get(LIST)).body.data).toEqual([]);
  });

  test("a cursor of a deleted snapshot returns cursor_expired, one of other filters invalid_query", async () => {
    const { api, db, generation } = await open();
    for (const rank of [1, 2]) await anEdgeEntry(db, { generation, rank });
    const cursor = (await api.get(`${LIST}?limit=1`)).body.next_cursor;
    expect(errorOf(await api.get(`${LIST}?min_grade=A&cursor=${cursor}`))).toEqual({
      ...{ status: 400, reason: "invalid_query", param: "cursor" },
    });
    await db.delete(listGenerations).where(eq(listGenerations.id, generation));
    expect(errorOf(await api.get(`${LIST}?cursor=${cursor}`))).toEqual({
      ...{ status: 400, reason: "cursor_expired", param: "cursor" },
    });
  });
});

describe("the age of the snapshot", () => {
  test("without a snapshot, or with one of more than 15 minutes, the list is warming", async () => {
    const { api, db } = await openFreshApi();
    expect(errorOf(await api.get(LIST))).toMatchObject({ status: 503, reason: "read_model_warming" });
    await anEdgeSnapshot(db, "pre_game", ago(901));
    expect(errorOf(await api.get(LIST))).toMatchObject({ status: 503, reason: "read_model_warming" });
  });

  test.for<[string, number, boolean, object]>([
    ["current", 240, false, { directional_source: "live", ranking_source: "live" }],
    ["late", 310, false, { directional_source: "degraded", ranking_source: "db_only" }],
    ["partial", 0, true, { directional_source: "degraded", ranking_source: "live" }],
  ])("meta tells that a snapshot is %s", async ([, age, isDegraded, meta]) => {
    const { api } = await open(ago(age), { isDegraded });
    expect((await api.get(LIST)).body.meta).toMatchObject(meta);
  });
});

describe("category skill", () => {
  test("meta counts the statuses of all pages, and its source is partial unless all are live", async () => {
    const { api, db, generation } = await open();
    for (const [index, status] of ["live", "stale", "unknown", "live"].entries())
      await anEdgeEntry(db, { generation, rank: index + 1, pile: { ...A_PILE, skill: { ...A_PILE_SKILL, status } } });
    const { body } = await api.get(`${LIST}?limit=1`);
    expect(body.meta).toMatchObject({
      category_skill_source: "partial",
      category_skill_model_operationally_degraded: false,
      category_skill_status_counts: { live: 2, insufficient: 0, stale: 1, unknown: 1, degraded: 0 },
    });
  });

  test.for<[string, string, number | null, string]>([
    ["every signal has it", "live", 0, "live"],
    ["no signal has it", "insufficient", 0, "unavailable"],
    ["the records were not updated for six hours", "live", 6 * 3_600 + 1, "degraded"],
    ["there is no record", "unknown", null, "degraded"],
  ])("its source when %s: %s", async ([, status, age, source]) => {
    const skillAsOf = age === null ? null : ago(age);
    const { api, db, generation } = await open(new Date(), { skillAsOf });
    await anEdgeEntry(db, { generation, pile: { ...A_PILE, skill: { ...A_PILE_SKILL, status } } });
    expect((await api.get(LIST)).body.meta).toMatchObject({
      category_skill_source: source,
      category_skill_model_operationally_degraded: source === "degraded",
    });
  });

  test("both hashes are those of the rows without category skill", async () => {
    const { api, db, generation } = await open();
    for (const rank of [1, 2]) await anEdgeEntry(db, { generation, rank });
    const { text, body } = await api.get(LIST);
    const bare = body.data.map(({ category_skill: _, ...row }: Record<string, unknown>) => row);
    const expected = toHex(await sha256(JSON.stringify(bare)));
    expect(text).toContain(`"category_skill":{`);
    expect(body.meta).toMatchObject({
      category_skill_base_payload_hash: expected,
      category_skill_enriched_base_payload_hash: expected,
    });
  });

  test("a holder's skill changes the ETag, and meta alone does not", async () => {
    const { api, db, generation } = await open();
    await anEdgeEntry(db, { generation });
    const { headers } = await api.get(LIST);
    const etag = headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\//);
    await db.update(listGenerations).set({ detail: { is_degraded: true, funnel: [], skill_as_of: null } });
    const repeated = await api.get(LIST, { "if-none-match": etag });
    expect([repeated.status, repeated.text, repeated.headers.get("etag")]).toEqual([304, "", etag]);
    await anEdgeEntry(db, { generation, rank: 2 });
    expect((await api.get(LIST, { "if-none-match": etag })).status).toBe(200);
  });
});
