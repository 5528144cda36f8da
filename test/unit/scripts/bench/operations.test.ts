import { expect, test } from "vitest";
import { parseBenchArguments } from "../../../../scripts/bench/arguments.ts";
import { MEASURED } from "../../../../scripts/bench/operations/bench-operations.ts";
import { GeneratedHistory } from "../../../../scripts/bench/operations/generated-history.ts";
import { IN_ORDER } from "../../../../scripts/bench/operations/run-every-job.ts";
import { SAMPLES } from "../../../../scripts/bench/operations/samples.ts";
import { withoutCachedAnswers } from "../../../../scripts/bench/operations/uncached-bundle.ts";
import { JOBS } from "../../../../src/domain/jobs.ts";
import type { SampleFacts } from "../../../../scripts/bench/operations/sample-facts.ts";

const FACTS: SampleFacts = {
  wallets: [`0x${"1".repeat(40)}`, `0x${"4".repeat(40)}`],
  walletIds: ["1"],
  markets: [`0x${"2".repeat(64)}`],
  heldMarkets: [`0x${"2".repeat(64)}`],
  pairs: [{ address: `0x${"1".repeat(40)}`, traderId: "1", conditionId: `0x${"2".repeat(64)}` }],
  largeTrades: ["1", "2", "3", "4", "5", "6"],
  suspiciousTrades: ["1"],
  days: ["2026-11-20", "2026-11-19"],
};
const ask = async () => ({
  data: { counterparty_analysis: { snapshot_id: "cps_1", unavailable_executions: [{ id: `0x${"3".repeat(64)}` }] } },
});

test("every operation that is measured has requests that are its own", async () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual(MEASURED.map(({ id }) => id).toSorted());
  for (const { id, path, method, query } of MEASURED) {
    const forms = (await SAMPLES[id]?.(FACTS, ask)) ?? [];
    const samples = forms.flatMap((form) => form.samples);
    expect({ id, isAsked: samples.length > 0 }).toEqual({ id, isAsked: true });
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

test("every job is run before anything is measured", () => {
  expect(IN_ORDER.toSorted()).toEqual(JOBS.map(({ name }) => name).toSorted());
});

test("a list is asked for as it is and with each of its filters", async () => {
  const unasked: string[] = [];
  for (const { id, query, kind } of MEASURED) {
    if (kind !== "list") continue;
    const asked = ((await SAMPLES[id]?.(FACTS, ask)) ?? []).flatMap(({ samples }) =>
      samples.flatMap(({ path }) => [...new URL(path, "http://localhost").searchParams.keys()]),
    );
    unasked.push(...Object.keys(query).flatMap((name) => (asked.includes(name) ? [] : [`${id} ${name}`])));
  }
  // One platform is all there is, and a timeframe is the older name of a window.
  expect(unasked.filter((name) => !/ (platform|timeframe)$/.test(name))).toEqual([]);
});

test("a generated history is a function of its size and end, and nobody sells what it does not hold", () => {
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
  const held = new Map<string, bigint>();
  for (const { wallet, tokenId, side, sharesMicro } of rows.toSorted((a, b) => (a.txHash < b.txHash ? -1 : 1))) {
    const key = `${wallet.address} ${tokenId}`;
    held.set(key, (held.get(key) ?? 0n) + (side === "BUY" ? sharesMicro : -sharesMicro));
    expect(held.get(key)).toBeGreaterThanOrEqual(0n);
  }
  for (const { wallet, market } of rows) {
    expect(wallet.username).toMatch(/^generated-/);
    expect(market.title).toMatch(/^Generated: /);
  }
});

test("without cached answers every declared time is 0, and a bundle that declares none is not taken for one", () => {
  const bundle = { script: "a({cacheSeconds:120,b:1});c({cacheSeconds:1e3});d(x.cacheSeconds)", texts: {}, scripts: {} };
  expect(withoutCachedAnswers(bundle).script).toBe("a({cacheSeconds:0,b:1});c({cacheSeconds:0});d(x.cacheSeconds)");
  expect(() => withoutCachedAnswers({ ...bundle, script: "" })).toThrow("declares no cacheSeconds");
});

test("the operations are a part of their own, with a million trades unless said", () => {
  expect(parseBenchArguments(["operations"])).toMatchObject({ parts: ["operations"], trades: 1_000_000, dataDir: null, only: null });
  expect(parseBenchArguments(["operations", "--small", "--data", "dir", "--only", "trader"])).toMatchObject({
    trades: 20_000,
    dataDir: "dir",
  });
  expect(() => parseBenchArguments(["operations", "reads"])).toThrow("operations goes alone");
  expect(() => parseBenchArguments(["reads", "--data", "dir"])).toThrow("--data, --only and --plans go with operations");
});
