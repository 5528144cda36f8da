import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { mulberry32 } from "../../../../scripts/provider/simulate/random.ts";
import { departures } from "../../../contract/contract.ts";
import { TEST_PUBLIC_KEY } from "../../../support/archive/signing-key.ts";
import { openExportApi, type ExportApi } from "../../../support/exports/export-api.ts";
import { canonicalText, openProof, rootOfTexts } from "../../../support/exports/file-proof.ts";
import type { KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { aPublishedLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const PATH = "/api/v1/datasets/whale-trades";
const RANGE = { from: "2026-11-19T00:00:00Z", to: "2026-11-21T00:00:00Z" };

let files: ExportApi;
let market: SeededMarket;
let trader: SeededTrader;

beforeAll(async () => {
  files = await openExportApi();
  market = await aMarket(files.db);
  trader = await aSeededTrader(files.db);
  for (let n = 0; n < 5; n += 1) await aTrade(n);
  await passHorizon(files.db);
});

const aTrade = (n: number, usd = 10_000 + n) =>
  aPublishedLargeTrade(files.db, {
    ...{ market, trader, sizeUsdMicro: BigInt(usd) * 1_000_000n },
    tradedAt: new Date(Date.parse("2026-11-20T12:00:00Z") + n * 1_000),
  });

const errorOf = ({ status, body }: KernelResponse) => ({
  status,
  reason: body.error.reason ?? null,
  param: body.error.param ?? null,
});

/** A ready dataset of an own account. */
async function aReadyDataset(request: object = RANGE): Promise<{ key: string; job: any }> {
  const key = await files.anOwner();
  const { body } = await files.post(PATH, request, key);
  await files.consume();
  return { key, job: (await files.get(`${PATH}/${body.data.job_id}`, key)).body.data };
}

async function linkOf({ key, job }: { key: string; job: any }): Promise<string> {
  const response = await files.get(`${PATH}/${job.job_id}/download`, key);
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

async function gunzip(bytes: Uint8Array): Promise<string> {
  const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

describe("a dataset", () => {
  test("goes from queued to a file whose sizes, hashes and lines are those of its manifest", async () => {
    const key = await files.anOwner();
    const submitted = await files.post(PATH, RANGE, key);
    expect(submitted.status).toBe(202);
    expect(departures("WhaleDatasetJob", submitted.body)).toEqual([]);
    expect(submitted.body).toMatchObject({
      data: { status: "queued", terminal: false, next_action: "poll", poll_after_s: 5, attempt: 0 },
      meta: { cost: 1 },
    });
    const path = `${PATH}/${submitted.body.data.job_id}`;
    expect(errorOf(await files.get(`${path}/download`, key))).toEqual({ status: 400, reason: null, param: "job_id" });
    await files.consume();
    const { body } = await files.get(path, key);
    expect(departures("WhaleDatasetJob", body)).toEqual([]);
    expect(body.data).toMatchObject({
      ...{ status: "ready", terminal: true, next_action: "download", total_trades: 5, processed_trades: 5, attempt: 1 },
    });
    expect(body.data.poll_after_s).toBeUndefined();
    const { manifest } = body.data.artifact;
    const file = await files.fetchLink(await linkOf({ key, job: body.data }));
    expect(file.status).toBe(200);
    expect(file.headers.get("content-encoding")).toBe("gzip");
    expect(file.headers.get("content-type")).toBe("application/x-ndjson");
    expect(file.headers.get("content-length")).toBe(String(manifest.compressed_size_bytes));
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="whale-trades-${body.data.job_id}.ndjson"`,
    );
    expect(file.headers.get("etag")).toBe(body.data.artifact.etag);
    const content = await gunzip(file.bytes);
    expect(manifest).toMatchObject({
      row_count: 5,
      content_sha256: sha256(content),
      content_size_bytes: new TextEncoder().encode(content).length,
      compressed_sha256: sha256(file.bytes),
      compressed_size_bytes: file.bytes.length,
    });
    const lines = content.split("\n").filter(Boolean);
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(departures("WhaleDatasetTrade", JSON.parse(line))).toEqual([]);
  });

  test("is returned with 200 and cost 0 to an equal request while it runs, and not to another account", async () => {
    const key = await files.anOwner();
    const first = await files.post(PATH, RANGE, key);
    const again = await files.post(PATH, { ...RANGE, from: "2026-11-19T01:00:00+01:00", min_size: 0 }, key);
    expect([again.status, again.body.data.job_id, again.body.meta.cost]).toEqual([200, first.body.data.job_id, 0]);
    const others = await files.post(PATH, RANGE, await files.anOwner());
    expect(others.status).toBe(202);
    expect(others.body.data.job_id).not.toBe(first.body.data.job_id);
    const concurrent = await Promise.all([1, 2, 3, 4].map(() => files.post(PATH, { ...RANGE, min_size: 7 }, key)));
    expect(concurrent.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 202]);
    expect(new Set(concurrent.map(({ body }) => body.data.job_id)).size).toBe(1);
    files.messages.length = 0;
  });

  test("continues in the replay without a gap: file and replay are all trades, each once", async () => {
    const random = mulberry32(inject("seed"));
    for (let round = 0; round < 3; round += 1) {
      const minSize = round === 0 ? undefined : 10_000 + Math.floor(random() * 5_000) + 0.5;
      const request = {
        ...RANGE,
        ...(minSize === undefined ? {} : { min_size: minSize }),
        condition_id: market.conditionId,
      };
      for (let n = 0; n < 3; n += 1) await aTrade(Math.floor(random() * 900), 9_000 + Math.floor(random() * 6_000));
      // A transaction of another test holds the horizon back. The file then has trades that the replay repeats, which
      // clients recognise by their id (test/db/exports/replay-generations.test.ts).
      await passHorizon(files.db);
      const { key, job } = await aReadyDataset(request);
      const { continuation } = job.artifact.manifest.generation;
      for (let n = 0; n < 4; n += 1) await aTrade(Math.floor(random() * 900), 9_000 + Math.floor(random() * 6_000));
      await passHorizon(files.db);
      const content = await gunzip((await files.fetchLink(await linkOf({ key, job }))).bytes);
      const ids = content
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).id);
      const query = new URLSearchParams({ limit: "2", condition_id: continuation.condition_id });
      if (continuation.min_size !== null) query.set("min_size", continuation.min_size);
      for (let cursor = continuation.cursor, more = true; more;) {
        query.set("cursor", cursor);
        const page = await files.get(`${continuation.path}?${query}`, key);
        expect(page.status).toBe(200);
        ids.push(...page.body.data.map((event: any) => `wt_${event.payload.whale_alert_id}`));
        ({ next_cursor: cursor, has_more: more } = page.body);
      }
      const { rows } = await files.db.execute(
        sql`select 'wt_' || id as id from large_trades where round(size_usd_micro / 10000.0) >= ${Math.round((minSize ?? 0) * 100)} order by id`,
      );
      const truth = rows.map(({ id }) => id);
      expect([...new Set(ids)].toSorted()).toEqual(truth.toSorted());
      expect(ids).toHaveLength(truth.length);
    }
  });
});

describe("a dataset as parquet", () => {
  test("is another job than ndjson, and a file that is stored as it is, with the same rows", async () => {
    const { key, job: ndjson } = await aReadyDataset();
    const submitted = await files.post(PATH, { ...RANGE, format: "parquet" }, key);
    expect([submitted.status, submitted.body.data.format]).toEqual([202, "parquet"]);
    const again = await files.post(PATH, { ...RANGE, format: "parquet" }, key);
    expect([again.status, again.body.data.job_id]).toEqual([200, submitted.body.data.job_id]);
    await files.consume();
    const { body } = await files.get(`${PATH}/${submitted.body.data.job_id}`, key);
    // The contract knows no other format.
    const fields = departures("WhaleDatasetJob", body).map((departure) => departure.split(" ")[0]);
    expect([...new Set(fields)]).toEqual([
      ...["/data/format", "/data/artifact/content_type", "/data/artifact/content_encoding"],
      ...["/data/artifact/manifest/format", "/data/artifact/manifest"],
    ]);
    const { artifact } = body.data;
    const file = await files.fetchLink(await linkOf({ key, job: body.data }));
    expect(file.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(file.headers.get("content-encoding")).toBeNull();
    expect(file.headers.get("content-length")).toBe(String(file.bytes.length));
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="whale-trades-${body.data.job_id}.parquet"`,
    );
    const magic = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    expect([magic(file.bytes.slice(0, 4)), magic(file.bytes.slice(-4))]).toEqual(["PAR1", "PAR1"]);
    expect(artifact.manifest).toMatchObject({
      ...{ format: "parquet", row_count: ndjson.artifact.manifest.row_count, content_sha256: sha256(file.bytes) },
      ...{ compressed_sha256: sha256(file.bytes), compressed_size_bytes: file.bytes.length },
      merkle_root: ndjson.artifact.manifest.merkle_root,
    });
    expect(await openProof(artifact.proof)).toMatchObject({ format: "parquet", content_sha256: sha256(file.bytes) });
  });
});

describe("the proof of a dataset", () => {
  test("is a signed manifest with the sizes, hashes and Merkle root of the downloaded file", async () => {
    const { key, job } = await aReadyDataset({ ...RANGE, condition_id: market.conditionId, min_size: 10_000 });
    const { bytes } = await files.fetchLink(await linkOf({ key, job }));
    const content = await gunzip(bytes);
    const rows = content.split("\n").filter(Boolean);
    const { artifact } = job;
    expect(artifact.proof_unavailable_reason).toBeNull();
    expect(artifact.proof.public_key).toBe(TEST_PUBLIC_KEY);
    const { generation } = artifact.manifest;
    expect(await openProof(artifact.proof)).toEqual({
      ...{ type: "export_file", version: 1, job_id: job.job_id, format: "ndjson", schema_version: "whale_dataset_v1" },
      selection: {
        ...{ kind: "whale_dataset", from: "2026-11-19T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" },
        ...{ condition_id: market.conditionId, min_size_cents: 1_000_000 },
      },
      snapshot: {
        ...{ generation_id: generation.id, selected_at: generation.selected_at },
        ...{ epoch: 1, commit_horizon_xid: generation.commit_horizon_xid },
      },
      row_count: rows.length,
      content_size_bytes: new TextEncoder().encode(content).length,
      content_sha256: sha256(content),
      compressed_size_bytes: bytes.length,
      compressed_sha256: sha256(bytes),
      merkle_root: rootOfTexts(rows.map((row) => canonicalText(JSON.parse(row)))),
    });
    expect(
      await openProof({ ...artifact.proof, manifest: artifact.proof.manifest.replace("ndjson", "csv") }),
    ).toBeNull();
  });

  test("of no row has the root of the empty tree", async () => {
    const { job } = await aReadyDataset({ ...RANGE, min_size: 1e9 });
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    expect(job.artifact.manifest).toMatchObject({ row_count: 0, merkle_root: empty });
    expect(await openProof(job.artifact.proof)).toMatchObject({ row_count: 0, merkle_root: empty });
  });

  test("is null with its reason when the service has no signing key, and the root is still there", async () => {
    const key = await files.anOwner();
    const { body } = await files.post(PATH, RANGE, key);
    await files.consume({ signingKey: null });
    const { data } = (await files.get(`${PATH}/${body.data.job_id}`, key)).body;
    expect(data.status).toBe("ready");
    expect([data.artifact.proof, data.artifact.proof_unavailable_reason]).toEqual([null, "no_signing_key"]);
    expect(data.artifact.manifest.merkle_root).toMatch(/^[0-9a-f]{64}$/);
  });

  test("of a file from before files were signed is null with its reason", async () => {
    const { key, job } = await aReadyDataset();
    await files.db.execute(
      sql`update export_jobs set result = result - 'proof' - 'merkle_root' where id = ${job.job_id}`,
    );
    const { body } = await files.get(`${PATH}/${job.job_id}`, key);
    expect(departures("WhaleDatasetJob", body)).toEqual([]);
    const { proof, proof_unavailable_reason: reason, manifest } = body.data.artifact;
    expect([proof, reason, manifest.merkle_root]).toEqual([null, "earlier_release", null]);
  });
});

describe("the download of a dataset", () => {
  test("serves ranges, HEAD and If-Range of the stored bytes", async () => {
    const link = await linkOf(await aReadyDataset());
    const whole = await files.fetchLink(link);
    const part = await files.fetchLink(link, { range: "bytes=10-29" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-29/${whole.bytes.length}`]);
    expect(part.bytes).toEqual(whole.bytes.slice(10, 30));
    const suffix = await files.fetchLink(link, { range: "bytes=-7" });
    expect(suffix.bytes).toEqual(whole.bytes.slice(-7));
    const etag = whole.headers.get("etag") ?? "";
    expect((await files.fetchLink(link, { range: "bytes=0-3", "if-range": etag })).status).toBe(206);
    expect((await files.fetchLink(link, { range: "bytes=0-3", "if-range": '"other"' })).bytes).toEqual(whole.bytes);
    const beyond = await files.fetchLink(link, { range: "bytes=99999999-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${whole.bytes.length}`]);
    const head = await files.fetchLink(link, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([
      200,
      String(whole.bytes.length),
      0,
    ]);
    expect((await files.fetchLink(link, { "if-none-match": etag })).status).toBe(304);
  });

  test("is a link that states its start and duration, and ends with the file", async () => {
    const { key, job } = await aReadyDataset();
    const { origin, searchParams } = new URL(await linkOf({ key, job }));
    expect(origin).toBe("http://api.test");
    expect(searchParams.get("X-Amz-Date")).toMatch(/^\d{8}T\d{6}Z$/);
    expect(searchParams.get("X-Amz-Expires")).toBe("3600");
    await files.db.execute(
      sql`update export_jobs set expires_at = now() + interval '10 minutes' where id = ${job.job_id}`,
    );
    const seconds = Number(new URL(await linkOf({ key, job })).searchParams.get("X-Amz-Expires"));
    expect(seconds).toBeGreaterThan(580);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test("refuses links that were changed, have ended or were never issued", async () => {
    const link = new URL(await linkOf(await aReadyDataset()));
    const other = new URL(await linkOf(await aReadyDataset()));
    const changed = (change: (url: URL) => void) => {
      const url = new URL(link);
      change(url);
      return files.fetchLink(url.href);
    };
    for (const name of ["X-Amz-Date", "X-Amz-Expires", "filename", "signature"]) {
      expect((await changed(({ searchParams }) => searchParams.delete(name))).status).toBe(403);
      expect((await changed(({ searchParams }) => searchParams.set(name, "20361121T000000Z"))).status).toBe(403);
      expect((await changed(({ searchParams }) => searchParams.append(name, "x"))).status).toBe(403);
    }
    expect((await changed((url) => (url.pathname = other.pathname))).status).toBe(403);
    expect((await changed((url) => (url.pathname = "/files/"))).status).toBe(403);
  });

  test("is 410 once the file has expired, also before the sweep has deleted it", async () => {
    const { key, job } = await aReadyDataset();
    await files.db.execute(
      sql`update export_jobs set expires_at = now() - interval '1 second' where id = ${job.job_id}`,
    );
    expect(errorOf(await files.get(`${PATH}/${job.job_id}/download`, key))).toEqual({
      ...{ status: 410, reason: "export_expired", param: "job_id" },
    });
    const { body } = await files.get(`${PATH}/${job.job_id}`, key);
    expect(departures("WhaleDatasetJob", body)).toEqual([]);
    expect(body.data).toMatchObject({ status: "expired", next_action: "resubmit", terminal: true });
    expect(body.data.expired_at).toBe(body.data.expires_at);
    expect(body.data.artifact).toBeUndefined();
  });
});

describe("cancelling", () => {
  test("a queued job is cancelled at once, again without effect, and publishes one event to its owner", async () => {
    const key = await files.anOwner();
    const { body } = await files.post(PATH, RANGE, key);
    const path = `${PATH}/${body.data.job_id}`;
    for (let time = 0; time < 2; time += 1) {
      const cancelled = await files.post(`${path}/cancel`, undefined, key);
      expect(departures("WhaleDatasetJob", cancelled.body)).toEqual([]);
      expect([cancelled.status, cancelled.body.data.status]).toEqual([200, "cancelled"]);
    }
    await files.consume();
    expect((await files.get(path, key)).body.data.status).toBe("cancelled");
    expect((await files.get(`${path}/download`, key)).status).toBe(400);
    const { rows } = await files.db.execute(
      sql`select type, account_id is not null as owned, payload from events where (payload ->> 'job_id')::int = ${body.data.job_id}`,
    );
    expect(rows).toMatchObject([{ type: "export_job_cancelled", owned: true, payload: { status: "cancelled" } }]);
    expect(departures("WebhookExportJobData", rows[0]?.["payload"])).toEqual([]);
  });

  test("a running job is asked to stop, and ends cancelled", async () => {
    const key = await files.anOwner();
    const { body } = await files.post(PATH, RANGE, key);
    const id = body.data.job_id;
    files.messages.length = 0;
    await files.db.execute(sql`update export_jobs set state = 'running' where id = ${id}`);
    const requested = await files.post(`${PATH}/${id}/cancel`, undefined, key);
    expect(requested.body.data).toMatchObject({ status: "cancel_requested", next_action: "poll", poll_after_s: 5 });
    await files.consume();
    expect((await files.get(`${PATH}/${id}`, key)).body.data.status).toBe("cancelled");
  });

  test("a ready job stays ready", async () => {
    const { key, job } = await aReadyDataset();
    expect((await files.post(`${PATH}/${job.job_id}/cancel`, undefined, key)).body.data.status).toBe("ready");
  });
});

describe("refusals", () => {
  const future = new Date(Date.now() + 3_600_000).toISOString();
  test.each([
    ["a reversed range", { from: RANGE.to, to: RANGE.from }, "to"],
    ["an empty range", { from: RANGE.to, to: RANGE.to }, "to"],
    ["a range into the future", { from: RANGE.from, to: future }, "to"],
    ["a range of more than 31 days", { from: "2026-09-01T00:00:00Z", to: "2026-10-02T00:00:01Z" }, "from"],
    ["a negative size", { ...RANGE, min_size: -0.01 }, "min_size"],
    ["an absurd size", { ...RANGE, min_size: 1e300 }, "min_size"],
    ["an unknown market", { ...RANGE, condition_id: `0x${"9".repeat(64)}` }, "condition_id"],
    ["a time that is not one", { ...RANGE, from: "yesterday" }, "from"],
    ["a missing time", { from: RANGE.from }, "to"],
  ])("%s is 400 and names its field", async (_, request, param) => {
    expect(errorOf(await files.post(PATH, request))).toEqual({ status: 400, reason: "invalid_body", param });
  });

  test("an unknown member and an unknown format are 400", async () => {
    expect(errorOf(await files.post(PATH, { ...RANGE, size: 1 }))).toMatchObject({
      ...{ status: 400, reason: "invalid_body" },
    });
    for (const format of ["csv", "json", "PARQUET", "", null])
      expect(errorOf(await files.post(PATH, { ...RANGE, format }))).toEqual({
        ...{ status: 400, reason: "invalid_body", param: "format" },
      });
  });

  test("another account's job is 404, byte for byte like a missing one", async () => {
    const { job } = await aReadyDataset();
    const stranger = await files.anOwner();
    const bare = (response: KernelResponse) => ({
      status: response.status,
      text: response.text.replaceAll(/req_\w+/g, "req"),
    });
    for (const [method, suffix] of [
      ["get", ""],
      ["get", "/download"],
      ["post", "/cancel"],
    ] as const) {
      const ask = (id: number) =>
        method === "get"
          ? files.get(`${PATH}/${id}${suffix}`, stranger)
          : files.post(`${PATH}/${id}${suffix}`, undefined, stranger);
      const theirs = bare(await ask(job.job_id));
      expect(theirs).toEqual(bare(await ask(999_999_999)));
      expect(theirs.status).toBe(404);
    }
  });

  test("the sixth dataset of an hour is 429 with the time at which it is possible, also after cancelling", async () => {
    const key = await files.anOwner();
    for (let n = 0; n < 5; n += 1) {
      const { body } = await files.post(PATH, { ...RANGE, min_size: n + 1 }, key);
      await files.post(`${PATH}/${body.data.job_id}/cancel`, undefined, key);
    }
    const refused = await files.post(PATH, { ...RANGE, min_size: 6 }, key);
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });
});
