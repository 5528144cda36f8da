import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { listArchivedDays, verifyDay, type Finding } from "../../../../scripts/archive/verify-day.ts";
import { sessionOf } from "../../../../src/db/client.ts";
import { ledgerEntries, markets, traderGrades } from "../../../../src/db/schema.ts";
import { DayManifest } from "../../../../src/domain/proofs/day-manifest.ts";
import { fromHex, toHex } from "../../../../src/domain/proofs/hex.ts";
import { consistencyProof } from "../../../../src/domain/proofs/merkle-tree.ts";
import { archiveNextPart } from "../../../../src/ingest/archive/archive-days.ts";
import { proveRow } from "../../../../src/operations/proofs/prove-row.ts";
import { DAY_MS, utcDate } from "../../../../src/scoring/utc-calendar.ts";
import { queryDuckDb } from "../../../support/archive/duckdb.ts";
import { MemoryStore } from "../../../support/archive/memory-store.ts";
import { TEST_PUBLIC_KEY, TEST_SIGNING_KEY } from "../../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const VERIFY = new URL("../../../../docs/verify.mjs", import.meta.url).pathname;
const COMMAND = new URL("../../../../scripts/archive/main.ts", import.meta.url).pathname;
/** Read by each test: midnight may pass between two of them. */
let today: string;
/** Today and tomorrow have closed by then, whatever the hour. No row is recorded after today. */
const afterTomorrow = () => new Date(Date.parse(today) + 2.5 * DAY_MS);

let database: TestDatabase;
let trader: SeededTrader;
let market: SeededMarket;

beforeEach(async () => {
  today = utcDate(Date.now());
  database = await createTestDatabase();
  trader = await aSeededTrader(database.db);
  market = await aMarket(database.db);
});

/** Archives every closed day. @returns the stored files by key */
async function archive(now = afterTomorrow(), store = new MemoryStore()): Promise<Map<string, Uint8Array>> {
  const pool = database.openPool();
  await passHorizon(database.db);
  while (await archiveNextPart(pool, { store, signingKey: TEST_SIGNING_KEY }, now));
  return store.files;
}

async function manifests(): Promise<DayManifest[]> {
  const days = await listArchivedDays(sessionOf(database.openPool()), null);
  return days.map(({ manifest }) => DayManifest.parse(JSON.parse(manifest)));
}

