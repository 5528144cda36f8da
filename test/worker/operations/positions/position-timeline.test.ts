import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { ledgerEntries, outcomes, traders } from "../../../../src/db/schema.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aFill, type FillFacts } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";

async function aTrackedTrader(db: Database, facts: Partial<SeededTraderFacts> = {}, tier = "hot") {
  const wallet = await aSeededTrader(db, facts);
  await db.update(traders).set({ tier }).where(eq(traders.id, wallet.id));
  return wallet;
}

const pathOf = (wallet: string, market: SeededMarket, query = "") =>
  `/api/v1/trader/${encodeURIComponent(wallet)}/position-timeline?condition_id=${market.conditionId}${query}`;

async function setUp() {
  const { api, db } = await openFreshApi();
  const wallet = await aTrackedTrader(db, { username: "Story" });
  const market = await aMarket(db);
  const fill = (facts: Partial<FillFacts> = {}) => aFill(db, { trader: wallet, market, ...facts });
  return { api, db, wallet, market, fill };
}

describe("running values", () => {
  test("running values follow the stored fills of each outcome, newest event first", async () => {
    const { api, wallet, market, fill } = await setUp();
    // Sold before any recorded buy: the running amount is negative and the average price is 0.
    const first = await fill({ side: "SELL", shares: 10, price: "0.4", at: "2026-11-01T00:00:00Z" });
    const second = await fill({ side: "BUY", shares: 30, price: "0.5", at: "2026-11-02T00:00:00Z" });
    const third = await fill({ side: "BUY", shares: 60, price: "0.2", at: "2026-11-03T00:00:00Z" });
    const other = await fill({ outcome: 1, side: "BUY", shares: 7, price: "0.7", at: "2026-11-04T00:00:00Z" });
    const last = await fill({ side: "SELL", shares: 80.5, price: "0.99999", at: "2026-11-05T00:00:00Z" });
    const { status, body } = await api.get(pathOf(wallet.address, market));
    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, total: 5 });
    const [yes, no] = market.outcomes.map(({ tokenId }) => tokenId);
    const rows = body.data.map((event: Record<string, unknown>) => [
      event["id"],
      event["action"],
      event["outcome_side"],
      event["token_id"],
      event["amount_delta"],
      event["price"],
      event["usdc_notional"],
      event["running_amount"],
      event["running_avg_price"],
    ]);
    expect(rows).toEqual([
      [`pe_${last.id}`, "sell", "yes", yes, -80.5, 0.9999, 80.49, -0.5, 0.3],
      [`pe_${other.id}`, "buy", "no", no, 7, 0.7, 4.9, 7, 0.7],
      // (30 × 0.5 + 60 × 0.2) / 90
      [`pe_${third.id}`, "buy", "yes", yes, 60, 0.2, 12, 80, 0.3],
      [`pe_${second.id}`, "buy", "yes", yes, 30, 0.5, 15, 20, 0.5],
      [`pe_${first.id}`, "sell", "yes", yes, -10, 0.4, 4, -10, 0],
    ]);
    expect(body.data[0]).toMatchObject({
      event_timestamp: "2026-11-05T00:00:00.000Z",
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  test("a timeline leaves out outcomes that are neither YES nor NO", async () => {
    const { api, db, wallet, market, fill } = await setUp();
    const included = await fill({ shares: 5 });
    await fill({ outcome: 1, shares: 7 });
    await db.update(outcomes).set({ outcomeIndex: 2 }).where(eq(outcomes.id, market.outcomes[1].id));
    const response = await api.get(pathOf(wallet.address, market));
    expect(idsOf(response)).toEqual([`pe_${included.id}`]);
    expect(response.body.total).toBe(1);
  });

  test("a timeline leaves out splits, merges, other markets and other traders", async () => {
    const { api, db, wallet, market, fill } = await setUp();
    const included = await fill({ shares: 5 });
    await fill({ kind: "split", shares: 100 });
    await fill({ kind: "merge", shares: 50 });
    await fill({ market: await aMarket(db) });
    await fill({ trader: await aSeededTrader(db) });
    const { body } = await api.get(pathOf(wallet.address, market));
    expect(idsOf({ body } as never)).toEqual([`pe_${included.id}`]);
    expect(body).toMatchObject({ total: 1, data: [{ running_amount: 5 }] });
  });

  test("running values equal an independent sum for any fills and pages, with new fills in between", async () => {
    const { api, db } = await openFreshApi();
    const drawn = fc.record({
      outcome: fc.constantFrom(0 as const, 1 as const),
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      shares: fc.integer({ min: 1, max: 1_000_000 }).map((micro) => micro / 1e6),
      price: fc.integer({ min: 0, max: 1_000 }).map((mills) => String(mills / 1_000)),
      // Few seconds, so that many fills share one.
      at: fc.integer({ min: 10, max: 14 }).map((second) => `2026-11-20T12:00:${second}Z`),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (facts, limit) => {
          const wallet = await aTrackedTrader(db);
          const market = await aMarket(db);
          const stored = [];
          for (const fact of facts) stored.push(await aFill(db, { trader: wallet, market, ...fact }));
          const seen: Record<string, unknown>[] = [];
          let path = pathOf(wallet.address, market, `&limit=${limit}`);
          for (let pages = 0; ; pages++) {
            const { body } = await api.get(path);
            seen.push(...body.data);
            if (!body.has_more) break;
            path = pathOf(wallet.address, market, `&limit=${limit}&cursor=${encodeURIComponent(body.next_cursor)}`);
            // Newer than every other fill: it appears on no later page.
            await aFill(db, { trader: wallet, market, at: `2026-11-21T00:00:${String(10 + pages)}Z` });
          }
          expect(seen.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => `pe_${id}`).toSorted());
          const oldestFirst = seen.toReversed();
          for (const side of ["yes", "no"]) {
            let [amount, bought, paid] = [0, 0, 0];
            for (const event of oldestFirst.filter(({ outcome_side }) => outcome_side === side)) {
              const entry = stored.find(({ id }) => `pe_${id}` === event["id"]);
              const shares = Number(entry?.sharesMicro);
              amount += entry?.kind === "buy" ? shares : -shares;
              if (entry?.kind === "buy") [bought, paid] = [bought + shares, paid + Number(entry.usdMicro)];
              expect(event["running_amount"]).toBeCloseTo(amount / 1e6, 9);
              expect(event["running_avg_price"]).toBeCloseTo(
                bought === 0 ? 0 : Math.floor((paid / bought) * 1e4 + 1e-7) / 1e4,
                9,
              );
            }
          }
          const times = seen.map(({ event_timestamp }) => String(event_timestamp));
          expect(times).toEqual(times.toSorted().toReversed());
        },
      ),
      { numRuns: 12 },
    );
  });

  test("a late fill appears on the page of its time, and no event is repeated", async () => {
    const { api, wallet, market, fill } = await setUp();
    const at = (second: number) => `2026-11-20T12:00:0${second}Z`;
    const [a, b, c] = [await fill({ at: at(1) }), await fill({ at: at(3) }), await fill({ at: at(5) })];
    const first = await api.get(pathOf(wallet.address, market, "&limit=2"));
    const late = await fill({ at: at(2) });
    await fill({ at: at(4) });
    const second = await api.get(
      pathOf(wallet.address, market, `&limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`),
    );
    expect([...idsOf(first), ...idsOf(second)]).toEqual([c, b, late, a].map(({ id }) => `pe_${id}`));
    expect(second.body).toMatchObject({ has_more: false, total: 5 });
  });
});

describe("trader reference", () => {
  test("a timeline accepts @username, address, trd_ id, integer id and username on both routes", async () => {
    const { api, wallet, market, fill } = await setUp();
    const { id } = await fill();
    const names = [
      "@story",
      "@STORY",
      wallet.address,
      wallet.address.toUpperCase().replace("0X", "0x"),
      `trd_${wallet.id}`,
      String(wallet.id),
      "Story",
    ];
    for (const name of names) {
      for (const route of ["trader", "traders"]) {
        const response = await api.get(
          `/api/v1/${route}/${encodeURIComponent(name)}/position-timeline?condition_id=mkt_${market.id}`,
        );
        expect({ name, route, ids: response.body.data && idsOf(response) }).toEqual({ name, route, ids: [`pe_${id}`] });
      }
    }
  });

  test("an id or address is never taken for a username, and a number is an id before it is a username", async () => {
    const { api, db, wallet, market, fill } = await setUp();
    const unseen = `0x${"e".repeat(40)}`;
    await aTrackedTrader(db, { username: unseen });
    await aTrackedTrader(db, { username: "trd_999999" });
    const numbered = await aTrackedTrader(db, { username: "999999" });
    await aTrackedTrader(db, { username: String(wallet.id) });
    const ofNumber = await fill({ trader: numbered });
    const ofTrader = await fill();
    for (const name of [unseen, "trd_999999", "@nobody", "888888"]) {
      expect(errorOf(await api.get(pathOf(name, market)))).toEqual({
        status: 404,
        reason: undefined,
        param: "address",
      });
    }
    expect(idsOf(await api.get(pathOf("999999", market)))).toEqual([`pe_${ofNumber.id}`]);
    expect(idsOf(await api.get(pathOf(String(wallet.id), market)))).toEqual([`pe_${ofTrader.id}`]);
  });

  test.each(["warm", "hot"])("a trader of tier %s has a timeline", async (tier) => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aTrackedTrader(db, {}, tier), await aMarket(db)];
    const { id } = await aFill(db, { trader: wallet, market });
    expect(idsOf(await api.get(pathOf(wallet.address, market)))).toEqual([`pe_${id}`]);
  });

  test("a cold trader returns 404 trader_not_tracked on both routes, with or without fills", async () => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aTrackedTrader(db, {}, "cold"), await aMarket(db)];
    await aFill(db, { trader: wallet, market });
    const refused = { status: 404, reason: "trader_not_tracked" };
    expect(errorOf(await api.get(pathOf(wallet.address, market)))).toEqual({ ...refused, param: "address" });
    const byId = await api.get(`/api/v1/traders/${wallet.id}/position-timeline?condition_id=${market.conditionId}`);
    expect(errorOf(byId)).toEqual({ ...refused, param: "trader" });
  });
});

