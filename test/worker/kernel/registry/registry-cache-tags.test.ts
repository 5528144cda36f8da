import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MAX_AGE_MS } from "../../../../src/api/cache/tag-versions.ts";
import type { Operation } from "../../../../src/api/operation.ts";
import type { Database } from "../../../../src/db/client.ts";
import { cacheVersionKey } from "../../../../src/domain/cache-tags.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { registryRequestTo, type ValueOf } from "../../../support/registry/registry-requests.ts";
import { readMatchedTrade, worldValues } from "../../../support/registry/world-values.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { aWorld } from "../../../support/seed/world.ts";

const TAGGED = OPERATIONS.filter(({ cacheTags = [] }) => cacheTags.length > 0);
/** The weekly report accepts one of two parameters and requires neither. */
const optionalValue: ValueOf = (name, { path }) =>
  name === "week" && path.endsWith("/weekly") ? "2026-47" : undefined;

let db: Database;
let runtime: Runtime;
let api: Kernel;
let values: ValueOf;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  const world = await aWorld(db);
  runtime = openTestRuntime(database.databaseUrl);
  // A minute each, so that no entry expires during a slow test. The cast is needed because spreading a member
  // of the union loses its kind.
  const cached = OPERATIONS.map(
    (operation) => ({ ...operation, cacheSeconds: operation.cacheSeconds > 0 ? 60 : 0 }) as Operation,
  );
  api = openKernel(runtime, cached, await aKey(db, { plan: "max" }));
  values = worldValues(world, await readMatchedTrade(world, api.send), "full");
});

afterAll(() => {
  vi.useRealTimers();
});

test.for(TAGGED)(
  "$id is served from the cache until five seconds after one of its cache tags is published",
  async (operation) => {
    const { path } = registryRequestTo(operation, values, optionalValue);
    const send = async () => {
      const { status, body } = await api.send(path);
      return { status, cached: body.meta.cached };
    };
    await send();
    expect(await send()).toEqual({ status: 200, cached: true });
    for (const name of operation.cacheTags ?? []) {
      await runtime.cache.set(cacheVersionKey(name), crypto.randomUUID(), 60);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MAX_AGE_MS });
      expect({ name, ...(await send()) }).toEqual({ name, status: 200, cached: false });
      expect({ name, ...(await send()) }).toEqual({ name, status: 200, cached: true });
    }
  },
);

test("a request with max_age_s bypasses the cache, because a cached response may be too old", async () => {
  const { address } = await aSeededTrader(db, { completeAt: new Date(), totals: {} });
  const send = async (query: string) => {
    const { status, body } = await api.send(`/api/v1/trader/${address}${query}`);
    return { status, cached: body.meta.cached };
  };
  await send("");
  expect(await send("")).toEqual({ status: 200, cached: true });
  for (const _ of ["first", "again"]) expect(await send("?max_age_s=3600")).toEqual({ status: 200, cached: false });
});
