import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, test } from "vitest";
import type { Difference } from "../../../scripts/recompute/figures.ts";
import { recompute } from "../../../scripts/recompute/recompute.ts";
import { digestTables } from "../../../scripts/soak/digest-tables.ts";
import { randomHistory } from "../../../scripts/soak/random-history.ts";
import { tell } from "../../../scripts/soak/random-telling.ts";
import { createTestDatabase } from "../../support/database.ts";

const FILLS = 20_000;

async function soak(split: number) {
  const { databaseUrl } = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    // Over TCP in place of a WebSocket, which takes half the time. Ingest uses what both drivers have.
    await tell(pool as unknown as Pool, randomHistory(FILLS, 1), split, () => undefined);
    const client = await pool.connect();
    const differences: Difference[] = [];
    const { entries } = await recompute(client, { verify: true, onDifference: (difference) => differences.push(difference) });
    const digests = await digestTables(client);
    client.release();
    return { entries, differences, digests };
  } finally {
    await pool.end();
  }
}

// `npm run soak` does the same with a million.
test(
  "random fills told in different pages, with repeats and late arrivals, leave what a fold from nothing gives and the same tables",
  { timeout: 60_000 },
  async () => {
    const [first, second] = await Promise.all([soak(1), soak(2)]);
    expect(first.entries).toBeGreaterThan(FILLS);
    expect(first.differences).toEqual([]);
    expect(second).toEqual(first);
  },
);
