import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { parseCsvRecord } from "../../../../src/domain/reports/csv-record.ts";
import { departures } from "../../../contract/contract.ts";
import { openExportApi, type ExportApi } from "../../../support/exports/export-api.ts";
import { canonicalText, openProof, rootOfTexts } from "../../../support/exports/file-proof.ts";
import type { KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { someDays } from "../../../support/seed/traders/pnl.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const TITLE = '=2+3, "quoted" Zürich';

let files: ExportApi;
let trader: SeededTrader;
let path: string;
/** Trade ids, oldest first. */
let trades: string[];

beforeAll(async () => {
  files = await openExportApi();
  trader = await aSeededTrader(files.db, { username: "alice", completeAt: new Date("2026-11-20T13:00:00Z") });
  path = `/api/v1/trader/${trader.address}/export`;
  const market = await aMarket(files.db, { title: TITLE });
  const other = await aMarket(files.db);
  const newest = await aFill(files.db, { trader, market: other, side: "SELL", shares: 3, at: "2026-11-20T12:00:09Z" });
  const oldest = await aFill(files.db, {
    trader,
    market,
    shares: 10.5,
    price: "0.333",
    isTaker: true,
    at: "2026-11-20T12:00:01Z",
  });
  const middle = await aFill(files.db, { trader, market, outcome: 1, at: "2026-11-20T12:00:05Z" });
  await aFill(files.db, { trader, market, kind: "split", at: "2026-11-20T12:30:00Z" });
  await aFill(files.db, { trader: await aSeededTrader(files.db), market });
  trades = [oldest, middle, newest].map(({ id }) => `pe_${id}`);
  await someDays(files.db, trader, [{ day: "2026-11-18" }, { day: "2026-11-20" }]);
});

const errorOf = ({ status, body }: KernelResponse) => ({
  status,
  reason: body.error.reason ?? null,
  param: body.error.param ?? null,
});

async function aReadyExport(format: string, of = path): Promise<{ key: string; job: any; content: string }> {
  const key = await files.anOwner();
  const submitted = await files.post(`${of}?format=${format}`, undefined, key);
  expect(submitted.status).toBe(202);
  expect(departures("TraderExportJob", submitted.body)).toEqual([]);
  await files.consume();
  const status = await files.get(`${of}/status?job_id=${submitted.body.data.job_id}`, key);
  expect(departures("TraderExportJob", status.body)).toEqual([]);
  const download = await files.get(`${of}/download?job_id=${submitted.body.data.job_id}`, key);
  expect(download.status).toBe(302);
  const file = await files.fetchLink(download.headers.get("location") ?? "");
  expect(file.headers.get("content-disposition")).toContain(`trader-export-${submitted.body.data.job_id}.${format}`);
  expect(file.headers.get("content-type")).toBe(status.body.data.artifact.content_type);
  const stream = new Response(file.bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  expect(status.body.data.artifact.manifest).toMatchObject({
    row_count: trades.length,
    content_sha256: createHash("sha256").update(bytes).digest("hex"),
    content_size_bytes: bytes.length,
    compressed_sha256: createHash("sha256").update(file.bytes).digest("hex"),
  });
  return {
    key,
    job: status.body.data,
    content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
  };
}

const OLDEST = {
  traded_at: "2026-11-20T12:00:01.000Z",
  ...{ side: "BUY", market_title: TITLE, outcome_index: 0, outcome: "Yes" },
  ...{ shares: "10.500000", price: "0.333", size_usd: "3.496500", fee_usd: null, role: "taker" },
};

describe("the content of a trader export", () => {
  test("of json is one document with the envelope and every trade, oldest first", async () => {
    const { job, content } = await aReadyExport("json");
    const { trades: exported, ...envelope } = JSON.parse(content);
    expect(envelope).toEqual({
      object: "trader_export",
      schema_version: "trader-export-json-v1",
      generation: {
        id: job.artifact.manifest.generation.id,
        selected_at: job.data_as_of,
        consistency: "repeatable_read",
      },
      trader: { id: `trd_${trader.id}`, address: trader.address, username: "alice" },
      completeness: { status: "complete", detail: null, history_read_at: "2026-11-20T13:00:00.000Z" },
      trade_count: 3,
    });
    expect(exported.map(({ id }: { id: string }) => id)).toEqual(trades);
    expect(exported[0]).toMatchObject(OLDEST);
    expect(job.artifact.manifest.generation.source_watermarks.trades).toEqual({
      ...{ source: "ledger_entries", coverage: "complete", rows: 3, first_activity_date: "2026-11-20" },
    });
  });

  test("of ndjson is the envelope on line 1, then a trade a line", async () => {
    const { job, content } = await aReadyExport("ndjson");
    const [envelope, ...lines] = content
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(envelope).toMatchObject({ object: "trader_export", trade_count: 3 });
    expect(lines.map(({ id }) => id)).toEqual(trades);
    expect(job.artifact.manifest.coverage).toBe("full_envelope_and_trades");
  });

  test("of csv opens in a spreadsheet: UTF-8 mark, dates, no formula, generation columns", async () => {
    const { job, content } = await aReadyExport("csv");
    expect(content.startsWith("\uFEFFid,traded_at_utc,side,")).toBe(true);
    const [header = [], ...rows] = content
      .slice(1)
      .trimEnd()
      .split("\r\n")
      .map((line) => parseCsvRecord(line) ?? []);
    const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])));
    expect(records.map(({ id }) => id)).toEqual(trades);
    expect(records[0]).toMatchObject({
      ...{ traded_at_utc: "2026-11-20 12:00:01", market_title: `'${TITLE}`, size_usd: "3.496500", fee_usd: "" },
      generation_id: job.artifact.manifest.generation.id,
    });
    expect(job.artifact.manifest.coverage).toBe("trades_only");
  });

  test("of a trader without a trade is an empty list, and says that its history is unknown", async () => {
    const idle = await aSeededTrader(files.db);
    const of = `/api/v1/trader/trd_${idle.id}/export`;
    const { body } = await files.post(of);
    await files.consume();
    const { data } = (await files.get(`${of}/status?job_id=${body.data.job_id}`)).body;
    expect(data).toMatchObject({ status: "ready", total_trades: 0 });
    expect(data.artifact.manifest.generation.source_watermarks.trades).toMatchObject({
      ...{ coverage: "untracked", rows: 0, first_activity_date: null },
    });
  });
});

