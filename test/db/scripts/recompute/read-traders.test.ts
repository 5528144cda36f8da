import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { listRanges, readTradersSnapshot, type TraderRange } from "../../../../scripts/recompute/read-traders.ts";
import { randomHistory } from "../../../../scripts/soak/random-history.ts";
import { ingestHistory } from "../../../../scripts/soak/ingest-history.ts";
import { connectClient } from "../../../support/database/connect-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";

const LAST_ID = "9223372036854775807";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

async function readAll(client: pg.Client, ranges: readonly TraderRange[]) {
  const read = [];
  for (const range of ranges) read.push(await readTradersSnapshot(client, range));
  return read;
}

test("a database without entries is one open range", async () => {
  expect(await listRanges(await connectClient(database.databaseUrl), 10)).toEqual([{ after: "-1", upTo: LAST_ID }]);
});

test("ranges are contiguous, keep each trader whole, have about the requested number of entries and cover everything", async () => {
  const client = await connectClient(database.databaseUrl);
  const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 });
  // The only difference between the drivers that matters to ingest is how they reach the server.
  await ingestHistory(
    pool as unknown as Parameters<typeof ingestHistory>[0],
    randomHistory(600, 11),
    1,
    () => undefined,
  );
  await pool.end();
  const { rows } = await client.query<{ trader_id: string; entries: number }>(
    `select trader_id, count(*)::int as entries from ledger_entries group by trader_id order by trader_id`,
  );
  const mostOfOne = Math.max(...rows.map(({ entries }) => entries));

  const ranges = await listRanges(client, 60);
  expect(ranges.length).toBeGreaterThan(3);
  expect(ranges[0]?.after).toBe("-1");
  expect(ranges.at(-1)?.upTo).toBe(LAST_ID);
  for (const [index, { after }] of ranges.slice(1).entries()) expect(after).toBe(ranges[index]?.upTo);

  const parts = await readAll(client, ranges);
  for (const { traders } of parts) {
    expect(traders.reduce((sum, { facts }) => sum + facts.entries.length, 0)).toBeLessThan(60 + mostOfOne);
  }
  const read = parts.flatMap(({ traders }) => traders);
  const counts = read
    .map(({ facts }) => ({ trader_id: facts.traderId, entries: facts.entries.length }))
    .filter(({ entries }) => entries > 0);
  expect(counts.toSorted((a, b) => Number(a.trader_id) - Number(b.trader_id))).toEqual(rows);

  const byId = (one: (typeof read)[number], other: (typeof read)[number]) =>
    Number(one.facts.traderId) - Number(other.facts.traderId);
  const [whole] = await readAll(client, [{ after: "-1", upTo: LAST_ID }]);
  const inOrder = (wallets: typeof read) =>
    wallets.toSorted(byId).map(({ facts, stored }) => ({
      ...facts,
      entries: facts.entries.toSorted((a, b) => Number(a.id) - Number(b.id)),
      stored,
    }));
  expect(inOrder(read)).toEqual(inOrder([...(whole?.traders ?? [])]));
});
