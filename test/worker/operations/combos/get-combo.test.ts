import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { outcomeDays } from "../../../../src/db/schema.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { aCombo, aComboEvent, theCombosWereRead, UNKNOWN_LEG_MARKET } from "../../../support/seed/combos.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let api: ApiUnderTest;
let db: Database;
let taker: SeededTrader;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  taker = await aSeededTrader(db);
});

const NOW_SECONDS = Math.floor(Date.now() / 1000);
const ago = (seconds: number) => new Date((NOW_SECONDS - seconds) * 1000).toISOString();
const readCombo = async ({ conditionId }: SeededMarket) => (await api.get(`/api/v1/combos/${conditionId}`)).body.data;
const legsOf = async (combo: SeededMarket) => (await readCombo(combo)).combo.legs;

test("an unknown id, and the id of an ordinary market, is 404", async () => {
  const ordinary = await aMarket(db, { conditionId: `0x01${"7".repeat(60)}` });
  for (const id of [`0x03${"f".repeat(60)}`, ordinary.conditionId]) {
    const error = errorOf(await api.get(`/api/v1/combos/${id}`));
    expect(error).toMatchObject({ status: 404, param: "condition_id" });
  }
});

test.each([`0x03${"7".repeat(62)}`, `0X03${"7".repeat(60)}`, `0x03${"F".repeat(60)}`, "mkt_1"])(
  "%s is not the id of a combo",
  async (id) => {
    expect(errorOf(await api.get(`/api/v1/combos/${id}`))).toMatchObject({ status: 400, param: "condition_id" });
  },
);

describe("the fills of a combo", () => {
  test("sums cover the takers' fills of the combo at any price, and the window those of 24 hours", async () => {
    const combo = await aCombo(db);
    const fill = (facts: Partial<Parameters<typeof aFill>[1]>) =>
      aFill(db, { trader: taker, market: combo, isTaker: true, ...facts });
    const other = await aSeededTrader(db);
    await fill({ at: ago(90_000), shares: 100, price: "0.5" });
    await fill({ at: ago(7_200), shares: 10, price: "0.99" });
    await fill({ at: ago(3_600), trader: other, shares: 4, price: "0.75", outcome: 1, side: "SELL" });
    await fill({ at: ago(60), isTaker: false, shares: 1_000 });
    await aFill(db, { trader: taker, market: await aCombo(db), isTaker: true, at: ago(10) });
    const { combo: shown, fills } = await readCombo(combo);
    expect(shown.window).toEqual({
      ...{ fills: 2, volume_usdc: "12.900000", distinct_traders: 2, largest_fill_usdc: "9.900000" },
    });
    expect(shown.totals).toEqual({
      ...{ fills: 3, volume_usdc: "62.900000", largest_fill_usdc: "50.000000", last_fill_price_yes: "0.25" },
      ...{ first_fill_at: ago(90_000), last_fill_at: ago(3_600), last_fill_outcome_index: 1, last_fill_action: "sell" },
    });
    expect(fills.map(({ collateral_usdc: usd }: { collateral_usdc: string }) => usd)).toEqual([
      ...["3.000000", "9.900000", "50.000000"],
    ]);
  });

  test("are shown up to the newest 100", async () => {
    const combo = await aCombo(db);
    for (let n = 0; n < 101; n += 1)
      await aFill(db, { trader: taker, market: combo, isTaker: true, at: ago(200 - n), shares: n + 1 });
    const { combo: shown, fills } = await readCombo(combo);
    expect([shown.totals.fills, fills.length, fills[0].shares, fills[99].shares]).toEqual([
      ...[101, 100, "101.000000", "2.000000"],
    ]);
  });

  test("a combo without fills or events has null sums", async () => {
    const { combo, fills, lifecycle } = await readCombo(await aCombo(db));
    expect([combo.window, combo.totals, lifecycle, fills]).toEqual([null, null, null, []]);
  });
});

