import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import type { ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { createReplayWorld } from "../../../../scripts/provider/replay/replay-world.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { runUntilIdle } from "../../../support/ingest/ingest-worker.ts";
import {
  hasRecorded,
  micro,
  ONE_TRADER_ACTIVITY,
  readLines,
  RECORDED,
} from "../../../support/providers/recorded-lines.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";

/** Ahead of the database's clock, so that finished work is not due again during the test. */
const NOW = Date.now() + 86_400_000;

const TABLES = [
  "ledger_entries",
  "positions",
  "trader_totals",
  "trader_days",
  "large_trades",
  // A trader whose history is reset publishes the end of its first sync again.
  "(select * from events where type <> 'trader_synced')",
  "trader_activity",
  "traders",
  "quarantined_records",
];

/**
 * Reads feeds, markets, payouts and the activity of followed traders from their beginning, in a process
 * without state.
 */
async function replay(pool: Pool, endpoint: ProviderEndpoint): Promise<void> {
  await pool.query(
    `delete from ingest_checkpoints;
     update trader_syncs set resume = null, covered_to = null, complete_at = null, due_at = now();
     update markets set hydrated_at = null, hydrate_enqueued_at = null, hydrate_attempts = 0, result_due_at = '2000-01-01'`,
  );
  await runUntilIdle({ pool, provider: providerAt(endpoint).provider, queue: [], now: () => NOW });
}

/** Row count and contents of each table, including our own ids and recording times. */
async function checksums(pool: Pool): Promise<unknown[]> {
  const one = (table: string) =>
    pool.query(`select $1 as table, count(*), md5(string_agg(t::text, ' ' order by t::text)) from ${table} t`, [table]);
  const sums: unknown[] = [];
  for (const table of TABLES) sums.push(...(await one(table)).rows);
  return sums;
}

/** The number of occurrences of each trade. */
function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]));
}

async function storedTrades(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select concat_ws(' ', '0x' || encode(e.tx_hash, 'hex'), t.address, o.token_id, upper(e.kind), e.shares_micro, extract(epoch from e.traded_at)::int) as name
     from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id where e.kind in ('buy', 'sell')`,
  );
  return rows.map(({ name }) => name);
}

/** The recording's own trades, before they become a page, a payload or a fill. */
async function recordedTrades(): Promise<string[]> {
  const { activity } = await createReplayWorld(RECORDED, "max", Date.now);
  return activity.all
    .filter((movement) => movement.type === "TRADE")
    .map(({ transactionHash, wallet, tokenId, side, size, timestamp }) =>
      [transactionHash.toLowerCase(), wallet.address, tokenId, side, micro(size), timestamp].join(" "),
    );
}

const tradesOf = (name: string): string[] =>
  readLines(name)
    .filter((row) => (row.type ?? "TRADE") === "TRADE")
    .map((row) =>
      [row.transactionHash, row.proxyWallet.toLowerCase(), row.asset, row.side, micro(row.size), row.timestamp].join(
        " ",
      ),
    );

describe.runIf(hasRecorded)("the recorded data set", () => {
  test(
    "the recorded data set is stored trade by trade exactly once without quarantined records, and a second replay changes nothing",
    { timeout: 240_000 },
    async () => {
      const pool = (await createTestDatabase()).openPool();
      const endpoint = await anEndpoint({ kind: "replay", dir: RECORDED, speed: "max" });
      await replay(pool, endpoint);
      const stored = await storedTrades(pool);
      expect(stored.length).toBeGreaterThan(0);
      expect(countEach(stored)).toEqual(countEach(await recordedTrades()));
      const sums = await checksums(pool);
      expect(sums.at(-1)).toMatchObject({ table: "quarantined_records", count: "0" });

      for (const name of ["trades/nobel-2025.data-api-trades.ndjson.gz", ONE_TRADER_ACTIVITY]) {
        const expected = countEach(tradesOf(name));
        expect(countEach(stored.filter((trade) => expected.has(trade)))).toEqual(expected);
      }

      await replay(pool, endpoint);
      expect(await checksums(pool)).toEqual(sums);
    },
  );
});
