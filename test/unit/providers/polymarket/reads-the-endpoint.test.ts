import { expect, test } from "vitest";
import { aReplay, aV1Activity, CONDITION, trades, WALLET } from "../../scripts/provider/provider-recordings.ts";
import { providerAt } from "./provider-at-endpoint.ts";

test("a trader's activity is ordered oldest first and begins at the requested second", async () => {
  const { provider } = providerAt(await aReplay({ "activity.ndjson": [3, 2, 1].map((number) => aV1Activity(number)) }));
  const whole = await provider.listActivity(WALLET, null, null);
  const at = (number: number) => new Date((1_760_000_000 + number) * 1000);
  expect(whole.rows.map((row) => row.kind === "trade" && row.trade.tradedAt)).toEqual([at(1), at(2), at(3)]);
  expect((await provider.listActivity(WALLET, at(2), null)).rows).toEqual(whole.rows.slice(1));
});

test("a market in the trade feed is found by the condition of its row", async () => {
  const { provider } = providerAt(await aReplay({ "t.ndjson": trades(1) }));
  const [trade] = (await provider.listTrades("takers", null)).rows;
  expect(trade?.market).toEqual({
    conditionId: CONDITION,
    title: "Will it rain?",
    slug: "will-it-rain",
    eventSlug: "rain",
    icon: null,
  });
  expect((await provider.findMarkets([CONDITION])).rows.map((market) => market.conditionId)).toEqual([CONDITION]);
});
