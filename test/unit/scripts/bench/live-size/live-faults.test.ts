import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { judgeFaults } from "../../../../../scripts/bench/live-size/judge-bars.ts";
import { carryOutFaults, withDyingConsumers } from "../../../../../scripts/bench/live-size/live-faults.ts";
import { SHORT_FORM, type LiveFault } from "../../../../../scripts/bench/live-size/live-size.ts";
import { systemClock } from "../../../../../src/lib/timing/clock.ts";
import { executionsBy, isOfNewTraders } from "../../../../../scripts/bench/live-size/provider/trade-schedule.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Runs faults over two minutes, with a burst from 30 to 60 s. @param rowsAt stored rows by the time in ms */
async function run(faults: readonly LiveFault[], rowsAt: (elapsedMs: number) => number) {
  const acts: [number, string][] = [];
  const act = (name: string) => void acts.push([Date.now() / 1_000, name]);
  const done = carryOutFaults({ ...SHORT_FORM, faults }, 0, 240_000, {
    provider: { refuse: (isRefusing) => act(isRefusing ? "refuse" : "serve") },
    postgres: { stop: async () => act("stop"), restart: async () => act("restart") },
    countRows: async () => rowsAt(Date.now()),
    clock: systemClock,
  });
  await vi.advanceTimersByTimeAsync(300_000);
  return { acts, recoveries: await done };
}

const tradedBy = (elapsedMs: number) => 2 * executionsBy(elapsedMs, SHORT_FORM);

test("the provider refuses after the burst for half of the rest, and recovery is the time until the rows are stored", async () => {
  // Rows stop at the outage's beginning and are all there 20 s after its end.
  const { acts, recoveries } = await run(["provider"], (at) => tradedBy(at < 110_000 ? 60_000 : at));
  expect(acts).toEqual([
    [60, "refuse"],
    [90, "serve"],
  ]);
  expect(recoveries).toEqual([{ fault: "provider", lastedMs: 30_000, behindRows: 1_500, caughtUpMs: 20_000 }]);
});

test("Postgres restarts in the middle of the burst", async () => {
  const { acts, recoveries } = await run(["postgres"], tradedBy);
  expect(acts).toEqual([
    [45, "stop"],
    [47, "restart"],
  ]);
  expect(recoveries).toEqual([{ fault: "postgres", lastedMs: 2_000, behindRows: 0, caughtUpMs: 0 }]);
});

test("a product that never catches up has no recovery, which misses its bar", async () => {
  const { recoveries } = await run(["provider"], () => 0);
  expect(recoveries).toEqual([{ fault: "provider", lastedMs: 30_000, behindRows: tradedBy(75_000), caughtUpMs: null }]);
  const rows = { missing: [], unexpected: [] };
  const bars = judgeFaults({ rows, recoveries, differences: 0, requests: {} });
  expect(bars.filter(({ isMet }) => isMet !== true).map(({ name }) => name)).toEqual(["caught up after provider"]);
});

test("a lost row, a late recovery and a wrong figure each miss their bar", () => {
  const recoveries = [{ fault: "provider", lastedMs: 600_000, behindRows: 9, caughtUpMs: 1_200_001 }] as const;
  const bars = judgeFaults({ rows: { missing: ["a"], unexpected: [] }, recoveries, differences: 1, requests: {} });
  expect(bars.map(({ isMet }) => isMet)).toEqual([false, false, false]);
});

test("the first 5,000 rows of the burst are by new traders, only with that fault", () => {
  const first = executionsBy(30_000, SHORT_FORM);
  const numbers = [first - 1, first, first + 2_499, first + 2_500];
  const areNew = (faults: readonly LiveFault[]) => numbers.map((n) => isOfNewTraders(n, { ...SHORT_FORM, faults }));
  expect(areNew(["traders"])).toEqual([false, true, true, false]);
  expect(areNew(["provider"])).toEqual([false, false, false, false]);
});

test("a consumer in progress at the end of ten seconds fails while its work goes on, and a shorter one succeeds", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dying-consumers-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const product = "export default { queue: (batch) => batch.work, fetch() {}, scheduled() {} };";
  const { script, scripts } = withDyingConsumers({ script: product, texts: {}, scripts: {} });
  for (const [name, contents] of Object.entries({ ...scripts, "package.json": `{ "type": "module" }` }))
    writeFileSync(join(directory, name), contents);
  writeFileSync(join(directory, "entry.js"), script.replaceAll(`"product.js"`, `"./product.js"`));
  const entry = await import(pathToFileURL(join(directory, "entry.js")).href);
  const waitUntil = vi.fn();
  const consume = (work: Promise<void>) => entry.default.queue({ work }, {}, { waitUntil });

  await vi.advanceTimersByTimeAsync(3_000);
  const endless = new Promise<void>(() => undefined);
  const end = consume(endless).catch((error: Error) => [Date.now(), error.message]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await end).toEqual([10_000, "the consumer has died"]);
  expect(waitUntil).toHaveBeenCalledWith(endless);

  await expect(consume(Promise.resolve())).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
