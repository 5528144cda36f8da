import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi } from "../../../support/api/fresh-api.ts";
import { aCombo, theCombosWereRead } from "../../../support/seed/combos.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

let api: ApiUnderTest;
let db: Database;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
});

const readLive = async () => (await api.get("/api/v1/combos/summary")).body.data.live;

test("the count is null before combos have been read, also while there are some", async () => {
  await aFill(db, { trader: await aSeededTrader(db), market: await aCombo(db) });
  expect(await readLive()).toBeNull();
});

test("combos with a fill are counted by status, once each", async () => {
  await theCombosWereRead(db, new Date());
  const trader = await aSeededTrader(db);
  const open = [await aCombo(db), await aCombo(db)];
  for (const market of [...open, ...open]) await aFill(db, { trader, market });
  for (const status of ["won", "lost", "unknown"] as const)
    await aFill(db, { trader, market: await aCombo(db, { status }) });
  await aCombo(db);
  expect(await readLive()).toMatchObject({ count: 2, unknown_count: 1 });
});

test("no open combo is a count of 0 once combos have been read", async () => {
  await theCombosWereRead(db, new Date());
  expect(await readLive()).toMatchObject({ count: 0, unknown_count: 0 });
});
