import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRecording } from "../../../scripts/provider/replay/load/load-recording.ts";
import { createReplayWorld } from "../../../scripts/provider/replay/replay-world.ts";
import type { ActivityRecord, ProviderWorld } from "../../../scripts/provider/provider-world.ts";
import { sharedPath } from "../../support/providers/shared-path.ts";

const DATA = sharedPath("data/");

const rowsOf = (name: string): any[] =>
  gunzipSync(readFileSync(DATA + name))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Whether a path matches a pattern in which `*` is any text. */
const isUnder = (glob: string, name: string) =>
  new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(name);

describe.runIf(existsSync(DATA))("the recorded data set", () => {
  let world: ProviderWorld;
  let trades: readonly ActivityRecord[];
  beforeAll(async () => {
    world = await createReplayWorld(DATA, "max", Date.now);
    trades = world.activity.all.filter((movement) => movement.type === "TRADE");
  });

  const key = (row: any) =>
    [row.transactionHash, row.proxyWallet.toLowerCase(), row.asset, row.side, row.size, row.price, row.timestamp].join(
      " ",
    );
  const served = (movement: ActivityRecord) =>
    [
      movement.transactionHash,
      movement.wallet.address,
      movement.tokenId,
      movement.side,
      movement.size,
      movement.price,
      movement.timestamp,
    ].join(" ");

  test.each([
    ["trades/nobel-2025.data-api-trades.ndjson.gz", 1500],
    ["trades/nobel-2025.data-api-trades.as-recorded.ndjson.gz", 1500],
    ["trades/gabagool22.data-api-activity.ndjson.gz", 3085],
    ["wallet-0x0afc7ce5/activity.data-api.ndjson.gz", 48],
    ["provider-responses/data-api/trades.filterAmount-10000.2026-07.ndjson.gz", 15],
  ])("every recorded trade of %s is served exactly once", (name, distinct) => {
    const expected = new Set(
      rowsOf(name)
        .filter((row) => (row.type ?? "TRADE") === "TRADE")
        .map(key),
    );
    expect(expected.size).toBe(distinct);
    expect(trades.map(served).filter((one) => expected.has(one))).toHaveLength(distinct);
  });

  test("all 14,457 AMM trades are served, each with its trader, side, shares, amount and time", () => {
    const rows = rowsOf("trades/midterms-2022.amm-trades.ndjson.gz");
    const identify = (wallet: string, side: string, shares: number, usd: number, time: number) =>
      [wallet, side.toUpperCase(), shares, usd, time].join(" ");
    const recorded = rows.map((row) =>
      identify(row.Account, row.Type, row.Shares, row.Amount, Date.parse(`${row.Timestamp.replace(" ", "T")}Z`) / 1000),
    );
    const amm = trades.filter((row) => row.timestamp < Date.UTC(2022, 11) / 1000);
    expect(amm).toHaveLength(14_457);
    expect(
      amm.map((row) => identify(row.wallet.address, row.side, row.size, row.usdcSize, row.timestamp)).sort(),
    ).toEqual(recorded.sort());
    expect(new Set(amm.map((row) => row.transactionHash)).size).toBe(14_457);
  });

  test("the 488 large trades are served with their transactions, and their dollars are size times price", () => {
    const rows = rowsOf("trades/large-trades-50k-2026.ndjson.gz");
    const byHash = new Map(trades.map((row) => [row.transactionHash, row]));
    for (const row of rows) {
      const trade = byHash.get(row.tx);
      expect(trade?.wallet.address).toBe(row.wallet);
      expect((trade?.size ?? 0) * (trade?.price ?? 0)).toBeCloseTo(row.usd, 2);
    }
    expect(rows).toHaveLength(488);
  });

  test("each fill of the indexer's extracts is served once", () => {
    // The first trader has 38 fills in the fanned-out extract, the second 275 with its orders.
    const count = (wallet: string) => trades.filter((row) => row.wallet.address === wallet).length;
    expect(count("0x1e5d5cb25815fedfd1d17d05c9877b9668bd0fbc")).toBe(38);
    // 181 fills (194 rows minus the fan-out of two tokens: 7 and 6), plus those of the 100 orders that are
    // not fills yet: 5 are the same rows, 1 is the sum of two fills of its transaction.
    expect(count("0xcce2b7c71f21e358b8e5e797e586cbc03160d58b")).toBe(181 + 100 - 5 - 1);
  });

  test("every recorded trade's market is in the catalogue and has its token", () => {
    expect(trades.filter((row) => row.market === null || !row.market.tokenIds.includes(row.tokenId))).toEqual([]);
    expect(world.expectedTrades()).toBe(trades.length);
  });

  test("the 662 rows of the resolution map with a winner are resolutions, except one of a guessed outcome", () => {
    const withWinner = rowsOf("markets/resolutions-2025-10.ndjson.gz").filter((row) => row.resolved_outcome !== null);
    expect(withWinner).toHaveLength(662);
    const settled = withWinner.flatMap((row) => {
      const payouts = world.catalog.findMarket(row.condition_id)?.resolution?.payoutsPpm;
      return payouts === undefined ? [] : [[payouts[0], row.resolved_outcome === "YES" ? 1_000_000 : 0]];
    });
    expect(settled).toHaveLength(661);
    expect(settled.filter(([payout, expected]) => payout !== expected)).toEqual([]);
  });

  test("docs/replay.md lists exactly the files that are not served", async () => {
    const doc = readFileSync(new URL("../../../docs/replay.md", import.meta.url), "utf8");
    const table = doc.split("## Not served")[1]?.split("\n## ")[0] ?? "";
    const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, glob]) => String(glob)),
    );
    const { unserved } = await loadRecording(DATA);
    const files = readdirSync(DATA, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(nd)?json(\.gz)?$/.test(name),
    );
    expect(unserved.length).toBeGreaterThan(20);
    expect(files.filter((name) => listed.some((glob) => isUnder(glob, name))).sort()).toEqual(unserved.toSorted());
    expect(listed.filter((glob) => !unserved.some((name) => isUnder(glob, name)))).toEqual([]);
  });

  test("no row of a known shape was lost", () => {
    expect(world.describe()).toContain("; 0 rows did not fit");
  });
});
