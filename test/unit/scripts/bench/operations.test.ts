import { expect, test } from "vitest";
import { parseBenchArguments } from "../../../../scripts/bench/arguments.ts";
import { MEASURED_OPERATIONS } from "../../../../scripts/bench/operations/bench-operations.ts";
import { GeneratedHistory } from "../../../../scripts/bench/operations/workload/generated-history.ts";
import { JOBS_IN_ORDER } from "../../../../scripts/bench/operations/run-every-job.ts";
import { SAMPLES } from "../../../../scripts/bench/operations/samples.ts";
import { withoutResponseCaching } from "../../../../scripts/bench/operations/uncached-bundle.ts";
import { JOBS } from "../../../../src/jobs/registry.ts";
import type { SampleFacts } from "../../../../scripts/bench/operations/sample-facts.ts";

const FACTS: SampleFacts = {
  traders: [`0x${"1".repeat(40)}`, `0x${"4".repeat(40)}`],
  traderIds: ["1"],
  markets: [`0x${"2".repeat(64)}`],
  scannedMarkets: [`0x${"2".repeat(64)}`],
  pairs: [{ address: `0x${"1".repeat(40)}`, traderId: "1", conditionId: `0x${"2".repeat(64)}` }],
  largeTrades: ["1", "2", "3", "4", "5", "6"],
  games: ["nba-hom-awa-1"],
  suspiciousTrades: ["1"],
  days: ["2026-11-20", "2026-11-19"],
  picks: ["451"],
  pickDays: ["2026-11-20"],
  combos: [`0x03${"5".repeat(60)}`],
};
const ask = async () => ({
  data: { counterparty_analysis: { snapshot_id: "cps_1", unavailable_executions: [{ id: `0x${"3".repeat(64)}` }] } },
});

test("every measured operation has sample requests that match its own route", async () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual(MEASURED_OPERATIONS.map(({ id }) => id).toSorted());
  for (const { id, path, method, query } of MEASURED_OPERATIONS) {
    const forms = (await SAMPLES[id]?.(FACTS, ask)) ?? [];
    const samples = forms.flatMap((form) => form.samples);
    expect({ id, hasSamples: samples.length > 0 }).toEqual({ id, hasSamples: true });
    const route = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    for (const sample of samples) {
      const url = new URL(sample.path, "http://localhost");
      const names = [...url.searchParams.keys()].map((name) => name.replace("[]", ""));
      expect(url.pathname).toMatch(route);
      expect({ id, method: sample.body === undefined ? "get" : "post" }).toEqual({ id, method });
      expect({ id, unknown: names.filter((name) => !(name in query)) }).toEqual({ id, unknown: [] });
    }
  }
});

test("every job runs before the benchmark measures", () => {
  expect(JOBS_IN_ORDER.toSorted()).toEqual(JOBS.map(({ name }) => name).toSorted());
});

test("a list is sampled without filters and with each of its filters", async () => {
  const missing: string[] = [];
  for (const { id, query, kind } of MEASURED_OPERATIONS) {
    if (kind !== "list") continue;
    const sampled = ((await SAMPLES[id]?.(FACTS, ask)) ?? []).flatMap(({ samples }) =>
      samples.flatMap(({ path }) => [...new URL(path, "http://localhost").searchParams.keys()]),
    );
    missing.push(...Object.keys(query).flatMap((name) => (sampled.includes(name) ? [] : [`${id} ${name}`])));
  }
  // There is only one platform, and a timeframe is the older name of a window.
  expect(missing.filter((name) => !/ (platform|timeframe)$/.test(name))).toEqual([]);
});

test("a generated history depends only on its size and end, and no trader sells shares it does not have", () => {
  const nowMs = Date.UTC(2026, 10, 20);
  const [first, again] = [1, 2].map(() => [...new GeneratedHistory(2_000, nowMs).pages(500)]);
  expect(first).toEqual(again);
  const rows = (first ?? [])
    .flatMap(({ takers, makers }) => [...takers, ...makers])
    .toSorted((a, b) => Number(a.tradedAt) - Number(b.tradedAt));
  expect(rows.length).toBeGreaterThanOrEqual(2_000);
  expect(rows.length).toBeLessThan(2_003);
  const sold = rows.filter(({ side }) => side === "SELL");
  expect(sold.length).toBeGreaterThan(100);
  const openShares = new Map<string, bigint>();
  for (const { trader, tokenId, side, sharesMicro } of rows.toSorted((a, b) => (a.txHash < b.txHash ? -1 : 1))) {
    const key = `${trader.address} ${tokenId}`;
    openShares.set(key, (openShares.get(key) ?? 0n) + (side === "BUY" ? sharesMicro : -sharesMicro));
    expect(openShares.get(key)).toBeGreaterThanOrEqual(0n);
  }
  for (const { trader, market } of rows) {
    expect(trader.username).toMatch(/^generated-/);
    expect(market.title).toMatch(/^Generated: /);
  }
});

test("disabling cached responses sets every declared time to 0 and refuses a bundle without such times", () => {
  const bundle = {
    script: "a({cacheSeconds:120,b:1});c({cacheSeconds:1e3});d(x.cacheSeconds)",
    texts: {},
    scripts: {},
  };
  expect(withoutResponseCaching(bundle).script).toBe("a({cacheSeconds:0,b:1});c({cacheSeconds:0});d(x.cacheSeconds)");
  expect(() => withoutResponseCaching({ ...bundle, script: "" })).toThrow("declares no cacheSeconds");
});

test("the operations benchmark runs alone, with a million trades by default", () => {
  expect(parseBenchArguments(["operations"])).toMatchObject({
    parts: ["operations"],
    trades: 1_000_000,
    dataDir: null,
    only: null,
  });
  expect(parseBenchArguments(["operations", "--small", "--data", "dir", "--only", "trader"])).toMatchObject({
    trades: 20_000,
    dataDir: "dir",
  });
  expect(() => parseBenchArguments(["operations", "reads"])).toThrow("operations cannot be combined with other parts");
  expect(() => parseBenchArguments(["reads", "--data", "dir"])).toThrow("--data goes with operations or live-size");
  expect(() => parseBenchArguments(["live-size", "--only", "trader"])).toThrow("--only and --plans go with operations");
});