test("an export as parquet is stored as it is, under its own name and type, with the rows of ndjson", async () => {
  const { job: ndjson } = await aReadyExport("ndjson");
  const key = await files.anOwner();
  const { body } = await files.post(`${path}?format=parquet`, undefined, key);
  expect(body.data.format).toBe("parquet");
  await files.consume();
  const { data } = (await files.get(`${path}/status?job_id=${body.data.job_id}`, key)).body;
  expect(data.artifact).toMatchObject({
    ...{ content_type: "application/vnd.apache.parquet", content_encoding: null },
    manifest: {
      ...{ format: "parquet", schema_version: "trader-export-parquet-v1", coverage: "full_envelope_and_trades" },
      ...{ row_count: 3, merkle_root: ndjson.artifact.manifest.merkle_root },
    },
  });
  const link = (await files.get(`${path}/download?job_id=${body.data.job_id}`, key)).headers.get("location") ?? "";
  const file = await files.fetchLink(link);
  expect(file.headers.get("content-type")).toBe("application/vnd.apache.parquet");
  expect(file.headers.get("content-encoding")).toBeNull();
  expect(file.headers.get("content-disposition")).toBe(
    `attachment; filename="trader-export-${body.data.job_id}.parquet"`,
  );
  const digest = createHash("sha256").update(file.bytes).digest("hex");
  expect([data.artifact.manifest.content_sha256, data.artifact.manifest.compressed_sha256]).toEqual([digest, digest]);
  expect(await openProof(data.artifact.proof)).toMatchObject({
    format: "parquet",
    row_count: 3,
    content_sha256: digest,
  });
});

