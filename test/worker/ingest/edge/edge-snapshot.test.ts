import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { games, gradedMarkets, holderScans, listGenerations, type markets } from "../../../../src/db/schema.ts";
import { EDGE_SCAN_MARKETS } from "../../../../src/domain/edge/edge-snapshot.ts";
import { buildEdgeSnapshot, refreshPreGameSnapshot } from "../../../../src/ingest/edge/build-edge-snapshot.ts";
import { claimDueHolderScans } from "../../../../src/ingest/holders/due-scans.ts";
import type { EdgeSnapshotKind } from "../../../../src/scoring/edge/judge-market.ts";
import { departures } from "../../../contract/contract.ts";
import { openFreshApi, type FreshApi } from "../../../support/api/fresh-api.ts";
import { aBoardGame, type BoardGameFacts } from "../../../support/seed/picks/edge.ts";
import { aHolderScan, type SeededHolding } from "../../../support/seed/traders/holders.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aProfile, CATEGORY_SKILL } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

let fresh: FreshApi;
let build: (kind: EdgeSnapshotKind) => Promise<void>;

beforeEach(async () => {
  fresh = await openFreshApi();
  const pool = fresh.openPool();
  build = (kind) => inTransaction(pool, (session) => buildEdgeSnapshot(session, kind));
});

/** A described winner market of a game, at 0.60 and 0.40. */
async function aGameMarket(
  game: BoardGameFacts = {},
  facts: Partial<typeof markets.$inferInsert> = {},
): Promise<SeededMarket> {
  const gameId = await aBoardGame(fresh.db, game);
  return aMarket(
    fresh.db,
    { gameId, marketType: "moneyline", hydratedAt: new Date(), volumeUsd: "5000.25", ...facts },
    [
      { lastTradePrice: "0.6", label: "Arsenal" },
      { lastTradePrice: "0.4", label: "Chelsea" },
    ],
  );
}

const aTrader = (grade: string | null) => aSeededTrader(fresh.db, { grade, completeAt: new Date(), totals: {} });
const scanned = (
  market: SeededMarket,
  held: readonly SeededHolding[],
  facts: Partial<typeof holderScans.$inferInsert> = {},
) => aHolderScan(fresh.db, market, held, facts);

async function funnelOf(kind: EdgeSnapshotKind, sport = "Soccer") {
  await build(kind);
  const cohort = kind === "in_play" ? "in_play" : "wider_holder";
  const { body } = await fresh.api.get(`/api/v1/sports-edge-observations?cohort=${cohort}`);
  expect(departures("PreGameSideObservationsResponse", body)).toEqual([]);
  const { input, terminals, ...board } = body.funnel.sports.find((one: { sport: string }) => one.sport === sport);
  return { degraded: body.degraded, input, terminals, board };
}

describe("signals", () => {
  test("a one-sided market is a signal with the net dollars, the skill and the flow of its holders", async () => {
    const { db, api } = fresh;
    const mainEvent = await anEvent(db, { slug: "main", providerEventId: "10" });
    const childEvent = await anEvent(db, { slug: "child", providerEventId: "11" });
    const market = await aGameMarket(
      { eventId: mainEvent, eventSlug: "main", sport: "Esports", league: "lol" },
      { eventId: childEvent, title: "A vs. B" },
    );
    const best = await aTrader("S");
    const hedged = await aTrader("B");
    // A live record of esports: 12 events, mean edge 0.05, lower bound -0.2.
    await aProfile(db, best, { profile: { category_skill: CATEGORY_SKILL } });
    await scanned(market, [
      { trader: best, shares: 3_000 },
      { trader: hedged, shares: 700 },
      { trader: hedged, outcome: 1, shares: 200 },
      { trader: await aTrader("A"), outcome: 1, shares: 300 },
      { trader: await aTrader("C"), outcome: 1, shares: 90_000 },
    ]);
    const none = { wallets: 0, yesSharesMicro: 0n, noSharesMicro: 0n };
    await db.insert(gradedMarkets).values({ ...none, marketId: market.id, sharpNetMicro: -5_000_000n });
    await build("pre_game");
    const { body } = await api.get("/api/v1/sports/pre-game-sides");
    expect(departures("EdgeHunterSignalsResponse", body)).toEqual([]);
    expect(body.data).toMatchObject([
      {
        condition_id: market.conditionId,
        side: "Arsenal",
        token_id: market.outcomes[0].tokenId,
        event_slug: "main",
        category: "Esports",
        raw_category: "lol",
        volume: 5_000.25,
        // YES: 3,000 and net 500 shares at 0.60. NO: 300 shares at 0.40.
        backed_sharp_usd: 2_100,
        side_share: 0.8918,
        sharp_pct: 0.9459,
        // 1,800 dollars of the S in full, 300 of the B as a quarter.
        backing_score: 1_875,
        ...{ s_count: 1, a_count: 0, b_count: 1, graded_holders: 2, top_grade: "S" },
        ...{
          one_way_holder_count: 1,
          hedged_holder_count: 1,
          one_way_graded_usd: 1_800,
          directional_confidence: 0.8571,
        },
        net_side: "SELL",
        category_skill: {
          ...{ status: "live", eligible_holders: 2, covered_holders: 1, covered_backed_usd: 1_800 },
          ...{ weighted_edge_mean: 0.05, weighted_holder_lower_mean: -0.2, specialist_backed_usd: 0 },
          minimum_holder_event_count: 12,
        },
      },
    ]);
  });

  test("signals are ordered by their best holders, then by dollars", async () => {
    const orders: [string[], number][] = [
      [["A", "A"], 90_000],
      [["S"], 2_000],
      [["S"], 3_000],
      [["B"], 900_000],
    ];
    const rows = [];
    for (const [grades, shares] of orders) {
      const market = await aGameMarket();
      const held = [];
      for (const grade of grades) held.push({ trader: await aTrader(grade), shares });
      await scanned(market, held);
      rows.push(market.conditionId);
    }
    await build("pre_game");
    const { body } = await fresh.api.get("/api/v1/sports/pre-game-sides");
    const ids = body.data.map((row: { condition_id: string }) => row.condition_id);
    expect(ids).toEqual([rows[2], rows[1], rows[0], rows[3]]);
  });
});

