import { expect, test } from "vitest";
import { walletTokenKey, bookEntries } from "../../../../scripts/reconcile/book-entries.ts";
import { readRecording } from "../../../../scripts/reconcile/read-recording.ts";
import {
  aClosedPosition,
  aFlow,
  anActivity,
  anOpenPosition,
  aRecording,
  aTrade,
  MARKET,
  NO,
  WALLET,
  YES,
} from "./reconcile-recordings.ts";

/** Reads one file of a recording: its report, and the ledger entries of YES. */
async function read(rows: readonly unknown[], name = "rows.ndjson", others: Record<string, readonly unknown[]> = {}) {
  const facts = await readRecording(await aRecording({ [name]: rows, ...others }));
  const books = bookEntries(facts);
  const file = facts.files.find((one) => one.name === name);
  return { facts, books, file, movements: books.positions.get(walletTokenKey(WALLET, YES)) ?? [] };
}

const BROKEN_VALUE = { price: "a third" };

test("v1 activity trades become entries without their fee, and each invalid row is counted with its field", async () => {
  const { file, movements } = await read([
    anActivity({ size: 10, price: 0.4, usdcSize: 4.12 }),
    anActivity({ side: "SELL", size: 2.5, price: 0.5, usdcSize: 1.25 }),
    anActivity(BROKEN_VALUE),
    aFlow("REWARD", { conditionId: "" }),
    aFlow("GIFT"),
  ]);
  expect(file).toMatchObject({ shape: "v1 activity", rows: 5 });
  expect(file?.unreadable.map((reason) => reason.split(":")[0])).toEqual(["price", "type"]);
  expect(movements).toMatchObject([
    { kind: "buy", sharesMicro: 10_000_000n, usdMicro: 4_000_000n, feeMicro: 120_000n },
    { kind: "sell", sharesMicro: 2_500_000n, usdMicro: 1_250_000n, feeMicro: 0n },
  ]);
});

test("a merge in v1 activity removes both outcomes at half a dollar per share, the first with the odd millionth", async () => {
  const { books, movements } = await read([
    anActivity(),
    anActivity({ asset: NO }),
    aFlow("MERGE", { size: 0.000_003 }),
  ]);
  expect(movements.at(-1)).toMatchObject({ kind: "merge", sharesMicro: 3n, usdMicro: 2n });
  expect(books.positions.get(walletTokenKey(WALLET, NO))?.at(-1)).toMatchObject({
    kind: "merge",
    sharesMicro: 3n,
    usdMicro: 1n,
  });
});

test("a merge in v1 activity of a market with one known outcome is not booked and is reported", async () => {
  const { books, movements } = await read([anActivity(), aFlow("MERGE")]);
  expect(movements).toHaveLength(1);
  expect([...books.unbooked]).toEqual([`${WALLET} ${MARKET}`]);
});

test("v1 trades have an unknown fee, and a row shared by two files is one entry", async () => {
  const [sharedRow, ownRow] = [aTrade(), aTrade({ size: 3 })];
  const { file, movements } = await read([sharedRow, ownRow, aTrade({ asset: "yes" })], "a.ndjson", {
    "b.ndjson": [sharedRow],
  });
  expect(file).toMatchObject({ shape: "v1 trades", rows: 3 });
  expect(file?.unreadable).toHaveLength(1);
  expect(movements).toMatchObject([
    { sharesMicro: 1_000_000n, feeMicro: null },
    { sharesMicro: 3_000_000n, feeMicro: null },
  ]);
});

const anIndexerFill = (fields: Record<string, unknown> = {}) => ({
  wallet: WALLET,
  trade_id: "2025-10-09 08:53:21",
  timestamp: "2025-10-09 08:53:21",
  asset_id: YES,
  side: "BUY",
  size: 10_000_000,
  price: 0.5,
  cost: 5_000_000,
  ...fields,
});

