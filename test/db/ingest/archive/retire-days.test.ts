import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { decodeParquet } from "../../../../scripts/archive/decode-parquet.ts";
import { listArchivedDays, verifyDay, type Download } from "../../../../scripts/archive/verify-day.ts";
import { sessionOf } from "../../../../src/db/client.ts";
import { markets, traderGrades } from "../../../../src/db/schema.ts";
import { ARCHIVE_DATASET_NAMES } from "../../../../src/domain/proofs/archive-datasets.ts";
import { DayManifest } from "../../../../src/domain/proofs/day-manifest.ts";
import { archiveNextPart } from "../../../../src/ingest/archive/archive-days.ts";
import { boundsOf } from "../../../../src/ingest/archive/closed-days.ts";
import { retireNextDay, rowsOf } from "../../../../src/ingest/archive/retire-days.ts";
import { findStoredProblem } from "../../../../src/ingest/archive/verify-stored.ts";
import { DAY_MS, utcDate } from "../../../../src/scoring/utc-calendar.ts";
import { MemoryStore } from "../../../support/archive/memory-store.ts";
import { TEST_SIGNING_KEY } from "../../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const COMMAND = new URL("../../../../scripts/archive/main.ts", import.meta.url).pathname;
const DAYS = 2;
/** Read by each test: midnight may pass between two of them. */
let today: string;
/** The retention of today ends at `over`; the archive's job ran at `archivedAt`. */
let archivedAt: Date;
let over: Date;
let file: string;

let database: TestDatabase;
let market: SeededMarket;
let store: MemoryStore;

/** Today has rows of every dataset, and is archived. */
beforeEach(async () => {
  today = utcDate(Date.now());
  archivedAt = new Date(Date.parse(today) + 2 * DAY_MS);
  over = new Date(Date.parse(today) + (DAYS + 1) * DAY_MS);
  file = `archive/v1/resolutions/day=${today}/part-0000.parquet`;
  database = await createTestDatabase();
  const { db } = database;
  const trader = await aSeededTrader(db);
  market = await aMarket(db);
  for (const shares of [10, 20, 30]) await aFill(db, { trader, market, shares });
  await aPublishedLargeTrade(db, { trader, market });
  const grade = { traderId: trader.id, validFrom: new Date(), methodVersion: "v1", inputHash: "h", components: {} };
  await db.insert(traderGrades).values({ ...grade, grade: "A", score: 81.1 + 0.05 });
  await db.insert(traderGrades).values({ ...grade, ungradedReason: "too_few_bets" });
  await settle([1_000_000, 0]);
  await settle(null);
  await aPick(db, { date: today, outcomes: ["win"], publishedAt: new Date() });
  await passHorizon(db);
  store = new MemoryStore();
  await archive(archivedAt);
});

const settle = (payoutsPpm: number[] | null) =>
  database.db
    .update(markets)
    .set({ payoutsPpm, resolutionStatus: "resolved", resolvedAt: payoutsPpm === null ? null : new Date() })
    .where(eq(markets.id, Number(market.id)));

async function archive(now: Date): Promise<void> {
  const pool = database.openPool();
  while (await archiveNextPart(pool, { store, signingKey: TEST_SIGNING_KEY }, now));
}

async function retire(now: Date): Promise<void> {
  const pool = database.openPool();
  while (await retireNextDay(pool, store, DAYS, now));
}

const count = async (table: string): Promise<number> =>
  Number((await database.db.execute(sql`select count(*) as rows from ${sql.identifier(table)}`)).rows[0]?.["rows"]);
const retirements = async () =>
  (await database.db.execute(sql`select day::text as day, dataset, rows from archive_retirements`)).rows;

/** Changes a row that triggers protect. */
const tamper = async (statement: string): Promise<void> => {
  const client = await database.openPool().connect();
  await client.query("set session_replication_role = replica");
  await client.query(statement);
  await client.query("set session_replication_role = origin");
  client.release();
};