describe("the funnel", () => {
  test("every market of the board ends at one reason", async () => {
    const holder = { trader: await aTrader("A"), shares: 3_000 };
    await scanned(await aGameMarket(), [holder]);
    await scanned(await aGameMarket({ scheduledAt: later(60) }), [holder]);
    await scanned(await aGameMarket({}, { volumeUsd: null, title: null }), [{ ...holder, shares: 100 }]);
    await scanned(await aGameMarket({}, { payoutsPpm: [1_000_000, 0], closed: true }), [holder]);
    await scanned(await aGameMarket({ providerStatus: "Postponed", state: "postponed" }), [holder]);
    await scanned(await aGameMarket({ providerStatus: "not necessary", state: "cancelled" }), [holder]);
    await scanned(await aGameMarket({ providerStatus: "Abandoned", state: "suspended" }), [holder]);
    await scanned(await aGameMarket(), [{ trader: await aTrader("D"), shares: 1 }]);
    await scanned(await aGameMarket(), []);
    await aBoardGame(fresh.db);
    expect(await funnelOf("pre_game")).toMatchObject({
      input: 10,
      degraded: true,
      terminals: {
        primary_slate_candidate: 1,
        outside_horizon: 1,
        invalid_market: 1,
        resolved: 1,
        provider_excluded: 3,
        no_current_graded_holder: 1,
        zero_indexed_holder_research: 1,
        missing_stored_market: 1,
      },
      board: { board_input: 9, board_upcoming_status: "available", terminal_total: 10, reconciled: true },
    });
  });

  test("other sports, other market types and games out of the board's range are no inputs", async () => {
    await aGameMarket({ sport: "Darts" });
    await aGameMarket({ sport: null });
    await aGameMarket({ scheduledAt: later(73) });
    await aGameMarket({ scheduledAt: later(-13) });
    const totals = await aGameMarket({}, { marketType: "totals" });
    expect(totals.id).toBeGreaterThan(0);
    expect(await funnelOf("pre_game")).toMatchObject({ input: 1, terminals: { missing_stored_market: 1 } });
  });

  test.for<[string, Partial<typeof holderScans.$inferInsert> | null, string, boolean]>([
    [
      "a failed first scan",
      { fetchedAt: null, lastError: "more than 100 pages of holders" },
      "holder_scan_incomplete",
      true,
    ],
    ["a scan that has not ended", { fetchedAt: null }, "holder_deadline_unavailable", true],
    ["no scan yet", null, "holder_deadline_unavailable", true],
    ["a scan of 16 minutes ago", { fetchedAt: ago(960) }, "provider_unavailable", true],
    ["a recent scan", {}, "primary_slate_candidate", false],
  ])("a market with %s ends so: %s", async ([, scan, reason, degraded]) => {
    const market = await aGameMarket();
    if (scan !== null) await scanned(market, [{ trader: await aTrader("A"), shares: 3_000 }], scan);
    expect(await funnelOf("pre_game")).toMatchObject({ terminals: { [reason]: 1 }, degraded });
  });

  test("markets beyond the scan capacity alone do not degrade the snapshot", async () => {
    const gameId = await aBoardGame(fresh.db, { scheduledAt: later(9) });
    await fresh.db.execute(sql`
      with m as (
        insert into markets (condition_id, title, game_id, market_type, hydrated_at, volume_usd)
        select 'c' || n, 'Handicap ' || n, ${gameId}, 'spreads', now(), 10
        from generate_series(1, ${EDGE_SCAN_MARKETS + 3}::int) n returning id
      )
      insert into outcomes (market_id, token_id, outcome_index)
        select id, id || '-' || side, side from m cross join generate_series(0, 1) side`);
    await fresh.db.execute(sql`insert into holder_scans (market_id, requested_at, fetched_at)
      select id, now(), now() from markets order by id limit ${EDGE_SCAN_MARKETS}`);
    expect(await funnelOf("pre_game")).toMatchObject({
      degraded: false,
      input: EDGE_SCAN_MARKETS + 3,
      terminals: { zero_indexed_holder_research: EDGE_SCAN_MARKETS, capacity_limited: 3 },
      board: { board_upcoming_status: "capacity_limited", board_upcoming_available: false },
    });
  });
});

