import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { aCompetitor, aGame, theBoardWasRead } from "../../../support/seed/picks/a-game.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const LIST = "/api/v1/games";

let api: ApiUnderTest;
let db: Database;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const aReadBoard = (liveAge = 0, upcomingAge = 0) =>
  theBoardWasRead(db, { live: secondsAgo(liveAge), upcoming: secondsAgo(upcomingAge) });

async function slugs(query = ""): Promise<string[]> {
  const { body } = await api.get(`${LIST}${query}`);
  return body.data.map((game: { event_slug: string }) => game.event_slug);
}

const readGame = async (slug: string) => (await api.get(`${LIST}/${slug}`)).body.data;

describe("the list of games", () => {
  beforeEach(() => aReadBoard());

  test("orders games by kickoff, then slug, with unknown kickoffs last, and pages through all of them", async () => {
    const kickoff = inHours(2);
    await aGame(db, { eventSlug: "unknown-b", scheduledAt: null });
    await aGame(db, { eventSlug: "unknown-a", scheduledAt: null });
    await aGame(db, { eventSlug: "later", scheduledAt: inHours(3) });
    await aGame(db, { eventSlug: "same-b", scheduledAt: kickoff });
    await aGame(db, { eventSlug: "same-a", scheduledAt: kickoff });
    const all = ["same-a", "same-b", "later", "unknown-a", "unknown-b"];
    expect(await slugs()).toEqual(all);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      let cursor = "";
      do {
        const { body } = await api.get(`${LIST}?limit=${limit}${cursor}`);
        seen.push(...body.data.map((game: { event_slug: string }) => game.event_slug));
        expect(String(body.next_cursor).startsWith("gms_v1_")).toBe(body.has_more);
        cursor = body.has_more ? `&cursor=${body.next_cursor}` : "";
      } while (cursor !== "");
      expect(seen).toEqual(all);
    }
  });

  test("keeps games for 48 hours after their kickoff or end, and as long as they are in play", async () => {
    await aGame(db, { eventSlug: "old", scheduledAt: inHours(-49) });
    await aGame(db, { eventSlug: "test-match", scheduledAt: inHours(-90), live: true, state: "live" });
    await aGame(db, { eventSlug: "long-game", scheduledAt: inHours(-50), finishedAt: inHours(-2), state: "ended" });
    await aGame(db, { eventSlug: "yesterday", scheduledAt: inHours(-24), state: "ended" });
    expect(await slugs()).toEqual(["test-match", "long-game", "yesterday"]);
    expect((await readGame("old")).event_slug).toBe("old");
  });

  test("filters by sport, league, state and kickoff", async () => {
    await aGame(db, { eventSlug: "nba", scheduledAt: inHours(1) });
    await aGame(db, {
      eventSlug: "ping-pong",
      sport: "Table Tennis",
      league: "wtt",
      scheduledAt: inHours(2),
      state: "live",
    });
    await aGame(db, { eventSlug: "later", scheduledAt: inHours(5) });
    await aGame(db, { eventSlug: "unknown", scheduledAt: null });
    for (const sport of ["Table%20Tennis", "table-tennis", "TABLE_TENNIS"])
      expect(await slugs(`?sport=${sport}`)).toEqual(["ping-pong"]);
    expect(await slugs("?league=WTT")).toEqual(["ping-pong"]);
    expect(await slugs("?status=live")).toEqual(["ping-pong"]);
    expect(await slugs(`?starts_after=${inHours(1.5).toISOString()}`)).toEqual(["ping-pong", "later"]);
    expect(await slugs(`?starts_before=${inHours(1.5).toISOString()}`)).toEqual(["nba"]);
  });

  test.each(["sport=Chess", "status=LIVE", "league=none"])("%s matches nothing", async (query) => {
    await aGame(db);
    const { status, body } = await api.get(`${LIST}?${query}`);
    expect([status, body.data, body.has_more]).toEqual([200, [], false]);
  });

  test("refuses a range that ends before it begins, and a cursor of other filters", async () => {
    for (let n = 0; n < 2; n++) await aGame(db);
    const range = "starts_after=2026-11-21T00:00:00Z&starts_before=2026-11-20T00:00:00Z";
    expect(errorOf(await api.get(`${LIST}?${range}`))).toMatchObject({ status: 400, param: "starts_before" });
    const { body } = await api.get(`${LIST}?limit=1`);
    expect(errorOf(await api.get(`${LIST}?limit=1&league=nba&cursor=${body.next_cursor}`))).toMatchObject({
      status: 400,
      param: "cursor",
    });
  });
});

