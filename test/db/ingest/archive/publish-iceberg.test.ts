import { sql } from "drizzle-orm";
import { icebergManifests, icebergRead } from "icebird";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ledgerEntries } from "../../../../src/db/schema.ts";
import { readAvro } from "../../../../src/lib/avro/read-avro.ts";
import { stringifyExactJson } from "../../../../src/lib/exact-json.ts";
import { archiveNextPart } from "../../../../src/ingest/archive/archive-days.ts";
import { publishNextDay } from "../../../../src/ingest/archive/iceberg/publish-iceberg.ts";
import { DAY_MS, utcDate } from "../../../../src/scoring/utc-calendar.ts";
import { CATALOG, MemoryCatalog, type CommitFault } from "../../../support/archive/iceberg-catalog.ts";
import { MemoryStore } from "../../../support/archive/memory-store.ts";
import { TEST_SIGNING_KEY } from "../../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

/** Read by each test: midnight may pass between two of them. */
let yesterday: string;
let today: string;
/** Today and tomorrow have closed by then, whatever the hour. No row is recorded after today. */
const afterTomorrow = () => new Date(Date.parse(today) + 2.5 * DAY_MS);

let database: TestDatabase;
let trader: SeededTrader;
let market: SeededMarket;
let store: MemoryStore;
let catalog: MemoryCatalog;

/** Two archived days of fills, the second one with a large trade. */
beforeEach(async () => {
  [yesterday, today] = [utcDate(Date.now() - DAY_MS), utcDate(Date.now())];
  database = await createTestDatabase();
  const { db } = database;
  trader = await aSeededTrader(db);
  market = await aMarket(db);
  for (const shares of [10, 20, 30]) await aFill(db, { trader, market, shares });
  await db.update(ledgerEntries).set({ recordedAt: new Date(Date.now() - DAY_MS) });
  await aFill(db, { trader, market, shares: 40 });
  await aPublishedLargeTrade(db, { trader, market });
  await passHorizon(db);
  store = new MemoryStore();
  catalog = new MemoryCatalog();
  const pool = database.openPool();
  while (await archiveNextPart(pool, { store, signingKey: TEST_SIGNING_KEY }, afterTomorrow()));
});

/** Publishes until nothing is left. */
async function publish(token: string = CATALOG.token): Promise<void> {
  const pool = database.openPool();
  const ports = { settings: { ...CATALOG, token }, fetch: catalog.fetch, store };
  while (await publishNextDay(pool, ports, afterTomorrow()));
}

const snapshotsOf = (name: string) => catalog.table(name)?.snapshots ?? [];
const daysOf = (name: string) => snapshotsOf(name).map(({ summary }) => summary["archive.day"]);

/** The table's rows as icebird reads them: metadata, manifest list, manifests and Parquet files. */
async function readTable(name: string): Promise<Record<string, any>[]> {
  serveBucket();
  return icebergRead({ tableUrl: "s3://archive/unused", metadata: asReceived(name) });
}

/** A client's view of the metadata. */
const asReceived = (name: string) => JSON.parse(stringifyExactJson(catalog.table(name)));

