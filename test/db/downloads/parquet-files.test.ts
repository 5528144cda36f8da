import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accounts } from "../../../src/db/schema.ts";
import { submitJob } from "../../../src/queries/exports/export-jobs.ts";
import { queryDuckDb } from "../../support/archive/duckdb.ts";
import { TEST_PUBLIC_KEY } from "../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { ExportConsumer, stateOf } from "../../support/exports/export-consumer.ts";
import { FaultyArtifactStore } from "../../support/exports/faulty-artifact-store.ts";
import { aReadyFile, type ReadyFile } from "../../support/exports/ready-file.ts";
import { verifyDownload } from "../../support/exports/verify-download.ts";
import { watchStatements } from "../../support/exports/watch-statements.ts";
import { aFill } from "../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../support/seed/large-trades.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../support/seed/traders/traders.ts";

const ROWS = 61;
const NOW = Date.parse("2026-11-21T12:00:00Z");
const FILTERS = {
  ...{ from: "2026-11-19T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" },
  ...{ condition_id: null, min_size_cents: null },
};
const KEY = ["--key", TEST_PUBLIC_KEY];
/** The statements of docs/files.md that give the rows of a file their canonical values: of a dataset, of an export. */
const STATEMENTS = [
  ...readFileSync(new URL("../../../docs/files.md", import.meta.url), "utf8").matchAll(/```sql\n(COPY .*?)```/gs),
].map(([, statement = ""]) => statement);
const KINDS = ["dataset", "export"] as const;

let database: TestDatabase;
let trader: SeededTrader;
const files = {} as Record<(typeof KINDS)[number], ReadyFile & { ndjson: ReadyFile }>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  trader = await aSeededTrader(db);
  const titles = ['one,\n"two"', "a\u2028b", null];
  const markets = await Promise.all(titles.map((title) => aMarket(db, { title })));
  for (let n = 0; n < ROWS; n += 1) {
    const market = markets[n % markets.length] ?? (await aMarket(db));
    const tradedAt = new Date(Date.parse("2026-11-20T00:00:00Z") + n * 501);
    const size = { sizeUsdMicro: 10_000_000_000n + BigInt(n) * 1_234_567n, price: `0.${String(100 + n)}` };
    await aPublishedLargeTrade(db, { market, trader: await aSeededTrader(db), tradedAt, ...size });
    await aFill(db, { trader, market, at: tradedAt.toISOString(), isTaker: n % 2 === 0 });
  }
  await passHorizon(db);
  for (const kind of KINDS) {
    const traderId = kind === "dataset" ? null : trader.id;
    const ndjson = await aReadyFile(database, { traderId, format: "ndjson" });
    files[kind] = { ...(await aReadyFile(database, { traderId, format: "parquet" })), ndjson };
  }
});

