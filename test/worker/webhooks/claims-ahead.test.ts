import type { SQL } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { webhookEndpoints } from "../../../src/db/schema.ts";
import { renderSql } from "../../../src/db/sql.ts";
import { drainEndpoint } from "../../../src/webhooks/delivery/drain-endpoint.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { anEndpoint, someDeliveries, type SeededEndpoint } from "../../support/seed/webhooks.ts";
import {
  settingsFor,
  storedDeliveries,
  storedEndpoint,
  type ReceiverBehavior,
} from "../../support/webhooks/drain-settings.ts";

/*
 * The first claim takes the four deliveries that begin at once, the second one fills up what has ended and takes 60
 * ahead. The third is made while deliveries of the second are left.
 */
const AHEAD = 3;
const NOW = Date.parse("2026-11-20T12:30:00Z");
const ok: ReceiverBehavior = () => new Response();

let database: TestDatabase;
let endpoint: SeededEndpoint;

beforeEach(async () => {
  database = await createTestDatabase();
  endpoint = await anEndpoint(database.db);
});

interface Statements {
  claims: number;
  records: number;
  releases: number;
}

/** Counts statements, and runs `onClaim` before each claim, with its number from 1. */
function watch(onClaim: (claim: number) => unknown = () => undefined): { db: Database; statements: Statements } {
  const statements = { claims: 0, records: 0, releases: 0 };
  const { execute } = database.db;
  const db = Object.assign(Object.create(database.db) as Database, {
    execute: async (statement: SQL) => {
      const { sql } = renderSql(statement);
      if (sql.includes("candidates as")) await onClaim(++statements.claims);
      if (sql.includes("recorded as")) statements.records++;
      if (sql.includes("is_stopped")) statements.releases++;
      return execute.call(database.db, statement);
    },
  });
  return { db, statements };
}

const drain = (db: Database, respond: ReceiverBehavior) =>
  drainEndpoint(
    endpoint.id,
    NOW + 1,
    settingsFor(db, respond, () => NOW),
  );
const stored = () => storedDeliveries(database.db, endpoint.id);
const countOf = async (status: string) => (await stored()).filter((row) => row.status === status).length;

test("240 deliveries to a fast endpoint take few statements, and each is posted once", async () => {
  const ids = await someDeliveries(database.db, endpoint.id, 240);
  const posted: string[] = [];
  const { db, statements } = watch();
  await drain(db, (request) => {
    posted.push(request.headers.get("x-service-delivery-id") ?? "");
    return ok(request);
  });
  expect(posted.toSorted()).toEqual(ids.toSorted());
  expect(await countOf("delivered")).toBe(240);
  // Four claims of 60, the first, and the last one, which finds nothing.
  expect(statements.claims).toBeLessThanOrEqual(7);
  expect(statements.records).toBeLessThanOrEqual(8);
});

test("a run claims no more than the 1,000 deliveries that it may begin", async () => {
  await someDeliveries(database.db, endpoint.id, 1_060);
  let posted = 0;
  const { db, statements } = watch();
  expect(await drain(db, (request) => (posted++, ok(request)))).toBe(NOW);
  expect([posted, statements.releases]).toEqual([1_000, 0]);
  expect([await countOf("delivered"), await countOf("pending")]).toEqual([1_000, 60]);
});

test("deliveries are posted while the next ones are claimed", async () => {
  await someDeliveries(database.db, endpoint.id, 130);
  let posted = 0;
  let postedBefore = 0;
  const claiming = Promise.withResolvers<void>();
  const { db, statements } = watch((claim) => {
    if (claim !== AHEAD) return;
    postedBefore = posted;
    return claiming.promise;
  });
  const done = drain(db, (request) => (posted++, ok(request)));
  await expect.poll(() => posted - postedBefore, { timeout: 5_000 }).toBeGreaterThanOrEqual(20);
  // Only what the claims before have taken.
  expect([statements.claims, posted <= 68]).toEqual([AHEAD, true]);
  claiming.resolve();
  await done;
  expect([posted, await countOf("delivered")]).toEqual([130, 130]);
});

test("deliveries that are claimed while an attempt fails are released unposted", async () => {
  await someDeliveries(database.db, endpoint.id, 130);
  let posted = 0;
  let isFailing = false;
  let postedBefore = 0;
  const failed = Promise.withResolvers<void>();
  const { db } = watch((claim) => {
    if (claim !== AHEAD) return;
    [isFailing, postedBefore] = [true, posted];
    return failed.promise;
  });
  const done = drain(db, () => {
    posted++;
    if (!isFailing) return new Response();
    // Before the claim returns, so that it returns to a run that knows of the failure.
    failed.resolve();
    return new Response("no", { status: 500 });
  });
  await done;
  expect(posted - postedBefore).toBeLessThanOrEqual(4);
  expect(await countOf("processing")).toBe(0);
  expect(await countOf("pending")).toBe(130 - posted);
});

