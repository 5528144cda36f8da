import { beforeAll, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { generationKey } from "../../../src/domain/generations.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { requestTo, type ValueOf } from "../../support/registry/requests.ts";
import { readMatchedTrade, worldValues } from "../../support/registry/world-values.ts";
import { aWallet } from "../../support/seed/wallets.ts";
import { aWorld } from "../../support/seed/world.ts";

const RESTING = OPERATIONS.filter(({ restsOn = [] }) => restsOn.length > 0);
/** The weekly report takes one of two names and requires neither. */
const offered: ValueOf = (name, { path }) => (name === "week" && path.endsWith("/weekly") ? "2026-47" : undefined);

let db: Database;
let runtime: Runtime;
let api: Kernel;
let values: ValueOf;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  const world = await aWorld(db);
  runtime = openTestRuntime(database.databaseUrl);
  // For a minute each, so that a slow test is not overtaken by the seconds. Spreading a member of the union keeps its kind.
  const kept = OPERATIONS.map((operation) => ({ ...operation, cacheSeconds: operation.cacheSeconds > 0 ? 60 : 0 }) as Operation);
  api = openKernel(runtime, kept, await aKey(db, { plan: "max" }));
  values = worldValues(world, await readMatchedTrade(world, api.send), "full");
});

test.for(RESTING)("$id is served from the cache until what it rests on is published anew", async (operation) => {
  const { path } = requestTo(operation, values, offered);
  const ask = async () => {
    const { status, body } = await api.send(path);
    return { status, cached: body.meta.cached };
  };
  await ask();
  expect(await ask()).toEqual({ status: 200, cached: true });
  for (const name of operation.restsOn ?? []) {
    await runtime.cache.set(generationKey(name), crypto.randomUUID(), 60);
    expect({ name, ...(await ask()) }).toEqual({ name, status: 200, cached: false });
    expect({ name, ...(await ask()) }).toEqual({ name, status: 200, cached: true });
  }
});

test("a wallet that has to be fresh is read anew each time: a second later it may not be", async () => {
  const { address } = await aWallet(db, { completeAt: new Date(), totals: {} });
  const ask = async (query: string) => {
    const { status, body } = await api.send(`/api/v1/trader/${address}${query}`);
    return { status, cached: body.meta.cached };
  };
  await ask("");
  expect(await ask("")).toEqual({ status: 200, cached: true });
  for (const _ of ["first", "again"]) expect(await ask("?max_age_s=3600")).toEqual({ status: 200, cached: false });
});
