import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { DayManifest } from "../../../../src/domain/proofs/day-manifest.ts";
import { isSignedBy } from "../../../../src/domain/proofs/signing.ts";
import { markets } from "../../../../src/db/schema.ts";
import { readAvro } from "../../../../src/lib/avro/read-avro.ts";
import { publishNextDay } from "../../../../src/ingest/archive/iceberg/publish-iceberg.ts";
import { retireNextDay } from "../../../../src/ingest/archive/retire-days.ts";
import { CATALOG, MemoryCatalog } from "../../../support/archive/iceberg-catalog.ts";
import { archiveNextPart } from "../../../../src/ingest/archive/archive-days.ts";
import { sha256Hex } from "../../../../src/ingest/archive/put-once.ts";
import { R2ArtifactStore } from "../../../../src/platform/artifacts/r2-artifact-store.ts";
import { TEST_PUBLIC_KEY, TEST_SIGNING_KEY } from "../../../support/archive/signing-key.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { passHorizon } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const { ARCHIVE } = env as Env;

test("a day is written to R2 and signed inside workerd", async () => {
  const { db, openPool } = await createTestDatabase();
  const facts = { trader: await aSeededTrader(db), market: await aMarket(db) };
  for (const shares of [1, 2, 3]) await aFill(db, { ...facts, shares });
  await passHorizon(db);
  const target = { store: new R2ArtifactStore(ARCHIVE), signingKey: TEST_SIGNING_KEY };
  const pool = openPool();
  const afterTheDay = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 7_201_000);
  while (await archiveNextPart(pool, target, afterTheDay));
  const { rows } = await db.execute(sql`select manifest, signature from archive_days`);
  const [{ manifest: text, signature } = { manifest: "", signature: "" }] = rows as Record<string, string>[];
  expect(await isSignedBy(TEST_PUBLIC_KEY, text ?? "", signature ?? "")).toBe(true);
  const { day, datasets } = DayManifest.parse(JSON.parse(text ?? ""));
  const [file] = datasets.flatMap(({ files }) => files);
  expect(file).toMatchObject({ key: `archive/v1/fills/day=${day}/part-0000.parquet`, rows: 3 });
  const stored = await ARCHIVE.get(file?.key ?? "");
  const bytes = new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect([bytes.length, sha256Hex(bytes)]).toEqual([file?.bytes, file?.sha256]);
  expect(stored?.httpMetadata?.contentType).toBe("application/vnd.apache.parquet");
  const head = await ARCHIVE.get(`archive/v1/manifests/${day}.json`);
  expect(await head?.json()).toMatchObject({ manifest: text, signature, public_key: TEST_PUBLIC_KEY });
});

test("a day is added to Iceberg tables, and its results retire, inside workerd", async () => {
  const { db, openPool } = await createTestDatabase();
  const [trader, market] = [await aSeededTrader(db), await aMarket(db)];
  await aFill(db, { trader, market });
  await db.update(markets).set({ payoutsPpm: [1_000_000, 0], resolutionStatus: "resolved", resolvedAt: new Date() });
  await passHorizon(db);
  const store = new R2ArtifactStore(ARCHIVE);
  await store.delete((await store.list("archive/")).keys);
  const pool = openPool();
  const afterTheDay = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 7_201_000);
  while (await archiveNextPart(pool, { store, signingKey: TEST_SIGNING_KEY }, afterTheDay));

  const catalog = new MemoryCatalog();
  const ports = { settings: CATALOG, fetch: catalog.fetch, store };
  while (catalog.table("fills")?.snapshots.length !== 1) await publishNextDay(pool, ports, afterTheDay);
  // An id of 63 bits, as another writer gives, is read and sent back.
  catalog.rewrite("fills");
  await db.execute(sql`delete from iceberg_tables`);
  while (await publishNextDay(pool, ports, afterTheDay));
  expect(catalog.table("fills")?.snapshots).toHaveLength(2);
  const list = catalog.table("fills")?.snapshots[0]?.["manifest-list"] ?? "";
  const stored = await ARCHIVE.get(list.slice("s3://archive/".length));
  const { records } = await readAvro(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0)));
  expect(records).toMatchObject([{ added_files_count: 1, added_rows_count: 1n }]);

  while (await retireNextDay(pool, store, 1, new Date(afterTheDay.getTime() + 86_400_000)));
  const { rows } = await db.execute(sql`select dataset, rows, (select count(*) from market_resolutions)::int as left
    from archive_retirements order by day limit 1`);
  expect(rows).toEqual([{ dataset: "resolutions", rows: 1, left: 0 }]);
});
