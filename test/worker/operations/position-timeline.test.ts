import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { ledgerEntries, outcomes, traders } from "../../../src/db/schema.ts";
import { idsOf, openFreshApi, refusalOf } from "../../support/fresh-api.ts";
import { aFill, type FillFacts } from "../../support/seed/fills.ts";
import { aMarket, type Market } from "../../support/seed/markets.ts";
import { aWallet, type WalletFacts } from "../../support/seed/wallets.ts";

async function aTrackedWallet(db: Database, facts: Partial<WalletFacts> = {}, tier = "hot") {
  const wallet = await aWallet(db, facts);
  await db.update(traders).set({ tier }).where(eq(traders.id, wallet.id));
  return wallet;
}

const pathOf = (wallet: string, market: Market, query = "") =>
  `/api/v1/trader/${encodeURIComponent(wallet)}/position-timeline?condition_id=${market.conditionId}${query}`;

async function aStory() {
  const { api, db } = await openFreshApi();
  const wallet = await aTrackedWallet(db, { username: "Story" });
  const market = await aMarket(db);
  const fill = (facts: Partial<FillFacts> = {}) => aFill(db, { wallet, market, ...facts });
  return { api, db, wallet, market, fill };
}

describe("running values", () => {
  test("follow the fills of each outcome from the first one stored, newest first", async () => {
    const { api, wallet, market, fill } = await aStory();
    // Sold before anything was seen bought: the running amount is below zero and nothing has a price yet.
    const first = await fill({ side: "SELL", shares: 10, price: "0.4", at: "2026-11-01T00:00:00Z" });
    const second = await fill({ side: "BUY", shares: 30, price: "0.5", at: "2026-11-02T00:00:00Z" });
    const third = await fill({ side: "BUY", shares: 60, price: "0.2", at: "2026-11-03T00:00:00Z" });
    const other = await fill({ outcome: 1, side: "BUY", shares: 7, price: "0.7", at: "2026-11-04T00:00:00Z" });
    const last = await fill({ side: "SELL", shares: 80.5, price: "0.99999", at: "2026-11-05T00:00:00Z" });
    const { status, body } = await api.get(pathOf(wallet.address, market));
    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, total: 5 });
    const [yes, no] = market.outcomes.map(({ tokenId }) => tokenId);
    const shown = body.data.map((event: Record<string, unknown>) => [
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
    expect(shown).toEqual([
      [`pe_${last.id}`, "sell", "yes", yes, -80.5, 0.9999, 80.49, -0.5, 0.3],
      [`pe_${other.id}`, "buy", "no", no, 7, 0.7, 4.9, 7, 0.7],
      // (30 × 0.5 + 60 × 0.2) / 90
      [`pe_${third.id}`, "buy", "yes", yes, 60, 0.2, 12, 80, 0.3],
      [`pe_${second.id}`, "buy", "yes", yes, 30, 0.5, 15, 20, 0.5],
      [`pe_${first.id}`, "sell", "yes", yes, -10, 0.4, 4, -10, 0],
    ]);
    expect(body.data[0]).toMatchObject({ event_timestamp: "2026-11-05T00:00:00.000Z", tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  });

  test("leave out outcomes that are neither a YES nor a NO", async () => {
    const { api, db, wallet, market, fill } = await aStory();
    const kept = await fill({ shares: 5 });
    await fill({ outcome: 1, shares: 7 });
    await db.update(outcomes).set({ outcomeIndex: 2 }).where(eq(outcomes.id, market.outcomes[1].id));
    const answer = await api.get(pathOf(wallet.address, market));
    expect(idsOf(answer)).toEqual([`pe_${kept.id}`]);
    expect(answer.body.total).toBe(1);
  });

  test("leave out splits, merges, other markets and other wallets", async () => {
    const { api, db, wallet, market, fill } = await aStory();
    const kept = await fill({ shares: 5 });
    await fill({ kind: "split", shares: 100 });
    await fill({ kind: "merge", shares: 50 });
    await fill({ market: await aMarket(db) });
    await fill({ wallet: await aWallet(db) });
    const { body } = await api.get(pathOf(wallet.address, market));
    expect(idsOf({ body } as never)).toEqual([`pe_${kept.id}`]);
    expect(body).toMatchObject({ total: 1, data: [{ running_amount: 5 }] });
  });

  test("are those of an independent sum over any fills, whatever the pages, while fills come in between", async () => {
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
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (facts, limit) => {
        const wallet = await aTrackedWallet(db);
        const market = await aMarket(db);
        const stored = [];
        for (const fact of facts) stored.push(await aFill(db, { wallet, market, ...fact }));
        const seen: Record<string, unknown>[] = [];
        let path = pathOf(wallet.address, market, `&limit=${limit}`);
        for (let pages = 0; ; pages++) {
          const { body } = await api.get(path);
          seen.push(...body.data);
          if (!body.has_more) break;
          path = pathOf(wallet.address, market, `&limit=${limit}&cursor=${encodeURIComponent(body.next_cursor)}`);
          // Newer than all: on no later page.
          await aFill(db, { wallet, market, at: `2026-11-21T00:00:${String(10 + pages)}Z` });
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
            expect(event["running_avg_price"]).toBeCloseTo(bought === 0 ? 0 : Math.floor((paid / bought) * 1e4 + 1e-7) / 1e4, 9);
          }
        }
        const times = seen.map(({ event_timestamp }) => String(event_timestamp));
        expect(times).toEqual(times.toSorted().toReversed());
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test("a fill that arrives late comes on the page where it belongs and repeats nobody", async () => {
    const { api, wallet, market, fill } = await aStory();
    const at = (second: number) => `2026-11-20T12:00:0${second}Z`;
    const [a, b, c] = [await fill({ at: at(1) }), await fill({ at: at(3) }), await fill({ at: at(5) })];
    const first = await api.get(pathOf(wallet.address, market, "&limit=2"));
    const late = await fill({ at: at(2) });
    await fill({ at: at(4) });
    const second = await api.get(pathOf(wallet.address, market, `&limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`));
    expect([...idsOf(first), ...idsOf(second)]).toEqual([c, b, late, a].map(({ id }) => `pe_${id}`));
    expect(second.body).toMatchObject({ has_more: false, total: 5 });
  });
});

describe("the wallet", () => {
  test("is named by @username, address, trd_ id, integer id or username, on both routes", async () => {
    const { api, wallet, market, fill } = await aStory();
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
        const answer = await api.get(`/api/v1/${route}/${encodeURIComponent(name)}/position-timeline?condition_id=mkt_${market.id}`);
        expect({ name, route, ids: answer.body.data && idsOf(answer) }).toEqual({ name, route, ids: [`pe_${id}`] });
      }
    }
  });

  test("an id or an address is nobody's name, a number is an id before it is a name", async () => {
    const { api, db, wallet, market, fill } = await aStory();
    const unseen = `0x${"e".repeat(40)}`;
    await aTrackedWallet(db, { username: unseen });
    await aTrackedWallet(db, { username: "trd_999999" });
    const numbered = await aTrackedWallet(db, { username: "999999" });
    await aTrackedWallet(db, { username: String(wallet.id) });
    const ofNumber = await fill({ wallet: numbered });
    const ofWallet = await fill();
    for (const name of [unseen, "trd_999999", "@nobody", "888888"]) {
      expect(refusalOf(await api.get(pathOf(name, market)))).toEqual({ status: 404, reason: undefined, param: "address" });
    }
    expect(idsOf(await api.get(pathOf("999999", market)))).toEqual([`pe_${ofNumber.id}`]);
    expect(idsOf(await api.get(pathOf(String(wallet.id), market)))).toEqual([`pe_${ofWallet.id}`]);
  });

  test.each(["warm", "hot"])("of tier %s has a timeline", async (tier) => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aTrackedWallet(db, {}, tier), await aMarket(db)];
    const { id } = await aFill(db, { wallet, market });
    expect(idsOf(await api.get(pathOf(wallet.address, market)))).toEqual([`pe_${id}`]);
  });

  test("that is cold is 404 trader_not_tracked on both routes, fills or not", async () => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aTrackedWallet(db, {}, "cold"), await aMarket(db)];
    await aFill(db, { wallet, market });
    const refused = { status: 404, reason: "trader_not_tracked" };
    expect(refusalOf(await api.get(pathOf(wallet.address, market)))).toEqual({ ...refused, param: "address" });
    const byId = await api.get(`/api/v1/traders/${wallet.id}/position-timeline?condition_id=${market.conditionId}`);
    expect(refusalOf(byId)).toEqual({ ...refused, param: "trader" });
  });
});

