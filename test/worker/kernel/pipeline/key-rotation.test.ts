import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import { hashCredential } from "../../../../src/auth/api-key-format.ts";
import { recordKey } from "../../../../src/auth/credential-record.ts";
import { refuseKeys } from "../../../../src/auth/replace-credential-records.ts";
import type { Database } from "../../../../src/db/client.ts";
import { countStatements } from "../../../support/count-statements.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { expectApiError, type ExpectedError } from "../../../support/kernel/api-error.ts";
import { aKey, anUnknownKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

/** The secret under which `aKey` stores keys. */
const OLD = "test-credential-secret-of-32-bytes-or-more";
const NEW = "the-next-credential-secret-of-32-bytes-or-more";
const INVALID: ExpectedError = { status: 401, code: "invalid_api_key", reason: null, param: null };

const TEST_OPERATION = defineOperation({
  ...PLAIN_OPERATION,
  kind: "single",
  id: "plan",
  path: "/api/v1/plan",
  access: "key",
  object: "caller",
  data: z.object({ plan: z.string().optional() }),
  handle: async (_input, { principal }) => ({ data: { plan: principal?.plan } }),
});

let databaseUrl: string;
let db: Database;
let key: string;

beforeAll(async () => {
  ({ databaseUrl, db } = await createTestDatabase());
});
beforeEach(async () => {
  key = await aKey(db);
});

/** A kernel with these secrets, which records what it asks of Redis and Postgres. */
function openWith(variables: Record<string, string>) {
  const runtime = openTestRuntime(databaseUrl, variables);
  const reads: (readonly string[])[] = [];
  const cache = {
    ...runtime.cache,
    getMany: (keys: readonly string[]) => {
      reads.push(keys);
      return runtime.cache.getMany(keys);
    },
  };
  const counted = countStatements(runtime.db);
  const kernel = openKernel({ ...runtime, cache, db: counted.db }, [TEST_OPERATION]);
  return {
    runtime,
    /** The response, with the Redis reads and the statements of this request alone. */
    async send(presented = key) {
      const before = { reads: reads.length, statements: counted.sent() };
      const response = await kernel.send("/api/v1/plan", { key: presented });
      return { response, reads: reads.slice(before.reads), statements: counted.sent() - before.statements };
    },
  };
}

const rotated = () => openWith({ CREDENTIAL_SECRET: NEW, CREDENTIAL_SECRET_PREVIOUS: OLD });

test("a key from before a rotation is accepted, with one round trip to Redis and one statement", async () => {
  const { send } = rotated();
  const first = await send();
  expect(first.response.status).toBe(200);
  expect(first.reads).toEqual([
    [NEW, OLD, NEW, OLD].map((_, index) => expect.stringMatching(index < 2 ? /^cred:/ : /^found:cred:/)),
  ]);
  expect(first.statements).toBe(1);
  const second = await send();
  expect(second.response.status).toBe(200);
  expect([second.reads.length, second.statements]).toEqual([1, 0]);
});

test("a request without an earlier secret reads the keys of one hash", async () => {
  const { response, reads } = await openWith({}).send();
  expect(response.status).toBe(200);
  expect(reads.map((keys) => keys.length)).toEqual([2]);
});

test("a key that is stored under the current secret is accepted at once, and one statement finds either", async () => {
  const { runtime, send } = rotated();
  const later = anUnknownKey();
  const keyHash = await hashCredential(NEW, later);
  await db.execute(`insert into api_keys (account_id, key_hash, prefix, scopes)
    select max(account_id), '${keyHash}', 'svc_sk_live_', '{read}' from api_keys`);
  const { response, reads, statements } = await send(later);
  expect([response.status, reads.length, statements]).toEqual([200, 1, 1]);
  expect(await runtime.cache.getMany([recordKey(keyHash)])).toEqual([expect.stringContaining('"kind":"key"')]);
});

test("a revocation under the earlier secret stops the key, also before its row says so", async () => {
  const { runtime, send } = rotated();
  expect((await send()).response.status).toBe(200);
  await refuseKeys(runtime.cache, [await hashCredential(OLD, key)]);
  const { response, statements } = await send();
  expectApiError(response, INVALID);
  expect(statements).toBe(0);
});

test("a key whose secret was removed is refused as invalid", async () => {
  expectApiError((await openWith({ CREDENTIAL_SECRET: NEW }).send()).response, INVALID);
});

test("an unknown key is looked up once for all secrets, and then refused from Redis", async () => {
  const { send } = rotated();
  const unknown = anUnknownKey();
  const first = await send(unknown);
  expectApiError(first.response, INVALID);
  expect([first.reads.length, first.statements]).toEqual([1, 1]);
  const second = await send(unknown);
  expectApiError(second.response, INVALID);
  expect([second.reads.length, second.statements]).toEqual([1, 0]);
});