function aFileOf(bytes: Uint8Array): { file: string; rows: string } {
  const dir = mkdtempSync(join(tmpdir(), "parquet-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "file.parquet");
  writeFileSync(file, bytes);
  return { file, rows: join(dir, "rows.ndjson") };
}

/** Lets DuckDB write the rows of a Parquet file as NDJSON. @returns the path */
async function rowsOf(kind: (typeof KINDS)[number], bytes: Uint8Array, where = "true"): Promise<string> {
  const { file, rows } = aFileOf(bytes);
  const statement = STATEMENTS[KINDS.indexOf(kind)] ?? "";
  await queryDuckDb(
    statement
      .replace(/'[^']*\.parquet'/, `'${file}'`)
      .replace("rows.ndjson", rows)
      .replace("ORDER BY", `WHERE ${where} ORDER BY`),
  );
  return rows;
}

describe.for(KINDS)("a Parquet file of a %s", (kind) => {
  test("is stored as it is, with row groups, and DuckDB reads the rows of the NDJSON file", async () => {
    const { status, bytes, content, ndjson } = files[kind];
    expect(content).toBe(bytes);
    expect(status.data.artifact).toMatchObject({
      ...{ content_type: "application/vnd.apache.parquet", content_encoding: null },
      manifest: { format: "parquet", row_count: ROWS, merkle_root: ndjson.status.data.artifact.manifest.merkle_root },
    });
    const { file } = aFileOf(bytes);
    const groups = await queryDuckDb(
      `select distinct row_group_id as n, row_group_num_rows as rows from parquet_metadata('${file}') order by 1`,
    );
    expect(groups.map(({ rows }) => Number(rows))).toEqual([28, 28, 5]);
    const own = await queryDuckDb(`select id, price, size_usd::varchar as size from '${file}'`);
    const lines = new TextDecoder()
      .decode(ndjson.content)
      .trimEnd()
      .split("\n")
      .slice(kind === "export" ? 1 : 0);
    expect(own).toEqual(
      lines.map((line) => JSON.parse(line)).map(({ id, price, size_usd }) => ({ id, price, size: size_usd })),
    );
  });

  test("passes verification, with its rows from DuckDB and without them", async () => {
    const { status, bytes } = files[kind];
    expect(await verifyDownload({ bytes, status, args: KEY })).toMatchObject({
      ...{ code: 0, text: expect.stringMatching(/checked: signature, stored bytes, not the rows$/) },
    });
    const rows = await rowsOf(kind, bytes);
    expect(await verifyDownload({ bytes, status, args: [rows, ...KEY] })).toMatchObject({
      ...{ code: 0, text: expect.stringMatching(/checked: signature, stored bytes, rows$/) },
    });
  });

  test("fails with one changed byte, and with rows that are not all of the file", async () => {
    const { status, bytes } = files[kind];
    for (const at of [0, 100, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1);
      expect(await verifyDownload({ bytes: changed, status, args: KEY })).toMatchObject({
        ...{ code: 1, text: expect.stringMatching(/^FAILED {2}the SHA-256 of the stored file is/) },
      });
    }
    const fewer = await rowsOf(kind, bytes, "file_row_number <> 30");
    expect(await verifyDownload({ bytes, status, args: [fewer, ...KEY] })).toMatchObject({
      ...{
        code: 1,
        text: expect.stringContaining(`the number of rows is ${ROWS - 1}, the signed manifest says ${ROWS}`),
      },
    });
  });

  test("without rows can be read and verified", async () => {
    const traderId = kind === "dataset" ? null : (await aSeededTrader(database.db)).id;
    const empty = await aReadyFile(database, { traderId, format: "parquet", minSizeCents: 99_999_999_999 });
    const { file } = aFileOf(empty.bytes);
    expect(await queryDuckDb(`select count(*) as rows, count(price) as prices from '${file}'`)).toEqual([
      { rows: "0", prices: "0" },
    ]);
    const { code, text } = await verifyDownload({ bytes: empty.bytes, status: empty.status, args: KEY });
    expect([code, text]).toEqual([0, expect.stringContaining("OK  0 rows")]);
  });
});

test("the footer of an export has the envelope of its NDJSON file", async () => {
  const { bytes, ndjson } = files.export;
  const { file } = aFileOf(bytes);
  const [entry] = await queryDuckDb(
    `select decode(value) as value from parquet_kv_metadata('${file}') where decode(key) = 'envelope'`,
  );
  const [line = ""] = new TextDecoder().decode(ndjson.content).split("\n");
  const { generation: _, schema_version: __, ...expected } = JSON.parse(line);
  expect(JSON.parse(entry?.["value"])).toMatchObject({ ...expected, schema_version: "trader-export-parquet-v1" });
});

test("a consumer that is killed at any step, or stored less than it now must, leaves a dataset that ends with the same bytes", async () => {
  const { db } = database;
  const [account] = await db.insert(accounts).values({ email: "killed@example.test", plan: "pro" }).returning();
  const store = new FaultyArtifactStore(400);
  const limits = { rows: 24, ms: 240_000, pageRows: 2, partBytes: 400 };
  const consumer = new ExportConsumer(db, database.openPool(), store, NOW, limits);
  const submit = async () => {
    const submitted = await submitJob(
      db,
      {
        ...{ accountId: account?.id ?? 0, kind: "whale_dataset", traderId: null, format: "parquet", request: FILTERS },
        ...{ requestKey: "key", reusedStates: [] },
      },
      [],
      new Date(consumer.nowMs),
    );
    if (submitted.kind !== "submitted") throw new Error("the job was not submitted");
    return submitted.job.id;
  };
  const fileOf = async (jobId: number) => {
    const { rows } = await db.execute(sql`select object_key from export_jobs where id = ${jobId}`);
    return store.objects.get(String(rows[0]?.["object_key"]))?.bytes ?? new Uint8Array(0);
  };
  const undisturbed = await submit();
  expect(await consumer.finish(undisturbed)).toBe("ready");
  const expected = await fileOf(undisturbed);
  const { file } = aFileOf(expected);
  const groups = await queryDuckDb(`select count(distinct row_group_id) as n from parquet_metadata('${file}')`);
  expect(groups).toEqual([{ n: "8" }]);
  let kills = 0;
  for (let survived = false; !survived; kills += 1) {
    const jobId = await submit();
    let left = kills;
    const step = () => {
      left -= 1;
      if (left < 0) throw new Error("killed");
    };
    store.faultOf = () => (step(), null);
    const killable = watchStatements(db, step);
    // Runs hand the job on, so that the kill may hit any of them.
    let outcome = await consumer.run(jobId, { db: killable }).catch(() => null);
    while (outcome?.kind === "again" && outcome.dueAt.getTime() <= consumer.nowMs)
      outcome = await consumer.run(jobId, { db: killable }).catch(() => null);
    survived = (await stateOf(db, jobId)) === "ready" && left >= 0;
    store.faultOf = () => null;
    expect(await consumer.finish(jobId)).toBe("ready");
    expect(await fileOf(jobId)).toEqual(expected);
  }
  expect(kills).toBeGreaterThan(20);
  // The progress of a release that stored less.
  const jobId = await submit();
  await consumer.run(jobId);
  expect(await stateOf(db, jobId)).toBe("running");
  await db.execute(sql`update export_jobs set progress = progress - 'tree' - 'parquet' where id = ${jobId}`);
  expect(await consumer.finish(jobId)).toBe("ready");
  expect(await fileOf(jobId)).toEqual(expected);
}, 240_000);