describe("the coverage of games", () => {
  test("before the board was read once, both reads say so", async () => {
    await theBoardWasRead(db, { live: new Date(), upcoming: null });
    for (const path of [LIST, `${LIST}/some-game`])
      expect(errorOf(await api.get(path))).toMatchObject({ status: 503, reason: "read_model_warming" });
  });

  test("names the sports and leagues of the board, and the halves that were not read lately", async () => {
    await theBoardWasRead(
      db,
      { live: secondsAgo(700), upcoming: secondsAgo(30) },
      { sports: ["Baseball", "Soccer"], leagues: ["epl", "mlb"] },
    );
    const { body } = await api.get(LIST);
    expect(body.coverage).toEqual({
      sports: ["Baseball", "Soccer"],
      leagues: ["epl", "mlb"],
      sources_unavailable: ["Baseball:live", "Soccer:live"],
    });
  });
});

describe("a game", () => {
  test("is found by its slug in any case; another event is 404", async () => {
    await aReadBoard();
    const { slug } = await aGame(db, { eventSlug: "nba-mil-bos" });
    expect((await readGame(slug.toUpperCase())).event_slug).toBe("nba-mil-bos");
    expect(errorOf(await api.get(`${LIST}/will-it-rain`))).toMatchObject({ status: 404, param: "event_slug" });
  });

  test("an event of no sport is outside coverage", async () => {
    await aReadBoard();
    const { slug } = await aGame(db, { sport: null });
    expect(errorOf(await api.get(`${LIST}/${slug}`))).toMatchObject({ status: 404 });
    expect(await slugs()).toEqual([]);
  });

  test("has the status and the score of each side, whichever comes first", async () => {
    await aReadBoard();
    const sides = [aCompetitor("Home", { providerId: "1" }), aCompetitor("Away", { providerId: "2", record: "3-1" })];
    const { slug } = await aGame(db, {
      competitors: sides,
      state: "paused",
      providerStatus: "Break",
      score: "3-1",
      scoreFirst: 1,
      period: "HT",
      live: true,
      ended: false,
    });
    const game = await readGame(slug);
    expect(game.status).toEqual({
      state: "paused",
      match_status: "halftime",
      provider_status: "Break",
      period: "HT",
      live: true,
      ended: false,
    });
    expect(game.competitors).toEqual([
      { name: "Home", provider_id: "1", score: "1" },
      { name: "Away", provider_id: "2", score: "3", record: "3-1" },
    ]);
    expect(game.coverage).toEqual({ scores: "available", competitors: "provider_ids", schedule: "available" });
  });

  test("a score without a known order is left out", async () => {
    await aReadBoard();
    const { slug } = await aGame(db, { score: "3-1", scoreFirst: null, state: "live", live: true });
    const game = await readGame(slug);
    expect(game.competitors.map((side: object) => Object.keys(side))).toEqual([["name"], ["name"]]);
    expect(game.coverage).toMatchObject({ scores: "unavailable", competitors: "labels" });
  });

  test("a game without a sign of play is unknown an hour after its kickoff, never live", async () => {
    await aReadBoard();
    const early = await aGame(db, { scheduledAt: inHours(-0.9) });
    const late = await aGame(db, { scheduledAt: inHours(-1.1) });
    expect((await readGame(early.slug)).status.state).toBe("scheduled");
    expect((await readGame(late.slug)).status.state).toBe("unknown");
    expect(await slugs("?status=unknown")).toEqual([late.slug]);
  });

  test.each([
    ["fresh", 5, { source_status: "ok", source_availability: "available", source_freshness: "fresh", delayed: false }],
    ["stale", 100, { source_status: "ok", source_freshness: "stale", delayed: true, source_age_seconds: 100 }],
    ["unknown", 700, { source_status: "unavailable", source_availability: "unavailable", delayed: true }],
  ])("the half of a game in play is %s after %d seconds", async (freshness, age, expected) => {
    await aReadBoard(age);
    const live = await aGame(db, { state: "live", live: true });
    const upcoming = await aGame(db);
    const found = (await readGame(live.slug)).freshness;
    expect(found).toMatchObject({ source: "live", source_freshness: freshness, ...expected });
    expect("source_age_seconds" in found).toBe(age <= 600);
    expect((await readGame(upcoming.slug)).freshness).toMatchObject({ source: "upcoming", source_freshness: "fresh" });
  });
});

