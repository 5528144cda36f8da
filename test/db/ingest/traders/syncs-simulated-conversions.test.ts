import { expect, test } from "vitest";
import { createSimulatedWorld } from "../../../../scripts/provider/simulate/simulated-world.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { fetchResults } from "../../../support/ingest/fetch-results.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";

const NOW = Date.parse("2026-11-18T20:00:00Z");
const micro = (value: number) => Math.round(value * 1e6);

/**
 * The simulator's own ledger prices conversions as the provider does; over a settled event both calculations
 * have the same result.
 */
test("simulated traders with conversions have the provider's positions and its profit in each settled event", async () => {
  const source = { kind: "simulate", seed: 7, now: () => NOW } as const;
  const world = createSimulatedWorld(source.seed, source.now);
  const { provider } = providerAt(await anEndpoint(source));
  const pool = (await createTestDatabase()).openPool();
  const rows = world.activity.all.filter((row) => row.type === "CONVERSION" && row.timestamp <= world.feedHorizon());
  const wallets = [...new Set(rows.map((row) => row.wallet.address))].slice(0, 4);
  const settings = { pool, provider, rowIds: new RowIdCache(), now: () => new Date(NOW) };
  let [events, conversions] = [0, 0];
  for (const address of wallets) {
    await pool.query(
      "with t as (insert into traders (address, tier) values ($1, 'hot') returning id) insert into trader_syncs (trader_id) select id from t",
      [address],
    );
    await handleMessage({ kind: "sync_trader", address }, settings);
    const { rows: syncs } = await pool.query(
      "select s.gaps from trader_syncs s join traders t on t.id = s.trader_id where t.address = $1",
      [address],
    );
    const combines = world.activity.all.some(
      (row) => row.combo !== null && row.wallet.address === address && row.timestamp <= NOW / 1000,
    );
    expect(syncs).toEqual([{ gaps: combines ? ["combination"] : [] }]);

    for (const event of new Set(
      rows.flatMap(({ wallet, market }) => (wallet.address === address ? (market?.event ?? []) : [])),
    )) {
      if ((event.markets[0]?.resolution?.atMs ?? Infinity) > NOW) continue;
      const conditionIds = event.markets.map((market) => market.conditionId);
      await handleMessage({ kind: "hydrate_markets", condition_ids: conditionIds }, settings);
      await fetchResults(pool, settings.provider, conditionIds, settings.now());
      const theirs = world.listPositions(address).filter((position) => position.market.event === event);
      const { rows: ours } = await pool.query(
        `select o.token_id, p.shares_micro, p.realized_micro, p.settled_micro,
           (select count(*) from trader_activity a where a.trader_id = p.trader_id and a.condition_id = m.condition_id and a.type = 'REDEEM')
             as redemptions
         from positions p join traders t on t.id = p.trader_id join outcomes o on o.id = p.outcome_id join markets m on m.id = p.market_id
         where t.address = $1 and m.condition_id = any($2::text[])`,
        [address, conditionIds],
      );
      // A redemption empties the provider's position; ours keeps its payout as settled.
      const differing = ours.filter(({ token_id, shares_micro, redemptions }) => {
        const position = theirs.find((one) => one.market.tokenIds[one.outcomeIndex] === token_id);
        return redemptions === "0" && Math.abs(Number(shares_micro) - micro(position?.currentSize ?? 0)) > 1;
      });
      expect(differing).toEqual([]);
      const profit = ours.reduce((sum, row) => sum + Number(row.realized_micro) + Number(row.settled_micro), 0);
      const theirProfit = theirs.reduce(
        (sum, p) => sum + p.realizedPnl + p.currentSize * ((p.currentPrice ?? 0) - p.averagePrice),
        0,
      );
      // To a cent: the simulator calculates in floating point.
      expect(Math.abs(profit - micro(theirProfit))).toBeLessThan(10_000);
      events += 1;
      conversions += rows.filter((row) => row.wallet.address === address && row.market?.event === event).length;
    }
  }
  expect(events).toBeGreaterThan(3);
  expect(conversions).toBeGreaterThan(6);
});
