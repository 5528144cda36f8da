import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { jobHeartbeats } from "../../../../src/db/schema.ts";
import { findPositionSnapshot } from "../../../../src/queries/positions/snapshots.ts";
import { departures } from "../../../contract/contract.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { theFillFeedWasRead, theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPosition, type PositionFacts } from "../../../support/seed/traders/positions.ts";
import { aProfile } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

const LIST = "/api/v1/positions";
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

/** An open position of this value in dollars: one share per dollar unless the facts differ. */
const openPosition = (
  db: Database,
  wallet: SeededTrader,
  market: SeededMarket,
  value: number,
  facts: Partial<PositionFacts> = {},
) => aPosition(db, { trader: wallet, market, sharesMicro: usd(value) || 1n, valueMicro: usd(value), ...facts });

/** A trader with a complete history, as required for lists that do not name the trader. */
const aCompleteTrader = (db: Database, facts: Partial<SeededTraderFacts> = {}) =>
  aSeededTrader(db, { completeAt: new Date(), ...facts });

const idOf = (wallet: SeededTrader, market: SeededMarket, outcome: 0 | 1 = 0) =>
  `pos_${wallet.address}:${market.conditionId}:${outcome}`;

describe("one position", () => {
  test("a position of a trader with a complete history has every figure", async () => {
    const { api, db } = await openFreshApi();
    const readAt = new Date(Date.now() - 60_000);
    const wallet = await aSeededTrader(db, {
      username: "Known",
      grade: "A",
      completeAt: readAt,
      totals: {
        realizedMicro: usd(100),
        settledMicro: usd(-30),
        feesMicro: usd(2.5),
        rebatesMicro: usd(0.25),
        firstAt: new Date(Date.now() - 100.5 * DAY_MS),
      },
    });
    await aProfile(db, wallet, { profile: { record: { wins: 2, decided: 3, win_rate: 0.6667 } } });
    const eventId = await anEvent(db, { slug: "the-event" });
    const market = await aMarket(db, {
      title: "Will it rain?",
      slug: "rain",
      eventId,
      category: "Politics",
      endAt: new Date("2026-12-31T00:00:00Z"),
    });
    const other = await aMarket(db);
    await openPosition(db, wallet, market, 0, {
      outcome: 1,
      sharesMicro: 300_000_001n,
      costMicro: 100_000_000n,
      // 300.000001 shares at 0.503333.
      valueMicro: 150_999_901n,
      realizedMicro: usd(-1),
      feesMicro: usd(0.125),
    });
    // Another open position, a settled one and a closed one.
    await openPosition(db, wallet, other, 50, { costMicro: usd(60) });
    await openPosition(db, wallet, await aMarket(db), 1_000, { settledMicro: usd(5), valueMicro: null });
    await openPosition(db, wallet, await aMarket(db), 0, { sharesMicro: 0n, valueMicro: 0n });
    const { status, body } = await api.get(LIST);
    expect(status).toBe(200);
    expect(departures("PositionsResponse", body)).toEqual([]);
    const exact = (value: string, unit = "USD", scale = 6) => ({ value, unit, scale, basis: expect.any(String) });
    expect(body.data).toEqual([
      {
        id: idOf(wallet, market, 1),
        platform: "polymarket",
        wallet: wallet.address,
        side: "NO",
        token_id: market.outcomes[1].tokenId,
        shares: 300.000001,
        avg_price: 0.3333,
        current_value_usd: 150.99,
        initial_value_usd: 100,
        cash_pnl: 50.99,
        realized_pnl: -1.12,
        exact: {
          shares: exact("300.000001", "shares"),
          current_value_usd: exact("150.999901"),
          cost_basis_usd: exact("100.000000"),
          // 100 / 300.000001 = 0.33333333222…
          avg_price: exact("0.3333333322", "USD/share", 10),
          initial_value_usd: exact("100.000000"),
          cash_pnl: exact("50.999901"),
          realized_pnl: exact("-1.125000"),
        },
        last_reconciled_at: readAt.toISOString(),
        freshness: "fresh",
        trader: {
          id: `trd_${wallet.id}`,
          address: wallet.address,
          username: "Known",
          grade: "A",
          win_rate: 66.66,
          // 100 - 30 - 2.5 + 0.25 realized; 50.999999 and -10 unrealized.
          pnl: 108.74,
          markets: 4,
          completeness: { status: "complete" },
          wallet_age_days: 100,
          is_new_wallet: false,
        },
        market: {
          id: `mkt_${market.id}`,
          condition_id: market.conditionId,
          title: "Will it rain?",
          slug: "rain",
          event_slug: "the-event",
          category: "Politics",
          outcome_label: "No",
          end_date: "2026-12-31T00:00:00.000Z",
        },
      },
    ]);
  });

  test.each([
    ["is not followed", {}],
    ["has an incomplete history", { isFollowed: true }],
    ["has a gap in its history", { completeAt: new Date(), gaps: ["CONVERSION"] }],
  ])(
    "a position of a trader that %s has its open shares but no figure that needs the complete history",
    async (_, facts) => {
      const { api, db } = await openFreshApi();
      const wallet = await aSeededTrader(db, { ...facts, totals: {} });
      await aProfile(db, wallet, { profile: { record: { wins: 2, decided: 3, win_rate: 0.6667 } } });
      const market = await aMarket(db, { title: null, slug: null }, [{ label: null }, {}]);
      await openPosition(db, wallet, market, 200, { costMicro: usd(50), realizedMicro: usd(1) });
      const { body } = await api.get(`${LIST}?wallet=trd_${wallet.id}`);
      expect(departures("PositionsResponse", body)).toEqual([]);
      expect(body.data).toEqual([
        {
          id: idOf(wallet, market),
          platform: "polymarket",
          wallet: wallet.address,
          side: "YES",
          token_id: market.outcomes[0].tokenId,
          shares: 200,
          current_value_usd: 200,
          exact: {
            shares: { value: "200.000000", unit: "shares", scale: 6, basis: expect.stringContaining("not known") },
            current_value_usd: { value: "200.000000", unit: "USD", scale: 6, basis: expect.any(String) },
          },
          freshness: "unknown",
          // Its first recorded activity is on 1 November 2026.
          trader: {
            id: `trd_${wallet.id}`,
            address: wallet.address,
            completeness: { status: "unavailable", detail: expect.stringMatching(/./) },
            is_new_wallet: expect.any(Boolean),
          },
          market: { id: `mkt_${market.id}`, condition_id: market.conditionId, title: market.conditionId },
        },
      ]);
      expect(body.data_quality).toMatchObject({ status: expect.not.stringMatching("fresh") });
    },
  );

  test.each([
    ["is not followed", {}],
    ["has an incomplete history", { isFollowed: true }],
    ["has a gap in its history", { completeAt: new Date(), gaps: ["CONVERSION"] }],
  ])("a position of a trader that %s is listed only when the request names the trader", async (_, facts) => {
    const { api, db } = await openFreshApi();
    const [known, unknown] = [await aCompleteTrader(db), await aSeededTrader(db, facts)];
    const market = await aMarket(db);
    await openPosition(db, known, market, 200);
    await openPosition(db, unknown, market, 300);
    for (const query of ["", `?condition_id=mkt_${market.id}`, `?condition_id=mkt_${market.id}&min_size=0`]) {
      const response = await api.get(`${LIST}${query}`);
      expect(idsOf(response)).toEqual([idOf(known, market)]);
      expect(response.body).toMatchObject({ total: 1, has_more: false });
    }
    const named = `wallet=trd_${known.id},trd_${unknown.id}`;
    for (const query of [named, `${named}&condition_id=mkt_${market.id}`, `${named}&consistency=snapshot`]) {
      const response = await api.get(`${LIST}?${query}`);
      expect(idsOf(response)).toEqual([idOf(unknown, market), idOf(known, market)]);
      expect(response.body).toMatchObject({ total: 2, data: [{ freshness: "unknown" }, { freshness: "fresh" }] });
    }
  });

  test("a trader with a position without a price has no total profit", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { completeAt: new Date(), totals: {} });
    await openPosition(db, wallet, await aMarket(db), 200);
    await openPosition(db, wallet, await aMarket(db), 1, { valueMicro: null });
    const { body } = await api.get(LIST);
    expect(body.data).toHaveLength(1);
    expect(body.data[0].trader).not.toHaveProperty("pnl");
    expect(body.data[0].trader).toMatchObject({ markets: 2 });
  });

  test.each([
    [59, "hot", "fresh"],
    [61, "warm", "refreshing"],
    [61, "cold", "stale"],
  ])("a position reconciled %i minutes ago of a %s trader is %s", async (minutes, tier, freshness) => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { completeAt: new Date(Date.now() - minutes * 60_000) });
    await db.execute(sql`update traders set tier = ${tier}`);
    await openPosition(db, wallet, await aMarket(db), 200);
    expect((await api.get(LIST)).body.data).toMatchObject([{ freshness }]);
  });

  test.each([
    [29, true],
    [31, false],
  ])("a trader first recorded %i days ago has is_new_wallet %s", async (days, isNew) => {
    const { api, db } = await openFreshApi();
    const wallet = await aCompleteTrader(db, { totals: { firstAt: new Date(Date.now() - days * DAY_MS) } });
    await openPosition(db, wallet, await aMarket(db), 200);
    expect((await api.get(LIST)).body.data).toMatchObject([{ trader: { is_new_wallet: isNew } }]);
  });
});

