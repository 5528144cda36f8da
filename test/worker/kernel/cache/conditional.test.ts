import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

/** Data and meta of the test operation's next responses. */
interface Facts {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
}

let facts: Facts;
let api: Kernel;

const thing = (id: string, conditional: boolean, cost = 1) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id,
    path: `/api/v1/${id}`,
    cost,
    conditional,
    object: "thing",
    data: z.record(z.string(), z.unknown()),
    handle: async () => facts,
  });

const listOperation = defineOperation({
  ...PLAIN_OPERATION,
  kind: "list",
  id: "shown",
  path: "/api/v1/shown",
  conditional: true,
  item: z.unknown(),
  cursor: { prefix: "sh_", position: z.object({ at: z.number() }) },
  handle: async () => ({ data: [facts.data], next: null, topLevel: facts.meta }),
});

const TEST_OPERATIONS = [
  thing("thing", true),
  thing("dear-thing", true, 5),
  thing("plain-thing", false),
  listOperation,
];

beforeEach(async () => {
  const { databaseUrl, db } = await createTestDatabase();
  facts = { data: { name: "one", size: 2 }, meta: {} };
  api = openKernel(openTestRuntime(databaseUrl), [...OPERATIONS, ...TEST_OPERATIONS], await aKey(db));
});

async function etagOf(path: string): Promise<string> {
  const { headers } = await api.send(path);
  return headers.get("etag") ?? "";
}

const requestWith = (path: string, ifNoneMatch: string, method = "GET") =>
  api.send(path, { method, headers: { "if-none-match": ifNoneMatch } });

test("the ETag is weak and stays the same while nothing changes", async () => {
  const etag = await etagOf("/api/v1/thing");
  expect(etag).toMatch(/^W\/"[^"\s,]+"$/);
  expect(await etagOf("/api/v1/thing")).toBe(etag);
});

describe("matching If-None-Match", () => {
  test.for<[string, (etag: string) => string]>([
    ["its ETag", (etag) => etag],
    ["its ETag as a strong one", (etag) => etag.slice(2)],
    ["a list that ends with its ETag", (etag) => `W/"other", "another",${etag}`],
    ["a list that begins with its ETag", (etag) => `${etag} , W/"other"`],
    ["any ETag", () => "*"],
  ])("an unchanged body returns an empty 304 for %s", async ([, header]) => {
    const etag = await etagOf("/api/v1/thing");
    const response = await requestWith("/api/v1/thing?nonsense=1", header(etag));
    expect(response.status).toBe(304);
    expect(response.text).toBe("");
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("x-query-ignored")).toBe("nonsense");
    expect(response.headers.has("x-effective-query")).toBe(true);
  });
});

test.for([`W/"other"`, `"other", W/"another"`, "", "nonsense", "W/", `W/"`])(
  "an unchanged body returns 200 for If-None-Match: %s",
  async (header) => {
    const response = await requestWith("/api/v1/thing", header);
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual(facts.data);
  },
);

test("HEAD returns the same 304 as GET", async () => {
  const response = await requestWith("/api/v1/thing", await etagOf("/api/v1/thing"), "HEAD");
  expect(response.status).toBe(304);
  expect(response.headers.get("etag")).toBe(await etagOf("/api/v1/thing"));
});

describe("fields outside the ETag", () => {
  test("the ETag ignores the request id", async () => {
    const [first, second] = [await api.send("/api/v1/thing"), await api.send("/api/v1/thing")];
    expect(first.text).not.toBe(second.text);
    expect(first.headers.get("etag")).toBe(second.headers.get("etag"));
  });

  test("the ETag ignores the cost", async () => {
    expect(await etagOf("/api/v1/dear-thing")).toBe(await etagOf("/api/v1/thing"));
    expect((await api.send("/api/v1/dear-thing")).body.meta.cost).toBe(5);
  });

  test.for<[string, Partial<Facts>]>([
    ["a field of meta", { meta: { ranking_generation: 7 } }],
    ["an as_of", { data: { name: "one", size: 2, as_of: "2026-11-20T12:00:00Z" } }],
  ])("the ETag ignores %s", async ([, changed]) => {
    const etag = await etagOf("/api/v1/thing");
    facts = { ...facts, ...changed };
    expect(await etagOf("/api/v1/thing")).toBe(etag);
  });

  test.for(["as_of", "computed_at", "fresh_for_seconds"])(
    "the ETag of a list ignores the top-level field %s",
    async (name) => {
      facts.meta = { [name]: 1 };
      const etag = await etagOf("/api/v1/shown");
      facts.meta = { [name]: 2 };
      expect(await etagOf("/api/v1/shown")).toBe(etag);
    },
  );
});

describe("fields inside the ETag", () => {
  test.for<[string, Record<string, unknown>]>([
    ["a value", { name: "two", size: 2 }],
    ["the type of a value", { name: "one", size: "2" }],
    ["a value that becomes unknown", { name: "one", size: null }],
    ["a removed field", { name: "one" }],
    ["an added field", { name: "one", size: 2, more: false }],
    ["a nested value", { name: "one", size: 2, inner: [{ at: 1 }] }],
  ])("the ETag changes with %s", async ([, data]) => {
    const etag = await etagOf("/api/v1/thing");
    facts.data = data;
    const response = await requestWith("/api/v1/thing", etag);
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).not.toBe(etag);
  });

  test("the ETag changes with the as_of inside data_quality, because it dates the data", async () => {
    facts.data = { data_quality: { status: "fresh", as_of: "2026-11-20T12:00:00Z" } };
    const etag = await etagOf("/api/v1/thing");
    facts.data = { data_quality: { status: "fresh", as_of: "2026-11-20T12:00:01Z" } };
    expect(await etagOf("/api/v1/thing")).not.toBe(etag);
  });
});

test("an operation that is not conditional has no ETag and never returns 304", async () => {
  const response = await requestWith("/api/v1/plain-thing", "*");
  expect(response.status).toBe(200);
  expect(response.headers.has("etag")).toBe(false);
});

test("an error never becomes a 304", async () => {
  expect((await requestWith("/api/v1/large-trades/1", "*")).status).toBe(404);
  expect((await api.send("/api/v1/large-trades", { key: null, headers: { "if-none-match": "*" } })).status).toBe(401);
});
