import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ApiError, ERRORS } from "../../../../src/api/errors.ts";
import {
  hashRequest,
  runOnce,
  type IdempotentOutcome,
  type OutcomeStore,
} from "../../../../src/api/request/run-once.ts";
import type { Database } from "../../../../src/db/client.ts";
import { idempotencyRecords } from "../../../../src/db/schema.ts";
import { claimIdempotencyKey, type IdempotencyClaim } from "../../../../src/queries/accounts/idempotency-records.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const START = Date.UTC(2026, 5, 1);
const SECRET = "a credential secret of 32 characters or more";
/** How long a request without an outcome keeps its key, in milliseconds. */
const LEASE_MS = 90_000;

let database: TestDatabase;
let db: Database;
let outcomes: OutcomeStore;
let accountId = 0;
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  outcomes = { db, config: { credentialKeys: { current: SECRET, previous: [] } }, log, requestId: "req_1" };
});

// Each test has its own account, and so its own keys.
beforeEach(() => {
  accountId++;
  vi.clearAllMocks();
});

/** A claim of a key, some time after the start. */
const request = (facts: Partial<IdempotencyClaim> & { afterMs?: number } = {}): IdempotencyClaim => ({
  accountId,
  operation: "createWebhook",
  key: "k1",
  requestHash: "a".repeat(64),
  now: new Date(START + (facts.afterMs ?? 0)),
  ...facts,
});

const CREATED: IdempotentOutcome = { status: 201, body: '{"object":"webhook","data":{"name":"é😀"}}' };
const answering = (outcome: IdempotentOutcome) => vi.fn(async () => outcome);

/** A handler that runs until the test settles it. */
function pending() {
  const { promise, resolve, reject } = Promise.withResolvers<IdempotentOutcome>();
  const started = Promise.withResolvers<void>();
  const run = vi.fn(() => {
    started.resolve();
    return promise;
  });
  return { run, started: started.promise, resolve, reject };
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error("not refused", { cause: error });
  const { status, code, published } = ERRORS[error.reason];
  return { status, code, reason: published ? error.reason : null, param: error.detail.param };
}

const IN_PROGRESS = { status: 409, code: "bad_request", reason: "idempotency_in_progress", param: "Idempotency-Key" };
const REUSED = { status: 422, code: "bad_request", reason: null, param: "Idempotency-Key" };
const UNUSABLE = { status: 400, code: "bad_request", reason: null, param: "Idempotency-Key" };

const recordsOf = (account: number) =>
  db.select().from(idempotencyRecords).where(eq(idempotencyRecords.accountId, account));

describe("repeat with the same key", () => {
  test.for([CREATED, { status: 404, body: '{"object":"error"}' }, { status: 200, body: "" }])(
    "a repeat gets the first outcome and runs nothing: %j",
    async (outcome) => {
      expect(await runOnce(outcomes, request(), answering(outcome))).toEqual(outcome);
      const again = answering({ status: 200, body: "other" });
      expect(await runOnce(outcomes, request({ afterMs: 5_000 }), again)).toEqual(outcome);
      expect(again).not.toHaveBeenCalled();
    },
  );

  test("a repeat during the first request returns 409, and gets its outcome afterwards", async () => {
    const first = pending();
    const running = runOnce(outcomes, request(), first.run);
    await first.started;
    expect(await refusalOf(runOnce(outcomes, request({ afterMs: 10 }), answering(CREATED)))).toEqual(IN_PROGRESS);
    first.resolve(CREATED);
    expect(await running).toEqual(CREATED);
    expect(await runOnce(outcomes, request({ afterMs: 20 }), answering({ status: 200, body: "other" }))).toEqual(
      CREATED,
    );
  });

  test.for(["while the first runs", "afterwards"])(
    "a key repeated for another request returns 422, %s",
    async (time) => {
      const first = pending();
      const running = runOnce(outcomes, request(), first.run);
      await first.started;
      if (time === "afterwards") {
        first.resolve(CREATED);
        await running;
      }
      const other = answering(CREATED);
      expect(await refusalOf(runOnce(outcomes, request({ requestHash: "b".repeat(64) }), other))).toEqual(REUSED);
      expect(other).not.toHaveBeenCalled();
      first.resolve(CREATED);
      await running;
    },
  );

  test.for<[string, () => Partial<IdempotencyClaim>]>([
    ["of another account", () => ({ accountId: accountId + 1_000_000 })],
    ["on another operation", () => ({ operation: "deleteWebhook" })],
    ["in another case", () => ({ key: "K1" })],
  ])("a key %s counts as a first request", async ([, facts]) => {
    await runOnce(outcomes, request(), answering(CREATED));
    const outcome = { status: 200, body: "its own" };
    expect(await runOnce(outcomes, request(facts()), answering(outcome))).toEqual(outcome);
  });
});

