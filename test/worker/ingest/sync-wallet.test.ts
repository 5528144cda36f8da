import { expect, test } from "vitest";
import { ledgerEntries, walletSyncs } from "../../../src/db/schema.ts";
import { ProviderUnavailable, type Provider } from "../../../src/ports/provider.ts";
import { createTestDatabase } from "../../support/database.ts";
import { anActivityProvider, follow, sync } from "../../support/ingest/followed-wallet.ts";
import { aTrade, asActivity, pageOf } from "../../support/ingest/trades.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const ONE = new Date("2026-11-20T13:00:00Z");
const TWO = new Date("2026-11-20T14:00:00Z");

/** So many pages of one trade each. */
const pages = (count: number) =>
  Array.from({ length: count }, (_, n) => pageOf([asActivity(aTrade({ n: n + 1, atSeconds: 1_760_000_000 + n }))]));

const whole = anActivityProvider(1, pages(2));
/** Away after the first page. */
const breaking: Provider = {
  ...whole,
  listActivity: async (address, since, cursor) => {
    if (cursor !== null) throw new ProviderUnavailable("away", null);
    return whole.listActivity(address, since, cursor);
  },
};

async function aFollowedWallet() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await follow(pool, 1);
  /** When the wallet's activity was last read to the end, and how many of its trades are stored. */
  const stored = async () => ({
    completeAt: (await db.select().from(walletSyncs))[0]?.completeAt,
    trades: await db.$count(ledgerEntries),
  });
  return { pool, stored };
}

test("a walk that reaches the end says when, and each later one says it anew", async () => {
  const { pool, stored } = await aFollowedWallet();
  await sync(pool, whole, 1, NOON);
  expect(await stored()).toEqual({ completeAt: NOON, trades: 2 });
  await sync(pool, whole, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 2 });
});

test("a first walk that is interrupted has not read the wallet to the end, whatever it has stored", async () => {
  const { pool, stored } = await aFollowedWallet();
  await expect(sync(pool, breaking, 1, NOON)).rejects.toThrow("away");
  expect(await stored()).toEqual({ completeAt: null, trades: 1 });
  await sync(pool, whole, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 2 });
});

test("a later walk that is interrupted leaves the time of the one before it, until it goes on to the end", async () => {
  const { pool, stored } = await aFollowedWallet();
  await sync(pool, whole, 1, NOON);
  await expect(sync(pool, breaking, 1, ONE)).rejects.toThrow("away");
  expect((await stored()).completeAt).toEqual(NOON);
  await sync(pool, whole, 1, TWO);
  expect((await stored()).completeAt).toEqual(TWO);
});

test("a history too long for one message is read to the end by the message that ends it", async () => {
  const { pool, stored } = await aFollowedWallet();
  const long = anActivityProvider(1, pages(21));
  await sync(pool, long, 1, NOON);
  expect(await stored()).toEqual({ completeAt: null, trades: 20 });
  await sync(pool, long, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 21 });
});