test("indexer fills are converted from millionths, and the copies of a join are one fill", async () => {
  const other = anIndexerFill({ size: 7_000_000, timestamp: "2025-10-09 08:53:22" });
  const { file, movements } = await read([
    anIndexerFill(),
    anIndexerFill(),
    other,
    other,
    anIndexerFill({ timestamp: "yesterday" }),
  ]);
  expect(file).toMatchObject({ shape: "indexer fills", rows: 5, unreadable: [expect.stringContaining("timestamp")] });
  expect(movements).toMatchObject([
    { kind: "buy", sharesMicro: 10_000_000n, usdMicro: 5_000_000n, feeMicro: null, tradedAtMs: 1_760_000_001_000 },
    { sharesMicro: 7_000_000n, usdMicro: 3_500_000n },
  ]);
});

const anIndexerFillWithTransaction = (fields: Record<string, unknown> = {}) => ({
  tx_hash: `0x${"7".repeat(64)}`,
  timestamp: "2025-10-09 08:53:21",
  asset_id: YES,
  side: "SELL",
  shares: "20.5",
  price: "0.04",
  fee_rate_bps: "0",
  ...fields,
});

test("indexer fills with transactions belong to the trader of the folder's other files, and are unusable without one", async () => {
  const rows = [anIndexerFillWithTransaction(), anIndexerFillWithTransaction({ shares: "-1" })];
  const named = await read(rows, "one/fills.ndjson", { "one/activity.ndjson": [anActivity({ asset: NO })] });
  expect(named.file).toMatchObject({
    shape: "indexer fills with transaction",
    unreadable: [expect.stringContaining("shares")],
  });
  expect(named.movements).toMatchObject([
    { kind: "sell", sharesMicro: 20_500_000n, usdMicro: 820_000n, feeMicro: null },
  ]);
  const unnamed = await read(rows, "one/fills.ndjson", { "two/activity.ndjson": [anActivity({ asset: NO })] });
  expect(unnamed.file?.unreadable).toHaveLength(2);
});

test("order fills become one entry per row, at the recorded price to its last digit", async () => {
  const order = {
    token_id: YES,
    side: "BUY",
    market_slug: "rain",
    condition_id: MARKET,
    shares: 308_490_818,
    price: 0.02200000001296635,
    tx_hash: `0x${"8".repeat(64)}`,
    title: "Will it rain?",
    timestamp: 1_760_000_001,
    order_hash: `0x${"9".repeat(64)}`,
    user: WALLET,
    shares_normalized: 308.490818,
  };
  const { file, movements } = await read([order, { ...order, side: "HOLD" }]);
  expect(file).toMatchObject({ shape: "order fills", rows: 2, unreadable: [expect.stringContaining("side")] });
  // 308.490818 * 0.02200000001296635 = 6.786798000000...
  expect(movements).toMatchObject([{ sharesMicro: 308_490_818n, usdMicro: 6_786_798n }]);
});

test("v1 positions are read as open positions, and six decimals anywhere in the file give a step of a millionth", async () => {
  const { facts, file } = await read([anOpenPosition(), anOpenPosition({ cashPnl: null })], "positions.json");
  expect(file).toMatchObject({ shape: "v1 positions", rows: 2, unreadable: [expect.stringContaining("cashPnl")] });
  expect(facts.positions).toMatchObject([
    {
      status: "open",
      openSharesMicro: 10_000_000n,
      stepMicro: 100n,
      price: "0.7",
      open: { cashPnlMicro: 3_000_000n, initialValueUsd: 4 },
    },
  ]);
  const fine = await read([anOpenPosition(), anOpenPosition({ avgPrice: 0.906546 })], "positions.json");
  expect(fine.facts.positions.map(({ stepMicro }) => stepMicro)).toEqual([1n, 1n]);
});

test("v1 closed positions have no open shares, and a loss stays negative", async () => {
  const { facts, file } = await read(
    [aClosedPosition({ realizedPnl: -2971.0631 }), aClosedPosition({ proxyWallet: "me" })],
    "closed.json",
  );
  expect(file).toMatchObject({
    shape: "v1 closed positions",
    rows: 2,
    unreadable: [expect.stringContaining("proxyWallet")],
  });
  expect(facts.positions).toMatchObject([
    { status: "closed", openSharesMicro: 0n, realizedMicro: -2_971_063_100n, open: null },
  ]);
});

