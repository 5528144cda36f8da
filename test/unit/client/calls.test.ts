import { expect, test } from "vitest";
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  createClient,
  CursorExpiredError,
  InvalidResponseError,
  IpThrottledError,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
  TraderNotTrackedError,
} from "../../../src/client/index.ts";
import { ERRORS } from "../../../src/api/errors.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import {
  anAnswer,
  aPage,
  aRefusal,
  collect,
  scriptedClient,
  type ScriptStep,
} from "../../support/client/scripted-api.ts";

test("the client has a method for every operation of the API and for the endpoint for agents", () => {
  const { client } = scriptedClient([]);
  const ids = Object.keys(client).filter((name) => !["pages", "rows", "files"].includes(name));
  expect(ids.toSorted()).toEqual([...API_OPERATIONS.map(({ id }) => id), "createMcpJsonRpcResponse"].toSorted());
});

test("a call fills the path, repeats array values, leaves undefined out and sends the key", async () => {
  const { client, sent } = scriptedClient([anAnswer({}), anAnswer([])]);
  await client.getTrader({ address: "a/b ü", expand: ["trust", "strategy"], max_age_s: undefined });
  await client.createWebhook(
    { body: { name: "n", url: "https://receiver.test", event_types: ["trader_synced"] } },
    { idempotencyKey: "k1", strict: true },
  );
  expect(sent[0]?.url).toBe("https://api.test/api/v1/trader/a%2Fb%20%C3%BC?expand=trust&expand=strategy");
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer svc_sk_live_test");
  expect(sent[1]).toMatchObject({ method: "POST", url: "https://api.test/api/v1/webhooks" });
  expect(JSON.parse(sent[1]?.body ?? "")).toEqual({
    name: "n",
    url: "https://receiver.test",
    event_types: ["trader_synced"],
  });
  expect(["content-type", "idempotency-key", "x-query-validation"].map((name) => sent[1]?.headers.get(name))).toEqual([
    "application/json",
    "k1",
    "strict",
  ]);
});

test.each([
  ["https://api.test/", "https://api.test/api/v1/health"],
  ["https://api.test/sandbox/api/v1", "https://api.test/sandbox/api/v1/health"],
  ["http://127.0.0.1:8787", "http://127.0.0.1:8787/api/v1/health"],
])("the base URL %s leads to %s", async (baseUrl, url) => {
  const { client, sent } = scriptedClient([anAnswer({})], { baseUrl });
  await client.getHealth();
  expect(sent[0]?.url).toBe(url);
});

test.each(["http://api.test", "ftp://localhost", "api.test"])("the base URL %s is refused", (baseUrl) => {
  expect(() => createClient({ baseUrl })).toThrow(/baseUrl must be/);
});

test("a path parameter without a value is refused before the request", async () => {
  const { client, sent } = scriptedClient([]);
  await expect(client.getTrader({ address: "" })).rejects.toThrow("address is required");
  expect(sent).toEqual([]);
});

test("an idempotency key is refused where the operation takes none", async () => {
  const { client, sent } = scriptedClient([]);
  await expect(client.testWebhook({ id: 1 }, { idempotencyKey: "k" })).rejects.toThrow("takes no idempotencyKey");
  expect(sent).toEqual([]);
});

test("an answer has the facts of its response beside the body, and prints as the body alone", async () => {
  const headers = {
    etag: 'W/"1"',
    "x-request-id": "req_1",
    "x-query-ignored": "colour, size",
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "99",
    "x-ratelimit-reset": "1795176060",
  };
  const { client } = scriptedClient([anAnswer({ id: "trd_1" }, headers)]);
  const answer = await client.getTrader({ address: "trd_1" });
  expect(answer.http).toMatchObject({
    status: 200,
    etag: 'W/"1"',
    requestId: "req_1",
    queryIgnored: ["colour", "size"],
    minute: { limit: 100, remaining: 99, resetAt: new Date(1_795_176_060_000) },
    month: null,
    batch: null,
  });
  expect(Object.keys(JSON.parse(JSON.stringify(answer)))).toEqual(["object", "data", "meta"]);
});

test("a 304 is an answer, not an error", async () => {
  const { client, sent } = scriptedClient([new Response(null, { status: 304, headers: { etag: 'W/"1"' } })]);
  const answer = await client.getTrader({ address: "trd_1" }, { ifNoneMatch: 'W/"1"' });
  expect(answer).toMatchObject({ object: "not_modified", data: null, http: { status: 304, etag: 'W/"1"' } });
  expect(sent[0]?.headers.get("if-none-match")).toBe('W/"1"');
});

test("every published reason of the catalogue has a class below that of its code", async () => {
  for (const [reason, { status, code, published }] of Object.entries(ERRORS)) {
    const { client } = scriptedClient([aRefusal(status, { code, ...(published && { reason }) })], { maxRetries: 0 });
    const error = await client.getHealth().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status, code, reason: published ? reason : null });
    const own = (error as ApiError).constructor;
    expect({ reason, isOwn: own !== ApiError, isBase: Object.getPrototypeOf(own) === ApiError }).toEqual({
      reason,
      isOwn: true,
      isBase: !published,
    });
  }
});