describe("the results of an archived day", () => {
  test("leave when the day has been over for the retention, and no other row leaves", async () => {
    const tables = ["ledger_entries", "large_trades", "trader_grades", "pick_commitments", "archive_blocks", "markets"];
    const before = await Promise.all(tables.map(count));
    expect(await count("market_resolutions")).toBe(2);
    await retire(new Date(over.getTime() - 1));
    expect([await count("market_resolutions"), await retirements()]).toEqual([2, []]);
    await retire(over);
    expect(await count("market_resolutions")).toBe(0);
    expect(await retirements()).toEqual([{ day: today, dataset: "resolutions", rows: 2 }]);
    expect(await Promise.all(tables.map(count))).toEqual(before);
    await retire(over);
    expect(await retirements()).toHaveLength(1);
  });

  test.each<[string, () => unknown, string]>([
    ["a file is missing", () => store.files.delete(file), "is not stored"],
    ["a file has other bytes", () => store.files.set(file, new Uint8Array(10)), "has another SHA-256"],
    [
      "a row differs",
      () => tamper("update market_resolutions set status = 'x' where payouts_ppm is null"),
      "differs from the database",
    ],
    [
      "a row is lost",
      () => tamper("delete from market_resolutions where payouts_ppm is null"),
      "differs from the database",
    ],
    [
      "a row appeared",
      () => tamper("insert into market_resolutions (market_id, status) values (1, 'x')"),
      "has rows of resolutions that the archive lacks",
    ],
    [
      "the manifest differs",
      () => tamper("update archive_days set manifest = replace(manifest, '\"rows\":2', '\"rows\":9')"),
      "wrong signature",
    ],
  ])("stay while %s", async (_, damage, reason) => {
    await damage();
    const before = await count("market_resolutions");
    await expect(retire(over)).rejects.toThrow(reason);
    expect([await count("market_resolutions"), await retirements()]).toEqual([before, []]);
  });

  test("can be deleted by nothing else, and nothing changes a retirement", async () => {
    const remove = () => database.db.execute(sql`delete from market_resolutions`);
    await expect(remove()).rejects.toThrow();
    await retire(over);
    await settle([0, 1_000_000]);
    // Recorded on the retired day, which only a test's clock can do.
    expect(await count("market_resolutions")).toBe(1);
    await expect(database.db.execute(sql`update market_resolutions set status = 'x'`)).rejects.toThrow();
    await expect(database.db.execute(sql`delete from archive_retirements`)).rejects.toThrow();
    await expect(database.db.execute(sql`delete from archive_days`)).rejects.toThrow();
  });

  test("are followed by those of later days", async () => {
    await retire(over);
    await database.db.execute(sql`insert into market_resolutions (market_id, status, payouts_ppm, recorded_at)
      values (${market.id}, 'resolved', '{0,1000000}', ${`${utcDate(over.getTime())}T10:00:00Z`}::timestamptz)`);
    await archive(new Date(over.getTime() + 2 * DAY_MS));
    const days = await listArchivedDays(sessionOf(database.openPool()), utcDate(over.getTime()));
    const manifest = DayManifest.parse(JSON.parse(days[0]?.manifest ?? ""));
    expect(manifest.datasets.find(({ name }) => name === "resolutions")).toMatchObject({
      rows: 1,
      first_row: 3,
      last_row: 3,
    });
  });
});

test("the files of every dataset are read back row by row", async () => {
  const session = sessionOf(database.openPool());
  const [day] = await listArchivedDays(session, today);
  const manifest = DayManifest.parse(JSON.parse(day?.manifest ?? ""));
  expect(manifest.datasets.map(({ name }) => name)).toEqual(ARCHIVE_DATASET_NAMES);
  const read = async (key: string) => store.files.get(key) ?? null;
  for (const dataset of manifest.datasets) {
    expect(dataset.rows).toBeGreaterThan(0);
    expect(
      await findStoredProblem(dataset, read, {
        readRows: rowsOf(session, dataset.name, boundsOf(today)),
        decode: decodeParquet,
      }),
    ).toBeNull();
    expect(
      await findStoredProblem({ ...dataset, merkle_root: "0".repeat(64) }, read, {
        readRows: null,
        decode: decodeParquet,
      }),
    ).toContain("another Merkle root");
  }
});

describe("the verification at the border", () => {
  async function findings(download: Download | null) {
    const session = sessionOf(database.openPool());
    const found = [];
    for (const day of await listArchivedDays(session, today))
      for await (const finding of verifyDay(session, day, download)) found.push(finding);
    return found;
  }
  const stored: Download = async (key) => store.files.get(key) ?? null;
  const ofResults = async (download: Download | null) =>
    (await findings(download)).filter(({ subject }) => subject.includes("resolutions"));

  test("compares the files alone, and says so", async () => {
    await retire(over);
    expect((await findings(stored)).every(({ isEqual }) => isEqual === true)).toBe(true);
    const detail = `2 rows, from the files alone: they left Postgres at ${over.toISOString()}`;
    expect(await ofResults(stored)).toEqual([{ subject: `resolutions ${today}`, isEqual: true, detail }]);
    expect(await ofResults(null)).toMatchObject([
      { isEqual: null, detail: expect.stringContaining("compare files with --url") },
    ]);
    store.files.set(file, new Uint8Array(10));
    expect(await ofResults(stored)).toMatchObject([{ isEqual: false, detail: `${file} has another SHA-256` }]);
  });

  test("finds rows that came back", async () => {
    await retire(over);
    await settle([0, 1_000_000]);
    expect(await ofResults(stored)).toMatchObject([
      { isEqual: false, detail: expect.stringContaining("it has rows of this day") },
    ]);
  });

  test("is listed by npm run archive, which counts what it could not compare", async () => {
    await retire(over);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", COMMAND, "--verify", "--day", today],
      { env: { ...process.env, DATABASE_URL: database.databaseUrl } },
    );
    expect(stdout).toMatch(new RegExp(`^UNSEEN +resolutions ${today}: 2 rows left Postgres at`, "m"));
    expect(stdout).toMatch(/^1 days, 0 differences, 1 not compared$/m);
  });
});
