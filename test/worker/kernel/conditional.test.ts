import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { PLAIN } from "../../support/kernel/plain.ts";

/** What the next answers of the made-up operation hold. */
interface Facts {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
}

let facts: Facts;
let api: Kernel;

const thing = (id: string, conditional: boolean, cost = 1) =>
  defineOperation({
    ...PLAIN,
    kind: "single",
    id,
    path: `/api/v1/${id}`,
    cost,
    conditional,
    object: "thing",
    data: z.record(z.string(), z.unknown()),
    handle: async () => facts,
  });

const shown = defineOperation({
  ...PLAIN,
  kind: "list",
  id: "shown",
  path: "/api/v1/shown",
  conditional: true,
  item: z.unknown(),
  cursor: { prefix: "sh_", position: z.object({ at: z.number() }) },
  handle: async () => ({ data: [facts.data], next: null, topLevel: facts.meta }),
});

const MADE_UP = [thing("thing", true), thing("dear-thing", true, 5), thing("plain-thing", false), shown];

beforeEach(async () => {
  const { databaseUrl, db } = await createTestDatabase();
  facts = { data: { name: "one", size: 2 }, meta: {} };
  api = openKernel(openTestRuntime(databaseUrl), [...OPERATIONS, ...MADE_UP], await aKey(db));
});

async function etagOf(path: string): Promise<string> {
  const { headers } = await api.send(path);
  return headers.get("etag") ?? "";
}

const ask = (path: string, ifNoneMatch: string, method = "GET") => api.send(path, { method, headers: { "if-none-match": ifNoneMatch } });

test("the validator is weak and stays while nothing changes", async () => {
  const etag = await etagOf("/api/v1/thing");
  expect(etag).toMatch(/^W\/"[^"\s,]+"$/);
  expect(await etagOf("/api/v1/thing")).toBe(etag);
});

describe("the same body is 304 for", () => {
  test.for<[string, (etag: string) => string]>([
    ["its validator", (etag) => etag],
    ["its validator as a strong one", (etag) => etag.slice(2)],
    ["a list with it at the end", (etag) => `W/"other", "another",${etag}`],
    ["a list with it in front", (etag) => `${etag} , W/"other"`],
    ["any validator", () => "*"],
  ])("%s", async ([, header]) => {
    const etag = await etagOf("/api/v1/thing");
    const answer = await ask("/api/v1/thing?nonsense=1", header(etag));
    expect(answer.status).toBe(304);
    expect(answer.text).toBe("");
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    expect(answer.headers.get("x-query-ignored")).toBe("nonsense");
    expect(answer.headers.has("x-effective-query")).toBe(true);
  });
});

test.for([`W/"other"`, `"other", W/"another"`, "", "nonsense", "W/", `W/"`])("and 200 for If-None-Match: %s", async (header) => {
  const answer = await ask("/api/v1/thing", header);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual(facts.data);
});

test("HEAD is 304 as GET is", async () => {
  const answer = await ask("/api/v1/thing", await etagOf("/api/v1/thing"), "HEAD");
  expect(answer.status).toBe(304);
  expect(answer.headers.get("etag")).toBe(await etagOf("/api/v1/thing"));
});

describe("the validator does not see", () => {
  test("what belongs to the request: two answers differ in their id alone", async () => {
    const [first, second] = [await api.send("/api/v1/thing"), await api.send("/api/v1/thing")];
    expect(first.text).not.toBe(second.text);
    expect(first.headers.get("etag")).toBe(second.headers.get("etag"));
  });

  test("the cost", async () => {
    expect(await etagOf("/api/v1/dear-thing")).toBe(await etagOf("/api/v1/thing"));
    expect((await api.send("/api/v1/dear-thing")).body.meta.cost).toBe(5);
  });

  test.for<[string, Partial<Facts>]>([
    ["a field of meta", { meta: { ranking_generation: 7 } }],
    ["an as_of", { data: { name: "one", size: 2, as_of: "2026-11-20T12:00:00Z" } }],
  ])("%s", async ([, changed]) => {
    const etag = await etagOf("/api/v1/thing");
    facts = { ...facts, ...changed };
    expect(await etagOf("/api/v1/thing")).toBe(etag);
  });

  test.for(["as_of", "computed_at", "fresh_for_seconds"])("%s beside a list", async (name) => {
    facts.meta = { [name]: 1 };
    const etag = await etagOf("/api/v1/shown");
    facts.meta = { [name]: 2 };
    expect(await etagOf("/api/v1/shown")).toBe(etag);
  });
});

describe("the validator changes with", () => {
  test.for<[string, Record<string, unknown>]>([
    ["a value", { name: "two", size: 2 }],
    ["the type of a value", { name: "one", size: "2" }],
    ["a value that becomes unknown", { name: "one", size: null }],
    ["a field that goes", { name: "one" }],
    ["a field that comes", { name: "one", size: 2, more: false }],
    ["something deep inside", { name: "one", size: 2, inner: [{ at: 1 }] }],
  ])("%s", async ([, data]) => {
    const etag = await etagOf("/api/v1/thing");
    facts.data = data;
    const answer = await ask("/api/v1/thing", etag);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).not.toBe(etag);
  });

  test("a clock inside data_quality, whose age is part of what it says", async () => {
    facts.data = { data_quality: { status: "fresh", as_of: "2026-11-20T12:00:00Z" } };
    const etag = await etagOf("/api/v1/thing");
    facts.data = { data_quality: { status: "fresh", as_of: "2026-11-20T12:00:01Z" } };
    expect(await etagOf("/api/v1/thing")).not.toBe(etag);
  });
});

test("an operation that is not conditional has no validator and never answers 304", async () => {
  const answer = await ask("/api/v1/plain-thing", "*");
  expect(answer.status).toBe(200);
  expect(answer.headers.has("etag")).toBe(false);
});

test("a refusal is no 304, whatever the caller holds", async () => {
  expect((await ask("/api/v1/large-trades/1", "*")).status).toBe(404);
  expect((await api.send("/api/v1/large-trades", { key: null, headers: { "if-none-match": "*" } })).status).toBe(401);
});
