import { describe, expect, test } from "vitest";
import { departures } from "../../../contract/contract.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { A_PILE, anEdgeEntry, anEdgeSnapshot } from "../../../support/seed/picks/edge.ts";

const PATHS = ["/api/v1/sports-edge-observations", "/api/v1/sports/pre-game-side-observations"] as const;
const [LIST] = PATHS;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

const ranksOf = (body: { data: { condition_id: string; rank: number }[] }) =>
  body.data.map((row) => [row.condition_id, row.rank]);

test.for(PATHS)("%s lists the observations of a cohort with the contract's fields", async (path) => {
  const { api, db } = await openFreshApi();
  const builtAt = new Date();
  const generation = await anEdgeSnapshot(db, "pre_game", builtAt, {
    terminals: [
      ["Soccer", "wider_holder_emitted"],
      ["Soccer", "outside_horizon"],
      ["Soccer", "outside_horizon"],
      ["Golf", "resolved"],
    ],
  });
  const kickoffAt = new Date(Date.now() + 3_600_000);
  const conditionId = await anEdgeEntry(db, { generation, cohort: "wider_holder", kickoffAt });
  const { status, body, headers } = await api.get(`${path}?cohort=wider_holder`);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(departures("PreGameSideObservationsResponse", body)).toEqual([]);
  expect(body).toMatchObject({
    has_more: false,
    next_cursor: null,
    snapshot_as_of: builtAt.toISOString(),
    degraded: false,
  });
  expect(body.data).toEqual([
    {
      side: "Arsenal",
      backing_score: 5_250,
      side_share: 0.9234,
      condition_id: conditionId,
      token_id: "1000001",
      category: "Soccer",
      raw_category: "epl",
      title: "Arsenal vs. Chelsea",
      event_slug: "epl-ars-che",
      event_id: "901",
      parent_event_id: "900",
      game_start_time: kickoffAt.toISOString(),
      observed_at: builtAt.toISOString(),
      cohort: "wider_holder",
      observation_only: true,
      piled_side: "Arsenal",
      piled_outcome_index: 0,
      backed_price: 0.53,
      sharp_pct: 0.9617,
      backed_sharp_usd: 7_500,
      s_count: 1,
      a_count: 0,
      b_count: 2,
      graded_holders: 3,
      top_grade: "S",
      smart_score: 0.9234,
      volume: 125_000.5,
      conviction_score: 5_250,
      provider_read_source: "cached",
      holder_scan_complete: true,
      holder_snapshot_at: "2026-11-20T11:58:00.000Z",
      directional_status: "available",
      one_way_holder_count: 2,
      hedged_holder_count: 1,
      one_way_graded_usd: 6_000,
      directional_confidence: 0.7999,
      directional_rank_score: 10_002_000_007_500,
      rank: 1,
    },
  ]);
  const funnel = body.funnel.sports.filter(({ input }: { input: number }) => input > 0);
  expect(body.funnel.sports).toHaveLength(14);
  expect(funnel).toMatchObject([
    { sport: "Soccer", input: 3, terminals: { wider_holder_emitted: 1, outside_horizon: 2 }, terminal_total: 3 },
    { sport: "Golf", input: 1, terminals: { resolved: 1 }, terminal_total: 1 },
  ]);
  expect(body.funnel.sports.every(({ reconciled }: { reconciled: boolean }) => reconciled)).toBe(true);
});

describe("cohorts", () => {
  test("an emerging pile is a wider holder with a rank of its own, and live games are a list of their own", async () => {
    const { api, db } = await openFreshApi();
    const preGame = await anEdgeSnapshot(db, "pre_game", new Date());
    const inPlay = await anEdgeSnapshot(db, "in_play", new Date());
    const wider = await anEdgeEntry(db, { generation: preGame, cohort: "wider_holder", rank: 1 });
    const emerging = await anEdgeEntry(db, {
      ...{ generation: preGame, cohort: "wider_holder", rank: 2, isEmerging: true, sport: "Tennis" },
    });
    const live = await anEdgeEntry(db, { generation: inPlay, cohort: "in_play", kickoffAt: ago(600) });
    const listed = async (query: string) => ranksOf((await api.get(`${LIST}?cohort=${query}`)).body);
    expect(await listed("wider_holder")).toEqual([
      [wider, 1],
      [emerging, 2],
    ]);
    expect(await listed("emerging_pile")).toEqual([[emerging, 1]]);
    expect(await listed("in_play")).toEqual([[live, 1]]);
    // A rank is one within the whole cohort, whatever the category is.
    expect(await listed("wider_holder&category=Tennis")).toEqual([[emerging, 2]]);
    expect(await listed("wider_holder&category=Politics")).toEqual([]);
  });

  test("cohort is required", async () => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(LIST))).toEqual({ status: 400, reason: "invalid_query", param: "cohort" });
  });

  test("a stale scan has no one-way figures, and a failed scan is not called complete", async () => {
    const { api, db } = await openFreshApi();
    const generation = await anEdgeSnapshot(db, "pre_game", new Date());
    const pile = { ...A_PILE, one_way: null, is_scan_complete: false };
    await anEdgeEntry(db, { generation, cohort: "wider_holder", pile });
    const { body } = await api.get(`${LIST}?cohort=wider_holder`);
    expect(departures("PreGameSideObservationsResponse", body)).toEqual([]);
    expect(body.data).toMatchObject([
      {
        holder_scan_complete: false,
        directional_status: "unknown_stale",
        one_way_holder_count: null,
        hedged_holder_count: null,
        one_way_graded_usd: null,
        directional_confidence: null,
      },
    ]);
  });
});

