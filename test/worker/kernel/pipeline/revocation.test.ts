import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { anOperatorCall } from "../../../support/web/operator-calls.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { READ_OPERATION, aMember } from "../../../support/web/members.ts";
import { openSite } from "../../../support/web/open-site.ts";

const WORKERS = 4;
const READERS = 1_000;
const PATH = "/api/v1/something";

let database: TestDatabase;
/** Separate isolates over the same meters, which log none of their many requests. */
let workers: Kernel[];

beforeAll(async () => {
  database = await createTestDatabase();
  workers = Array.from({ length: WORKERS }, () =>
    openKernel(openTestRuntime(database.databaseUrl, { LOG_SAMPLE_RATE: "0" }), [READ_OPERATION]),
  );
});

test(`of ${READERS} concurrent readers on ${WORKERS} Workers none is admitted after the revocation is acknowledged`, async () => {
  const runtime = openTestRuntime(database.databaseUrl);
  const member = await aMember(openSite(runtime), runtime);
  const { id, api_key: key } = (await member.send("/api/keys", { method: "POST" })).body.data;
  let isAcknowledged = false;
  const statuses = { before: new Set<number>(), after: new Set<number>() };
  const readAll = async (): Promise<void> => {
    const wave = Array.from({ length: READERS }, async (_, index) => {
      const started = isAcknowledged ? "after" : "before";
      const response = await workers[index % WORKERS]?.send(PATH, { key });
      statuses[started].add(response?.status ?? 0);
    });
    await Promise.all(wave);
  };
  const revoke = async (): Promise<boolean> => {
    const { status } = await member.send(`/api/keys/${id}`, { method: "DELETE" });
    isAcknowledged = status === 200;
    return isAcknowledged;
  };
  await readAll();
  // The meter of a busy machine may not answer in time; then nothing is revoked, and the owner repeats the request.
  for (let isRevoked = false; !isRevoked;) [isRevoked] = await Promise.all([revoke(), readAll()]);
  await readAll();
  await readAll();
  expect(statuses.before).toContain(200);
  expect(statuses.after).toContain(401);
  expect(statuses.after).not.toContain(200);
});

test("a signed call of an operator refuses a key at once, and only with a current signature", async () => {
  const runtime = openTestRuntime(database.databaseUrl);
  const [worker] = workers;
  const member = await aMember(openSite(runtime), runtime);
  const { api_key: key } = (await member.send("/api/keys", { method: "POST" })).body.data;
  const statusOf = async () => (await worker?.send(PATH, { key }))?.status;
  expect(await statusOf()).toBe(200);
  const call = { action: "refuse", account_id: member.accountId, key, at_ms: Date.now() } as const;
  const refused = [
    await anOperatorCall(call, { secret: "another-secret-of-32-bytes-or-more-than-that" }),
    await anOperatorCall({ ...call, at_ms: Date.now() - 61_000 }),
    await anOperatorCall(call, { tampered: true }),
  ];
  for (const request of refused) expect((await worker?.fetch(request))?.status).toBe(404);
  expect(await statusOf()).toBe(200);
  expect((await worker?.fetch(await anOperatorCall(call)))?.status).toBe(204);
  expect(await statusOf()).toBe(401);
});
