import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import type { ProviderEndpoint } from "../../../scripts/provider/index.ts";
import { createReplayWorld } from "../../../scripts/provider/replay/replay-world.ts";
import { createTestDatabase } from "../../support/database.ts";
import { runUntilIdle } from "../../support/ingest/ingest-worker.ts";
import { hasRecorded, micro, ONE_WALLET, readLines, RECORDED } from "../../support/recorded-lines.ts";
import { providerAt } from "../providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../scripts/provider/recordings.ts";

/** Ahead of the database's clock, so that what is done is not due again while the test runs. */
const NOW = Date.now() + 86_400_000;

const TABLES = [
  "ledger_entries",
  "positions",
  "trader_totals",
  "trader_days",
  "large_trades",
  // A wallet that is made to be read from its beginning is read to its end for the first time again.
  "(select * from events where type <> 'trader_synced')",
  "wallet_activity",
  "traders",
  "set_aside_records",
];

/** Feeds, markets, payouts and the activity of followed wallets, read from their beginning by a process that remembers nothing. */
async function replay(pool: Pool, endpoint: ProviderEndpoint): Promise<void> {
  await pool.query(
    `delete from ingest_checkpoints;
     update wallet_syncs set resume = null, covered_to = null, complete_at = null, due_at = now();
     update markets set hydrated_at = null, hydrate_enqueued_at = null, hydrate_attempts = 0, result_due_at = '2000-01-01'`,
  );
  await runUntilIdle({ pool, provider: providerAt(endpoint).provider, queue: [], now: () => NOW });
}

/** Row count and contents, down to our own ids and times of recording. */
async function checksums(pool: Pool): Promise<unknown[]> {
  const one = (table: string) =>
    pool.query(`select $1 as table, count(*), md5(string_agg(t::text, ' ' order by t::text)) from ${table} t`, [table]);
  const sums: unknown[] = [];
  for (const table of TABLES) sums.push(...(await one(table)).rows);
  return sums;
}

/** What each trade is called, as often as it is there. */
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

/** The recording's own trades, before any of it has been a page, a payload or a fill. */
async function recordedTrades(): Promise<string[]> {
  const { movements } = await createReplayWorld(RECORDED, "max", Date.now);
  return movements.all
    .filter((movement) => movement.type === "TRADE")
    .map(({ transactionHash, wallet, tokenId, side, size, timestamp }) =>
      [transactionHash.toLowerCase(), wallet.address, tokenId, side, micro(size), timestamp].join(" "),
    );
}

const tradesOf = (name: string): string[] =>
  readLines(name)
    .filter((row) => (row.type ?? "TRADE") === "TRADE")
    .map((row) => [row.transactionHash, row.proxyWallet.toLowerCase(), row.asset, row.side, micro(row.size), row.timestamp].join(" "));

describe.runIf(hasRecorded)("the recorded data set", () => {
  test(
    "is stored trade by trade exactly once, nothing set aside, and replayed again it changes nothing",
    { timeout: 180_000 },
    async () => {
      const pool = (await createTestDatabase()).openPool();
      const endpoint = await anEndpoint({ kind: "replay", dir: RECORDED, speed: "max" });
      await replay(pool, endpoint);
      const stored = await storedTrades(pool);
      expect(stored.length).toBeGreaterThan(0);
      expect(countEach(stored)).toEqual(countEach(await recordedTrades()));
      const sums = await checksums(pool);
      expect(sums.at(-1)).toMatchObject({ table: "set_aside_records", count: "0" });

      for (const name of ["trades/nobel-2025.data-api-trades.ndjson.gz", ONE_WALLET]) {
        const wanted = countEach(tradesOf(name));
        expect(countEach(stored.filter((trade) => wanted.has(trade)))).toEqual(wanted);
      }

      await replay(pool, endpoint);
      expect(await checksums(pool)).toEqual(sums);
    },
  );
});
