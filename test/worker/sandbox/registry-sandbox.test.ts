import { expect, test } from "vitest";
import { z } from "zod";
import { ERRORS } from "../../../src/api/errors.ts";
import type { Operation } from "../../../src/api/operation.ts";
import { generateSandboxKey } from "../../../src/auth/api-key-format.ts";
import document from "../../../src/generated/openapi.txt";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import { ADDITIONS } from "../../contract/additions.ts";
import { contractOperation, departures } from "../../contract/contract.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";
import { openSandboxApp } from "../../support/sandbox/open-sandbox-app.ts";

/* Every operation of the registry in the sandbox, over a runtime whose every port fails. */

const app = openSandboxApp();
const { paths }: { paths: Record<string, Record<string, any>> } = JSON.parse(document);
const KEY = await generateSandboxKey("svc", (bytes) => bytes.fill(7));

const documented = ({ path, method }: Operation) => paths[path]?.[method];

/** A well-formed request to an operation, with the documented example as its body. */
function send(operation: Operation, query = "", headers: Record<string, string> = {}) {
  const example = documented(operation)?.requestBody?.content["application/json"].example;
  return app.send(pathOf(operation, query), {
    method: operation.method.toUpperCase(),
    redirect: "manual",
    headers: { ...(example === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(example === undefined ? {} : { body: JSON.stringify(example) }),
  });
}

const JSON_OPERATIONS = API_OPERATIONS.flatMap((operation) =>
  operation.kind === "single" || operation.kind === "list" ? [operation] : [],
);
const errorStatuses = (operation: Operation) =>
  Object.keys(documented(operation).responses).filter((status) => Number(status) >= 400);

test.each(JSON_OPERATIONS)("$id answers a sample of its response schema", async (operation) => {
  const { status, headers, body } = await send(operation);
  expect({ status, error: body?.error }).toEqual({
    status: operation.kind === "single" ? (operation.successStatus ?? 200) : 200,
    error: undefined,
  });
  const data = operation.kind === "single" ? operation.data : z.array(operation.item);
  expect(z.object(operation.topLevel ?? {}).safeParse(body).error?.issues ?? []).toEqual([]);
  expect(data.safeParse(body.data).error?.issues ?? []).toEqual([]);
  expect(z.object(operation.meta ?? {}).safeParse(body.meta).error?.issues ?? []).toEqual([]);
  expect(body.object).toBe(operation.kind === "single" ? operation.object : "list");
  expect(body.meta).toMatchObject({ request_id: headers.get("x-request-id"), cached: false });
  expect(headers.get("x-oxi-sandbox")).toBe("true");
  expect(headers.has("etag")).toBe(operation.conditional);
  expect(headers.has("deprecation")).toBe(operation.alias !== undefined);
});

test.each(JSON_OPERATIONS.filter(({ id }) => !ADDITIONS.includes(id)))(
  "the sample of $id has the contract's shape",
  async (operation) => {
    const { status, body } = await send(operation);
    const success = contractOperation(operation.id).success as Record<string, { response?: string }>;
    const schema = success[String(status)]?.response;
    expect(schema === undefined ? [] : departures(schema, body)).toEqual([]);
  },
);

test.each(JSON_OPERATIONS)("$id answers the same sample every time", async (operation) => {
  const bodies = await Promise.all([send(operation), send(operation)]);
  const [first, second] = bodies.map(({ body: { meta, ...body } }) => ({ ...body, meta: { ...meta, request_id: "" } }));
  expect(first).toEqual(second);
});

test.each(API_OPERATIONS)("$id answers each of its documented errors on request", async (operation) => {
  const statuses = errorStatuses(operation);
  expect(statuses.length).toBeGreaterThan(3);
  for (const status of statuses) {
    const { body, headers, ...response } = await send(operation, `sandbox_status=${status}`);
    expect(response.status).toBe(Number(status));
    expect(body).toMatchObject({ object: "error", meta: { request_id: headers.get("x-request-id") } });
    const described: string = documented(operation).responses[status].description;
    const rows = Object.entries(ERRORS).filter(([reason]) => described.includes(`\`${reason}\`:`));
    expect(rows.map(([, { code }]) => code)).toContain(body.error.code);
    expect(headers.has("retry-after")).toBe(body.error.retry_at !== undefined);
    expect(status === "429" ? headers.get("retry-after") : "60").toBe("60");
    expect(headers.get("x-oxi-sandbox")).toBe("true");
  }
});

test.each(API_OPERATIONS)("$id refuses a sandbox_status that it does not document", async (operation) => {
  for (const status of ["200", "418", "599", "", "constructor"]) {
    const { body, ...response } = await send(operation, `sandbox_status=${status}`);
    expect({ status: response.status, ...body.error }).toMatchObject({
      status: 400,
      reason: "invalid_query",
      param: "sandbox_status",
      message: expect.stringContaining(errorStatuses(operation)[0] ?? ""),
    });
  }
});

test.each(API_OPERATIONS)("$id reports a valid sandbox key only where it needs a credential", async (operation) => {
  const { status, headers } = await send(operation, "", { authorization: `Bearer ${KEY}` });
  expect(headers.get("x-oxi-sandbox-key")).toBe(operation.access === "key" ? "valid" : null);
  expect(status).not.toBe(401);
});

test.each(API_OPERATIONS.filter(({ access }) => access === "key"))(
  "$id refuses a malformed sandbox key, a live key and a key in the URL",
  async (operation) => {
    const mistyped = `${KEY.slice(0, -1)}${KEY.endsWith("0") ? "1" : "0"}`;
    for (const key of [mistyped, KEY.slice(0, -1), `svc_sk_live_${"0".repeat(64)}`, "nonsense"]) {
      const { status, headers, body } = await send(operation, "", { authorization: `Bearer ${key}` });
      expect({ status, code: body?.error?.code, valid: headers.get("x-oxi-sandbox-key") }).toEqual({
        status: 401,
        code: "invalid_api_key",
        valid: null,
      });
      expect(headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="/);
    }
    expect((await send(operation, `token=${KEY}`)).body.error.reason).toBe("api_key_in_query");
  },
);

test.each(API_OPERATIONS)(
  "$id refuses an unknown query name in strict mode, but knows sandbox_status",
  async (operation) => {
    const strict = { "x-query-validation": "strict" };
    const unknown = await send(operation, "colour=red", strict);
    expect(unknown.body.error).toMatchObject({ reason: "unknown_query_parameter", param: "colour" });
    expect((await send(operation, "sandbox_status=500", strict)).status).toBe(500);
    const { status, headers } = await send(operation, "colour=red");
    const reports = status < 300 && operation.kind !== "redirect";
    expect(headers.get("x-query-ignored")).toBe(reports ? "colour" : null);
  },
);

test.each(JSON_OPERATIONS.filter((operation) => operation.kind === "single" && operation.body !== undefined))(
  "$id validates its body as the live API does",
  async (operation) => {
    const post = (body: string, type = "application/json") =>
      app.send(pathOf(operation), {
        method: operation.method.toUpperCase(),
        headers: { "content-type": type },
        body,
      });
    expect((await post("{")).body.error).toMatchObject({ reason: "invalid_body", param: "body" });
    expect((await post('{"colour":1}')).body.error).toMatchObject({ reason: "invalid_body" });
    expect((await post("{}", "text/plain")).body.error).toMatchObject({ reason: "unsupported_media_type" });
  },
);

test("no request to an operation of the sandbox touches a port of the runtime", () => {
  expect(app.touched).toEqual([]);
});
