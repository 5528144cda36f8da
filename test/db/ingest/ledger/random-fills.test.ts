import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, test } from "vitest";
import type { StoredDifference } from "../../../../scripts/recompute/figures.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { digestTables } from "../../../../scripts/soak/digest-tables.ts";
import { randomHistory } from "../../../../scripts/soak/random-history.ts";
import { ingestHistory } from "../../../../scripts/soak/ingest-history.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

const FILLS = 20_000;

async function soak(split: number) {
  const { databaseUrl } = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    // Over TCP instead of a WebSocket, which takes half the time. Ingest only uses what both drivers support.
    await ingestHistory(pool as unknown as Pool, randomHistory(FILLS, 1), split, () => undefined);
    const client = await pool.connect();
    const differences: StoredDifference[] = [];
    const { entries } = await recompute(client, {
      verify: true,
      onDifference: (difference) => differences.push(difference),
    });
    const digests = await digestTables(client);
    client.release();
    return { entries, differences, digests };
  } finally {
    await pool.end();
  }
}

// `npm run soak` does the same with a million fills.
test(
  "random fills in different pages, with repeats and late arrivals, match a fold from the beginning and give the same tables",
  { timeout: 240_000 },
  async () => {
    const [first, second] = await Promise.all([soak(1), soak(2)]);
    expect(first.entries).toBeGreaterThan(FILLS);
    expect(first.differences).toEqual([]);
    expect(second).toEqual(first);
  },
);