/** Writes the files of the bucket into a directory. */
function asDirectory(files: ReadonlyMap<string, Uint8Array | string>): string {
  const dir = mkdtempSync(join(tmpdir(), "archive-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [key, bytes] of files) {
    mkdirSync(dirname(join(dir, key)), { recursive: true });
    writeFileSync(join(dir, key), bytes);
  }
  return dir;
}

/** Runs docs/verify.mjs as anyone would. */
async function verify(...args: string[]): Promise<{ code: number; output: string }> {
  return promisify(execFile)(process.execPath, [VERIFY, ...args, "--key", TEST_PUBLIC_KEY]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
  );
}

const rowsOf = (manifest: DayManifest | undefined, name: string) =>
  manifest?.datasets.find((dataset) => dataset.name === name)?.rows;

describe("a day", () => {
  test("is archived with every fill, large trade, resolution, grade and pick that was recorded on it", async () => {
    const { db } = database;
    for (const shares of [10, 20, 30]) await aFill(db, { trader, market, shares });
    await aFill(db, { trader, market, kind: "split" });
    await aPublishedLargeTrade(db, { trader, market });
    await db.insert(traderGrades).values({
      ...{ traderId: trader.id, validFrom: new Date(), methodVersion: "v1", inputHash: "h", components: {} },
      ...{ grade: "A", score: 81.25 },
    });
    await db.update(markets).set({ payoutsPpm: [1_000_000, 0], resolutionStatus: "resolved", resolvedAt: new Date() });
    await aPick(db, { date: today, outcomes: ["win"], publishedAt: new Date() });
    const files = await archive();
    const [first, second] = await manifests();
    expect(first?.datasets.map(({ name, rows }) => [name, rows])).toEqual([
      ["fills", 4],
      ["large_trades", 1],
      ["resolutions", 1],
      ["grade_changes", 1],
      ["pick_commitments", 1],
      ["pick_openings", 1],
    ]);
    expect(first).toMatchObject({ day: today, sequence: 0, previous_head: null, outbox: { events: 1, gap: null } });
    expect(second?.datasets.map(({ rows, files: own }) => [rows, own])).toEqual(first?.datasets.map(() => [0, []]));
    const dir = asDirectory(files);
    const read = await queryDuckDb(`select day::text as day, count(*)::int as rows, sum(shares_micro)::text as shares,
      min(wallet) as wallet, min(condition_id) as market from '${dir}/archive/v1/fills/*/*.parquet' group by day`);
    const stored = { day: today, rows: 4, shares: "20060000000", wallet: trader.address, market: market.conditionId };
    expect(read).toEqual([stored]);
    expect(
      await queryDuckDb(`select payouts_ppm, status from '${dir}/archive/v1/resolutions/*/*.parquet' limit 1`),
    ).toEqual([{ payouts_ppm: "[1000000,0]", status: "resolved" }]);
  });

  test("stays open for two hours, and while a transaction from before its end is open", async () => {
    await aFill(database.db, { trader, market });
    const end = Date.parse(`${today}T00:00:00Z`) + DAY_MS;
    expect(await archive(new Date(end + 7_199_000))).toEqual(new Map());
    const client = await database.openPool().connect();
    await client.query("begin");
    expect(await archive(new Date(end + 7_201_000))).toEqual(new Map());
    await client.query("rollback");
    client.release();
    expect((await archive(new Date(end + 7_201_000))).size).toBe(2);
  });

  test("that follows begins where rows and events of the day before end, and has its late fills", async () => {
    const { db } = database;
    const early = await aFill(db, { trader, market, at: "2026-11-01T00:00:00Z" });
    await db.update(ledgerEntries).set({ recordedAt: new Date(Date.now() - DAY_MS) });
    await aFill(db, { trader, market, at: "2026-11-01T00:00:00Z" });
    await aPublishedLargeTrade(db, { trader, market });
    await archive();
    const [first, second, third] = await manifests();
    expect([first, second, third].map((manifest) => rowsOf(manifest, "fills"))).toEqual([1, 2, 0]);
    expect(second?.datasets[0]).toMatchObject({ name: "fills", first_row: 2, last_row: 3 });
    expect(third?.datasets[0]).toMatchObject({ first_row: 4, last_row: 3 });
    expect(second?.outbox).toMatchObject({ events: 1, first_sequence: 1, last_sequence: 1 });
    expect(third?.outbox).toMatchObject({ events: 0, first_sequence: 2, after: second?.outbox.last });
    expect((await proveRow(db, `pe_${early.id}`)).head.day).toBe(utcDate(Date.now() - DAY_MS));
  });

  test("says which events are missing after a restore of the database", async () => {
    const { db } = database;
    await aPublishedLargeTrade(db, { trader, market });
    await archive(new Date(Date.parse(`${today}T00:00:00Z`) + DAY_MS + 7_201_000));
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    const files = await archive();
    const [, second] = await manifests();
    expect(second?.outbox).toMatchObject({ epoch: 2, gap: "epoch_changed", first_sequence: 2 });
    const dir = asDirectory(files);
    expect(files.size).toBeGreaterThan(0);
    const heads = await listHeadFile(dir);
    expect(await verify("heads", heads)).toMatchObject({ code: 1, output: expect.stringContaining("epoch_changed") });
  });

  test("is not signed over other content that is stored already", async () => {
    await aFill(database.db, { trader, market });
    const store = new MemoryStore(new Map([[`archive/v1/manifests/${today}.json`, new TextEncoder().encode("{}")]]));
    await expect(archive(afterTomorrow(), store)).rejects.toThrow("is stored with other content");
    expect(await manifests()).toEqual([]);
  });
});

/** Writes the heads as `GET /proofs/heads` serves them. */
async function listHeadFile(dir: string): Promise<string> {
  const data = await listArchivedDays(sessionOf(database.openPool()), null);
  const file = join(dir, "heads.json");
  writeFileSync(file, JSON.stringify({ data }));
  return file;
}

describe("anyone", () => {
  /** A day of more rows than one file has. */
  async function aBusyDay(): Promise<void> {
    const fill = await aFill(database.db, { trader, market });
    await database.db.execute(sql`
      insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price,
        traded_at)
      select sha256(n::text::bytea), trader_id, outcome_id, market_id, 'buy', n, 0, n, 0.5, traded_at
      from ledger_entries, generate_series(1, 33100) n where id = ${fill.id}`);
  }

  test("can check heads, files, all rows and one row of a day of several files", { timeout: 240_000 }, async () => {
    await aBusyDay();
    const files = await archive();
    const dir = asDirectory(files);
    const heads = await listHeadFile(dir);
    expect(await verify("heads", heads)).toMatchObject({ code: 0, output: expect.stringContaining("2 heads") });
    const parts = [...files.keys()].filter((key) => key.includes("/fills/"));
    expect(parts).toHaveLength(2);
    for (const key of parts) expect(await verify("file", join(dir, key), heads)).toMatchObject({ code: 0 });
    // The rows as DuckDB exports them, by the statement of docs/archive.md.
    const instant = (name: string) => `strftime(make_timestamp(epoch_us(${name})), '%Y-%m-%dT%H:%M:%S.%fZ') as ${name}`;
    const digits = (name: string) => `${name}::varchar as ${name}`;
    await queryDuckDb(`copy (select * from (
      select ${instant("recorded_at")}, ${digits("id")}, ${instant("traded_at")}, tx_hash, ${digits("ordinal")}, wallet,
        condition_id, token_id, side, ${digits("shares_micro")}, ${digits("usd_micro")}, price
      from read_parquet('${dir}/archive/v1/fills/*/*.parquet', hive_partitioning = false)) rows
      order by recorded_at, id::bigint) to '${dir}/rows.ndjson' (format json)`);
    expect(await verify("rows", "fills", join(dir, "rows.ndjson"), heads)).toMatchObject({
      ...{ code: 0, output: expect.stringContaining("33101 rows of fills") },
    });
    const { rows } = await database.db.execute(sql`select id from ledger_entries order by id offset 32900 limit 1`);
    const proof = await proveRow(database.db, `pe_${String(rows[0]?.["id"])}`);
    expect(proof).toMatchObject({ leaf_index: 32_900, tree_size: 33_101 });
    writeFileSync(join(dir, "proof.json"), JSON.stringify({ data: proof }));
    expect(await verify("row", join(dir, "proof.json"))).toMatchObject({ code: 0 });
    const forged = { ...proof, row: proof.row.replace('"side":"BUY"', '"side":"SELL"') };
    writeFileSync(join(dir, "forged.json"), JSON.stringify({ data: forged }));
    expect(await verify("row", join(dir, "forged.json"))).toMatchObject({
      ...{ code: 1, output: expect.stringContaining("not in the signed archive") },
    });
  });

  test("finds a changed file, a changed manifest, another signer and a missing head", async () => {
    await aFill(database.db, { trader, market });
    await database.db.update(ledgerEntries).set({ recordedAt: new Date(Date.now() - DAY_MS) });
    const files = await archive();
    const dir = asDirectory(files);
    const [key = ""] = [...files.keys()].filter((name) => name.endsWith(".parquet"));
    const heads = await listHeadFile(dir);
    writeFileSync(join(dir, "changed.parquet"), Buffer.concat([files.get(key) ?? new Uint8Array(), Buffer.of(0)]));
    expect(await verify("file", join(dir, "changed.parquet"), heads)).toMatchObject({ code: 1 });
    const stored = await listArchivedDays(sessionOf(database.openPool()), null);
    const write = (data: unknown) => writeFileSync(heads, JSON.stringify({ data }));
    write(stored.map((day) => ({ ...day, manifest: day.manifest.replace('"rows":1', '"rows":2') })));
    expect(await verify("heads", heads)).toMatchObject({ code: 1, output: expect.stringContaining("wrong signature") });
    write(stored.map((day) => ({ ...day, public_key: "0".repeat(64) })));
    expect(await verify("heads", heads)).toMatchObject({ code: 1, output: expect.stringContaining("is signed by") });
    write([stored[0], stored[2]]);
    expect(await verify("heads", heads)).toMatchObject({
      code: 1,
      output: expect.stringContaining("heads are missing"),
    });
    expect(await verify("heads")).toMatchObject({ code: 2 });
  });

  test("can check that the log of heads only grew since a head that was saved", async () => {
    await aFill(database.db, { trader, market });
    await database.db.update(ledgerEntries).set({ recordedAt: new Date(Date.now() - 5 * DAY_MS) });
    await archive();
    const heads = join(asDirectory(new Map()), "heads.json");
    const data = await listArchivedDays(sessionOf(database.openPool()), null);
    const log = data.map(({ head }) => fromHex(head));
    const proof = (from: number, to: number) => ({
      ...{ from_sequence: from, to_sequence: to },
      path: consistencyProof(log.slice(0, to), from).map(toHex),
    });
    // Without the heads before them, only the proof connects the two.
    for (const [from, to] of [
      [1, 6],
      [3, 5],
      [4, 6],
      [6, 6],
    ] as const) {
      writeFileSync(heads, JSON.stringify({ data: data.slice(1), consistency: proof(from, to) }));
      expect(await verify("heads", heads)).toMatchObject({
        code: 0,
        output: expect.stringContaining("from head 1 on"),
      });
    }
    const { path, ...sizes } = proof(3, 6);
    for (const wrong of [path.toReversed(), path.slice(1), [...path, path[0]]]) {
      writeFileSync(heads, JSON.stringify({ data: data.slice(1), consistency: { ...sizes, path: wrong } }));
      expect(await verify("heads", heads)).toMatchObject({ code: 1 });
    }
  });

  test("can check that an opened pick was committed to", async () => {
    const pick = await aPick(database.db, { date: today, outcomes: ["win"], publishedAt: new Date() });
    await archive();
    const dir = asDirectory(new Map());
    const { rows } = await database.db.execute(sql`select hash from pick_commitments where pick_id = ${pick.id}`);
    const entry = {
      ...{ state: "opened", pick_id: String(pick.id), commitment_hash: rows[0]?.["hash"] },
      ...{ commitment_nonce: pick.nonce, payload: JSON.parse(pick.payload ?? "") },
    };
    writeFileSync(join(dir, "entry.json"), JSON.stringify({ data: entry }));
    writeFileSync(join(dir, "proof.json"), JSON.stringify({ data: await proveRow(database.db, `pick_${pick.id}`) }));
    const run = () => verify("pick", join(dir, "entry.json"), join(dir, "proof.json"));
    expect(await run()).toMatchObject({ code: 0, output: expect.stringContaining(`pick ${pick.id} was committed`) });
    const other = { ...entry, payload: { ...entry.payload, pick_outcome_label: "Other" } };
    writeFileSync(join(dir, "entry.json"), JSON.stringify({ data: other }));
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining("do not give the hash") });
  });
});

