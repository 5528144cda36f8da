/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { consumeExports } from "../../../queues/consume-exports.ts";
import type { Env } from "../../../src/env.ts";
import { TEST_PUBLIC_KEY } from "../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { anExportJob } from "../../support/seed/exports.ts";
import { aPublishedLargeTrade, passHorizon } from "../../support/seed/large-trades.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await aPublishedLargeTrade(database.db);
  await passHorizon(database.db);
});

beforeEach(() => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Delivers one message. @returns whether it was acknowledged, and its retry delay in seconds */
async function deliver(body: unknown, settings: Partial<Env> & { DATABASE_URL?: string } = {}) {
  const batch = createMessageBatch("exports", [{ id: "m1", timestamp: new Date(), attempts: 1, body }]);
  const retry = batch.messages.map((message) => vi.spyOn(message, "retry"))[0];
  await consumeExports(batch, { ...(env as Env), DATABASE_URL: database.databaseUrl, ...settings } as Env);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks.length === 1, retriedAfter: retry?.mock.lastCall?.[0]?.delaySeconds ?? null };
}

const stateOf = async (id: number) =>
  (await database.db.execute(sql`select state from export_jobs where id = ${id}`)).rows[0]?.["state"];

test("a message runs its job to the end, and a second one changes nothing", async () => {
  const { id } = await anExportJob(database.db);
  expect(await deliver({ job_id: id })).toEqual({ acked: true, retriedAfter: null });
  expect(await stateOf(id)).toBe("ready");
  expect(await deliver({ job_id: id })).toEqual({ acked: true, retriedAfter: null });
  expect(await stateOf(id)).toBe("ready");
});

test("the consumer signs its files with the configured key, and says so when there is none", async () => {
  const proofOf = async (id: number) =>
    (await database.db.execute(sql`select result -> 'proof' as proof from export_jobs where id = ${id}`)).rows[0]?.[
      "proof"
    ];
  const { id } = await anExportJob(database.db);
  await deliver({ job_id: id });
  expect(await proofOf(id)).toMatchObject({ public_key: TEST_PUBLIC_KEY });
  const { id: other } = await anExportJob(database.db);
  await deliver({ job_id: other }, { ARCHIVE_SIGNING_KEY: "" } as Partial<Env>);
  expect(await proofOf(other)).toBeNull();
});

test("messages that arrive at once lead to one file and one event", async () => {
  const { id } = await anExportJob(database.db);
  await Promise.all([1, 2, 3, 4].map(() => deliver({ job_id: id })));
  expect(await stateOf(id)).toBe("ready");
  const { objects } = await (env as Env).ARTIFACTS.list({ prefix: `exports/${id}/` });
  expect(objects).toHaveLength(1);
  const { rows } = await database.db.execute(
    sql`select type from events where (payload ->> 'job_id')::int = ${id} and type like 'export_job%'`,
  );
  expect(rows).toEqual([{ type: "export_job_ready" }]);
});

test("an unreadable message is acknowledged, because the sweep finds the job", async () => {
  expect(await deliver({ job: 1 })).toEqual({ acked: true, retriedAfter: null });
});

test("a message is retried while the database cannot be reached, and the job stays as it is", async () => {
  const { id } = await anExportJob(database.db);
  const DATABASE_URL = database.databaseUrl.replace(/\/test_\w+/, "/test_missing");
  expect(await deliver({ job_id: id }, { DATABASE_URL })).toEqual({ acked: false, retriedAfter: 5 });
  expect(await stateOf(id)).toBe("queued");
});

test("a job whose bucket refuses is enqueued again with a delay", async () => {
  const { id } = await anExportJob(database.db);
  const sent: unknown[] = [];
  const refuse = () => Promise.reject(new Error("10001: internal error"));
  const ARTIFACTS = { put: refuse, list: refuse, head: refuse } as unknown as R2Bucket;
  const EXPORTS_QUEUE = { send: async (...args: unknown[]) => void sent.push(args) } as unknown as Env["EXPORTS_QUEUE"];
  expect(await deliver({ job_id: id }, { ARTIFACTS, EXPORTS_QUEUE })).toEqual({ acked: true, retriedAfter: null });
  expect(sent).toEqual([[{ job_id: id }, { delaySeconds: 60 }]]);
  expect(await stateOf(id)).toBe("running");
});
