import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookDeliveries } from "../../../src/db/schema.ts";
import type { TradeFilters } from "../../../src/webhooks/rules/trade-filters.ts";
import { fanOut } from "../../../src/webhooks/fan-out/fan-out.ts";
import { insertWatchlist } from "../../../src/queries/watchlists/insert-watchlist.ts";
import { replaceWatchlist } from "../../../src/queries/watchlists/replace-watchlist.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { anAccount, anEndpoint, someEvents, untilReadable } from "../../support/seed/webhooks.ts";

const NOW = new Date("2026-11-20T12:30:00Z");
const ANN = "0x000000000000000000000000000000000000a11e";
const BOB = "0x0000000000000000000000000000000000000b0b";
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

test("each trade filter and their combination select their large trades and do not affect other events", async () => {
  const { db } = await createTestDatabase();
  const [rain, snow] = [await aMarket(db), await aMarket(db)];
  const trade = (
    wallet: string,
    market: { conditionId: string },
    grade: string | null,
    sizeUsd: string,
    id: number,
  ) => ({
    ...{
      whale_alert_id: id,
      condition_id: market.conditionId,
      trader_id: 1,
      wallet,
      grade,
      size_usd: sizeUsd,
      shares: "10000",
      price: "0.5",
    },
    ...{ side: "BUY", outcome_index: 0, traded_at: "2026-11-20T12:10:00.000Z", platform: "polymarket" },
  });
  const trades = [
    trade(ANN, rain, "S", "5000", 1),
    trade(ANN, snow, "A", "4999.999999", 2),
    trade(BOB, rain, "B", "5000.000001", 3),
    trade(BOB, snow, "F", "10000", 4),
    trade(BOB, rain, null, "20000", 5),
  ];
  /** By hand: the trades above that each filter selects. */
  const expected: readonly (readonly [TradeFilters, readonly number[]])[] = [
    [{}, [1, 2, 3, 4, 5]],
    [{ wallet: ANN }, [1, 2]],
    [{ wallet: BOB.toUpperCase().replace("0X", "0x") }, [3, 4, 5]],
    [{ condition_id: rain.conditionId }, [1, 3, 5]],
    [{ condition_id: `mkt_${snow.id}` }, [2, 4]],
    [{ min_grade: "S" }, [1]],
    [{ min_grade: "B" }, [1, 2, 3]],
    [{ min_grade: "F" }, [1, 2, 3, 4]],
    [{ min_size_usd: "5000" }, [1, 2, 3, 4, 5]],
    [{ min_size_usd: "5000.004999" }, [1, 2, 3, 4, 5]],
    [{ min_size_usd: "5000.005" }, [4, 5]],
    [{ min_size_usd: "20000.01" }, []],
    [{ wallet: BOB, condition_id: rain.conditionId, min_grade: "B", min_size_usd: "5000" }, [3]],
    [{ wallet: ANN, condition_id: rain.conditionId, min_grade: "A", min_size_usd: "5000.01" }, []],
  ];
  const ids: string[] = [];
  for (const [tradeFilters] of expected) {
    ids.push(
      (await anEndpoint(db, { tradeFilters, eventTypes: ["large_trade_inserted_v2", "large_trades_inserted"] })).id,
    );
  }
  await someEvents(db, [
    ...trades.map((payload) => ({
      type: "large_trade_inserted_v2",
      payload,
      largeTradeId: payload.whale_alert_id,
      createdAt: NOW,
    })),
    { type: "large_trades_inserted", payload: { count: 5 }, createdAt: NOW },
  ]);
  await untilReadable(db);
  while ((await fanOut(db, NOW, log)).more);
  const delivered = new Map<string, (number | string)[]>(ids.map((id) => [id, []]));
  for (const { endpointId, eventType, body } of await db
    .select()
    .from(webhookDeliveries)
    .orderBy(asc(webhookDeliveries.id))) {
    const { data } = JSON.parse(body) as { data: { whale_alert_id?: number } };
    delivered.get(String(endpointId))?.push(data.whale_alert_id ?? eventType);
  }
  expect(expected.map(([filters], index) => [filters, delivered.get(ids[index] ?? "")])).toEqual(
    expected.map(([filters, selected]) => [filters, [...selected, "large_trades_inserted"]]),
  );
});

test("endpoints get exactly the trades of the wallets in their lists, as the lists are at the fan-out", async () => {
  const { db } = await createTestDatabase();
  const eve = "0x00000000000000000000000000000000000000ee";
  const accounts = [await anAccount(db), await anAccount(db), await anAccount(db)] as const;
  const aList = async (accountId: number, wallets: readonly string[]): Promise<number> => {
    const row = await insertWatchlist(db, accountId, { name: "list", wallets }, 20, NOW);
    if (row === null) throw new Error("the account is full");
    return row.id;
  };
  const lists = [await aList(accounts[0], [ANN, BOB]), await aList(accounts[1], [eve]), await aList(accounts[2], [])];
  const endpoints: { accountId: number; tradeFilters: TradeFilters }[] = [
    { accountId: accounts[0], tradeFilters: { watchlist: `wl_${lists[0]}` } },
    { accountId: accounts[0], tradeFilters: { watchlist: `wl_${lists[0]}`, min_size_usd: "6000" } },
    { accountId: accounts[1], tradeFilters: { watchlist: `wl_${lists[1]}` } },
    { accountId: accounts[2], tradeFilters: { watchlist: `wl_${lists[2]}` } },
    { accountId: accounts[2], tradeFilters: { wallets: [BOB.toUpperCase().replace("0X", "0x"), eve] } },
  ];
  const ids: string[] = [];
  for (const endpoint of endpoints)
    ids.push((await anEndpoint(db, { ...endpoint, eventTypes: ["large_trade_inserted_v2"] })).id);
  const publish = async (first: number) => {
    const payload = (wallet: string, n: number) => ({
      whale_alert_id: first + n,
      condition_id: `0x${"c".repeat(64)}`,
      wallet,
      grade: null,
      size_usd: n === 1 ? "7000" : "5000",
    });
    await someEvents(
      db,
      // The provider's socket sends addresses in checksum case.
      [ANN.replace("a11e", "A11e"), BOB, eve].map((wallet, n) => ({
        type: "large_trade_inserted_v2",
        payload: payload(wallet, n),
        createdAt: NOW,
      })),
    );
    await untilReadable(db);
    while ((await fanOut(db, NOW, log)).more);
  };
  const delivered = async () => {
    const rows = await db.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id));
    return ids.map((id) =>
      rows
        .filter(({ endpointId }) => String(endpointId) === id)
        .map(({ body }) => (JSON.parse(body) as { data: { whale_alert_id: number } }).data.whale_alert_id),
    );
  };
  await publish(10);
  expect(await delivered()).toEqual([[10, 11], [11], [12], [], [11, 12]]);
  await replaceWatchlist(db, { accountId: accounts[0], id: lists[0] ?? 0 }, { name: "list", wallets: [eve] }, NOW);
  await replaceWatchlist(db, { accountId: accounts[2], id: lists[2] ?? 0 }, { name: "list", wallets: [ANN] }, NOW);
  await publish(20);
  expect(await delivered()).toEqual([[10, 11, 22], [11], [12, 22], [20], [11, 12, 21, 22]]);
});
