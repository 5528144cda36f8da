import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Env } from "../../../src/env.ts";
import { openExportApi } from "../../support/exports/export-api.ts";
import { aFill } from "../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../support/seed/large-trades.ts";
import { someSealedPicks } from "../../support/seed/picks/sealed-picks.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

const { ARTIFACTS } = env as Env;

/** Every stored file as text, unpacked. */
async function storedFiles(): Promise<string[]> {
  const { objects } = await ARTIFACTS.list();
  return Promise.all(
    objects.map(async ({ key }) => {
      const stored = await ARTIFACTS.get(key);
      if (stored === null) throw new Error(`the file ${key} is gone`);
      return new Response(stored.body.pipeThrough(new DecompressionStream("gzip"))).text();
    }),
  );
}

test("no export and no dataset about the market of a sealed pick has its nonce or its payload", async () => {
  const files = await openExportApi();
  const picks = await someSealedPicks(files.db);
  const trader = await aSeededTrader(files.db, { completeAt: new Date() });
  const tradedAt = new Date(Date.now() - 7_200_000);
  for (const { market } of picks.sealed) {
    await aFill(files.db, { trader, market, at: tradedAt.toISOString() });
    await aPublishedLargeTrade(files.db, { trader, market, sizeUsdMicro: 50_000_000_000n, tradedAt });
  }
  await passHorizon(files.db);
  const day = (offset: number) => new Date(tradedAt.getTime() + offset * 86_400_000).toISOString();
  for (const format of ["csv", "json"]) {
    const key = await files.anOwner({ plan: "max" });
    const { status } = await files.post(`/api/v1/trader/${trader.address}/export?format=${format}`, undefined, key);
    expect({ format, status }).toEqual({ format, status: 202 });
  }
  const dataset = await files.post("/api/v1/datasets/whale-trades", { from: day(-1), to: day(0.05) });
  expect(dataset.status).toBe(202);
  await files.consume();
  const texts = await storedFiles();
  expect(texts).toHaveLength(3);
  for (const text of texts) {
    // The file reaches the market of the pick.
    expect(text).toContain(picks.upcoming.market.conditionId);
    expect(picks.secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
