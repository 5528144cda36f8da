import { expect, test } from "vitest";
import { addedItems, judgeBars, walOf, type JudgedFigures } from "../../../../../scripts/bench/live-size/judge-bars.ts";
import { budgetsOf, RequestWindows } from "../../../../../scripts/bench/live-size/provider/request-windows.ts";
import { compareRows, type LedgerRow } from "../../../../../scripts/bench/live-size/samples/compare-rows.ts";
import { sumByWork, workOf } from "../../../../../scripts/bench/live-size/samples/statement-figures.ts";

const statement = (query: string, walBytes: number, longestMs: number) => ({
  ...{ query, walBytes, longestMs, calls: 2, rows: 5, totalMs: longestMs },
});

const figures = (given: Partial<JudgedFigures>): JudgedFigures => ({
  size: { rttMs: 5 },
  depthAfterBurst: [10, 10, 10],
  lags: { pageMs: [100], feedMs: [100], followUpMs: { hot: [100], warm: [100], cold: [] } },
  requests: {},
  works: [],
  ages: [],
  ...given,
});
const barOf = (name: string, given: Partial<JudgedFigures>) =>
  judgeBars(figures(given)).find((bar) => bar.name.startsWith(name));

test("the trend of a depth is what it adds from the first to the last sample", () => {
  expect(addedItems([5, 5, 5])).toBe(0);
  expect(addedItems([0, 10, 20, 30])).toBeCloseTo(30, 9);
  expect(addedItems([30, 20, 10, 0])).toBeCloseTo(-30, 9);
});

test("a depth that grows after the burst misses its bar, one that falls or stays meets it", () => {
  expect(barOf("depth", { depthAfterBurst: [100, 200, 300] })?.isMet).toBe(false);
  expect(barOf("depth", { depthAfterBurst: [300, 200, 100] })?.isMet).toBe(true);
  expect(barOf("depth", { depthAfterBurst: [100, 130, 100] })?.isMet).toBe(true);
  expect(barOf("depth", { depthAfterBurst: [100] })?.isMet).toBeNull();
});

test("the lag of pages may be 2 s at 5 ms and 5 s at 40 ms, at the 99th percentile", () => {
  // 200 values, of which the two slowest do not count.
  const pageMs = [...Array.from({ length: 198 }, () => 100), 3_000, 3_000];
  const lags = { ...figures({}).lags, pageMs };
  expect(barOf("page", { lags })?.isMet).toBe(false);
  expect(barOf("page", { lags, size: { rttMs: 40 } })?.isMet).toBe(true);
  expect(barOf("page", { lags: { ...lags, pageMs: pageMs.with(198, 100) } })?.isMet).toBe(true);
  expect(barOf("page", { lags: { ...lags, pageMs: [] } })?.isMet).toBeNull();
});

test("a request more than the budget misses its bar", () => {
  const counts = { now: 0, total: 900 };
  expect(barOf("requests in 10 s: data.trades", { requests: { "data.trades": { ...counts, most: 200 } } })?.isMet).toBe(
    true,
  );
  expect(barOf("requests in 10 s: data.trades", { requests: { "data.trades": { ...counts, most: 201 } } })?.isMet).toBe(
    false,
  );
});

test("the WAL of every work but the trade feeds is that of jobs", () => {
  const works = sumByWork([
    statement("insert into a /* read_all_trades */", 70, 3),
    statement("insert into b /* read_taker_trades */", 30, 4),
    statement("update c /* build_explore */", 60, 6_000),
    statement("update d", 41, 1),
  ]);
  expect(walOf(works)).toEqual({ trades: 100, jobs: 101 });
  expect(barOf("WAL", { works })?.isMet).toBe(false);
  expect(barOf("WAL", { works: works.filter(({ work }) => work !== "(none)") })?.isMet).toBe(true);
  expect(barOf("longest statement", { works })).toMatchObject({ isMet: false, figure: "6.00 s (build_explore)" });
});

test("the age that exceeds its promise by most is judged", () => {
  const ages = [
    { of: "build_explore", age_ms: 100, allowed_ms: 180 },
    { of: "build_flows", age_ms: 90, allowed_ms: 80 },
  ];
  expect(barOf("ages", { ages })).toMatchObject({ isMet: false, figure: "build_flows: 0.09 s of 0.08 s" });
  expect(barOf("ages", { ages: ages.slice(0, 1) })?.isMet).toBe(true);
});