test("lifetime profits of 0 beside a volume are read as missing", async () => {
  const row = { wallet_address: WALLET, lifetime_profit_usd: -12.5, profit_30d_usd: 0, lifetime_volume_usd: 100 };
  const { facts, file } = await read([
    row,
    { ...row, lifetime_profit_usd: 0 },
    { ...row, lifetime_profit_usd: "much" },
  ]);
  expect(file).toMatchObject({
    shape: "lifetime profits",
    rows: 3,
    unreadable: [expect.stringContaining("lifetime_profit_usd")],
  });
  expect(facts.totals.map(({ usd }) => usd)).toEqual([-12.5, null]);
});

test("profile pages of every collector are read, a bare 0 is a placeholder, and a page without P&L is unreadable", async () => {
  const page = { file: "collected.json", kind: "UI", captured_at: "2025-12-08T02:50:00.000Z", wallet: WALLET };
  const { facts, file } = await read([
    { ...page, uiPnl: 300, gain: 500, loss: -200 },
    { ...page, ui_net: -7, ui_gain: 0, ui_loss: -7 },
    { ...page, ui_pnl: 5.44, note: "Fresh" },
    { ...page, ui_pnl: 0, note: "Smart Money" },
    { ...page, note: "nothing" },
  ]);
  expect(file).toMatchObject({ shape: "profile pages", rows: 5 });
  expect(file?.unreadable).toHaveLength(1);
  expect(facts.totals.map(({ usd, page: pageFigures }) => [usd, pageFigures])).toEqual([
    [300, { net: 300, gain: 500, loss: -200 }],
    [-7, { net: -7, gain: 0, loss: -7 }],
    [5.44, null],
    [null, null],
  ]);
});

test("polled leaderboards name their window or have none, and a leaderboard response has it in its file name", async () => {
  const poll = { timestamp_utc: "2026-06-16T11:37:56+00:00", rank_combined: 1, address: WALLET, pnl: 10.5, vol: 0 };
  const polls = await read([poll, { ...poll, timeframe: "MONTH+WEEK" }, { ...poll, address: 7 }]);
  expect(polls.file).toMatchObject({
    shape: "polled leaderboard",
    rows: 3,
    unreadable: [expect.stringContaining("address")],
  });
  expect(polls.facts.totals.map(({ figure }) => figure)).toEqual([
    "leaderboard P&L (window not recorded)",
    "leaderboard P&L (MONTH+WEEK)",
  ]);
  const response = await read(
    [
      { rank: "1", proxyWallet: WALLET, vol: 1, pnl: 2 },
      { rank: "2", proxyWallet: WALLET, vol: 1, pnl: "2" },
    ],
    "board.month-pnl.json",
  );
  expect(response.file).toMatchObject({
    shape: "v1 leaderboard",
    rows: 2,
    unreadable: [expect.stringContaining("pnl")],
  });
  expect(response.facts.totals).toMatchObject([{ figure: "leaderboard P&L (month)", usd: 2 }]);
});

test("the value of open positions is read as a total of the trader", async () => {
  const { facts, file } = await read(
    [
      { user: WALLET, value: 0 },
      { user: WALLET, value: null },
    ],
    "value.json",
  );
  expect(file).toMatchObject({ shape: "v1 value", rows: 2, unreadable: [expect.stringContaining("value")] });
  expect(facts.totals).toMatchObject([{ figure: "value of open positions", usd: 0 }]);
});

test("files of unknown shape and empty files are reported, and a missing directory fails with its name", async () => {
  const { facts } = await read([{ question: "Will it rain?" }], "markets.ndjson", { "empty.json": [] });
  expect(facts.files).toEqual([
    { name: "empty.json", shape: null, rows: 0, unreadable: [] },
    { name: "markets.ndjson", shape: null, rows: 1, unreadable: [] },
  ]);
  await expect(
    readRecording(await aRecording({ "half.ndjson.json": ["x"] }).then((dir) => `${dir}/none`)),
  ).rejects.toThrow("none");
});
