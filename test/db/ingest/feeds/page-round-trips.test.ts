import { expect, test, vi } from "vitest";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

/** The messages that the sessions send while the work runs. */
async function countMessages(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(WebSocket.prototype, "send");
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

/** Trades of as many wallets and markets, the first one large. */
const trades = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    aTrade({
      ...{ n: first + index, wallet: first + index, market: first + index },
      ...(index === 0 && { sharesMicro: 90_000_000_000n }),
    }),
  );

test("a page of 300 trades of new wallets and markets takes six round trips, as a page of one", async () => {
  const database = await createTestDatabase();
  const ingest = await openIngest(database.openPool());
  // Opens the session.
  await ingest.apply("takers", pageOf([aTrade({ n: 900, wallet: 900, market: 900 })]));
  const apply = (first: number, count: number) =>
    countMessages(() => ingest.apply("takers", pageOf(trades(first, count))));
  expect(await apply(1, 1)).toBe(6);
  expect(await apply(2, 300)).toBe(6);
});

test("a page whose trades are recorded takes four round trips", async () => {
  const database = await createTestDatabase();
  const ingest = await openIngest(database.openPool());
  await ingest.apply("takers", pageOf(trades(1, 50)));
  expect(await countMessages(() => ingest.apply("takers", pageOf(trades(1, 50))))).toBe(4);
});