describe("key length", () => {
  test.for(["", "k".repeat(256)])(
    "a key that is empty or longer than 255 characters returns 400 and runs nothing",
    async (key) => {
      const run = answering(CREATED);
      expect(await refusalOf(runOnce(outcomes, request({ key }), run))).toEqual(UNUSABLE);
      expect(run).not.toHaveBeenCalled();
    },
  );

  test.for(["k", "k".repeat(255), "'; drop table accounts --", "ключ 😀"])(
    "a key of 1 to 255 characters is accepted: %s",
    async (key) => {
      await runOnce(outcomes, request({ key }), answering(CREATED));
      expect(await runOnce(outcomes, request({ key }), answering({ status: 200, body: "other" }))).toEqual(CREATED);
    },
  );
});

describe("concurrent first requests", () => {
  test("one of many concurrent requests with a key runs, and the others get 409 or its outcome", async () => {
    for (let round = 0; round < 10; round++) {
      let runs = 0;
      const run = async () => {
        const ordinal = ++runs;
        await new Promise((resolve) => setTimeout(resolve, round * 5));
        return { status: 201, body: `run ${ordinal}` };
      };
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, () => runOnce(outcomes, request({ key: `race ${round}` }), run)),
      );
      expect(runs).toBe(1);
      const served = all.filter((one) => one.status === "fulfilled");
      const refused = all.filter((one) => one.status === "rejected");
      expect(served.length).toBeGreaterThanOrEqual(1);
      for (const { value } of served) expect(value).toEqual({ status: 201, body: "run 1" });
      for (const { reason } of refused) expect(reason).toMatchObject({ reason: "idempotency_in_progress" });
    }
  });

  test("concurrent requests with different keys all run", async () => {
    const run = answering(CREATED);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => runOnce(outcomes, request({ key: `own ${index}` }), run)),
    );
    expect(run).toHaveBeenCalledTimes(20);
  });

  test("one of many concurrent requests that find an expired record runs", async () => {
    await runOnce(outcomes, request(), answering(CREATED));
    const run = answering({ status: 201, body: "second" });
    const late = () => runOnce(outcomes, request({ afterMs: 24 * HOUR_MS }), run);
    await Promise.allSettled(Array.from({ length: 20 }, late));
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("failed first request", () => {
  test.for([500, 503])("a first request that returns %i releases its key, and the repeat runs", async (status) => {
    expect(await runOnce(outcomes, request(), answering({ status, body: "failed" }))).toEqual({
      status,
      body: "failed",
    });
    expect(await recordsOf(accountId)).toEqual([]);
    expect(await runOnce(outcomes, request({ afterMs: 1 }), answering(CREATED))).toEqual(CREATED);
  });

  test("a first request that throws releases its key and rethrows the error", async () => {
    const failing = runOnce(outcomes, request(), () => Promise.reject(new Error("no luck")));
    await expect(failing).rejects.toThrow("no luck");
    expect(await runOnce(outcomes, request({ afterMs: 1 }), answering(CREATED))).toEqual(CREATED);
  });

  test("a first request without an outcome keeps its key for 90 seconds", async () => {
    void runOnce(outcomes, request(), () => new Promise(() => undefined));
    await expect.poll(() => recordsOf(accountId)).toHaveLength(1);
    const again = answering(CREATED);
    expect(await refusalOf(runOnce(outcomes, request({ afterMs: LEASE_MS - 1 }), again))).toEqual(IN_PROGRESS);
    expect(await runOnce(outcomes, request({ afterMs: LEASE_MS }), again)).toEqual(CREATED);
    expect(again).toHaveBeenCalledTimes(1);
  });

  test.for<[string, (first: ReturnType<typeof pending>) => void]>([
    ["with an outcome", (first) => first.resolve({ status: 201, body: "late" })],
    ["with a failure", (first) => first.resolve({ status: 503, body: "late" })],
    ["with an error", (first) => first.reject(new Error("late"))],
  ])("a first request that ends %s after its lease leaves the new owner's record unchanged", async ([, end]) => {
    const first = pending();
    const running = runOnce(outcomes, request(), first.run).catch(() => undefined);
    await first.started;
    await runOnce(outcomes, request({ afterMs: LEASE_MS }), answering(CREATED));
    end(first);
    await running;
    expect(
      await runOnce(outcomes, request({ afterMs: LEASE_MS + 1 }), answering({ status: 200, body: "third" })),
    ).toEqual(CREATED);
  });
});

describe("stored outcome", () => {
  test("an outcome is replayed for 24 hours and then forgotten", async () => {
    await runOnce(outcomes, request(), answering(CREATED));
    const other = { status: 201, body: "a day later" };
    expect(await runOnce(outcomes, request({ afterMs: 24 * HOUR_MS - 1 }), answering(other))).toEqual(CREATED);
    const next = request({ afterMs: 24 * HOUR_MS, requestHash: "b".repeat(64) });
    expect(await runOnce(outcomes, next, answering(other))).toEqual(other);
    expect(await runOnce(outcomes, { ...next, now: new Date(START + 25 * HOUR_MS) }, answering(CREATED))).toEqual(
      other,
    );
  });

  test("a stored outcome is encrypted, and equal outcomes have different ciphertexts", async () => {
    const body = '{"data":{"secret":"whsec_0123456789abcdef"}}';
    for (const key of ["k1", "k2"]) await runOnce(outcomes, request({ key }), answering({ status: 201, body }));
    const { rows } = await db.execute(
      sql`select r::text as line, body from idempotency_records r where account_id = ${accountId}`,
    );
    expect(rows).toHaveLength(2);
    for (const { line } of rows) {
      expect(line).not.toContain("whsec_");
      // Base64 has three alignments; none of them may appear.
      for (const shift of [0, 1, 2])
        expect(line).not.toContain(btoa(`${" ".repeat(shift)}whsec_0123456789abcdef`).slice(4, 24));
    }
    expect(rows[0]?.["body"]).not.toBe(rows[1]?.["body"]);
    expect(await runOnce(outcomes, request(), answering(CREATED))).toEqual({ status: 201, body });
  });

  test("an outcome as large as a long list is replayed unchanged", async () => {
    const body = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `é${index}`));
    await runOnce(outcomes, request(), answering({ status: 200, body }));
    expect((await runOnce(outcomes, request(), answering(CREATED))).body).toBe(body);
  });

  const LOST = { status: 409, code: "bad_request", reason: null, param: "Idempotency-Key" };
  const rotated = (): OutcomeStore => ({
    ...outcomes,
    config: { credentialKeys: { current: `${SECRET}, but another`, previous: [] } },
  });

  test.for<[string, () => Promise<OutcomeStore>]>([
    ["sealed with a secret that has been replaced", async () => rotated()],
    ["in plain text", () => overwrite(sql`'{"object":"webhook","data":{}}'`)],
    ["cut short", () => overwrite(sql`left(body, 10)`)],
    ["without its text", () => overwrite(sql`'v1.'`)],
    [
      "changed in its last byte",
      () => overwrite(sql`left(body, -2) || case right(body, 2) when 'AA' then 'BA' else 'AA' end`),
    ],
    [
      "of another account",
      () =>
        overwrite(
          sql`(select body from idempotency_records where account_id = ${accountId + 1_000_000} and key = 'k1')`,
        ),
    ],
    [
      "of another key",
      () => overwrite(sql`(select body from idempotency_records where account_id = ${accountId} and key = 'k2')`),
    ],
    [
      "of another operation",
      () =>
        overwrite(
          sql`(select body from idempotency_records where account_id = ${accountId} and operation = 'deleteWebhook')`,
        ),
    ],
  ])("a stored outcome %s returns 409, replays nothing and runs nothing", async ([, change]) => {
    for (const facts of [{}, { accountId: accountId + 1_000_000 }, { key: "k2" }, { operation: "deleteWebhook" }]) {
      await runOnce(outcomes, request(facts), answering(CREATED));
    }
    const changed = await change();
    const again = answering(CREATED);
    expect(await refusalOf(runOnce(changed, request({ afterMs: 1 }), again))).toEqual(LOST);
    expect(again).not.toHaveBeenCalled();
    expect(await runOnce(changed, request({ afterMs: 24 * HOUR_MS }), again)).toEqual(CREATED);
  });

  /** Overwrites the stored outcome of this account's first key. */
  async function overwrite(body: ReturnType<typeof sql>): Promise<OutcomeStore> {
    const { rows } = await db.execute(sql`
      update idempotency_records set body = ${body}
      where account_id = ${accountId} and operation = 'createWebhook' and key = 'k1' returning body`);
    expect(rows).toEqual([{ body: expect.any(String) }]);
    return outcomes;
  }

  test("an outcome that could not be stored is returned, and its key stays in use until the lease ends", async () => {
    const breaking = async () => {
      await db.execute(sql`alter table idempotency_records rename to away`);
      return CREATED;
    };
    const outcome = await runOnce(outcomes, request(), breaking).finally(() =>
      db.execute(sql`alter table away rename to idempotency_records`),
    );
    expect(outcome).toEqual(CREATED);
    expect(await refusalOf(runOnce(outcomes, request({ afterMs: 1 }), answering(CREATED)))).toEqual(IN_PROGRESS);
    expectWarning("idempotency.store_failed");
  });

  test("a key that could not be released is logged, and the error of the request is thrown", async () => {
    const breaking = async () => {
      await db.execute(sql`alter table idempotency_records rename to away`);
      throw new Error("no luck");
    };
    const failing = runOnce(outcomes, request({ key: "a secret key" }), breaking).finally(() =>
      db.execute(sql`alter table away rename to idempotency_records`),
    );
    await expect(failing).rejects.toThrow("no luck");
    expectWarning("idempotency.release_failed");
  });

  /** One warning names the request and the operation, and has neither the key nor the outcome. */
  function expectWarning(event: string): void {
    expect(log.warn.mock.calls).toEqual([
      [
        event,
        {
          request_id: "req_1",
          account_id: accountId,
          operation: "createWebhook",
          error: expect.stringContaining("idempotency_records"),
        },
      ],
    ]);
    const line = JSON.stringify(log.warn.mock.calls);
    for (const secret of ["a secret key", "k1", CREATED.body, "é😀", SECRET]) expect(line).not.toContain(secret);
  }
});

