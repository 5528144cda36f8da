import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import { presentConfigError } from "../../../../src/api/response/config-error.ts";
import { parseConfig } from "../../../../src/config.ts";
import type { Database } from "../../../../src/db/client.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

type Line = Record<string, unknown>;

const anOperation = (id: string, cacheSeconds: number, handle: (db: Database) => Promise<unknown>) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id,
    path: `/api/v1/${id}`,
    access: "key",
    cacheSeconds,
    object: "sum",
    data: z.unknown(),
    handle: async (_input, { db }) => ({ data: await handle(db) }),
  });

const readSum = async (db: Database) => (await db.execute(sql`select 42 as sum`)).rows[0];
const ACTIVITY = sql`select query from pg_stat_activity where pid = pg_backend_pid()`;
const SECRET = "s3cret-of-a-statement";

const TEST_OPERATIONS = [
  anOperation("sum", 0, readSum),
  anOperation("cached-sum", 60, readSum),
  anOperation("activity", 0, async (db) => (await db.execute(ACTIVITY)).rows[0]),
  anOperation("broken", 0, async () => {
    throw new Error("the handler is broken", { cause: new RangeError("out of range") });
  }),
  anOperation("refused", 0, async (db) => (await db.execute(sql`select ${SECRET}::int`)).rows[0]),
];

let lines: string[];
let key: string;
let api: ReturnType<typeof openKernel>;

const logged = (event: string): Line[] =>
  lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === event);

beforeEach(async () => {
  const { databaseUrl, db } = await createTestDatabase();
  key = await aKey(db);
  api = openKernel(openTestRuntime(databaseUrl), TEST_OPERATIONS);
  lines = [];
  for (const level of ["log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  }
});
afterEach(() => void vi.restoreAllMocks());

describe("log line of a request", () => {
  test("a request logs one line with its operation, status, duration and account", async () => {
    const response = await api.send("/api/v1/sum", { key });
    expect(response.status).toBe(200);
    expect(logged("request.completed")).toEqual([
      {
        level: "info",
        message: "request.completed",
        request_id: response.headers.get("x-request-id"),
        operation: "sum",
        method: "GET",
        status: 200,
        reason: null,
        duration_ms: expect.any(Number),
        cache: null,
        account_id: expect.any(Number),
        is_website: false,
      },
    ]);
  });

  test("a request states whether its response was computed or cached", async () => {
    for (let n = 0; n < 2; n++) await api.send("/api/v1/cached-sum", { key });
    expect(logged("request.completed").map(({ cache }) => cache)).toEqual(["miss", "hit"]);
  });

  test.each([
    ["an unknown path", "/api/v1/nothing", null, 404, "unknown_endpoint"],
    ["a request without a key", "/api/v1/sum", "sum", 401, "invalid_api_key"],
  ])("%s logs the reason of its error", async (_, path, operation, status, reason) => {
    await api.send(path);
    expect(logged("request.completed")).toMatchObject([{ operation, status, reason, account_id: null }]);
  });
});

describe("log line of an internal error", () => {
  test("an internal error logs its operation, account, causes and stack", async () => {
    const response = await api.send("/api/v1/broken", { key });
    expect(response.status).toBe(500);
    const [line] = logged("request.failed");
    expect(line).toMatchObject({
      level: "error",
      request_id: response.headers.get("x-request-id"),
      operation: "broken",
      method: "GET",
      account_id: expect.any(Number),
      reason: "internal_error",
      error: "Error: the handler is broken <- RangeError: out of range",
    });
    expect(line?.["stack"]).toContainEqual(expect.stringContaining("request-log.test.ts"));
    expect(response.text).not.toContain("broken");
  });

  test("a failed statement logs its text without the values of its parameters", async () => {
    expect((await api.send("/api/v1/refused", { key })).status).toBe(500);
    expect(logged("request.failed")).toMatchObject([{ operation: "refused", stack: expect.any(Array) }]);
    expect(lines.join("\n")).toContain("select $1::int");
    const [line] = logged("request.failed");
    expect(JSON.stringify(line?.["stack"])).not.toContain(SECRET);
  });
});

test("a statement carries the request id and the operation as a comment", async () => {
  const response = await api.send("/api/v1/activity", { key });
  expect(response.body.data.query).toContain(`/* ${response.headers.get("x-request-id")} activity */`);
});

test("no log line contains a key, a cookie, a query value or a body", async () => {
  const secrets = { query: "svc_sk_live_in_query", cookie: "session-cookie-value", body: "body-secret-value" };
  await api.send(`/api/v1/sum?api_key=${secrets.query}`, { key });
  await api.send(`/api/v1/sum?q=${secrets.query}`, { key, headers: { cookie: `session=${secrets.cookie}` } });
  await api.send("/api/v1/broken", { key, headers: { "x-api-key": secrets.query } });
  await api.send("/api/v1/sum", { key, method: "POST", body: JSON.stringify({ secret: secrets.body }) });
  expect(logged("request.completed")).toHaveLength(4);
  const text = lines.join("\n");
  for (const secret of [key, ...Object.values(secrets)]) expect(text).not.toContain(secret);
});

describe("a Worker with a wrong configuration", () => {
  test("every request returns internal_error in the envelope, and the log names the variables without values", async () => {
    const error = configErrorOf({ DATABASE_URL: "not a url, but secret", CREDENTIAL_SECRET: "short-secret" });
    const response = presentConfigError(error, new Request("https://api.example.com/api/v1/health?key=in-url"));
    expect(response.status).toBe(500);
    const body: any = await response.json();
    expect(body).toMatchObject({ object: "error", error: { code: "internal_error" } });
    expect(body.meta.request_id).toBe(response.headers.get("x-request-id"));
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const [line] = logged("config.invalid");
    expect(line?.["request_id"]).toBe(body.meta.request_id);
    expect(JSON.stringify(line?.["problems"])).toContain("CREDENTIAL_SECRET");
    for (const value of ["not a url, but secret", "short-secret", "in-url"]) expect(lines.join()).not.toContain(value);
  });
});

function configErrorOf(variables: object): unknown {
  try {
    parseConfig(variables);
  } catch (error) {
    return error;
  }
  throw new Error("the variables are a configuration");
}