test("an error carries what the response says", async () => {
  const { client } = scriptedClient([
    aRefusal(404, {
      code: "not_found",
      reason: "trader_not_tracked",
      param: "address",
      doc_url: "https://docs.test#x",
    }),
  ]);
  const error = await client.getTrader({ address: "trd_1" }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TraderNotTrackedError);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({
    name: "TraderNotTrackedError",
    message: "Refused.",
    param: "address",
    requestId: "req_1",
    docUrl: "https://docs.test#x",
    retryAt: null,
  });
});

test("an error of something in between is judged by its status", async () => {
  const { client } = scriptedClient([new Response("<h1>No</h1>", { status: 404 })]);
  const error = await client.getHealth().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ body: null, message: "The server responded 404." });
});

test.each([
  ["no JSON", new Response("ok")],
  ["another object", Response.json({ ok: true })],
])("a success with %s is an InvalidResponseError", async (_, response) => {
  const { client } = scriptedClient([response]);
  await expect(client.getHealth()).rejects.toBeInstanceOf(InvalidResponseError);
});

const broken = () => new TypeError("fetch failed");
const warming = () => aRefusal(503, { code: "rate_limit_unavailable", reason: "read_model_warming" });
const unaccounted = () => aRefusal(503, { code: "rate_limit_unavailable", reason: "request_accounting_unavailable" });
const limited = (seconds = "3") => aRefusal(429, { code: "rate_limited" }, { "retry-after": seconds });
const timedOut = () => aRefusal(408, { code: "request_timeout" }, { "retry-after": "5" });
const running = () => aRefusal(409, { code: "bad_request", reason: "idempotency_in_progress" });
const proxyBusy = (status: number) => new Response("busy", { status });

/** How many requests a call sends when its first attempt meets this, and a later one would succeed. */
const ATTEMPTS: readonly [string, readonly (() => ScriptStep)[], { get: number; post: number; keyed: number }][] = [
  ["a broken connection", [broken], { get: 2, post: 1, keyed: 2 }],
  ["a 408", [timedOut], { get: 2, post: 1, keyed: 1 }],
  ["a 429 of the API", [limited], { get: 2, post: 2, keyed: 2 }],
  ["a 429 of a proxy", [() => proxyBusy(429)], { get: 2, post: 1, keyed: 2 }],
  ["a 503 that did not run", [unaccounted], { get: 2, post: 2, keyed: 2 }],
  ["another 503 of the API", [warming], { get: 2, post: 1, keyed: 2 }],
  ["a 503 of a proxy", [() => proxyBusy(503)], { get: 2, post: 1, keyed: 2 }],
  ["a 502", [() => proxyBusy(502)], { get: 2, post: 1, keyed: 2 }],
  ["a 500", [() => aRefusal(500, { code: "internal_error" })], { get: 1, post: 1, keyed: 1 }],
  ["a 400", [() => aRefusal(400, { code: "bad_request" })], { get: 1, post: 1, keyed: 1 }],
  ["a first attempt that still runs", [broken, running], { get: 2, post: 1, keyed: 3 }],
  ["another request with the key", [running], { get: 1, post: 1, keyed: 1 }],
];

test.each(ATTEMPTS)("a call repeats after %s", async (_, failures, expected) => {
  const body = { name: "n", url: "https://receiver.test", event_types: ["trader_synced" as const] };
  const runs = {
    get: (client: ReturnType<typeof scriptedClient>["client"]) => client.getHealth(),
    post: (client: ReturnType<typeof scriptedClient>["client"]) => client.createWebhook({ body }),
    keyed: (client: ReturnType<typeof scriptedClient>["client"]) =>
      client.createWebhook({ body }, { idempotencyKey: "k" }),
  };
  const counts: Record<string, number> = {};
  for (const [name, run] of Object.entries(runs)) {
    const { client, sent } = scriptedClient([...failures.map((make) => make()), anAnswer({}), anAnswer({})]);
    await run(client).catch(() => {});
    counts[name] = sent.length;
    expect(new Set(sent.map((request) => request.body)).size).toBe(1);
  }
  expect(counts).toEqual(expected);
});

test("a batch is a read and is repeated after a broken connection", async () => {
  const { client, sent } = scriptedClient([broken(), anAnswer([])]);
  await client.batchGetTraders({ body: { traders: ["trd_1"] } });
  expect(sent).toHaveLength(2);
});

test("the waits between attempts double, and Retry-After replaces them", async () => {
  const { client, waits } = scriptedClient([broken(), limited("3"), broken(), anAnswer({})], { maxRetries: 3 });
  await client.getHealth();
  expect(waits).toEqual([500, 3_250, 2_000]);
});

