import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyTradePage } from "../../../src/ingest/feeds/apply-trade-page.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../../src/ingest/feeds/trade-walk-state.ts";
import { openFreshApi } from "../../support/api/fresh-api.ts";
import { aTrade, conditionOf, pageOf, walletOf } from "../../support/ingest/provider/provider-trades.ts";
import { passHorizon } from "../../support/seed/large-trades.ts";

test.for([
  // 4,999.999999 dollars for 6,666.666666 shares: an order of 5,000 dollars at 0.75.
  ["an order at a tick price", 6_666_666_666n, "0.7499999999", "0.75", 0.75],
  ["an order filled at several prices", 20_434_140_000n, "0.621561617", "0.621562", 0.6215],
] as const)(
  "%s has one price in its event, in every read and in the position timeline",
  async ([, sharesMicro, price, exact, displayed]) => {
    const { api, db, openPool } = await openFreshApi();
    const trade = aTrade({ sharesMicro, price, atSeconds: Math.floor(Date.now() / 1000) - 60 });
    await inTransaction(openPool(), (session) =>
      applyTradePage(session, "takers", pageOf([trade]), null, () => NEW_FEED, {
        rowIds: new RowIdCache(),
        largeTradeMinUsd: 5_000,
      }),
    );
    await passHorizon(db);

    const { rows: events } = await db.execute<{ id: string; price: string }>(
      sql`select payload ->> 'whale_alert_id' as id, payload ->> 'price' as price from events where type = 'large_trade_inserted_v2'`,
    );
    expect(events.map((event) => event.price)).toEqual([exact]);
    const id = `wt_${events[0]?.id}`;
    const dataOf = async (path: string) => (await api.get(path)).body.data;
    const prices = {
      list: (await dataOf("/api/v1/large-trades"))[0].price,
      history: (await dataOf("/api/v1/large-trades/history"))[0].price,
      one: (await dataOf(`/api/v1/large-trades/${id}`)).price,
      replay: (await dataOf("/api/v1/events/feed/since?expand=trade"))[0].trade.price,
      timeline: (await dataOf(`/api/v1/trader/${walletOf(1)}/position-timeline?condition_id=${conditionOf(1)}`))[0]
        .price,
    };
    expect(prices).toEqual({
      list: displayed,
      history: displayed,
      one: displayed,
      replay: displayed,
      timeline: displayed,
    });
  },
);