describe("the market", () => {
  test("has to be named", async () => {
    const { api, wallet } = await aStory();
    const answer = await api.get(`/api/v1/trader/${wallet.address}/position-timeline`);
    expect(refusalOf(answer)).toEqual({ status: 400, reason: "invalid_query", param: "condition_id" });
  });

  test.each([`0x${"9".repeat(64)}`, "mkt_999999", "nonsense"])("%s, which nobody traded, has an empty timeline", async (condition) => {
    const { api, wallet, fill } = await aStory();
    await fill();
    const { status, body } = await api.get(`/api/v1/trader/${wallet.address}/position-timeline?condition_id=${condition}`);
    expect({ status, data: body.data, total: body.total, more: body.has_more }).toEqual({ status: 200, data: [], total: 0, more: false });
  });
});

describe("a cursor", () => {
  test("is refused for another wallet, another market and another route", async () => {
    const { api, db, wallet, market, fill } = await aStory();
    await fill();
    await fill();
    const { body } = await api.get(pathOf(wallet.address, market, "&limit=1"));
    const cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    const other = await aTrackedWallet(db);
    const paths = [
      pathOf(other.address, market, cursor),
      pathOf(wallet.address, await aMarket(db), cursor),
      pathOf(wallet.address, market, cursor).replace("/trader/", "/traders/"),
      pathOf(wallet.address, market, `${cursor}x`),
    ];
    for (const path of paths) expect(refusalOf(await api.get(path))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
  });

  test("has expired when its fill is no longer there", async () => {
    const { api, db, wallet, market, fill } = await aStory();
    await fill({ at: "2026-11-20T12:00:01Z" });
    const last = await fill({ at: "2026-11-20T12:00:02Z" });
    const { body } = await api.get(pathOf(wallet.address, market, "&limit=1"));
    const next = pathOf(wallet.address, market, `&limit=1&cursor=${encodeURIComponent(body.next_cursor)}`);
    expect((await api.get(next)).status).toBe(200);
    await db.delete(ledgerEntries).where(eq(ledgerEntries.id, last.id));
    expect(refusalOf(await api.get(next))).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
  });

  test("an unchanged timeline is not sent again", async () => {
    const { api, wallet, market, fill } = await aStory();
    await fill();
    const { headers } = await api.get(pathOf(wallet.address, market));
    const etag = headers.get("etag") ?? "";
    expect((await api.get(pathOf(wallet.address, market), { "if-none-match": etag })).status).toBe(304);
    await fill();
    expect((await api.get(pathOf(wallet.address, market), { "if-none-match": etag })).status).toBe(200);
  });
});