describe("market reference", () => {
  test("a timeline requires condition_id", async () => {
    const { api, wallet } = await setUp();
    const response = await api.get(`/api/v1/trader/${wallet.address}/position-timeline`);
    expect(errorOf(response)).toEqual({ status: 400, reason: "invalid_query", param: "condition_id" });
  });

  test.each([`0x${"9".repeat(64)}`, "mkt_999999", "nonsense"])(
    "the market %s without fills of the trader has an empty timeline",
    async (condition) => {
      const { api, wallet, fill } = await setUp();
      await fill();
      const { status, body } = await api.get(
        `/api/v1/trader/${wallet.address}/position-timeline?condition_id=${condition}`,
      );
      expect({ status, data: body.data, total: body.total, more: body.has_more }).toEqual({
        status: 200,
        data: [],
        total: 0,
        more: false,
      });
    },
  );
});

describe("timeline cursor", () => {
  test("a timeline cursor is refused for another trader, market or route", async () => {
    const { api, db, wallet, market, fill } = await setUp();
    await fill();
    await fill();
    const { body } = await api.get(pathOf(wallet.address, market, "&limit=1"));
    const cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    const other = await aTrackedTrader(db);
    const paths = [
      pathOf(other.address, market, cursor),
      pathOf(wallet.address, await aMarket(db), cursor),
      pathOf(wallet.address, market, cursor).replace("/trader/", "/traders/"),
      pathOf(wallet.address, market, `${cursor}x`),
    ];
    for (const path of paths)
      expect(errorOf(await api.get(path))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
  });

  test("a timeline cursor expires when its fill is deleted", async () => {
    const { api, db, wallet, market, fill } = await setUp();
    await fill({ at: "2026-11-20T12:00:01Z" });
    const last = await fill({ at: "2026-11-20T12:00:02Z" });
    const { body } = await api.get(pathOf(wallet.address, market, "&limit=1"));
    const next = pathOf(wallet.address, market, `&limit=1&cursor=${encodeURIComponent(body.next_cursor)}`);
    expect((await api.get(next)).status).toBe(200);
    await db.delete(ledgerEntries).where(eq(ledgerEntries.id, last.id));
    expect(errorOf(await api.get(next))).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
  });

  test("an unchanged timeline returns 304", async () => {
    const { api, wallet, market, fill } = await setUp();
    await fill();
    const { headers } = await api.get(pathOf(wallet.address, market));
    const etag = headers.get("etag") ?? "";
    expect((await api.get(pathOf(wallet.address, market), { "if-none-match": etag })).status).toBe(304);
    await fill();
    expect((await api.get(pathOf(wallet.address, market), { "if-none-match": etag })).status).toBe(200);
  });
});
