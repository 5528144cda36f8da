import { desc } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import { hashCredential } from "../../../../src/auth/api-key-format.ts";
import type { Database } from "../../../../src/db/client.ts";
import { apiKeys } from "../../../../src/db/schema.ts";
import { countStatements } from "../../../support/database/count-statements.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
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

test("a key from before a rotation is accepted: one statement finds it, one is for its meter, Redis is not asked", async () => {
  const { send } = rotated();
  const first = await send();
  expect(first.response.status).toBe(200);
  expect([first.reads, first.statements]).toEqual([[], 2]);
  const second = await send();
  expect(second.response.status).toBe(200);
  expect([second.reads, second.statements]).toEqual([[], 0]);
  // Another isolate only looks up the account: the meter has the record.
  const other = await rotated().send();
  expect([other.response.status, other.statements]).toEqual([200, 1]);
});

test("a key that is stored under the current secret is accepted at once, and one statement finds either", async () => {
  const { send } = rotated();
  const later = anUnknownKey();
  const keyHash = await hashCredential(NEW, later);
  await db.execute(`insert into api_keys (account_id, key_hash, prefix, scopes)
    select max(account_id), '${keyHash}', 'svc_sk_live_', '{read}' from api_keys`);
  const { response, statements } = await send(later);
  expect([response.status, statements]).toEqual([200, 2]);
});

test("a revocation under the earlier secret stops the key, also before its row says so", async () => {
  const { runtime, send } = rotated();
  expect((await send()).response.status).toBe(200);
  const [row] = await db.select().from(apiKeys).orderBy(desc(apiKeys.id)).limit(1);
  await runtime.meter.refuse(row?.accountId ?? 0, [await hashCredential(OLD, key)]);
  const { response, statements } = await send();
  expectApiError(response, INVALID);
  expect(statements).toBe(0);
});

test("a key whose secret was removed is refused as invalid", async () => {
  expectApiError((await openWith({ CREDENTIAL_SECRET: NEW }).send()).response, INVALID);
});

test("an unknown key is looked up once for all secrets, and then refused from memory", async () => {
  const { send } = rotated();
  const unknown = anUnknownKey();
  const first = await send(unknown);
  expectApiError(first.response, INVALID);
  expect([first.reads, first.statements]).toEqual([[], 1]);
  const second = await send(unknown);
  expectApiError(second.response, INVALID);
  expect([second.reads, second.statements]).toEqual([[], 0]);
});