describe("the proof of a trader export", () => {
  /** The rows of a content as objects, read without the code that wrote them. */
  const READ: Readonly<Record<string, (content: string) => object[]>> = {
    json: (content) => JSON.parse(content).trades,
    ndjson: (content) =>
      content
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line)),
    csv: (content) => {
      const [header = [], ...rows] = content
        .slice(1)
        .trimEnd()
        .split("\r\n")
        .map((line) => parseCsvRecord(line) ?? []);
      return rows.map((row) => Object.fromEntries(header.map((name, n) => [name, row[n]])));
    },
  };

  test.for(["json", "ndjson", "csv"])(
    "of %s is a signed manifest with the Merkle root over the rows",
    async (format) => {
      const { job, content } = await aReadyExport(format);
      const rows = READ[format]?.(content) ?? [];
      expect(rows).toHaveLength(3);
      const { manifest, proof } = job.artifact;
      const signed = await openProof(proof);
      expect(signed).toMatchObject({
        ...{
          type: "export_file",
          job_id: job.job_id,
          format,
          schema_version: `trader-export-${format}-v1`,
          row_count: 3,
        },
        selection: { kind: "trader_export", trader_id: `trd_${trader.id}`, address: trader.address },
        snapshot: { generation_id: manifest.generation.id, selected_at: job.data_as_of },
        merkle_root: rootOfTexts(rows.map(canonicalText)),
      });
      for (const field of ["content_sha256", "compressed_sha256", "content_size_bytes", "merkle_root"])
        expect(signed[field]).toBe(manifest[field]);
    },
  );

  test("of json and of ndjson of the same trades have one root", async () => {
    const [json, ndjson] = [await aReadyExport("json"), await aReadyExport("ndjson")];
    expect(json.job.artifact.manifest.merkle_root).toBe(ndjson.job.artifact.manifest.merkle_root);
  });
});

describe("the submit of a trader export", () => {
  test("returns the job of an equal request, also a ready one; fresh=true only a queued one", async () => {
    const { key, job } = await aReadyExport("csv");
    const again = await files.post(`${path}?format=csv`, undefined, key);
    expect([again.status, again.body.data.job_id, again.body.meta.cost]).toEqual([200, job.job_id, 0]);
    const fresh = await files.post(`${path}?format=csv&fresh=true`, undefined, key);
    expect(fresh.status).toBe(202);
    expect(fresh.body.data.job_id).not.toBe(job.job_id);
    const queued = await files.post(`${path}?format=csv&fresh=true`, undefined, key);
    expect([queued.status, queued.body.data.job_id]).toEqual([200, fresh.body.data.job_id]);
    const other = await files.post(`${path}?format=ndjson`, undefined, key);
    expect(other.status).toBe(202);
    await files.consume();
  });

  test("of a sixth export of one trader within an hour is 429", async () => {
    const key = await files.anOwner();
    for (let n = 0; n < 5; n += 1) {
      const { body } = await files.post(`${path}?fresh=true`, undefined, key);
      await files.post(`${path}/cancel?job_id=${body.data.job_id}`, undefined, key);
    }
    expect((await files.post(path, undefined, key)).status).toBe(429);
  });

  test.each([
    ["an unknown format", "?format=xlsx", { status: 400, reason: "invalid_query", param: "format" }],
    ["a wrong flag", "?fresh=maybe", { status: 400, reason: "invalid_query", param: "fresh" }],
  ])("with %s is refused", async (_, query, error) => {
    expect(errorOf(await files.post(`${path}${query}`))).toEqual(error);
  });

  test("for a trader that is unknown is 404", async () => {
    for (const ref of [`0x${"9".repeat(40)}`, "trd_999999", "unknown-name"])
      expect(errorOf(await files.post(`/api/v1/trader/${ref}/export`))).toEqual({
        ...{ status: 404, reason: null, param: "address" },
      });
  });
});