test("an endpoint that is found disabled when deliveries are claimed ahead gets none of the earlier ones", async () => {
  await someDeliveries(database.db, endpoint.id, 130);
  let posted = 0;
  let postedBefore = 0;
  const gate = Promise.withResolvers<void>();
  let isGated = false;
  const { db } = watch(async (claim) => {
    if (claim !== AHEAD) return;
    [isGated, postedBefore] = [true, posted];
    await database.db.update(webhookEndpoints).set({ status: "disabled" });
    setTimeout(() => gate.resolve(), 500);
  });
  await drain(db, async () => {
    posted++;
    if (isGated) await gate.promise;
    return new Response();
  });
  expect(posted - postedBefore).toBeLessThanOrEqual(4);
  expect([await countOf("delivered"), await countOf("processing")]).toEqual([posted, 0]);
});

test("a failed claim ahead ends the run after its attempts are recorded, and leaves no delivery claimed", async () => {
  await someDeliveries(database.db, endpoint.id, 130);
  let posted = 0;
  const { db } = watch((claim) => {
    if (claim === AHEAD) throw new Error("away");
  });
  await expect(drain(db, (request) => (posted++, ok(request)))).rejects.toThrow("away");
  expect([await countOf("delivered"), await countOf("processing"), await countOf("pending")]).toEqual([
    posted,
    0,
    130 - posted,
  ]);
});

test("a delivery is signed with the secrets of its own claim", async () => {
  const newer = await anEndpoint(database.db, { accountId: endpoint.accountId });
  const { secretSealed } = await storedEndpoint(database.db, newer.id);
  await someDeliveries(database.db, endpoint.id, 130);
  const signedBy = { older: 0, newer: 0 };
  const gate = Promise.withResolvers<void>();
  let isGated = false;
  let takenBefore = 0;
  const { db } = watch(async (claim) => {
    if (claim !== AHEAD) return;
    isGated = true;
    takenBefore = 130 - (await countOf("pending"));
    await database.db.update(webhookEndpoints).set({ secretSealed });
    setTimeout(() => gate.resolve(), 500);
  });
  const now = Date.now();
  const respond: ReceiverBehavior = async ({ headers, body }) => {
    const isSignedWith = (secret: string) => {
      try {
        return new Webhook(secret).verify(body, Object.fromEntries(headers)) !== null;
      } catch {
        return false;
      }
    };
    if (isSignedWith(endpoint.secret)) signedBy.older++;
    if (isSignedWith(newer.secret)) signedBy.newer++;
    if (isGated) await gate.promise;
    return new Response();
  };
  await drainEndpoint(
    endpoint.id,
    now + 1,
    settingsFor(db, respond, () => now),
  );
  expect(signedBy).toEqual({ older: takenBefore, newer: 130 - takenBefore });
});

test("what is claimed ahead is released when the run ends because another release failed", async () => {
  await someDeliveries(database.db, endpoint.id, 130);
  const claimed = Promise.withResolvers<void>();
  const returning = Promise.withResolvers<void>();
  const { db, statements } = watch();
  const unreliableDb = Object.assign(Object.create(db) as Database, {
    execute: async (statement: SQL) => {
      const { sql } = renderSql(statement);
      if (sql.includes("is_stopped") && ++statements.releases === 1) {
        setTimeout(() => returning.resolve(), 200);
        throw new Error("away");
      }
      const response = await db.execute(statement);
      if (!sql.includes("candidates as") || statements.claims !== AHEAD) return response;
      // The claim has taken its deliveries, and its result arrives after the failed release.
      claimed.resolve();
      await returning.promise;
      return response;
    },
  });
  const respond: ReceiverBehavior = async () => {
    if (statements.claims < AHEAD) return new Response();
    await claimed.promise;
    return new Response(null, { status: 500 });
  };
  await expect(drain(unreliableDb, respond)).rejects.toThrow("away");
  // The deliveries of the failed release wait for the end of their leases: at most half of a claim.
  expect(await countOf("processing")).toBeLessThanOrEqual(30);
  expect(await countOf("pending")).toBeGreaterThanOrEqual(60);
}, 20_000);