/** Serves the bucket as S3 does. */
function serveBucket(): void {
  vi.stubGlobal("fetch", async (input: unknown, init?: RequestInit) => {
    const url = new URL(String(input));
    const bytes = store.files.get(url.pathname.slice(1));
    if (url.hostname !== "archive.s3.amazonaws.com" || bytes === undefined) return new Response(null, { status: 404 });
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    if (from === undefined) return new Response(bytes.slice());
    return new Response(bytes.slice(Number(from), to === "" ? undefined : Number(to) + 1), { status: 206 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}

describe("the Iceberg table of a dataset", () => {
  test("has the rows of Postgres, by an independent reader", async () => {
    await publish();
    const { rows } = await database.db.execute(sql`
      select e.id, t.address as wallet, m.condition_id, o.token_id, upper(e.kind) as side, e.shares_micro, e.usd_micro,
        e.price::text as price, (extract(epoch from date_trunc('milliseconds', e.recorded_at)) * 1000)::bigint as recorded_ms
      from ledger_entries e join traders t on t.id = e.trader_id join markets m on m.id = e.market_id
        join outcomes o on o.id = e.outcome_id order by e.id`);
    const stored = (await readTable("fills")).toSorted((a, b) => Number(a["id"] - b["id"]));
    const text = (value: Record<string, unknown>) =>
      JSON.stringify(value, (_, own) => (typeof own === "bigint" ? `${own}` : own));
    const comparable = stored.map(
      ({ id, wallet, condition_id, token_id, side, shares_micro, usd_micro, price, recorded_at }) =>
        text({
          id,
          wallet,
          condition_id,
          token_id,
          side,
          shares_micro,
          usd_micro,
          price,
          recorded_ms: `${recorded_at.getTime()}`,
        }),
    );
    expect(rows).toHaveLength(5);
    expect(comparable).toEqual(rows.map(text));
    expect(await readTable("large_trades")).toHaveLength(1);
    expect(catalog.table("resolutions")).toBeUndefined();
  });

  test("has one snapshot a day, in the order of days, with the day as its partition", async () => {
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, today]);
    expect(snapshotsOf("fills").map(({ summary }) => [summary["added-records"], summary["total-records"]])).toEqual([
      ["3", "3"],
      ["2", "5"],
    ]);
    serveBucket();
    const manifests = await icebergManifests(asReceived("fills"));
    const files = manifests.flatMap(({ entries }) => entries.map(({ data_file: file }) => file));
    expect(files.map(({ file_path, record_count, partition }) => [file_path, record_count, partition])).toEqual([
      [`s3://archive/archive/v1/fills/day=${today}/part-0000.parquet`, 2n, { recorded_at_day: new Date(today) }],
      [
        `s3://archive/archive/v1/fills/day=${yesterday}/part-0000.parquet`,
        3n,
        { recorded_at_day: new Date(yesterday) },
      ],
    ]);
    expect(
      files.every((file) => Number(file.file_size_in_bytes) === store.files.get(file.file_path.slice(13))?.length),
    ).toBe(true);
  });

  test("maps names to the ids of its columns and forbids that its files are deleted", async () => {
    await publish();
    const { properties, schemas, "partition-specs": specs } = asReceived("large_trades");
    const mapping = JSON.parse(properties["schema.name-mapping.default"]);
    expect(mapping).toEqual(schemas[0].fields.map((own: any) => ({ "field-id": own.id, names: [own.name] })));
    expect(properties["gc.enabled"]).toBe("false");
    expect(specs[0].fields).toEqual([{ "source-id": 1, "field-id": 1000, name: "recorded_at_day", transform: "day" }]);
    const types = new Map(schemas[0].fields.map((own: any) => [own.name, [own.type, own.required]]));
    expect(types.get("recorded_at")).toEqual(["timestamptz", true]);
    expect(types.get("grade_at_trade")).toEqual(["string", false]);
  });

  // Iceberg table spec, "Manifest Metadata", "Entries in Manifests" and "Manifest Lists", format version 2.
  test("has manifests with the metadata and the field ids of format version 2", async () => {
    await publish();
    const keys = [...store.files.keys()].filter((key) => key.endsWith(".avro") && key.includes(yesterday));
    const { metadata, schema } = await readAvro(store.files.get(keys[0] ?? "") ?? new Uint8Array());
    expect(metadata).toMatchObject({
      ...{ "format-version": "2", content: "data", "schema-id": "0", "partition-spec-id": "0" },
    });
    expect(JSON.parse(metadata["schema"] ?? "")).toMatchObject({ type: "struct", fields: { length: 12 } });
    expect(JSON.parse(metadata["partition-spec"] ?? "")).toMatchObject([{ "field-id": 1000, transform: "day" }]);
    expect(idsOf(schema)).toEqual({
      ...{ status: 0, snapshot_id: 1, sequence_number: 3, file_sequence_number: 4, data_file: 2, content: 134 },
      ...{ file_path: 100, file_format: 101, partition: 102, recorded_at_day: 1000, record_count: 103 },
      ...{ file_size_in_bytes: 104 },
    });
    const list = snapshotsOf("fills").at(-1)?.["manifest-list"].slice("s3://archive/".length) ?? "";
    const read = await readAvro(store.files.get(list) ?? new Uint8Array());
    expect(idsOf(read.schema)).toEqual({
      ...{ manifest_path: 500, manifest_length: 501, partition_spec_id: 502, content: 517, sequence_number: 515 },
      ...{ min_sequence_number: 516, added_snapshot_id: 503, added_files_count: 504, existing_files_count: 505 },
      ...{ deleted_files_count: 506, added_rows_count: 512, existing_rows_count: 513, deleted_rows_count: 514 },
      ...{
        partitions: 507,
        contains_null: 509,
        contains_nan: 518,
        lower_bound: 510,
        upper_bound: 511,
        key_metadata: 519,
      },
    });
    const [newest] = read.records;
    const partitions = newest?.["partitions"] as { lower_bound: Uint8Array }[];
    const days = Buffer.from(partitions[0]?.lower_bound ?? []).readInt32LE();
    expect(new Date(days * DAY_MS).toISOString().slice(0, 10)).toBe(today);
    expect(read.records.map((own) => [own["sequence_number"], own["added_rows_count"]])).toEqual([
      [2n, 2n],
      [1n, 3n],
    ]);
  });
});

/** The field ids of an Avro schema, by name. */
function idsOf(schema: unknown): Record<string, number> {
  const ids: Record<string, number> = {};
  JSON.stringify(schema, (_, value: any) => {
    if (value?.["field-id"] !== undefined) ids[value.name] = value["field-id"];
    return value;
  });
  return ids;
}

describe("a day is added exactly once", () => {
  test("when its run is repeated, also without its stored progress", async () => {
    await publish();
    await publish();
    await database.db.execute(sql`delete from iceberg_tables`);
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, today]);
    expect(await readTable("fills")).toHaveLength(5);
  });

  test.each<CommitFault>(["applied_then_500", "applied_then_broken"])("when the commit is %s", async (fault) => {
    catalog.faults.push(fault, fault, fault);
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, today]);
    expect(await readTable("fills")).toHaveLength(5);
  });

  test("when another writer commits first, whose snapshot stays", async () => {
    catalog.faults.push("overtaken", "overtaken");
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, undefined, today]);
    expect(
      catalog.requests.filter((request) => request === "POST /v1/0d2c/namespaces/archive_v1/tables/fills"),
    ).toHaveLength(3);
    expect(await readTable("fills")).toHaveLength(5);
  });

  test("on top of a snapshot of another writer, whose id has 63 bits", async () => {
    const pool = database.openPool();
    const ports = { settings: CATALOG, fetch: catalog.fetch, store };
    while (daysOf("fills").length === 0) await publishNextDay(pool, ports, afterTomorrow());
    catalog.rewrite("fills");
    await publish();
    const [, rewritten, last] = snapshotsOf("fills");
    expect(Number.isSafeInteger(Number(rewritten?.["snapshot-id"]))).toBe(false);
    expect(last?.["parent-snapshot-id"]).toBe(rewritten?.["snapshot-id"]);
    expect(await readTable("fills")).toHaveLength(5);
  });

  test("when the catalog is unavailable for a while, and the archive does not wait for it", async () => {
    catalog.faults.push("unavailable", "unavailable", "unavailable");
    await expect(publish()).rejects.toThrow(`fills of ${yesterday} is not in its Iceberg table`);
    expect((await database.db.execute(sql`select from archive_days`)).rows).toHaveLength(3);
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, today]);
  });

  test("when its table was dropped, to the new table", async () => {
    await publish();
    catalog.tables.delete("fills");
    await database.db.execute(
      sql`update iceberg_tables set sequence = 0, last_day = ${yesterday} where dataset = 'fills'`,
    );
    await publish();
    expect(daysOf("fills")).toEqual([yesterday, today]);
    expect(await readTable("fills")).toHaveLength(5);
  });
});