describe("the legs of a combo", () => {
  test("a leg's market is our own description, with its result and newest daily close", async () => {
    const eventId = await anEvent(db, { slug: "race" });
    const market = await aMarket(
      db,
      {
        ...{ eventId, title: "Who wins?", slug: "who-wins", category: "Politics", hydratedAt: new Date() },
        ...{ closed: true, payoutsPpm: [0, 1_000_000], resolvedAt: new Date("2026-11-20T12:00:00Z") },
      },
      [{ label: "Ada" }, { label: "Bob" }],
    );
    const day = (name: string, close: string) => ({
      ...{ outcomeId: market.outcomes[1].id, day: name, open: "0.1", high: "1", low: "0.1", close },
    });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await db.insert(outcomeDays).values([day("2026-01-01", "0.3"), day(yesterday, "0.62345")]);
    const leg = { legMarketId: market.id, outcomeIndex: 1, state: "won", providerStatus: "RESOLVED_WIN" };
    const combo = await aCombo(db, { legs: [{}, leg] });
    expect((await legsOf(combo))[1]).toEqual({
      ...{ leg_index: 1, outcome_index: 1, module_id: 1, state: "won" },
      market: {
        ...{ source: "markets", condition_id: market.conditionId, title: "Who wins?", slug: "who-wins" },
        ...{ event_slug: "race", polymarket_url: "https://polymarket.com/event/race", outcome_label: "Bob" },
        ...{ image: null, category: "Politics", winning_outcome: 1, resolved_at: "2026-11-20T12:00:00.000Z" },
        ...{ market_closed: true, pick_price_daily: 0.6234, pick_price_as_of: `${yesterday}T00:00:00.000Z` },
        ...{ pick_price_age_days: 1, provider_leg_status: "RESOLVED_WIN" },
      },
    });
  });

  test("a market that resolved without a single winner has the winner -1, an open one null", async () => {
    const hydratedAt = new Date();
    const split = await aMarket(db, { hydratedAt, payoutsPpm: [500_000, 500_000] });
    const open = await aMarket(db, { hydratedAt });
    const combo = await aCombo(db, { legs: [{ legMarketId: split.id }, { legMarketId: open.id }] });
    const winners = (await legsOf(combo)).map(
      (leg: { market: { winning_outcome: unknown } }) => leg.market.winning_outcome,
    );
    expect(winners).toEqual([-1, null]);
  });

  test("until the market is read, the leg has what the provider says of it, or null", async () => {
    const stub = await aMarket(db, { title: null, slug: null });
    const named = { ...UNKNOWN_LEG_MARKET, title: "Aston Villa (-2.5)", eventSlug: "clf-avl-pau", tags: ["Soccer"] };
    const legs = [{ legMarketId: stub.id, providerMarket: named }, {}];
    const [described, bare] = await legsOf(await aCombo(db, { legs }));
    expect(described.market).toMatchObject({
      ...{ source: "provider", title: "Aston Villa (-2.5)", slug: null, event_slug: "clf-avl-pau", category: "Soccer" },
      ...{ winning_outcome: null, market_closed: null, pick_price_daily: null, pick_price_age_days: null },
    });
    expect(described.market.condition_id).toMatch(/^0x01[0-9a-f]{60}$/);
    expect(bare.market).toBeNull();
  });

  test("won_legs counts the legs of state won", async () => {
    const combo = await aCombo(db, { legs: ["won", "void", "won", "pending"].map((state) => ({ state })) });
    await aFill(db, { trader: taker, market: combo, isTaker: true });
    expect((await readCombo(combo)).fills[0]).toMatchObject({ won_legs: 2, leg_count: 4 });
  });

  test("a combo whose legs are not known says so", async () => {
    const { combo } = await readCombo(await aCombo(db, { status: null }));
    expect(combo).toMatchObject({
      ...{ legs_known: false, legs: [], leg_count: null, prepared_at: null },
      ...{ status: "unknown", status_reason: "legs_not_indexed" },
    });
  });
});

describe("events", () => {
  test("events are counted and summed by kind", async () => {
    const market = await aCombo(db);
    const event = (facts: object) => aComboEvent(db, { market, trader: taker, ...facts });
    await event({ kind: "split", amountMicro: 1_000_001n });
    await event({ kind: "split", amountMicro: 2_000_000n });
    await event({ kind: "redeem", amountMicro: 9n, payoutMicro: 4_500_000n, sharesMicro: 5_000_000n });
    await event({ kind: "wrap", happenedAt: new Date("2026-11-21T00:00:00Z") });
    expect((await readCombo(market)).lifecycle).toEqual({
      ...{ splits: 2, merges: 0, redeems: 1, compresses: 0, split_usdc: "3.000001", merge_usdc: "0.000000" },
      ...{ redeemed_shares: "5.000000", redeemed_usdc: "4.500000", compressed_usdc: "0.000000" },
      last_event_at: "2026-11-21T00:00:00.000Z",
    });
  });

  test("a sum is null when one of its events has no amount", async () => {
    const market = await aCombo(db);
    await aComboEvent(db, { market, trader: taker, kind: "merge", amountMicro: 1_000_000n });
    await aComboEvent(db, { market, trader: taker, kind: "merge", amountMicro: null });
    expect((await readCombo(market)).lifecycle).toMatchObject({ merges: 2, merge_usdc: null, split_usdc: "0.000000" });
  });
});

describe("the coverage of a combo", () => {
  const NOTHING_OF_THE_CHAIN = {
    ...{ cursors: [], max_lag_blocks: null, oldest_cursor_update: null, lifecycle_lag_blocks: null },
  };
  const coverage = async (combo: SeededMarket) => (await readCombo(combo)).coverage;

  test("is uninitialized before the first read of both sources", async () => {
    const combo = await aCombo(db);
    await theTradeFeedWasRead(db, new Date());
    expect(await coverage(combo)).toMatchObject({ state: "uninitialized", ...NOTHING_OF_THE_CHAIN });
  });

  test.each([
    ["live", 60, null],
    ["live", 60, 60],
    ["backfilling", 60, 1_000],
    ["stale", 1_000, 1_000],
  ])("it is %s when combos were read %s seconds ago and one has been due for %s", async (state, age, due) => {
    const at = (seconds: number) => new Date(Date.now() - seconds * 1000);
    const combo = await aCombo(db, { readDueAt: due === null ? null : at(due) });
    await theTradeFeedWasRead(db, new Date());
    const readAt = at(age);
    await theCombosWereRead(db, readAt);
    const shown = await coverage(combo);
    expect(shown).toMatchObject({ state, ingest_enabled: true, lifecycle_backfilling: (due ?? 0) > 900 });
    expect(shown.sources[1]).toEqual({ name: "combo_reads", as_of: readAt.toISOString() });
  });
});