describe("the board's sources", () => {
  test("without any game that was read in the last half hour, the snapshot is degraded", async () => {
    expect(await funnelOf("pre_game")).toMatchObject({
      degraded: true,
      input: 0,
      board: { board_upcoming_status: "source_unavailable", board_upcoming_unavailable_scopes: ["category"] },
    });
    await aGameMarket({ observedAt: ago(1_801) });
    expect(await funnelOf("pre_game")).toMatchObject({ degraded: true, terminals: { board_source_unavailable: 1 } });
  });

  test("a sport without games is not on the board, while another sport is", async () => {
    await scanned(await aGameMarket(), []);
    expect(await funnelOf("pre_game", "Golf")).toMatchObject({
      degraded: false,
      input: 0,
      board: { board_upcoming_configured: false, board_upcoming_status: "not_configured" },
    });
  });
});

describe("live games", () => {
  const LIVE = { live: true, scheduledAt: ago(1_800) };

  test("a confirmed live game is an observation, and an unconfirmed one only in the funnel", async () => {
    const holder = { trader: await aTrader("A"), shares: 300 };
    const market = await aGameMarket({ ...LIVE, scoresObservedAt: ago(5) });
    await scanned(market, [holder]);
    expect(await funnelOf("in_play")).toMatchObject({ degraded: false, terminals: { in_play_emitted: 1 } });
    const { body } = await fresh.api.get("/api/v1/sports-edge-observations?cohort=in_play");
    expect(body.data).toMatchObject([{ condition_id: market.conditionId, cohort: "in_play", backed_price: 0.6 }]);
    await fresh.db.update(games).set({ scoresObservedAt: ago(31) });
    expect(await funnelOf("in_play")).toMatchObject({
      degraded: true,
      terminals: { in_play_stale_observed: 1 },
      board: { board_live_available: false },
    });
    await fresh.db.update(games).set({ scoresObservedAt: ago(1), ended: true });
    expect(await funnelOf("in_play")).toMatchObject({ degraded: false, terminals: { provider_excluded: 1 } });
  });

  test("a game that is not live is no observation of live games", async () => {
    await scanned(await aGameMarket(), [{ trader: await aTrader("A"), shares: 300 }]);
    expect(await funnelOf("in_play")).toMatchObject({ terminals: { not_provider_live: 1 } });
  });
});

describe("rebuilds", () => {
  const age = async (seconds: number) => {
    await fresh.db.execute(sql`update list_generations set built_at = now() - make_interval(secs => ${seconds}::int)`);
  };
  const generations = async () =>
    (await fresh.db.select().from(listGenerations).where(eq(listGenerations.list, "edge:pre_game"))).map(
      ({ id }) => id,
    );

  test.for<[string, boolean, number, boolean]>([
    ["a complete snapshot after three minutes", false, 181, true],
    ["a complete snapshot not before", false, 150, false],
    ["a partial snapshot after 30 seconds", true, 31, true],
    ["a partial snapshot not before", true, 15, false],
  ])("%s is built again", async ([, isDegraded, seconds, isRebuilt]) => {
    if (!isDegraded) await scanned(await aGameMarket(), []);
    const pool = fresh.openPool();
    const refresh = () => inTransaction(pool, refreshPreGameSnapshot);
    await refresh();
    await age(seconds);
    const before = await generations();
    await refresh();
    expect((await generations()).length > before.length).toBe(isRebuilt);
  });
});

test("holders of the board's open markets are scanned without a request, live games first", async () => {
  const pool = fresh.openPool();
  const upcoming = await aGameMarket({ scheduledAt: later(3) });
  const live = await aGameMarket({ live: true, scheduledAt: ago(600) });
  await aGameMarket({ scheduledAt: later(50) });
  await aGameMarket({ scheduledAt: ago(600) });
  await aGameMarket({}, { closed: true });
  const claimed = (await claimDueHolderScans(pool)).flatMap((message) =>
    message.kind === "scan_holders" ? message.market_ids : [],
  );
  expect(claimed.toSorted((a, b) => a - b)).toEqual([upcoming.id, live.id].toSorted((a, b) => a - b));
  // A request is followed more closely than the board.
  await fresh.db.update(holderScans).set({ fetchedAt: ago(120), enqueuedAt: null, requestedAt: ago(86_400) });
  expect(await claimDueHolderScans(pool)).toEqual([]);
  await fresh.db.update(holderScans).set({ fetchedAt: ago(151) });
  expect(await claimDueHolderScans(pool)).toHaveLength(1);
});
