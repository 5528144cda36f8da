import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { providerEvents } from "../../../../src/db/schema.ts";
import { applyGameEvents } from "../../../../src/ingest/games/apply-game-events.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aGameEvent } from "../../../support/ingest/provider/provider-games.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

/*
 * Games are written without the ledger's lock. Transactions that insert the same events in one order wait for
 * each other; in different orders they deadlock.
 */

const NUMBERS = [3, 1, 2];
const IN_ORDER = ["event-1", "event-2", "event-3"];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

/** Row ids are given in the order of insertion. */
async function slugsAsInserted(): Promise<string[]> {
  const rows = await database.db
    .select({ slug: providerEvents.slug })
    .from(providerEvents)
    .orderBy(asc(providerEvents.id));
  return rows.map(({ slug }) => slug);
}

const anEvent = (n: number) => aGameEvent(n, { slug: `event-${n}` });

test("the events of market objects are inserted in the order of their slugs", async () => {
  const markets = NUMBERS.map((n) => aProviderMarket(n, { event: anEvent(n).event }));
  await applyMarkets(database.openPool(), markets, [], new Date(0));
  expect(await slugsAsInserted()).toEqual(IN_ORDER);
});

test("the events of games are inserted in the order of their slugs", async () => {
  const page = pageOf(NUMBERS.map(anEvent));
  await inTransaction(database.openPool(), (session) => applyGameEvents(session, page, new Date(0)));
  expect(await slugsAsInserted()).toEqual(IN_ORDER);
});

test("the events that trades name are inserted in the order of their slugs", async () => {
  const { apply } = await openIngest(database.openPool());
  await apply("all", pageOf(NUMBERS.map((n) => aTrade({ n, market: n }))));
  expect(await slugsAsInserted()).toEqual(IN_ORDER);
});