describe("position order", () => {
  test("positions are ordered by value, trader, market and outcome over any pages", async () => {
    const { api, db } = await openFreshApi();
    const markets = [await aMarket(db), await aMarket(db)];
    // Inserted in an order that differs from every index.
    const wallets = [await aCompleteTrader(db), await aCompleteTrader(db), await aCompleteTrader(db)];
    await db.execute(
      sql`update traders set address = '0x' || repeat(case id % 3 when 0 then 'b' when 1 then 'c' else 'a' end, 40)`,
    );
    const rows: { value: number; wallet: string; market: string; outcome: number }[] = [];
    for (const [index, wallet] of wallets.entries()) {
      for (const market of markets.toReversed()) {
        for (const outcome of [1, 0] as const) {
          // In the first market both outcomes have the same value.
          const value = 100 + ((index + (market === markets[0] ? 0 : outcome)) % 2) * 50;
          await openPosition(db, wallet, market, value, { outcome });
          const address = `0x${["b", "c", "a"][wallet.id % 3]?.repeat(40) ?? ""}`;
          rows.push({ value, wallet: address, market: market.conditionId, outcome });
        }
      }
    }
    const expected = rows
      .toSorted(
        (a, b) =>
          b.value - a.value ||
          a.wallet.localeCompare(b.wallet) ||
          a.market.localeCompare(b.market) ||
          a.outcome - b.outcome,
      )
      .map((row) => `pos_${row.wallet}:${row.market}:${row.outcome}`);
    for (const limit of [1, 3, 5, 100]) {
      const pages = await api.walk(`${LIST}?limit=${limit}`);
      expect(pages.flatMap(idsOf)).toEqual(expected);
      expect(pages.map(({ body }) => body.total)).toEqual(pages.map(() => 12));
    }
    const named = wallets.map(({ id }) => `trd_${id}`).join(",");
    expect((await api.walk(`${LIST}?limit=5&wallet=${named}`)).flatMap(idsOf)).toEqual(expected);
    const ofMarket = expected.filter((id) => id.includes(markets[0]?.conditionId ?? ""));
    expect((await api.walk(`${LIST}?limit=2&condition_id=mkt_${markets[0]?.id}`)).flatMap(idsOf)).toEqual(ofMarket);
  });

  test("a walk repeats no position and misses none that stays open", async () => {
    const { api, db } = await openFreshApi();
    const drawn = fc.array(fc.integer({ min: 100, max: 104 }), { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        drawn,
        fc.array(fc.integer({ min: 99, max: 105 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (values, late, limit) => {
          await db.execute(sql`delete from positions`);
          const staying: string[] = [];
          for (const value of values) {
            const [wallet, market] = [await aCompleteTrader(db), await aMarket(db)];
            await openPosition(db, wallet, market, value);
            staying.push(idOf(wallet, market));
          }
          const goes = staying.pop();
          const seen: string[] = [];
          let path = `${LIST}?limit=${limit}`;
          for (let page = 0; ; page++) {
            const response = await api.get(path);
            seen.push(...idsOf(response));
            if (!response.body.has_more) break;
            path = `${LIST}?limit=${limit}&cursor=${encodeURIComponent(response.body.next_cursor)}`;
            const value = late[page];
            if (value !== undefined) await openPosition(db, await aCompleteTrader(db), await aMarket(db), value);
            if (page === 0)
              await db.execute(
                sql`delete from positions where trader_id = (select id from traders where address = ${goes?.slice(4, 46) ?? ""})`,
              );
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(staying.filter((id) => !seen.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("position filters", () => {
  async function setUp() {
    const { api, db } = await openFreshApi();
    const [s, b, ungraded] = [
      await aCompleteTrader(db, { grade: "S", username: "Ess" }),
      await aCompleteTrader(db, { grade: "B" }),
      await aCompleteTrader(db),
    ];
    const [politics, crypto] = [await aMarket(db, { category: "Politics" }), await aMarket(db, { category: "Crypto" })];
    await openPosition(db, s, politics, 500);
    await openPosition(db, s, crypto, 400, { outcome: 1 });
    await openPosition(db, b, politics, 300, { outcome: 1 });
    await openPosition(db, b, crypto, 99.99);
    await openPosition(db, ungraded, politics, 200);
    await openPosition(db, ungraded, crypto, 0, { valueMicro: 0n });
    const names = new Map(
      [
        ["s-politics", idOf(s, politics)],
        ["s-crypto", idOf(s, crypto, 1)],
        ["b-politics", idOf(b, politics, 1)],
        ["b-crypto", idOf(b, crypto)],
        ["u-politics", idOf(ungraded, politics)],
        ["u-crypto", idOf(ungraded, crypto)],
      ].map(([name, id]) => [id, name]),
    );
    const list = async (query: string) => {
      const response = await api.get(`${LIST}?${query}`);
      expect(response.status).toBe(200);
      const found = idsOf(response).map((id) => names.get(id));
      expect(response.body.total).toBe(found.length);
      return found;
    };
    return { api, db, s, b, ungraded, politics, crypto, list };
  }

  test("filters select by grade, category, side, size, market and trader", async () => {
    const { list, s, b, ungraded, politics, crypto } = await setUp();
    const all = ["s-politics", "s-crypto", "b-politics", "u-politics"];
    expect(await list("")).toEqual(all);
    expect(await list("min_grade=S")).toEqual(["s-politics", "s-crypto"]);
    expect(await list("min_grade=B")).toEqual(["s-politics", "s-crypto", "b-politics"]);
    expect(await list("min_grade=F")).toEqual(["s-politics", "s-crypto", "b-politics"]);
    expect(await list("category=Politics")).toEqual(["s-politics", "b-politics", "u-politics"]);
    expect(await list("category=politics")).toEqual([]);
    expect(await list("side=no")).toEqual(["s-crypto", "b-politics"]);
    expect(await list("side=yes&category=Politics&min_grade=A")).toEqual(["s-politics"]);
    expect(await list("min_size=300")).toEqual(["s-politics", "s-crypto", "b-politics"]);
    expect(await list("min_size=300.004")).toEqual(["s-politics", "s-crypto", "b-politics"]);
    expect(await list("min_size=300.005")).toEqual(["s-politics", "s-crypto"]);
    expect(await list("min_size=1e300")).toEqual([]);
    // Without wallet and market the minimum is 100 dollars.
    expect(await list("min_size=0")).toEqual(all);
    expect(await list("min_size=-5")).toEqual(all);
    // With a market alone the default minimum is still 100, but min_size can be lower.
    expect(await list(`condition_id=${crypto.conditionId}`)).toEqual(["s-crypto"]);
    expect(await list(`condition_id=mkt_${crypto.id}&min_size=0`)).toEqual(["s-crypto", "b-crypto", "u-crypto"]);
    expect(await list(`condition_id=${politics.conditionId}&side=no`)).toEqual(["b-politics"]);
    expect(await list("condition_id=mkt_999")).toEqual([]);
    expect(await list("condition_id=nonsense")).toEqual([]);
    // With a wallet the default minimum is 0.
    expect(await list(`wallet=${b.address}`)).toEqual(["b-politics", "b-crypto"]);
    expect(await list(`wallet=trd_${b.id}&min_size=100`)).toEqual(["b-politics"]);
    expect(await list(`wallet=trd_${b.id}&condition_id=mkt_${crypto.id}`)).toEqual(["b-crypto"]);
    expect(await list(`wallet=ESS,${ungraded.address}`)).toEqual(["s-politics", "s-crypto", "u-politics", "u-crypto"]);
    expect(await list(`wallet=@ess&wallet[]=trd_${s.id}&wallet=${s.address}`)).toEqual(["s-politics", "s-crypto"]);
  });

  test("an unknown trader in wallet returns 404, and more than 25 traders are refused", async () => {
    const { api, s } = await setUp();
    for (const name of ["nobody", "trd_999999", `0x${"e".repeat(40)}`, "@nobody"]) {
      for (const consistency of ["live", "snapshot"]) {
        const response = await api.get(`${LIST}?wallet=trd_${s.id},${name}&consistency=${consistency}`);
        expect(errorOf(response)).toEqual({ status: 404, reason: undefined, param: "wallet" });
        expect(response.body.error.message).toContain(name);
      }
    }
    const many = (count: number) =>
      api.get(`${LIST}?wallet=${Array.from({ length: count }, () => `trd_${s.id}`).join(",")}`);
    expect((await many(25)).status).toBe(200);
    expect(errorOf(await many(26))).toEqual({ status: 400, reason: "invalid_query", param: "wallet" });
  });

  test("selective filters fill every page but the last, however far down the matches are", async () => {
    const { api, db } = await openFreshApi();
    const [common, rare] = [await aMarket(db, { category: "Crypto" }), await aMarket(db, { category: "Rare" })];
    // 9,000 positions, of which ten at a time have the same value. Every 500th is in the rare market, every
    // 701st trader has grade S, every tenth trader is incomplete. Of the ten positions at which the
    // row-by-row scan ends, the seventh is in the rare market.
    const ALL = Array.from({ length: 9_000 }, (_, index) => index + 1);
    const isKnown = (n: number) => n % 10 !== 3;
    const [isRare, isS, isNo] = [
      (n: number) => n % 500 === 6,
      (n: number) => n % 701 === 0,
      (n: number) => n % 3 === 0,
    ];
    const name = (n: number) => `wallet-${String(n).padStart(5, "0")}`;
    await db.execute(sql`insert into traders (address, grade)
      select 'wallet-' || lpad(n::text, 5, '0'), case when n % 701 = 0 then 'S' end from generate_series(1, ${ALL.length}::int) n order by n`);
    await db.execute(
      sql`insert into trader_syncs (trader_id, complete_at) select id, case when id % 10 <> 3 then now() end from traders`,
    );
    await db.execute(sql`update outcomes set last_trade_price = 1`);
    await db.execute(sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro,
        bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select t.id, o.id, o.market_id, 1000000000 - t.id / 10 * 10000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), 1000000000 - t.id / 10 * 10000
      from traders t join outcomes o on o.outcome_index = (case when t.id % 3 = 0 then 1 else 0 end)
        and o.market_id = (case when t.id % 500 = 6 then ${rare.id}::bigint else ${common.id}::bigint end)`);
    const lists: [string, (n: number) => boolean][] = [
      ["category=Rare", isRare],
      ["min_grade=S", isS],
      ["category=Crypto&min_grade=S&side=no", (n) => isS(n) && isNo(n) && !isRare(n)],
      ["category=Rare&side=yes", (n) => isRare(n) && !isNo(n)],
      ["category=Rare&min_grade=S", (n) => isRare(n) && isS(n)],
      ["category=Nothing", () => false],
    ];
    for (const [query, passes] of lists) {
      const expected = ALL.filter((n) => isKnown(n) && passes(n)).map(name);
      // Page sizes that do and do not end exactly at the last row.
      for (const limit of new Set([1, 4, Math.max(1, expected.length - 1), Math.max(1, expected.length), 100])) {
        const pages = await api.walk(`${LIST}?${query}&limit=${limit}`);
        const wallets = pages.map(({ body }) => body.data.map((row: { wallet: string }) => row.wallet));
        expect({ query, limit, wallets }).toEqual({ query, limit, wallets: chunks(expected, limit) });
        expect(pages[0]?.body).not.toHaveProperty("total");
      }
    }
    // Pages that begin near the end of the row-by-row scan, and far behind it.
    const all = ALL.filter(isKnown).map(name);
    const walked = await api.walk(`${LIST}?limit=100`);
    expect(walked.flatMap(({ body }) => body.data.map((row: { wallet: string }) => row.wallet))).toEqual(all);
    expect(walked.map(({ body }) => body.data.length)).toEqual(chunks(all, 100).map((page) => page.length));
    // The total is exact up to 1,000 candidate positions, whatever the filter.
    const total = async () => (await api.get(LIST)).body.total;
    await db.execute(sql`delete from positions where trader_id > 1001`);
    expect(await total()).toBeUndefined();
    expect((await api.get(`${LIST}?category=Rare`)).body).not.toHaveProperty("total");
    expect((await api.get(`${LIST}?condition_id=mkt_${rare.id}`)).body.total).toBe(
      ALL.filter((n) => isKnown(n) && isRare(n) && n <= 1_001).length,
    );
    await db.execute(sql`delete from positions where trader_id > 1000`);
    expect(await total()).toBe(ALL.filter((n) => isKnown(n) && n <= 1_000).length);
    expect((await api.get(`${LIST}?category=Rare&min_grade=S`)).body.total).toBe(0);
  });
});

/** The pages of a walk with this page size. No items give one empty page. */
function chunks<T>(items: readonly T[], size: number): T[][] {
  const pages = Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
  return pages.length === 0 ? [[]] : pages;
}

describe("positions cursor", () => {
  test("a positions cursor is refused with other filters, when mangled and in the other mode", async () => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aSeededTrader(db), await aMarket(db)];
    await openPosition(db, wallet, market, 200);
    await openPosition(db, wallet, market, 300, { outcome: 1 });
    const first = await api.get(`${LIST}?limit=1&wallet=trd_${wallet.id}`);
    const cursor = encodeURIComponent(first.body.next_cursor);
    const mangled = { status: 400, reason: "invalid_query", param: "cursor" };
    for (const query of [
      "",
      `wallet=trd_${wallet.id}&side=yes`,
      `wallet=trd_${wallet.id}&consistency=snapshot`,
      `wallet=${wallet.address}`,
    ]) {
      expect(errorOf(await api.get(`${LIST}?${query}&cursor=${cursor}`))).toEqual(mangled);
    }
    expect(errorOf(await api.get(`${LIST}?wallet=trd_${wallet.id}&cursor=${cursor}x`))).toEqual(mangled);
    expect(idsOf(await api.get(`${LIST}?limit=7&wallet=trd_${wallet.id}&cursor=${cursor}`))).toEqual([
      idOf(wallet, market),
    ]);
  });
});

describe("position snapshot", () => {
  async function setUpSnapshot() {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { completeAt: new Date() });
    const markets = [await aMarket(db), await aMarket(db), await aMarket(db)];
    for (const [index, market] of markets.entries()) await openPosition(db, wallet, market, 300 - index * 100);
    const path = `${LIST}?consistency=snapshot&wallet=trd_${wallet.id}&limit=2`;
    const first = await api.get(path);
    const next = `${path}&cursor=${encodeURIComponent(first.body.next_cursor)}`;
    return { api, db, wallet, markets, path, first, next };
  }

  test("a snapshot shows one instant on all pages whatever happens to the positions", async () => {
    const { api, db, wallet, markets, first, next } = await setUpSnapshot();
    expect(departures("PositionsResponse", first.body)).toEqual([]);
    await db.execute(sql`update positions set value_micro = value_micro * 10, shares_micro = 1`);
    await openPosition(db, wallet, await aMarket(db), 250);
    await db.execute(sql`delete from positions where market_id = ${markets[2]?.id}`);
    const second = await api.get(next);
    expect(departures("PositionsResponse", second.body)).toEqual([]);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(markets.map((market) => idOf(wallet, market)));
    expect(second.body).toMatchObject({
      has_more: false,
      total: 3,
      data: [{ current_value_usd: 100, freshness: "fresh" }],
    });
    expect(second.body.snapshot).toEqual(first.body.snapshot);
    expect(second.body.snapshot).toMatchObject({ row_count: 3 });
    const lifetimeMs = Date.parse(second.body.snapshot.expires_at) - Date.parse(second.body.snapshot.as_of);
    expect(lifetimeMs).toBe(300_000);
    // The same page again with its ETag.
    const again = await api.get(next, { "if-none-match": second.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  const EXPIRED = { status: 400, reason: "cursor_expired", param: "cursor" };

  test("a snapshot expires when its key creates another", async () => {
    const { api, db, path, next, wallet } = await setUpSnapshot();
    const newest = await aMarket(db);
    await openPosition(db, wallet, newest, 1_000);
    expect(idsOf(await api.get(path))[0]).toBe(idOf(wallet, newest));
    expect(errorOf(await api.get(next))).toEqual(EXPIRED);
  });

  test("a snapshot expires after its lifetime", async () => {
    const { api, db, next } = await setUpSnapshot();
    await db.execute(sql`update position_snapshots set expires_at = now() - interval '1 second'`);
    expect(errorOf(await api.get(next))).toEqual(EXPIRED);
  });

  test("a snapshot cannot be read with another key", async () => {
    const { api, db, next } = await setUpSnapshot();
    await db.execute(sql`update position_snapshots set key_id = 'other'`);
    expect(errorOf(await api.get(next))).toEqual(EXPIRED);
  });

  test("a snapshot cannot be read with other filters", async () => {
    const { db } = await setUpSnapshot();
    const { rows } = await db.execute(sql`select key_id, id, filters from position_snapshots`);
    const key = {
      keyId: String(rows[0]?.["key_id"]),
      id: String(rows[0]?.["id"]),
      filters: String(rows[0]?.["filters"]),
    };
    const read = (filters: string) =>
      findPositionSnapshot(db, { ...key, filters }, { offset: 0, limit: 2 }, new Date());
    expect(await read(key.filters)).toMatchObject({ row_count: 3 });
    expect(await read(`${key.filters} `)).toBeNull();
  });

  test("a new snapshot replaces the key's own expired one", async () => {
    const { api, db, path, wallet, markets } = await setUpSnapshot();
    await db.execute(sql`update position_snapshots set expires_at = now() - interval '1 second'`);
    const pages = await api.walk(path);
    expect(pages.flatMap(idsOf)).toEqual(markets.map((market) => idOf(wallet, market)));
    expect((await db.execute(sql`select from position_snapshots`)).rows).toHaveLength(1);
  });

  test("a snapshot reports ages and freshness as of its instant on every page", async () => {
    const { api, db, next } = await setUpSnapshot();
    // Moves the snapshot, including the trader's last sync, two hours back.
    await db.execute(sql`update position_snapshots set as_of = as_of - interval '2 hours', rows = jsonb_set(rows, '{holders}', (
      select jsonb_object_agg(id, holder || jsonb_build_object('reconciled_at', to_char((holder ->> 'reconciled_at')::timestamptz - interval '2 hours',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) from jsonb_each(rows -> 'holders') held(id, holder)))`);
    const { body } = await api.get(next);
    expect(body.data).toMatchObject([{ freshness: "fresh" }]);
    expect(body.data_quality.field_groups).toContainEqual(
      expect.objectContaining({ group: "reconciliation", status: "fresh" }),
    );
  });

  test("a snapshot requires wallet", async () => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(`${LIST}?consistency=snapshot`))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "wallet",
    });
  });

  test("a snapshot without positions is an empty page with its instant", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db);
    const { body } = await api.get(`${LIST}?consistency=snapshot&wallet=trd_${wallet.id}`);
    expect(body).toMatchObject({ data: [], has_more: false, total: 0, snapshot: { row_count: 0 } });
  });

  test("a new snapshot deletes expired ones of other keys", async () => {
    const { api, db, path } = await setUpSnapshot();
    await db.execute(sql`insert into position_snapshots (key_id, id, filters, as_of, expires_at, rows)
      select 'old-' || n, '', '', now(), now() + (2 * n - 5) * interval '30 minutes', '{}' from generate_series(1, 3) n`);
    await api.get(path);
    const { rows } = await db.execute(
      sql`select key_id from position_snapshots where key_id like 'old-%' order by key_id`,
    );
    expect(rows.map((row) => row["key_id"])).toEqual(["old-3"]);
  });

  test.each([
    [600, 100, 500, 500],
    // Titles of 20 kB: about a hundred of them fill 2 MB.
    [150, 20_000, 90, 105],
  ])(
    "a snapshot of %i positions with titles of %i characters holds %i to %i of them",
    async (positions, title, min, max) => {
      const { api, db } = await openFreshApi();
      const wallet = await aSeededTrader(db);
      await db.execute(
        sql`insert into markets (condition_id, title) select 'condition-' || n, repeat('x', ${title}) from generate_series(1, ${positions}::int) n`,
      );
      await db.execute(sql`insert into outcomes (market_id, token_id, outcome_index, last_trade_price)
        select id, 'token-' || id, 0, 1 from markets`);
      await db.execute(sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro,
        bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select ${wallet.id}, id, market_id, 1000000000 - id, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), 1000000000 - id from outcomes`);
      const pages = await api.walk(`${LIST}?consistency=snapshot&wallet=trd_${wallet.id}&limit=100`);
      const served = new Set(pages.flatMap(idsOf)).size;
      const { rows } = await db.execute(sql`select octet_length(rows::text) as bytes from position_snapshots`);
      expect(pages.map(({ body }) => [body.snapshot.row_count, body.total])).toEqual(
        pages.map(() => [served, positions]),
      );
      expect(Number(rows[0]?.["bytes"])).toBeLessThan(2.1 * 1024 * 1024);
      expect(served).toBeGreaterThanOrEqual(min);
      expect(served).toBeLessThanOrEqual(max);
    },
    30_000,
  );
});

describe("data quality of positions", () => {
  test("data_quality has the ages of the fills, values and trader histories", async () => {
    const { api, db } = await openFreshApi();
    const [read = new Date(), valued, reconciled] = [10_000, 5_000, 120_000].map((ago) => new Date(Date.now() - ago));
    const wallet = await aSeededTrader(db, { completeAt: reconciled ?? null });
    await openPosition(db, wallet, await aMarket(db), 200);
    expect((await api.get(LIST)).body.data_quality).toMatchObject({
      status: "partial",
      field_groups: [
        { group: "fills", status: "unavailable" },
        { group: "values", status: "unavailable" },
        { group: "reconciliation", status: "fresh" },
        { group: "grades", status: "untracked" },
      ],
    });
    // The takers feed alone does not cover fills of makers.
    await theTradeFeedWasRead(db, new Date());
    expect((await api.get(LIST)).body.data_quality.field_groups[0]).toMatchObject({
      group: "fills",
      status: "unavailable",
    });
    await theFillFeedWasRead(db, read);
    await db.insert(jobHeartbeats).values({ job: "value_positions", succeededAt: valued });
    const { data_quality } = (await api.get(LIST)).body;
    expect(data_quality).toMatchObject({
      status: "fresh",
      as_of: reconciled?.toISOString(),
      field_groups: [
        { group: "fills", status: "fresh", as_of: read.toISOString() },
        { group: "values", status: "fresh", as_of: valued?.toISOString() },
        { group: "reconciliation", status: "fresh", as_of: reconciled?.toISOString() },
        { group: "grades" },
      ],
    });
    await openPosition(
      db,
      await aSeededTrader(db, { completeAt: new Date(Date.now() - 2 * 60 * 60_000) }),
      await aMarket(db),
      300,
    );
    await db.execute(sql`update job_heartbeats set succeeded_at = now() - interval '6 minutes'`);
    expect((await api.get(LIST)).body.data_quality).toMatchObject({
      status: "partial",
      field_groups: [
        { status: "fresh" },
        { group: "values", status: "partial" },
        { group: "reconciliation", status: "partial" },
        {},
      ],
    });
  });
});
