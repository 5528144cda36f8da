import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { fillLogs } from "../../../../src/db/schema.ts";
import { categoryOfTags } from "../../../../src/domain/categories/categories.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { errorOf, openFreshApi } from "../../../support/api/fresh-api.ts";
import { aCombo, UNKNOWN_LEG_MARKET } from "../../../support/seed/combos.ts";
import { aFill, aFillLog } from "../../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const LIST = "/api/v1/combos/fills";

let api: ApiUnderTest;
let db: Database;
let taker: SeededTrader;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  taker = await aSeededTrader(db, { username: "Taker", grade: "A" });
});

const NOW_SECONDS = Math.floor(Date.now() / 1000);
const ago = (seconds: number) => new Date((NOW_SECONDS - seconds) * 1000).toISOString();

async function fill(market: SeededMarket, facts: Partial<Parameters<typeof aFill>[1]> = {}): Promise<string> {
  const { id } = await aFill(db, { trader: taker, market, at: ago(60), isTaker: true, ...facts });
  return `pe_${id}`;
}

const list = async (query = "") => (await api.get(`${LIST}${query}`)).body;
const ids = async (query = ""): Promise<string[]> => (await list(query)).data.map(({ id }: { id: string }) => id);

describe("which fills are listed", () => {
  test("an execution is listed once, as the fill of its taker", async () => {
    const combo = await aCombo(db);
    const maker = await aSeededTrader(db);
    const taken = await fill(combo, { tx: 900_001 });
    await fill(combo, { tx: 900_001, trader: maker, side: "SELL", isTaker: false });
    expect(await ids()).toEqual([taken]);
  });

  test("fills of ordinary markets, splits and merges are not listed", async () => {
    const combo = await aCombo(db);
    await fill(await aMarket(db));
    await fill(await aMarket(db, { conditionId: `0x03${"7".repeat(62)}` }));
    await fill(await aMarket(db, { conditionId: `0x02${"7".repeat(60)}` }));
    await fill(combo, { kind: "split" });
    await fill(combo, { kind: "merge" });
    expect(await ids()).toEqual([]);
  });

  // At 0.95 the chain cuts a millionth off dollars or shares; the shown price is still 0.95.
  test.each([
    ["0.95", 100, true],
    ["0.9500", 1.052631, true],
    ["0.95000003", 1_000, true],
    ["0.9501", 100, false],
    ["0.950001", 1_000, false],
    ["0.9501", 0.02, false],
    ["0.3", 1, true],
    ["1", 3, false],
  ])("a fill at %s of %s shares is listed: %s, as its shown price says", async (price, shares, isListed) => {
    const combo = await aCombo(db);
    const id = await fill(combo, { price, shares });
    const { fills } = (await api.get(`/api/v1/combos/${combo.conditionId}`)).body.data;
    expect(fills.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(Number(fills[0].price) <= 0.95).toBe(isListed);
    expect(await ids()).toEqual(isListed ? [id] : []);
  });
});

describe("a fill", () => {
  test("a buy of YES has exact amounts, its price and what a dollar pays", async () => {
    const combo = await aCombo(db);
    // 30 dollars at 0.3 are 100 shares: 3.333333 shares per dollar, truncated.
    await fill(combo, { shares: 100, price: "0.3", fee: "0.123456" });
    const [row] = (await list()).data;
    expect(row).toMatchObject({
      ...{ action: "buy", outcome_index: 0, shares: "100.000000", collateral_usdc: "30.000000", price: "0.3" },
      ...{ price_yes: "0.3", fee_usdc: "0.123456", payout_multiplier: "3.333333", condition_id: combo.conditionId },
      ...{ trader: taker.address, trader_name: "Taker", trader_grade: "A", status: "pending", status_reason: null },
      ...{ leg_count: 2, won_legs: 0, chain_position_known: false },
    });
  });

  test("a sell of NO has the price of YES and no payout", async () => {
    await fill(await aCombo(db), { outcome: 1, side: "SELL", shares: 8, price: "0.875" });
    const [row] = (await list()).data;
    expect(row).toMatchObject({
      ...{ action: "sell", outcome_index: 1, price: "0.875", price_yes: "0.125", payout_multiplier: null },
    });
  });

  test("an unknown fee is null, and so are the legs and the status of a combo that was not read", async () => {
    await fill(await aCombo(db, { status: null }));
    await fill(await aCombo(db, { status: "unknown", statusReason: "legs_not_indexed", legs: null }));
    for (const row of (await list()).data) {
      expect(row).toMatchObject({
        ...{ fee_usdc: null, leg_count: null, won_legs: null, legs: [], last_traded_at: null },
        ...{ status: "unknown", status_reason: "legs_not_indexed" },
      });
    }
  });

  test("the side comes from the token while the provider has not given its index", async () => {
    await fill(await aCombo(db, { hasOutcomeIndex: false }), { outcome: 1, price: "0.25" });
    expect((await list()).data[0]).toMatchObject({ outcome_index: 1, price: "0.25", price_yes: "0.75" });
  });

  test("the side and the price of YES are null when the token is not of the combo", async () => {
    const conditionId = `0x03${"5".repeat(60)}`;
    await fill(await aMarket(db, { conditionId }, [{ outcomeIndex: null }, {}]), { price: "0.25" });
    expect((await list()).data[0]).toMatchObject({ outcome_index: null, price: "0.25", price_yes: null });
  });
});

describe("orders and pages", () => {
  test("recent pages through all fills by second and id, without a gap or a repetition", async () => {
    const combo = await aCombo(db);
    const seconds = [30, 20, 20, 20, 10, 30, 5];
    const added: { id: string; second: number; n: number }[] = [];
    for (const [n, second] of seconds.entries()) added.push({ id: await fill(combo, { at: ago(second) }), second, n });
    const expected = added.toSorted((a, b) => a.second - b.second || b.n - a.n).map(({ id }) => id);
    expect(await ids()).toEqual(expected);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      let cursor: string | undefined = "";
      while (cursor !== undefined) {
        const page = await list(`?limit=${limit}&cursor=${cursor}`);
        seen.push(...page.data.map(({ id }: { id: string }) => id));
        const last = page.data.at(-1);
        expect(page.has_more).toBe(page.data.length === limit);
        expect(page.next_cursor).toBe(page.has_more ? `${last.block_number}:${last.log_index}` : undefined);
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(expected);
    }
  });

  test("block_number is the second of the fill", async () => {
    const at = ago(600);
    await fill(await aCombo(db), { at });
    const [row] = (await list()).data;
    expect([row.block_number, row.block_timestamp, `pe_${row.log_index}`]).toEqual([Date.parse(at) / 1000, at, row.id]);
  });

  describe("of fills whose log was read from the chain", () => {
    /** A fill with its log, by the number of its exchange; null gives it none. */
    const fillAt = async (combo: Awaited<ReturnType<typeof aCombo>>, at: string, exchange: number | null = 4) => {
      const id = await fill(combo, { at });
      const entryId = Number(id.slice(3));
      if (exchange !== null) await aFillLog(db, entryId, { ordersMatched: 7, exchange });
      return { id, entryId };
    };
    const logOf = async (entryId: number) => (await db.select().from(fillLogs).where(eq(fillLogs.entryId, entryId)))[0];

    test("block_number and log_index are those of the chain", async () => {
      const combo = await aCombo(db);
      const { id, entryId } = await fillAt(combo, ago(60));
      const log = await logOf(entryId);
      const expected = { id, block_number: 90_000_000, log_index: log?.logIndex, chain_position_known: true };
      expect((await list()).data).toMatchObject([expected]);
      expect((await api.get(`/api/v1/combos/${combo.conditionId}`)).body.data.fills).toMatchObject([expected]);
    });

    test("they are unknown without the exchange of combos", async () => {
      const combo = await aCombo(db);
      const { id, entryId } = await fillAt(combo, ago(60), 2);
      await db.update(fillLogs).set({ ordersMatchedLogIndex: null, exchange: null });
      expect((await list()).data).toMatchObject([{ id, log_index: entryId, chain_position_known: false }]);
    });

    test("recent pages through fills with and without a log, without a gap or a repetition", async () => {
      const combo = await aCombo(db);
      const expected = [];
      for (const [n, second] of [60, 50, 50, 50, 40, 30].entries())
        expected.unshift((await fillAt(combo, ago(second), n % 2 === 0 ? 4 : null)).id);
      for (const limit of [1, 2, 5]) {
        const seen: string[] = [];
        let cursor: string | undefined = "";
        while (cursor !== undefined) {
          const page = await list(`?limit=${limit}&cursor=${cursor}`);
          seen.push(...page.data.map(({ id }: { id: string }) => id));
          const last = page.data.at(-1);
          expect(page.next_cursor).toBe(page.has_more ? `${last.block_number}:${last.log_index}` : undefined);
          cursor = page.next_cursor;
        }
        expect(seen).toEqual(expected);
      }
    });

    test("a cursor from before the log was read continues the page", async () => {
      const combo = await aCombo(db);
      const [older, newer] = [await fillAt(combo, ago(60), null), await fillAt(combo, ago(30), null)];
      const { next_cursor: cursor } = await list("?limit=1");
      await aFillLog(db, newer.entryId, { ordersMatched: 7, exchange: 4 });
      expect((await list(`?cursor=${cursor}`)).data.map(({ id }: { id: string }) => id)).toEqual([older.id]);
    });

    test.each(["90000000:4", "0:0", "999999999:2147483647"])(
      "the cursor %s of a log that no fill has is refused as expired",
      async (cursor) => {
        await fill(await aCombo(db));
        const response = await api.get(`/api/v1/combos/fills?cursor=${cursor}`);
        expect(errorOf(response)).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
      },
    );

    test("a log index that no log can have is refused as invalid", async () => {
      const response = await api.get("/api/v1/combos/fills?cursor=90000000:2147483648");
      expect(errorOf(response)).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
    });
  });

  test("largest orders by dollars, and payout the buys by shares", async () => {
    const combo = await aCombo(db);
    const [small, cheap, sold] = [
      await fill(combo, { shares: 10, price: "0.9" }),
      await fill(combo, { shares: 1_000, price: "0.1" }),
      await fill(combo, { shares: 2_000, price: "0.2", side: "SELL" }),
    ];
    expect(await ids("?sort=largest")).toEqual([sold, cheap, small]);
    expect(await ids("?sort=payout")).toEqual([cheap, small]);
  });

  test("a ranked order pages by offset", async () => {
    const combo = await aCombo(db);
    for (const shares of [30, 20, 10]) await fill(combo, { shares });
    const first = await list("?sort=largest&limit=2");
    expect(first).toMatchObject({ has_more: true, next_offset: 2, sort: "largest", window: "24h", limit: 2 });
    expect(first).not.toHaveProperty("next_cursor");
    const second = await list("?sort=largest&limit=2&offset=2");
    expect(second.data.map(({ shares }: { shares: string }) => shares)).toEqual(["10.000000"]);
    expect(second).not.toHaveProperty("next_offset");
    expect(second.has_more).toBe(false);
    expect(second).not.toHaveProperty("total");
  });

  test("a full last page is followed by an empty one", async () => {
    await fill(await aCombo(db));
    const full = await list("?limit=1");
    expect(full.has_more).toBe(true);
    expect(await list(`?limit=1&cursor=${full.next_cursor}`)).toMatchObject({ data: [], has_more: false });
  });

  test("no page follows the largest offset", async () => {
    await fill(await aCombo(db));
    const page = await list("?sort=largest&limit=1&offset=5000");
    expect(page).toMatchObject({ data: [], has_more: false });
  });

  test.each([
    ["cursor=abc", "cursor"],
    ["cursor=1:2:3", "cursor"],
    ["sort=largest&cursor=1795176000:1", "cursor"],
    ["offset=1", "offset"],
    ["sort=payout&offset=5001", "offset"],
    ["min_multiplier=1", "min_multiplier"],
    ["min_multiplier=1000001", "min_multiplier"],
    ["min_stake=1.5", "min_stake"],
    ["result=unknown", "result"],
    ["legs=1", "legs"],
    ["grades=a", "grades"],
    ["sports=chess", "sports"],
    ["window=30d", "window"],
  ])("%s is refused", async (query, param) => {
    expect(errorOf(await api.get(`${LIST}?${query}`))).toEqual({ status: 400, reason: "invalid_query", param });
  });

  test("a limit out of range is clamped", async () => {
    expect((await list("?limit=999")).limit).toBe(200);
    expect((await list("?limit=0")).limit).toBe(1);
  });
});

describe("filters", () => {
  test("the window is all for recent and 24 hours for the ranked orders", async () => {
    const combo = await aCombo(db);
    const [recent, week, old] = [
      await fill(combo, { at: ago(3_600) }),
      await fill(combo, { at: ago(3 * 86_400) }),
      await fill(combo, { at: ago(30 * 86_400) }),
    ];
    expect(await ids()).toEqual([recent, week, old]);
    expect(await ids("?window=7d")).toEqual([recent, week]);
    expect(await ids("?sort=largest")).toEqual([recent]);
    expect((await ids("?sort=largest&window=all")).toSorted()).toEqual([recent, week, old].toSorted());
  });

  test("result: unknown combos match only without it", async () => {
    const [pending, won, lost, unknown] = [
      await fill(await aCombo(db)),
      await fill(await aCombo(db, { status: "won" })),
      await fill(await aCombo(db, { status: "lost" })),
      await fill(await aCombo(db, { status: null })),
    ];
    expect(await ids("?result=won,lost")).toEqual([lost, won]);
    expect(await ids("?result=pending")).toEqual([pending]);
    expect(await ids("?result=won,all")).toEqual([unknown, lost, won, pending]);
  });

  test("legs: 5+ is five or more, and unknown legs never match", async () => {
    const legs = (count: number) => Array.from({ length: count }, () => ({}));
    const [two, four, five, six] = [
      await fill(await aCombo(db, { legs: legs(2) })),
      await fill(await aCombo(db, { legs: legs(4) })),
      await fill(await aCombo(db, { legs: legs(5) })),
      await fill(await aCombo(db, { legs: legs(6) })),
    ];
    await fill(await aCombo(db, { legs: null, status: "unknown" }));
    expect(await ids("?legs=2")).toEqual([two]);
    expect(await ids("?legs=5%2B")).toEqual([six, five]);
    expect(await ids("?legs=4,5%2B")).toEqual([six, five, four]);
  });

  test("min_stake compares cents, and min_multiplier shares per dollar of buys", async () => {
    const combo = await aCombo(db);
    const [even, below, tenfold, sold] = [
      // 99.9999995 dollars: a round order of 100 dollars.
      await fill(combo, { shares: 200, price: "0.4999999975" }),
      await fill(combo, { shares: 199.98, price: "0.5" }),
      await fill(combo, { shares: 10, price: "0.1" }),
      await fill(combo, { shares: 1_000, price: "0.1", side: "SELL" }),
    ];
    expect(await ids("?min_stake=100")).toEqual([sold, even]);
    expect(await ids("?min_multiplier=10")).toEqual([tenfold]);
    expect(await ids("?min_multiplier=2")).toEqual([tenfold, below, even]);
    expect(await ids("?min_multiplier=11")).toEqual([]);
  });

  test("grades are those of today, and ungraded traders never match", async () => {
    const combo = await aCombo(db);
    const mine = await fill(combo);
    const best = await fill(combo, { trader: await aSeededTrader(db, { grade: "S" }) });
    const ungraded = await fill(combo, { trader: await aSeededTrader(db) });
    expect(await ids("?grades=S")).toEqual([best]);
    expect(await ids("?grades=A,S")).toEqual([best, mine]);
    expect(await ids("?grades=all")).toEqual([ungraded, best, mine]);
  });

  test("sports: a leg's category, its league's tags, or the provider's tags while its market is not read", async () => {
    const hydratedAt = new Date();
    const legOf = async (tags: string[]) => {
      const market = await aMarket(db, { tags, category: categoryOfTags(tags), hydratedAt });
      return [{}, { legMarketId: market.id }];
    };
    const provider = [{ providerMarket: { ...UNKNOWN_LEG_MARKET, tags: ["Sports", "Premier League"] } }];
    const [nba, euroleague, soccer, shown, politics] = [
      await fill(await aCombo(db, { legs: await legOf(["sports", "nba", "basketball"]) })),
      await fill(await aCombo(db, { legs: await legOf(["sports", "euroleague", "basketball"]) })),
      await fill(await aCombo(db, { legs: await legOf(["sports", "epl"]) })),
      await fill(await aCombo(db, { legs: provider })),
      await fill(await aCombo(db, { legs: await legOf(["politics"]) })),
    ];
    await fill(await aCombo(db));
    expect(await ids("?sports=nba")).toEqual([nba]);
    expect(await ids("?sports=soccer")).toEqual([shown, soccer]);
    expect(await ids("?sports=soccer,nba")).toEqual([shown, soccer, nba]);
    expect(await ids("?sports=f1")).toEqual([]);
    expect(await ids()).toEqual(expect.arrayContaining([euroleague, politics]));
  });
});

test("an unchanged list is 304, though it is computed again", async () => {
  await theTradeFeedWasRead(db, new Date());
  await fill(await aCombo(db));
  const first = await api.get(LIST);
  const etag = first.headers.get("etag") ?? "";
  const again = await api.get(`${LIST}?limit=50`, { "if-none-match": etag });
  expect([etag.startsWith("W/"), again.status]).toEqual([true, 304]);
});
