import { expect, test } from "vitest";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

/** Trades of as many wallets and markets, the first one large. */
const trades = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    aTrade({
      ...{ n: first + index, wallet: first + index, market: first + index },
      ...(index === 0 && { sharesMicro: 90_000_000_000n }),
    }),
  );

/** An ingest whose session is open. */
async function openedIngest() {
  const database = await createTestDatabase();
  const ingest = await openIngest(database.openPool());
  await ingest.apply("takers", pageOf([aTrade({ n: 900, wallet: 900, market: 900 })]));
  return ingest;
}

/*
 * The third needs what the second reads (the fold), the second needs the lock and the row ids of the first. If the process
 * knows the row ids, the second is in one message with the lock. The read of the checkpoint comes before: it names the page
 * to request.
 */
test("a page of 300 trades of new wallets and markets takes three round trips, as a page of one", async () => {
  const ingest = await openedIngest();
  const apply = (first: number, count: number) =>
    countMessages(() => ingest.apply("takers", pageOf(trades(first, count))));
  expect(await apply(1, 1)).toBe(3);
  expect(await apply(2, 300)).toBe(3);
});

test("a page whose trades are recorded takes two round trips, because the process knows its traders and markets", async () => {
  const ingest = await openedIngest();
  await ingest.apply("takers", pageOf(trades(1, 50)));
  expect(await countMessages(() => ingest.apply("takers", pageOf(trades(1, 50))))).toBe(2);
});

test("a new trade of a known trader in a known market takes two round trips", async () => {
  const ingest = await openedIngest();
  await ingest.apply("takers", pageOf([aTrade({ n: 1, wallet: 1, market: 1, sharesMicro: 2_000_000n })]));
  const page = pageOf([aTrade({ n: 2, wallet: 1, market: 1, sharesMicro: 3_000_000n })]);
  expect(await countMessages(() => ingest.apply("takers", page))).toBe(2);
  const { positions } = await ingest.state();
  expect(positions.find((position) => position["address"] === walletOf(1))).toMatchObject({ shares_micro: "5000000" });
});

test("a known trader's trade in a new market takes three round trips", async () => {
  const ingest = await openedIngest();
  await ingest.apply("takers", pageOf([aTrade({ n: 1, wallet: 1, market: 1 })]));
  const page = pageOf([aTrade({ n: 2, wallet: 1, market: 2 })]);
  expect(await countMessages(() => ingest.apply("takers", page))).toBe(3);
});

test("a page with a late trade and with taker roles of recorded ones takes two round trips", async () => {
  const ingest = await openedIngest();
  const late = { wallet: 1, market: 1, sharesMicro: 3_000_000n };
  await ingest.apply("all", pageOf([aTrade({ ...late, n: 2, atSeconds: 1_760_000_500 })]));
  const page = pageOf([
    aTrade({ ...late, n: 2, atSeconds: 1_760_000_500 }),
    aTrade({ ...late, n: 1, side: "SELL", atSeconds: 1_760_000_400 }),
  ]);
  expect(await countMessages(() => ingest.apply("takers", page))).toBe(2);
  const { entries, positions } = await ingest.state();
  expect(entries.filter((entry) => entry["role"] === "taker")).toHaveLength(3);
  // Sold before anything was bought: the sale is unmatched, and the purchase is open.
  expect(positions.find((position) => position["address"] === walletOf(1))).toMatchObject({
    shares_micro: "3000000",
    unmatched_shares_micro: "3000000",
  });
});