describe("nothing is added", () => {
  test("with a wrong token, which no message has", async () => {
    const failure = await publish("wrong-token").catch((error: unknown) => error);
    expect(String(failure)).toBe(
      "CatalogError: the Iceberg catalog returned status 401: NotAuthorizedException, The token is not valid",
    );
    expect(catalog.tables.size).toBe(0);
  });

  test("to a table of another schema or in another bucket", async () => {
    catalog.bucket = "other";
    await expect(publish()).rejects.toThrow("not in the bucket archive of the archive");
    catalog.bucket = CATALOG.bucket;
    catalog.tables.clear();
    await publish();
    Object.assign(catalog.table("fills") ?? {}, {
      ...{ schemas: [{ "schema-id": 0, fields: [] }], properties: {}, snapshots: [], "current-snapshot-id": -1 },
    });
    await database.db.execute(sql`delete from iceberg_tables`);
    await expect(publish()).rejects.toThrow("has another format, schema or partition than the archive");
  });

  test("to a table that has the day of another archive", async () => {
    await publish();
    await database.db.execute(sql`delete from iceberg_tables`);
    for (const { summary } of snapshotsOf("fills")) summary["archive.head"] = "0".repeat(64);
    await expect(publish()).rejects.toThrow(`has ${yesterday} of another archive`);
  });

  test("when its file is not stored as signed", async () => {
    store.files.set(`archive/v1/fills/day=${yesterday}/part-0000.parquet`, new Uint8Array(1));
    await expect(publish()).rejects.toThrow("is not stored with");
    expect(catalog.tables.size).toBe(0);
  });
});