describe("live games", () => {
  test.for<[number, number, boolean]>([
    [10, 1, false],
    [27, 0, true],
    [600, 0, true],
  ])("a snapshot of %i seconds shows %i rows, degraded %s", async ([age, rows, degraded]) => {
    const { api, db } = await openFreshApi();
    const generation = await anEdgeSnapshot(db, "in_play", ago(age));
    await anEdgeEntry(db, { generation, cohort: "in_play", kickoffAt: ago(900) });
    const { status, body } = await api.get(`${LIST}?cohort=in_play`);
    expect([status, body.data.length, body.degraded]).toEqual([200, rows, degraded]);
  });

  test("a cursor of a snapshot that is too old returns cursor_expired", async () => {
    const { api, db } = await openFreshApi();
    const generation = await anEdgeSnapshot(db, "in_play", new Date());
    for (const rank of [1, 2]) await anEdgeEntry(db, { generation, cohort: "in_play", rank });
    const { body } = await api.get(`${LIST}?cohort=in_play&limit=1`);
    await db.execute(`update list_generations set built_at = built_at - interval '26 seconds'`);
    expect(errorOf(await api.get(`${LIST}?cohort=in_play&limit=1&cursor=${body.next_cursor}`))).toEqual({
      ...{ status: 400, reason: "cursor_expired", param: "cursor" },
    });
  });
});

describe("a degraded list of observations", () => {
  test.for<[string, number, boolean, boolean]>([
    ["a current snapshot is not", 240, false, false],
    ["a partial snapshot is", 0, true, true],
    ["a late snapshot is", 310, false, true],
  ])("%s", async ([, age, isDegraded, degraded]) => {
    const { api, db } = await openFreshApi();
    await anEdgeSnapshot(db, "pre_game", ago(age), { isDegraded });
    expect((await api.get(`${LIST}?cohort=wider_holder`)).body).toMatchObject({ degraded });
  });

  test("without a snapshot, or with one of more than 15 minutes, the list is warming", async () => {
    const { api, db } = await openFreshApi();
    for (const cohort of ["wider_holder", "in_play", "emerging_pile"])
      expect(errorOf(await api.get(`${LIST}?cohort=${cohort}`))).toMatchObject({ reason: "read_model_warming" });
    for (const kind of ["pre_game", "in_play"] as const) await anEdgeSnapshot(db, kind, ago(901));
    for (const cohort of ["wider_holder", "in_play", "emerging_pile"])
      expect(errorOf(await api.get(`${LIST}?cohort=${cohort}`))).toMatchObject({ reason: "read_model_warming" });
  });
});

test("pages continue in the snapshot of the first, and the last page has a null cursor", async () => {
  const { api, db } = await openFreshApi();
  const generation = await anEdgeSnapshot(db, "pre_game", ago(60));
  const rows: string[] = [];
  for (let rank = 1; rank <= 3; rank++) rows.push(await anEdgeEntry(db, { generation, cohort: "wider_holder", rank }));
  const first = await api.get(`${LIST}?cohort=wider_holder&limit=2`);
  const newer = await anEdgeSnapshot(db, "pre_game", new Date(), { isDegraded: true });
  await anEdgeEntry(db, { generation: newer, cohort: "wider_holder" });
  const second = await api.get(`${LIST}?cohort=wider_holder&limit=2&cursor=${first.body.next_cursor}`);
  expect([first, second].flatMap(({ body }) => ranksOf(body))).toEqual(rows.map((id, index) => [id, index + 1]));
  expect(second.body).toMatchObject({
    has_more: false,
    next_cursor: null,
    degraded: false,
    snapshot_as_of: first.body.snapshot_as_of,
  });
  const other = `${LIST}?cohort=emerging_pile&limit=2&cursor=${first.body.next_cursor}`;
  expect(errorOf(await api.get(other))).toMatchObject({ reason: "invalid_query", param: "cursor" });
});

test("the ETag covers the page and its cursor", async () => {
  const { api, db } = await openFreshApi();
  const generation = await anEdgeSnapshot(db, "pre_game", new Date());
  await anEdgeEntry(db, { generation, cohort: "wider_holder" });
  const path = `${LIST}?cohort=wider_holder&limit=1`;
  const etag = (await api.get(path)).headers.get("etag") ?? "";
  expect((await api.get(path, { "if-none-match": etag })).status).toBe(304);
  // The next row changes only the cursor of this page.
  await anEdgeEntry(db, { generation, cohort: "wider_holder", rank: 2 });
  expect((await api.get(path, { "if-none-match": etag })).status).toBe(200);
});