test("a job is 404 under another trader, another account and as a dataset, and without its number 400", async () => {
  const { key, job } = await aReadyExport("json");
  const bare = ({ status, text }: KernelResponse) => ({ status, text: text.replaceAll(/req_\w+/g, "req") });
  const other = await aSeededTrader(files.db);
  const missing = bare(await files.get(`${path}/status?job_id=999999`, key));
  expect(missing.status).toBe(404);
  expect(bare(await files.get(`/api/v1/trader/${other.address}/export/status?job_id=${job.job_id}`, key))).toEqual(
    missing,
  );
  expect(bare(await files.get(`${path}/status?job_id=${job.job_id}`, await files.anOwner()))).toEqual(missing);
  expect((await files.get(`/api/v1/datasets/whale-trades/${job.job_id}`, key)).status).toBe(404);
  for (const query of ["", "?job_id=0", "?job_id=x", "?job_id=1.5"])
    expect(errorOf(await files.get(`${path}/status${query}`, key))).toEqual({
      ...{ status: 400, reason: "invalid_query", param: "job_id" },
    });
});

test("an export that is written again after a kill has one snapshot, with what was recorded since", async () => {
  const someone = await aSeededTrader(files.db);
  const market = await aMarket(files.db);
  const first = await aFill(files.db, { trader: someone, market });
  const of = `/api/v1/trader/${someone.address}/export`;
  const { body } = await files.post(of);
  files.messages.length = 0;
  // A consumer that died after its claim.
  await files.db.execute(
    sql`update export_jobs set state = 'running', attempt = 1, lease_token = gen_random_uuid(), lease_until = now() - interval '1 second'
      where id = ${body.data.job_id}`,
  );
  const second = await aFill(files.db, { trader: someone, market, at: "2026-11-20T12:00:01Z" });
  files.messages.push({ job_id: body.data.job_id });
  await files.consume();
  const { data } = (await files.get(`${of}/status?job_id=${body.data.job_id}`)).body;
  expect(data).toMatchObject({ status: "ready", attempt: 2, total_trades: 2 });
  const link = (await files.get(`${of}/download?job_id=${body.data.job_id}`)).headers.get("location") ?? "";
  const stream = new Response((await files.fetchLink(link)).bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  const { trades: exported } = JSON.parse(await new Response(stream).text());
  expect(exported.map(({ id }: { id: string }) => id)).toEqual([`pe_${first.id}`, `pe_${second.id}`]);
});

test("the snapshot counts what an export would have, and says how far the record is complete", async () => {
  const { status, body } = await files.get(path);
  expect(status).toBe(200);
  expect(departures("TraderExportSnapshotResponse", body)).toEqual([]);
  expect(body.data).toMatchObject({
    address: trader.address,
    source_range: {
      ...{ first_pnl_date: "2026-11-18", last_pnl_date: "2026-11-20" },
      ...{ latest_trade_at: "2026-11-20T12:00:09.000Z", latest_market_activity_at: "2026-11-20T12:30:00.000Z" },
    },
    completeness: { status: "complete", sync_coverage: 1 },
    // 10.5 x 0.333 + 100 x 0.5 bought, 3 x 0.5 sold, cut to cents.
    reconciliation: {
      ...{ exported_activity_volume: 54.99, exported_market_cost_basis: 53.49, provider_lifetime_volume: null },
    },
    counts: { pnl_days: 2, exported_markets: 2, estimated_trade_rows: 3 },
  });
  const unknown = await aSeededTrader(files.db);
  expect((await files.get(`/api/v1/trader/${unknown.address}/export`)).body.data).toMatchObject({
    source_range: { first_pnl_date: null, latest_trade_at: null },
    completeness: { status: "empty", sync_coverage: 0 },
  });
});