describe("the rebuilt archive", () => {
  async function findings(files: ReadonlyMap<string, Uint8Array>): Promise<Finding[]> {
    const session = sessionOf(database.openPool());
    const found: Finding[] = [];
    for (const day of await listArchivedDays(session, null))
      for await (const finding of verifyDay(session, day, async (key) => files.get(key) ?? null)) found.push(finding);
    return found;
  }
  const problems = (found: readonly Finding[]) => found.filter(({ isEqual }) => !isEqual).map(({ detail }) => detail);

  test("equals what is stored, until a row changes, appears or is lost", async () => {
    const { db } = database;
    for (const shares of [10, 20, 30]) await aFill(db, { trader, market, shares });
    const files = await archive();
    const intact = await findings(files);
    expect(intact.length).toBeGreaterThan(10);
    expect(problems(intact)).toEqual([]);
    await db.execute(sql`update ledger_entries set price = 0.51 where shares_micro = 20000000`);
    expect(problems(await findings(files))).toEqual([
      "the rebuilt file has another SHA-256",
      "the Merkle root of the database's rows is another one",
    ]);
    await db.execute(sql`update ledger_entries set price = 0.5`);
    await aFill(db, { trader, market });
    expect(problems(await findings(files))).toEqual(["the database has rows of this day that the archive lacks"]);
    expect(problems(await findings(new Map()))).toContain("the bucket does not have it");
  });

  test("is compared by npm run archive, which prints a line a file and fails on a difference", async () => {
    await aFill(database.db, { trader, market });
    await archive();
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", COMMAND, ...args], {
        env: { ...process.env, DATABASE_URL: database.databaseUrl },
      }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
          code,
          output: stdout + stderr,
        }),
      );
    const intact = await run("--verify", "--day", today);
    expect(intact).toMatchObject({ code: 0, output: expect.stringContaining("1 days, 0 differences") });
    expect(intact.output).toMatch(new RegExp(`^ok +archive/v1/fills/day=${today}/part-0000.parquet: 1 rows`, "m"));
    await database.db.execute(sql`update ledger_entries set usd_micro = usd_micro + 1`);
    const changed = await run("--verify");
    expect(changed).toMatchObject({ code: 1, output: expect.stringContaining("2 days, 2 differences") });
    expect(changed.output).toMatch(/^DIFFERS +archive\/v1\/fills/m);
    expect(await run("--verify", "--day", "2001-01-01")).toMatchObject({ code: 1 });
    expect(await run("--repair")).toMatchObject({ code: 2 });
    expect(await run("--day", today)).toMatchObject({ code: 2, output: expect.stringContaining("--verify") });
  });

  test("a row that differs from its archived one gets no proof", async () => {
    const fill = await aFill(database.db, { trader, market });
    await archive();
    await database.db.execute(sql`update ledger_entries set price = 0.51`);
    await expect(proveRow(database.db, `pe_${fill.id}`)).rejects.toThrow("differs from its archived row");
  });
});
