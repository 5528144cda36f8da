import { expect, test } from "vitest";
import { aReplay, getJson, trades } from "./provider-recordings.ts";

const files = { "t.ndjson": trades(6) };

test("429 and 503 faults have Retry-After and the error body once each, and later responses are right again", async () => {
  const { dataUrl } = await aReplay(files, [
    { path: "/data/v2/trades", kind: "status", status: 429, retryAfterSeconds: 7 },
    { path: "/data/v2/trades", kind: "status" },
  ]);
  const first = await getJson(`${dataUrl}/v2/trades`);
  expect([first.status, first.headers.get("retry-after"), first.body.code, first.body.retryable]).toEqual([
    429,
    "7",
    "rate_limited",
    true,
  ]);
  expect((await getJson(`${dataUrl}/v2/trades`)).status).toBe(503);
  expect(await getJson(`${dataUrl}/v2/trades`)).toMatchObject({
    status: 200,
    body: { pagination: { has_more: false } },
  });
});

test("a fault affects only calls of its path, after its skipped calls", async () => {
  const { dataUrl, gammaUrl } = await aReplay(files, [
    { path: "/data/", kind: "status", status: 500, skip: 1, times: 2 },
  ]);
  const statuses = [];
  for (const url of [
    `${dataUrl}/v2/trades`,
    `${gammaUrl}/tags`,
    `${dataUrl}/v2/status`,
    `${dataUrl}/v2/trades`,
    `${dataUrl}/v2/trades`,
  ]) {
    statuses.push((await fetch(url)).status);
  }
  expect(statuses).toEqual([200, 200, 500, 500, 200]);
});

test("responses with garbage, a truncated body or a cut connection cannot be parsed", async () => {
  const endpoint = await aReplay(files);
  for (const kind of ["garbage", "truncated_json", "cut", "closed"] as const) {
    endpoint.setFaults([{ path: "/data", kind }]);
    await expect(getJson(`${endpoint.dataUrl}/v2/trades`)).rejects.toThrow();
  }
  expect((await getJson(`${endpoint.dataUrl}/v2/trades`)).status).toBe(200);
});

test("short pages lose nothing, because the walk continues where each page ends", async () => {
  const { dataUrl } = await aReplay(files, [{ path: "/data", kind: "short_page", times: 2 }]);
  const first = await getJson(`${dataUrl}/v2/trades?limit=4`);
  const second = await getJson(`${dataUrl}/v2/trades?cursor=${first.body.pagination.next_cursor}`);
  const third = await getJson(`${dataUrl}/v2/trades?cursor=${second.body.pagination.next_cursor}`);
  expect([first, second, third].map(({ body }) => body.data.map((row: any) => row.timestamp - 1_760_000_000))).toEqual([
    [6, 5],
    [4, 3],
    [2, 1],
  ]);
  expect(third.body.pagination.next_cursor).toBeNull();
});

test("a repeated page is the previous response with its cursor", async () => {
  const endpoint = await aReplay(files);
  const first = await getJson(`${endpoint.dataUrl}/v2/trades?limit=2`);
  endpoint.setFaults([{ path: "/data", kind: "repeated_page" }]);
  const repeated = await getJson(`${endpoint.dataUrl}/v2/trades?cursor=${first.body.pagination.next_cursor}`);
  expect(repeated.body).toEqual(first.body);
});

test("unordered and malformed rows are added to the page's own rows", async () => {
  const { dataUrl } = await aReplay(files, [
    { path: "/data", kind: "unordered_rows" },
    { path: "/data", kind: "malformed_records", records: 4 },
  ]);
  const unordered = await getJson(`${dataUrl}/v2/trades`);
  expect(unordered.body.data.map((row: any) => row.timestamp - 1_760_000_000)).toEqual([1, 2, 3, 4, 5, 6]);
  const broken = await getJson(`${dataUrl}/v2/trades`);
  const good = broken.body.data.filter(
    (row: any) => row !== null && row.price === 0.5 && row.proxy_wallet?.startsWith("0x") && row.size === 10,
  );
  expect(broken.body.data).toHaveLength(10);
  expect(good).toHaveLength(6);
});

test("a slow response is late but complete, and a silent one never arrives", async () => {
  const { dataUrl } = await aReplay(files, [
    { path: "/data", kind: "slow", delayMs: 90 },
    { path: "/data", kind: "silent" },
  ]);
  const started = performance.now();
  expect((await getJson(`${dataUrl}/v2/trades`)).body.data).toHaveLength(6);
  expect(performance.now() - started).toBeGreaterThan(85);
  await expect(fetch(`${dataUrl}/v2/trades`, { signal: AbortSignal.timeout(90) })).rejects.toThrow(/timeout/i);
});
