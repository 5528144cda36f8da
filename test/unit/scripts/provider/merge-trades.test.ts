import { expect, test } from "vitest";
import { OTHER_WALLET, WALLET, aReplay, aV1Activity, aV1Trade, getJson, trades, walk } from "./provider-recordings.ts";

test("repeatedly polled pages contain the same trades once", async () => {
  const all = trades(6);
  const asRecorded = [...all, ...all.slice(2), ...all.slice(2), ...all.slice(4)];
  const polled = await aReplay({ "polled.ndjson": asRecorded });
  expect(polled.expectedTrades()).toBe(6);
  expect(await walk(`${polled.dataUrl}/v2/trades?limit=4`)).toHaveLength(6);
});

test("equal fills of one transaction within one poll stay two fills, in one file or in several", async () => {
  const pair = [aV1Trade(2), aV1Trade(1), aV1Trade(1)];
  expect((await aReplay({ "a.ndjson": pair })).expectedTrades()).toBe(3);
  expect((await aReplay({ "a.ndjson": pair, "b.ndjson.gz": pair, "c.json": [aV1Trade(1)] })).expectedTrades()).toBe(3);
});

test("a trade in a trades file and an activity file is one trade with its role and its cash", async () => {
  const { dataUrl, expectedTrades } = await aReplay({
    "activity.ndjson": [aV1Activity(1, { usdcSize: 5.125 })],
    "trades.ndjson": [aV1Trade(1)],
  });
  expect(expectedTrades()).toBe(1);
  expect((await getJson(`${dataUrl}/v2/trades?taker_only=true`)).body.data).toHaveLength(1);
  expect((await getJson(`${dataUrl}/v2/activity?user=${WALLET}`)).body.data[0].usdc_size).toBe(5.125);
});

const anIndexerFill = (fields: Record<string, unknown> = {}) => ({
  wallet: WALLET,
  trade_id: "2025-10-09 08:53:21",
  timestamp: "2025-10-09 08:53:21",
  asset_id: "111",
  side: "BUY",
  size: 10_000_000,
  price: 0.5,
  cost: 5_000_000,
  ...fields,
});

test("a repetition shared by all rows of a token is the extract's fan-out, and a further one is real", async () => {
  const fannedOut = [
    anIndexerFill(),
    anIndexerFill(),
    anIndexerFill({ size: 7_000_000 }),
    anIndexerFill({ size: 7_000_000 }),
  ];
  expect((await aReplay({ "fills.ndjson": fannedOut })).expectedTrades()).toBe(2);
  const real = [anIndexerFill(), anIndexerFill(), anIndexerFill({ size: 7_000_000 })];
  expect((await aReplay({ "fills.ndjson": real })).expectedTrades()).toBe(3);
});

test("an indexer's fill without a transaction is merged with the same trade of another file", async () => {
  // 2025-10-09 08:53:21 UTC is 1760000001, the time of trade 1.
  const { expectedTrades, dataUrl } = await aReplay({
    "fills.ndjson": [anIndexerFill(), anIndexerFill({ size: 3_000_000 })],
    "trades.ndjson": [aV1Trade(1)],
  });
  expect(expectedTrades()).toBe(2);
  const hashes = (await walk(`${dataUrl}/v2/trades?limit=10&taker_only=false`)).map((row) => row.transaction_hash);
  expect(hashes.filter((hash) => hash.startsWith("0xfab12ca7ed"))).toHaveLength(1);
});

test("an order's row is dropped when its trader's fills in that transaction are known, and kept for another trader", async () => {
  const anOrder = (user: string) => ({
    token_id: "999",
    side: "BUY",
    market_slug: "will-it-rain",
    condition_id: aV1Trade(1)["conditionId"],
    shares: 10_000_000,
    shares_normalized: 10,
    price: 0.5,
    tx_hash: aV1Trade(1)["transactionHash"],
    title: "Will it rain?",
    timestamp: 1_760_000_001,
    order_hash: `0x${"0d".repeat(32)}`,
    user,
  });
  expect((await aReplay({ "t.ndjson": [aV1Trade(1)], "o.ndjson": [anOrder(WALLET)] })).expectedTrades()).toBe(1);
  expect((await aReplay({ "t.ndjson": [aV1Trade(1)], "o.ndjson": [anOrder(OTHER_WALLET)] })).expectedTrades()).toBe(2);
});

test("equal AMM rows are separate trades, with the same transactions in every run", async () => {
  const row = {
    market: "a_race",
    Timestamp: "2022-01-12 21:10:26",
    Account: WALLET,
    Type: "Buy",
    Outcome: "Yes",
    Amount: 55,
    Shares: 99.78,
    Price: 0.5512,
  };
  const dust = { ...row, Timestamp: "2022-01-12 21:10:27", Type: "Sell", Amount: 0, Shares: 0, Price: null };
  const first = await aReplay({ "amm.ndjson": [row, row, dust] });
  const again = await aReplay({ "amm.ndjson": [row, row, dust], "copy.ndjson": [row, row, dust] });
  const rows = await walk(`${first.dataUrl}/v2/trades?limit=10`);
  expect(first.expectedTrades()).toBe(3);
  expect(again.expectedTrades()).toBe(3);
  expect(await walk(`${again.dataUrl}/v2/trades?limit=10`)).toEqual(rows);
  expect(new Set(rows.map((one) => one.transaction_hash)).size).toBe(3);
  // 55 / 99.78 to ten decimals; the recorded 0.5512 is the same price to four decimals.
  expect(rows.map((one) => one.price)).toEqual([0.5512126679, 0.5512126679, 0.5512126679]);
});

test("rows that do not match their file's shape are left out and counted", async () => {
  const { describe, expectedTrades } = await aReplay({
    "t.ndjson": [aV1Trade(2), aV1Trade(1, { price: "cheap" })],
    "odd.json": [{ what: "ever" }],
  });
  expect(expectedTrades()).toBe(1);
  expect(describe()).toContain("1 rows did not fit");
  expect(describe()).toContain("not served: odd.json");
});
