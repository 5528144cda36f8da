import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import type { Database } from "../../../../src/db/client.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError, expectRequestId, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type KernelRequest } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

const LIMIT = 1_048_576;
const JSON_TYPE = { "content-type": "application/json" };

const refused = (status: number, reason: string | null, param: string): ExpectedError => ({
  status,
  code: "bad_request",
  reason,
  param,
});
const INVALID = refused(400, "invalid_body", "body");
const TOO_LARGE = refused(413, "payload_too_large", "body");

/** The handler's work in the running test. */
const work = vi.fn<(body: { name: string; tags: string[] }) => Promise<unknown>>();

/** Body and idempotency handling follow from this declaration alone. */
const createThing = defineOperation({
  ...PLAIN_OPERATION,
  kind: "single",
  id: "createThing",
  method: "post",
  path: "/api/v1/things/{shelf}",
  access: "key",
  scope: "webhooks",
  params: { shelf: z.string() },
  body: z.strictObject({ name: z.string(), tags: z.array(z.string()).default([]) }),
  idempotent: true,
  successStatus: 201,
  object: "thing",
  data: z.unknown(),
  handle: async ({ body }) => ({ data: await work(body) }),
});

let db: Database;
let runtime: Runtime;
let api: Kernel;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  runtime = openTestRuntime(database.databaseUrl);
});

// Each test has its own account, and so its own keys.
beforeEach(async () => {
  api = openKernel(runtime, [createThing], await aKey(db));
  work.mockReset().mockImplementation(async (body) => body);
});

const post = (body: KernelRequest["body"], headers: Record<string, string> = {}, path = "/api/v1/things/a") =>
  api.send(path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: body ?? null });

/** A stream of 64 KiB chunks, sent without a content length. */
function inChunks(bytes: Uint8Array): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, (sent += 65_536)));
    },
  });
}

describe("declared body", () => {
  test("an operation gets its parsed body and returns its own success status", async () => {
    const response = await post('{"name":"é😀"}');
    expect({ status: response.status, data: response.body.data }).toEqual({
      status: 201,
      data: { name: "é😀", tags: [] },
    });
    expectRequestId(response);
  });

  test.for<[string, KernelRequest["body"], Record<string, string>, ExpectedError]>([
    [
      "of another media type",
      "{}",
      { "content-type": "text/plain" },
      refused(415, "unsupported_media_type", "content-type"),
    ],
    ["that is absent", null, {}, INVALID],
    ["that is not JSON", "{", {}, INVALID],
    ["that is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}, INVALID],
    ["that names a member twice", '{"name":"a","name":"b"}', {}, INVALID],
    ["that lacks a required field", "{}", {}, refused(400, "invalid_body", "name")],
    ["with a value of the wrong type", '{"name":"a","tags":["b",1]}', {}, refused(400, "invalid_body", "tags[1]")],
    ["with an unknown field", '{"name":"a","colour":1}', {}, refused(400, "invalid_body", "colour")],
  ])("a body %s is refused before the handler runs", async ([, body, headers, expected]) => {
    expectApiError(await post(body, headers), expected);
    expect(work).not.toHaveBeenCalled();
  });

  test("a body of 1,048,576 bytes is accepted and one more byte refused, with and without a length", async () => {
    const frame = '{"name":""}';
    const text = (bytes: number) => `{"name":"${"x".repeat(bytes - frame.length)}"}`;
    const encoder = new TextEncoder();
    for (const send of [(body: string) => body, (body: string) => inChunks(encoder.encode(body))]) {
      expect((await post(send(text(LIMIT)))).status).toBe(201);
      expectApiError(await post(send(text(LIMIT + 1))), TOO_LARGE);
    }
  });

  test("a request without a key is refused before its body is read", async () => {
    expect((await api.send("/api/v1/things/a", { method: "POST", key: null, body: "{" })).status).toBe(401);
  });

  test("an operation with a POST body returns 405 for other methods", async () => {
    const response = await api.send("/api/v1/things/a", { method: "PUT", headers: JSON_TYPE, body: "{}" });
    expect({ status: response.status, allow: response.headers.get("allow") }).toEqual({
      status: 405,
      allow: "POST, OPTIONS",
    });
  });
});

describe("Idempotency-Key header", () => {
  const KEY = { "idempotency-key": "k1" };
  const BODY = '{"name":"a"}';
  const IN_PROGRESS = refused(409, "idempotency_in_progress", "Idempotency-Key");
  const REUSED = refused(422, null, "Idempotency-Key");

  test("a repeated Idempotency-Key returns the first response under a new request id", async () => {
    work.mockResolvedValueOnce({ secret: "first" });
    const first = await post(BODY, KEY);
    const repeat = await post(BODY, KEY);
    expect(work).toHaveBeenCalledTimes(1);
    expect({ status: repeat.status, data: repeat.body.data }).toEqual({ status: 201, data: { secret: "first" } });
    expectRequestId(repeat);
    expect(repeat.body.meta.request_id).not.toBe(first.body.meta.request_id);
  });

  test("repeated requests without an Idempotency-Key all run", async () => {
    await post(BODY);
    await post(BODY);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test.for<[string, string, string]>([
    ["body", '{"name":"b"}', "/api/v1/things/a"],
    ["path", BODY, "/api/v1/things/b"],
  ])("an Idempotency-Key repeated with another %s returns 422", async ([, body, path]) => {
    await post(BODY, KEY);
    expectApiError(await post(body, KEY, path), REUSED);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test("an Idempotency-Key repeated while the first request runs returns 409", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    work.mockReturnValueOnce(promise);
    const first = post(BODY, KEY);
    await expect.poll(() => work.mock.calls.length).toBe(1);
    expectApiError(await post(BODY, KEY), IN_PROGRESS);
    resolve({});
    expect((await first).status).toBe(201);
  });

  test("an Idempotency-Key of 256 characters returns 400", async () => {
    expectApiError(await post(BODY, { "idempotency-key": "k".repeat(256) }), refused(400, null, "Idempotency-Key"));
  });

  test("an Idempotency-Key whose request body was refused can be used again", async () => {
    expectApiError(await post("{}", KEY), refused(400, "invalid_body", "name"));
    expect((await post(BODY, KEY)).status).toBe(201);
  });
});
