import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRecordedData } from "../../../../scripts/study/recorded-data.ts";

async function record(files: Record<string, readonly object[]>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "study-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, rows] of Object.entries(files))
    await writeFile(join(dir, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return dir;
}

const ammTrade = (fields: object) => ({
  market: "ohio_senate",
  Timestamp: "2022-11-01 10:00:00",
  Account: `0x${"1".repeat(40)}`,
  Type: "Buy",
  Outcome: "Republican",
  Amount: 60,
  Shares: 100,
  Price: 0.6,
  ...fields,
});

const ammMarket = {
  market: "ohio_senate",
  market_full_name: null,
  outcomes: ["Democrat", "Republican"],
  first: "2022-10-01 00:00:00",
  last: "2022-11-09 15:00:00",
  winning_outcome: "Republican",
};

test("recorded trades become bets at the price of their side, with sells as buys of the other side", async () => {
  const dir = await record({
    "trades.ndjson": [
      ammTrade({}),
      ammTrade({ Timestamp: "2022-11-02 10:00:00", Type: "Sell", Shares: 50, Price: 0.7, Amount: 35 }),
    ],
    "markets.ndjson": [ammMarket],
  });
  const { bets, clusterCount } = await readRecordedData(dir, false);
  expect(clusterCount).toBe(1);
  expect([...bets.payout]).toEqual([1, 0]);
  expect([...bets.isSale]).toEqual([0, 1]);
  expect(bets.price[0]).toBeCloseTo(0.6, 12);
  expect(bets.usd[0]).toBeCloseTo(60, 9);
  expect(bets.price[1]).toBeCloseTo(0.3, 12);
  expect(bets.usd[1]).toBeCloseTo(15, 9);
});

test("a payout without a recorded time is never known before a trade, unless its last trade may replace the time", async () => {
  const dir = await record({ "trades.ndjson": [ammTrade({})], "markets.ndjson": [ammMarket] });
  const asRecorded = await readRecordedData(dir, false);
  expect([...asRecorded.bets.payout]).toEqual([1]);
  expect([...asRecorded.settledAt]).toEqual([Number.POSITIVE_INFINITY]);
  expect(asRecorded.notes.join(" ")).toContain(
    "The resolution times of 1 markets are not recorded: their payouts count before no trade.",
  );
  const inferred = await readRecordedData(dir, true);
  expect([...inferred.settledAt]).toEqual([Date.parse("2022-11-09T15:00:00Z") / 1000]);
  expect(inferred.notes.join(" ")).toContain(
    "The resolution times of 1 markets are not recorded: the time of their last trade is used.",
  );
});

const trade = (fields: object) => ({
  proxyWallet: `0x${"2".repeat(40)}`,
  side: "BUY",
  asset: "123",
  conditionId: `0x${"a".repeat(64)}`,
  size: 10,
  price: 0.4,
  timestamp: 1_760_000_000,
  title: "Will it?",
  slug: "will-it",
  eventSlug: "it",
  outcome: "Yes",
  outcomeIndex: 0,
  transactionHash: `0x${"b".repeat(64)}`,
  ...fields,
});

test("a payout without a recorded resolution is unknown, unless it may be inferred from the last price", async () => {
  const dir = await record({
    "trades.ndjson": [
      trade({}),
      trade({
        asset: "124",
        outcome: "No",
        outcomeIndex: 1,
        price: 0.995,
        timestamp: 1_760_000_100,
        transactionHash: `0x${"c".repeat(64)}`,
      }),
    ],
  });
  const asRecorded = await readRecordedData(dir, false);
  expect([...asRecorded.bets.payout]).toEqual([Number.NaN, Number.NaN]);
  expect([...asRecorded.settledAt]).toEqual([Number.POSITIVE_INFINITY]);
  const inferred = await readRecordedData(dir, true);
  expect([...inferred.bets.payout]).toEqual([0, 1]);
  expect(inferred.notes.join(" ")).toContain(
    "The payouts of 1 markets are inferred from their last price and not recorded.",
  );
});

test("the markets of one event are one cluster", async () => {
  const [one, other, single] = ["a", "b", "d"].map((letter) => ({
    conditionId: `0x${letter.repeat(64)}`,
    asset: `12${letter.charCodeAt(0)}`,
  }));
  const dir = await record({
    "trades.ndjson": [
      trade({ ...one }),
      trade({ ...other, timestamp: 1_760_000_001 }),
      trade({ ...single, eventSlug: "else", timestamp: 1_760_000_002 }),
    ],
  });
  const { clusterCount, clusterOfMarket } = await readRecordedData(dir, false);
  expect([clusterCount, ...clusterOfMarket]).toEqual([2, 0, 0, 1]);
});
