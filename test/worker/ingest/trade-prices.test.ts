import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyTradePage } from "../../../src/ingest/apply-trade-page.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { NEW_FEED } from "../../../src/ingest/trade-walk.ts";
import { openFreshApi } from "../../support/fresh-api.ts";
import { aTrade, conditionOf, pageOf, walletOf } from "../../support/ingest/trades.ts";
import { passHorizon } from "../../support/seed/large-trades.ts";

test.for([
  // 4,999.999999 dollars for 6,666.666666 shares: an order of 5,000 dollars at 0.75.
  ["an order at a tick", 6_666_666_666n, "0.7499999999", "0.75", 0.75],
  ["an order that met several prices", 20_434_140_000n, "0.621561617", "0.621562", 0.6215],
] as const)(
  "%s has one price in its event, in every read of it and in its position's timeline",
  async ([, sharesMicro, price, exact, shown]) => {
    const { api, db, openPool } = await openFreshApi();
    const trade = aTrade({ sharesMicro, price, atSeconds: Math.floor(Date.now() / 1000) - 60 });
    await inTransaction(openPool(), (session) =>
      applyTradePage(session, "takers", pageOf([trade]), null, () => NEW_FEED, { known: new KnownIds(), largeTradeMinUsd: 5_000 }),
    );
    await passHorizon(db);

    const { rows: events } = await db.execute<{ id: string; price: string }>(
      sql`select payload ->> 'whale_alert_id' as id, payload ->> 'price' as price from events where type = 'large_trade_inserted_v2'`,
    );
    expect(events.map((event) => event.price)).toEqual([exact]);
    const id = `wt_${events[0]?.id}`;
    const listed = async (path: string) => (await api.get(path)).body.data;
    const prices = {
      list: (await listed("/api/v1/large-trades"))[0].price,
      history: (await listed("/api/v1/large-trades/history"))[0].price,
      one: (await listed(`/api/v1/large-trades/${id}`)).price,
      replay: (await listed("/api/v1/events/feed/since?expand=trade"))[0].trade.price,
      timeline: (await listed(`/api/v1/trader/${walletOf(1)}/position-timeline?condition_id=${conditionOf(1)}`))[0].price,
    };
    expect(prices).toEqual({ list: shown, history: shown, one: shown, replay: shown, timeline: shown });
  },
);