describe("markets", () => {
  const FIGURES_AT = new Date("2026-11-20T12:00:00Z");
  const sides = [
    aCompetitor("Boston Celtics", { providerId: "2", abbreviation: "bos" }),
    aCompetitor("Milwaukee Bucks", { providerId: "15", abbreviation: "mil" }),
  ];

  async function aPricedGame(
    labels: readonly [string, string],
    prices: readonly [object, object],
    facts: { marketType?: string; slug?: string; game?: object } = {},
  ) {
    await aReadBoard();
    const game = await aGame(db, { competitors: sides, ...facts.game });
    const { slug = "nba-mil-bos", marketType = "moneyline" } = facts;
    await aMarket(db, { gameId: game.gameId, marketType, slug, figuresAsOf: FIGURES_AT }, [
      { label: labels[0], ...prices[0] },
      { label: labels[1], ...prices[1] },
    ]);
    return (await readGame(game.slug)).markets[0];
  }

  test("a moneyline has the prices of both sides in the order of the competitors", async () => {
    const market = await aPricedGame(["Bucks", "Celtics"], [{ price: "0.6255" }, { price: "0.3745" }]);
    expect(market).toMatchObject({ side: "away", outcome_yes: "Bucks", outcome_no: "Celtics", platform: "polymarket" });
    expect(market.prices).toEqual({
      provider: {
        state: "paired",
        competitor_a: { provider_id: 2, label: "Celtics", price: 0.3745, price_provenance: "gamma_outcome_prices" },
        competitor_b: { provider_id: 15, label: "Bucks", price: 0.6255, price_provenance: "gamma_outcome_prices" },
        competitor_a_is_yes: false,
        binding_provenance: "containment_labels",
      },
      observed_at: FIGURES_AT.toISOString(),
      observation_source: "board_snapshot",
    });
  });

  test("two live books that are newer than the listed prices replace them", async () => {
    const book = (bid: string, ask: string, seconds: number) => ({
      bestBid: bid,
      bestAsk: ask,
      bookSource: "clob_book",
      bookAsOf: new Date(FIGURES_AT.getTime() + seconds * 1000),
    });
    const market = await aPricedGame(
      ["Celtics", "Bucks"],
      [
        { price: "0.5", ...book("0.60", "0.62", 30) },
        { price: "0.5", ...book("0.38", "0.40", 20) },
      ],
    );
    expect(market.prices).toMatchObject({
      provider: { state: "paired", competitor_a: { price: 0.61, price_provenance: "clob_display" } },
      observed_at: new Date(FIGURES_AT.getTime() + 20_000).toISOString(),
      observation_source: "clob_display",
    });
  });

  test("a decided price that contradicts the final score is invalid", async () => {
    const final = { state: "ended", ended: true, score: "99-101", scoreFirst: 0 };
    const prices = [{ price: "1" }, { price: "0" }] as const;
    const market = await aPricedGame(["Celtics", "Bucks"], prices, { game: final });
    expect(market.prices.provider).toEqual({
      state: "invalid",
      reason: "final_identity_mismatch",
      competitor_a_is_yes: true,
      competitor_a_provider_id: 2,
      competitor_b_provider_id: 15,
      binding_provenance: "containment_labels",
    });
  });

  test("a market that is no two-way moneyline has no pair of prices", async () => {
    const total = await aPricedGame(["Over", "Under"], [{ price: "0.5" }, { price: "0.5" }], { marketType: "totals" });
    expect(total).toMatchObject({ side: "other" });
    expect("prices" in total).toBe(false);
  });

  test("a market that pays on a draw is named, and the game offers one", async () => {
    await aReadBoard();
    const { gameId, slug } = await aGame(db, { competitors: sides, sport: "Soccer" });
    await aMarket(db, { gameId, marketType: "moneyline", slug: "epl-bos-mil-draw" });
    await aMarket(db, { gameId, marketType: "moneyline", slug: "epl-bos-mil-mil" });
    const game = await readGame(slug);
    expect(game.draw_offered).toBe(true);
    expect(game.markets.map(({ side }: { side: string }) => side).toSorted()).toEqual(["away", "draw"]);
    expect(game.markets.some((market: object) => "prices" in market)).toBe(false);
  });

  test("the markets of child events belong to the game, ordered by condition id", async () => {
    await aReadBoard();
    const { gameId, slug } = await aGame(db);
    const ids = ["d", "a", "c"].map((digit) => `0x${digit.repeat(64)}`);
    for (const conditionId of ids) await aMarket(db, { gameId, conditionId });
    expect((await readGame(slug)).markets.map((market: { condition_id: string }) => market.condition_id)).toEqual(
      ids.toSorted(),
    );
  });
});

test("an unchanged game is 304, and a changed score is not", async () => {
  await aReadBoard(700, 700);
  const { slug } = await aGame(db, { score: "1-0", scoreFirst: 0 });
  const first = await api.get(`${LIST}/${slug}`);
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  expect((await api.get(`${LIST}/${slug}`, headers)).status).toBe(304);
  await db.execute(sql`update games set score = '2-0'`);
  // Another spelling of the slug has no cached response.
  expect((await api.get(`${LIST}/${slug.toUpperCase()}`, headers)).status).toBe(200);
});
