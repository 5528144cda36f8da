import type { Pool } from "@neondatabase/serverless";
import { expect, test } from "vitest";
import { comboPayoutAt, foldComboPositions } from "../../../../scripts/provider/combos.ts";
import type { ProviderWorld } from "../../../../scripts/provider/provider-world.ts";
import { createSimulatedWorld } from "../../../../scripts/provider/simulate/simulated-world.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { fetchResults } from "../../../support/ingest/fetch-results.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";

const NOW = Date.parse("2026-11-18T20:00:00Z");
const TRADERS = 5;

/** A wallet's combos as the simulator generated them: rows up to the feeds' horizon. */
function generatedOf(world: ProviderWorld, address: string) {
  const isVisible = ({ timestamp }: { timestamp: number }) => timestamp <= world.feedHorizon();
  const trades = world.activity.ofWallet(address).filter((row) => row.combo !== null && isVisible(row));
  return { trades, events: world.listComboEvents(address).filter(isVisible) };
}

/**
 * What the combos of a wallet have paid, in dollars: cash of trades, splits and merges without fees, and the payouts
 * of all shares that it had when they were decided, redeemed or not.
 */
function paidOut(world: ProviderWorld, address: string): number {
  const { trades, events } = generatedOf(world, address);
  const cash = trades.reduce((sum, { side, size, price }) => sum + (side === "SELL" ? 1 : -1) * size * price, 0);
  const sets = events.reduce(
    (sum, { type, amount }) => sum + (type === "MERGE" ? 1 : type === "SPLIT" ? -1 : 0) * (amount ?? 0),
    0,
  );
  const held = foldComboPositions(
    trades,
    events.filter(({ type }) => type !== "REDEEM"),
  );
  return held.reduce(
    (sum, { combo, outcomeIndex, size }) => sum + size * (comboPayoutAt(combo, outcomeIndex, NOW) ?? 0),
    cash + sets,
  );
}

async function bookedOf(pool: Pool, address: string) {
  const { rows } = await pool.query<{ result: string; open_cost: string; combos: string; is_decided: string }>(
    `select coalesce(sum(p.realized_micro + coalesce(p.settled_micro, 0)), 0) as result,
       coalesce(sum(p.cost_micro) filter (where p.settled_micro is null), 0) as open_cost,
       count(distinct p.market_id) as combos, count(*) filter (where p.settled_micro is not null) as is_decided
     from positions p join combos c on c.market_id = p.market_id join traders t on t.id = p.trader_id
     where t.address = $1`,
    [address],
  );
  return rows[0];
}

test("simulated traders of combos have the results that their combos paid, and no gap", async () => {
  const source = { kind: "simulate", seed: 7, now: () => NOW } as const;
  const world = createSimulatedWorld(source.seed, source.now);
  const { provider } = providerAt(await anEndpoint(source));
  const pool = (await createTestDatabase()).openPool();
  const settings = { pool, provider, rowIds: new RowIdCache(), now: () => new Date(NOW) };
  const compressed = new Set<string>();
  const traders = [...new Set(world.activity.all.filter((row) => row.combo !== null).map((row) => row.wallet.address))];
  for (const address of traders) {
    if (generatedOf(world, address).events.some(({ type }) => type === "COMPRESS")) compressed.add(address);
  }
  const chosen = [...compressed].slice(0, TRADERS);
  expect(chosen).toHaveLength(TRADERS);
  let decided = 0;
  for (const address of chosen) {
    await pool.query(
      "with t as (insert into traders (address, tier) values ($1, 'hot') returning id) insert into trader_syncs (trader_id) select id from t",
      [address],
    );
    await handleMessage({ kind: "sync_trader", address }, settings);
    await handleMessage({ kind: "read_combos", address }, settings);
    const { rows: markets } = await pool.query<{ condition_id: string }>(
      `select distinct m.condition_id from combo_legs l join markets m on m.id = l.leg_market_id where m.payouts_ppm is null`,
    );
    const conditionIds = markets.map((market) => market.condition_id);
    await fetchResults(pool, provider, conditionIds, settings.now());
    // A compress is proven once the dropped leg's result is known.
    await pool.query("update trader_syncs set combos_due_at = now()");
    await handleMessage({ kind: "read_combos", address }, settings);
    const { rows } = await pool.query(
      "select s.gaps from trader_syncs s join traders t on t.id = s.trader_id where t.address = $1",
      [address],
    );
    expect(rows).toEqual([{ gaps: [] }]);
    const booked = await bookedOf(pool, address);
    const ours = Number(booked?.result) - Number(booked?.open_cost);
    // To a cent: the simulator calculates in floating point.
    expect(Math.abs(ours - paidOut(world, address) * 1e6)).toBeLessThan(10_000);
    decided += Number(booked?.is_decided);
  }
  expect(decided).toBeGreaterThan(10);
});