test("a longer Retry-After than allowed is thrown at once", async () => {
  const refusal = aRefusal(429, { code: "rate_limited", reason: "ip_throttled" }, { "retry-after": "300" });
  const { client, sent } = scriptedClient([refusal]);
  const error = await client.getHealth().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(IpThrottledError);
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAfterMs: 300_000, retryAt: new Date("2026-11-20T12:05:00Z") });
  expect(sent).toHaveLength(1);
});

test("the last failure is thrown after all repeats", async () => {
  const { client, sent } = scriptedClient([broken(), broken(), broken()]);
  await expect(client.getHealth()).rejects.toBeInstanceOf(ConnectionError);
  expect(sent).toHaveLength(3);
});

test("an attempt without a response ends as a TimeoutError; the caller's abort as its own reason", async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  const { client } = scriptedClient([], { fetch: never, maxRetries: 0, timeoutMs: 5 });
  await expect(client.getHealth()).rejects.toBeInstanceOf(TimeoutError);
  const abort = new AbortController();
  const call = client.getHealth({}, { signal: abort.signal, timeoutMs: 10_000 });
  abort.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});

test("rows of a list come from page after page with the same filters", async () => {
  const { client, sent } = scriptedClient([
    aPage([{ id: "wt_3" }, { id: "wt_2" }], "c1"),
    aPage([{ id: "wt_1" }], null),
  ]);
  const rows = await collect(client.rows.listLargeTrades({ min_size: 5 }));
  expect(rows.map(({ id }) => id)).toEqual(["wt_3", "wt_2", "wt_1"]);
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?min_size=5", "?min_size=5&cursor=c1"]);
});

test("a page that was not read is not requested", async () => {
  const { client, sent } = scriptedClient([aPage([{ id: "wt_3" }], "c1")]);
  for await (const page of client.pages.listLargeTrades()) {
    expect(page.data).toHaveLength(1);
    break;
  }
  expect(sent).toHaveLength(1);
});

const expired = () => aRefusal(400, { code: "bad_request", reason: "cursor_expired", param: "cursor" });

test("an expired cursor ends a walk, unless restarts are asked for", async () => {
  const script = () => [aPage([1], "c1"), expired(), aPage([2], "c2"), expired()];
  await expect(collect(scriptedClient(script()).client.pages.listLargeTrades())).rejects.toBeInstanceOf(
    CursorExpiredError,
  );
  const { client, sent } = scriptedClient([...script().slice(0, 3), aPage([3], null)]);
  expect(await collect(client.rows.listLargeTrades({}, { restarts: 1 }))).toEqual([1, 2, 3]);
  expect(sent.map(({ url }) => new URL(url).searchParams.get("cursor"))).toEqual([null, "c1", null, "c2"]);
  await expect(
    collect(scriptedClient(script()).client.rows.listLargeTrades({}, { restarts: 1 })),
  ).rejects.toBeInstanceOf(BadRequestError);
});

test("a cursor that comes twice is an error, and so is none where rows follow", async () => {
  await expect(
    collect(scriptedClient([aPage([1], "c1"), aPage([2], "c1")]).client.rows.listLargeTrades()),
  ).rejects.toBeInstanceOf(InvalidResponseError);
  const noCursor = anAnswer([1], {}, { has_more: true });
  await expect(collect(scriptedClient([noCursor]).client.rows.listLargeTrades())).rejects.toThrow("no cursor");
});

test("a ranked list pages by offset, and counterparties inside their data", async () => {
  const ranked = scriptedClient([anAnswer([1], {}, { has_more: true, next_offset: 200 }), aPage([2], null)]);
  expect(await collect(ranked.client.rows.listComboFills({ sort: "largest" }))).toEqual([1, 2]);
  expect(ranked.sent[1]?.url).toContain("sort=largest&offset=200");
  const inner = scriptedClient([
    anAnswer({ executions_next_cursor: "e1" }),
    anAnswer({ executions_next_cursor: null }),
  ]);
  const params = { id: "wt_1", snapshot_id: "s" };
  expect(await collect(inner.client.pages.listLargeTradeCounterpartyExecutions(params))).toHaveLength(2);
  expect(inner.sent[1]?.url).toContain("snapshot_id=s&cursor=e1");
});

test("a redirect answers its location, and so does a server that serves the target itself", async () => {
  const { client } = scriptedClient([
    new Response(null, { status: 302, headers: { location: "https://files.test/1" } }),
    Response.json({ openapi: "3.1.0" }),
    aRefusal(410, { code: "not_found", reason: "export_expired" }),
  ]);
  expect(await client.downloadWhaleDataset({ job_id: 1 })).toMatchObject({ location: "https://files.test/1" });
  expect((await client.redirectApiOpenapiSpec()).location).toBe("https://api.test/api/v1/openapi.json");
  await expect(client.downloadWhaleDataset({ job_id: 1 })).rejects.toMatchObject({ name: "ExportExpiredError" });
});
