import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pickCommitments } from "../../../../src/db/schema.ts";
import { archiveNextPart } from "../../../../src/ingest/archive/archive-days.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";
import { queryDuckDb } from "../../../support/archive/duckdb.ts";
import { MemoryStore } from "../../../support/archive/memory-store.ts";
import { TEST_SIGNING_KEY } from "../../../support/archive/signing-key.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { passHorizon } from "../../../support/seed/large-trades.ts";
import { someSealedPicks } from "../../../support/seed/picks/sealed-picks.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

/** The content of a file: the rows of a Parquet file, else its text. */
async function contentOf(path: string, bytes: Uint8Array): Promise<string> {
  if (!path.endsWith(".parquet")) return new TextDecoder().decode(bytes);
  return JSON.stringify(await queryDuckDb(`select * from '${path}'`));
}

test("the signed archive has the hash of every sealed pick, and of no sealed pick the nonce or the payload", async () => {
  const { db, openPool } = await createTestDatabase();
  const picks = await someSealedPicks(db);
  const trader = await aSeededTrader(db);
  for (const { market } of picks.sealed) await aFill(db, { trader, market });
  await passHorizon(db);
  const store = new MemoryStore();
  const pool = openPool();
  const target = { store, signingKey: TEST_SIGNING_KEY };
  while (await archiveNextPart(pool, target, new Date(Date.now() + 3 * DAY_MS)));

  const dir = mkdtempSync(join(tmpdir(), "sealed-archive-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const contents: string[] = [];
  for (const [key, bytes] of store.files) {
    const path = join(dir, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    contents.push(await contentOf(path, bytes));
  }
  const all = contents.join("\n");
  const hashes = await db.select({ hash: pickCommitments.hash }).from(pickCommitments);
  expect(hashes).toHaveLength(5);
  for (const { hash } of hashes) expect(all).toContain(hash);
  // The opened pick shows that a nonce would be seen.
  expect(all).toContain(picks.opened.nonce);
  const { rows } = await pool.query("select manifest from archive_days");
  const signed = `${all}\n${JSON.stringify(rows)}`;
  expect(picks.secrets.filter((secret) => signed.includes(secret))).toEqual([]);
});