describe("expired records", () => {
  /** Stores records of this account that expire this long after the start. */
  const store = (endings: readonly number[]) =>
    db.insert(idempotencyRecords).values(
      endings.map((afterMs, index) => ({
        accountId,
        operation: "createWebhook",
        key: `old ${index}`,
        requestHash: "c".repeat(64),
        status: 201,
        body: "{}",
        createdAt: new Date(START),
        expiresAt: new Date(START + afterMs),
      })),
    );

  async function openSession() {
    const client = await database.openPool().connect();
    onTestFinished(() => client.release());
    return client;
  }

  test("each claim deletes up to 20 expired records and no live one", async () => {
    // After every expiry of another test, so that only these records have expired.
    const at = 1_000 * HOUR_MS;
    await db.delete(idempotencyRecords);
    await store([...Array.from({ length: 50 }, () => at), at + 1, at + HOUR_MS]);
    const left: number[] = [];
    for (const key of ["a", "b", "c"]) {
      await runOnce(outcomes, request({ key, afterMs: at }), answering(CREATED));
      left.push((await recordsOf(accountId)).filter((record) => record.key.startsWith("old")).length);
    }
    expect(left).toEqual([32, 12, 2]);
    await db.delete(idempotencyRecords);
  });

  test("a claim skips an expired record that another statement has locked", async () => {
    await store([0, 0]);
    const session = await openSession();
    await session.query(
      `begin; select from idempotency_records where account_id = ${accountId} and key = 'old 0' for update`,
    );
    expect(await claimIdempotencyKey(db, request(), new Date(START + LEASE_MS))).toBe(true);
    await session.query("commit");
    expect((await recordsOf(accountId)).map(({ key }) => key).sort()).toEqual(["k1", "old 0"]);
  });

  test("a claim that waits for its own key holds no lock on other expired records", async () => {
    await store([0, 0]);
    const session = await openSession();
    await session.query(
      `begin; select from idempotency_records where account_id = ${accountId} and key = 'old 0' for update`,
    );
    const claiming = claimIdempotencyKey(db, request({ key: "old 0" }), new Date(START + LEASE_MS));
    const waiting = () =>
      session.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    const rest = `select key from idempotency_records where account_id = ${accountId} and key = 'old 1' for update nowait`;
    expect((await session.query(rest)).rows).toEqual([{ key: "old 1" }]);
    await session.query("commit");
    expect(await claiming).toBe(true);
  });
});

describe("request hash", () => {
  const hash = (method = "POST", target = "/api/v1/webhooks", body: unknown = { name: "a", types: [1, 2] }) =>
    hashRequest(method, target, body);

  test("two requests with equal method, path and body have the same hash, whatever the whitespace", async () => {
    expect(await hash("POST", "/api/v1/webhooks", JSON.parse('{ "name" : "a",\n"types": [1,2] }'))).toBe(await hash());
    expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
  });

  test.for<[string, [string?, string?, unknown?]]>([
    ["method", ["PATCH"]],
    ["path", ["POST", "/api/v1/webhooks/1"]],
    ["query", ["POST", "/api/v1/webhooks?expand=all"]],
    ["body", ["POST", "/api/v1/webhooks", { name: "a", types: [2, 1] }]],
    ["order of members", ["POST", "/api/v1/webhooks", { types: [1, 2], name: "a" }]],
    ["presence of a body", ["POST", "/api/v1/webhooks", null]],
  ])("two requests with another %s have different hashes", async ([, parts]) => {
    expect(await hash(...parts)).not.toBe(await hash());
  });
});
