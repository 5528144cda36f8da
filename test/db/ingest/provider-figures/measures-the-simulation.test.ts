import { expect, test } from "vitest";
import { providerFigures } from "../../../../src/db/schema.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { fetchResults } from "../../../support/ingest/fetch-results.ts";
import { providerAt, walk } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";

/**
 * The endpoint folds a trader's positions in floating point, the product folds them from the ledger: two
 * independent calculations.
 */
test(
  "a simulated trader's provider figures match ours within the provider's rounding, market by market",
  { timeout: 240_000 },
  async () => {
    const NOW = Date.parse("2026-11-18T20:04:00Z");
    const { db, openPool } = await createTestDatabase();
    const pool = openPool();
    const { provider } = providerAt(await anEndpoint({ kind: "simulate", seed: 7, now: () => NOW }));
    const settings = { pool, provider, rowIds: new RowIdCache(), now: () => new Date(NOW) };
    const board = await provider.listLeaderboard("week", 3);
    const addresses = board.rows.map((row) => row.trader.address);
    await pool.query(
      `with t as (insert into traders (address, tier) select unnest($1::text[]), 'hot' returning id),
       s as (insert into trader_syncs (trader_id) select id from t)
     insert into provider_figures (trader_id, due_at) select id, '2020-01-01' from t`,
      [addresses],
    );
    for (const address of addresses) await handleMessage({ kind: "sync_trader", address }, settings);
    const { rows: markets } = await pool.query<{ condition_id: string }>(
      "select condition_id from markets where length(condition_id) = 66",
    );
    const ids = markets.map((row) => row.condition_id);
    const groups = (size: number) =>
      Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size));
    for (const condition_ids of groups(50)) await handleMessage({ kind: "hydrate_markets", condition_ids }, settings);
    for (const condition_ids of groups(20)) await fetchResults(pool, settings.provider, condition_ids, settings.now());

    await handleMessage({ kind: "measure_traders", trader_ids: [1, 2, 3] }, settings);
    const figures = await db.select().from(providerFigures).orderBy(providerFigures.traderId);
    for (const [index, address] of addresses.entries()) {
      const listed = await Promise.all(
        (["open", "closed"] as const).map((state) => walk((cursor) => provider.listPositions(address, state, cursor))),
      );
      const conditions = new Set(listed.flatMap((page) => page.rows.map((row) => row.conditionId)));
      const { marketsMeasured, marketsExcluded, correctionMicro, allTimePnlUsd, lastError } = figures[index] ?? {};
      expect({ lastError, correctionMicro }).toEqual({ lastError: null, correctionMicro: null });
      expect(Number(marketsMeasured) + Number(marketsExcluded)).toBeGreaterThanOrEqual(conditions.size);
      expect(Number(marketsMeasured)).toBeGreaterThan(0.9 * conditions.size);
      expect(allTimePnlUsd).toBe((await provider.findAllTimeStats(address)).rows[0]?.pnlUsd);
    }
  },
);
