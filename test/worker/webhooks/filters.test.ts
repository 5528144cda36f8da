import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookDeliveries } from "../../../src/db/schema.ts";
import type { TradeFilters } from "../../../src/webhooks/rules/trade-filters.ts";
import { fanOut } from "../../../src/webhooks/fan-out/fan-out.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { anEndpoint, someEvents, untilReadable } from "../../support/seed/webhooks.ts";

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