test("a statement belongs to the work of its last comment, with or without a request id", () => {
  expect(workOf("select 1 /* sync_trader */")).toBe("sync_trader");
  expect(workOf("select 1 /* req_1 getTrader */")).toBe("getTrader");
  expect(workOf("select /* hint */ 1")).toBe("(none)");
});

test("the recording of fills is no job, whichever work ran it first", () => {
  expect(workOf('insert into "ledger_entries" select 1 /* sync_trader */')).toBe("record_fills");
  expect(workOf('with a as (select 1) update "positions" "p" set x = 1 /* read_all_trades */')).toBe("record_fills");
  expect(workOf('merge into "trader_days" "td" using (select 1) "c" on true /* sync_trader */')).toBe("record_fills");
  expect(workOf('with newest as (select 1) update "outcomes" "o" set x = 1 /* sync_trader */')).toBe("record_fills");
  const lock = 'select from "outcomes" "o" where "o"."id" = any($1) order by "o"."id" for no key update';
  expect(workOf(`${lock} /* sync_trader */`)).toBe("record_fills");
  expect(workOf(`${lock} /* refresh_books */`)).toBe("refresh_books");
  expect(workOf('update "positions" "p" set x = 1 /* value_positions */')).toBe("value_positions");
  expect(workOf('update "trader_syncs" set x = 1 /* sync_trader */')).toBe("sync_trader");
});

test("requests are counted in every window of ten seconds, not in fixed ones", () => {
  const windows = new RequestWindows();
  for (const at of [0, 9_000, 9_999, 10_001, 18_999]) windows.count("/data/v2/trades", at);
  expect(windows.read(18_999)["data.trades"]).toEqual({ now: 4, most: 4, total: 5 });
  windows.count("/data/v2/trades", 18_999);
  expect(windows.read(18_999)["data.trades"]).toEqual({ now: 5, most: 5, total: 6 });
  expect(windows.read(40_000)).toMatchObject({ data: { now: 0, most: 5 }, "data.trades": { now: 0, most: 5 } });
});

test("a request spends the budgets of its route and of its host", () => {
  expect(budgetsOf("/gamma/events/keyset")).toEqual(["gamma", "gamma.events", "gamma.lists"]);
  expect(budgetsOf("/gamma/markets/keyset")).toEqual(["gamma", "gamma.markets", "gamma.lists"]);
  expect(budgetsOf("/data/v2/activity")).toEqual(["data", "data.activity"]);
  expect(budgetsOf("/data/v2/activity/combos")).toEqual(["data", "data.other"]);
  expect(budgetsOf("/data/v2/resolutions")).toEqual(["data", "data.other"]);
  expect(budgetsOf("/clob/books")).toEqual(["clob", "clob.books"]);
  expect(budgetsOf("/other")).toEqual([]);
});

test("a lost, a doubled and a changed row are found", () => {
  const trade = {
    ...{ trader: 4, outcome: 0, tokenId: "7", side: "BUY", sharesMicro: 1_500_000, priceMilli: 250, role: "taker" },
    ...{ txHash: "0xed", atSeconds: 100 },
  } as unknown as Parameters<typeof compareRows>[0][number];
  const row: LedgerRow = {
    ...{ tx: "0xed", address: "a4", token_id: "7", kind: "buy", shares: "1500000", price: "0.25", role: "taker" },
    ...{ recorded: "", seconds: 100 },
  };
  const addressOf = (trader: number) => `a${trader}`;
  expect(compareRows([trade], [row], addressOf)).toEqual({ sent: 1, stored: 1, missing: [], unexpected: [] });
  expect(compareRows([trade], [], addressOf).missing).toHaveLength(1);
  expect(compareRows([trade], [row, row], addressOf)).toMatchObject({ sent: 1, stored: 2 });
  const changed = compareRows([trade], [{ ...row, price: "0.26" }], addressOf);
  expect([changed.missing.length, changed.unexpected.length]).toEqual([1, 1]);
});
