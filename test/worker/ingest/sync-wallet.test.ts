import { describe, expect, test } from "vitest";
import { ledgerEntries, walletSyncs } from "../../../src/db/schema.ts";
import { ProviderUnavailable, type Provider } from "../../../src/ports/provider.ts";
import { createTestDatabase } from "../../support/database.ts";
import { anActivityProvider, follow, sync } from "../../support/ingest/followed-wallet.ts";
import { aProviderMarket } from "../../support/ingest/markets.ts";
import { Killed, MortalProcess } from "../../support/ingest/mortal-process.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";
import { aTrade, anActivity, asActivity, pageOf } from "../../support/ingest/trades.ts";

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

/** The wallet's gaps, and the kind and token of each entry of its splits and merges. */
async function bookedOf(pool: Awaited<ReturnType<typeof aFollowedWallet>>["pool"]) {
  const { entries, traders } = await readStoredState(pool);
  const legs = entries.filter(({ kind }) => kind === "split" || kind === "merge");
  return { gaps: traders[0]?.["gaps"], legs: legs.map(({ kind, token_id, usd_micro }) => `${kind} ${token_id} ${usd_micro}`) };
}

describe("a split and a merge of a market that nobody has described yet", () => {
  const BOTH = [
    anActivity("SPLIT", { n: 1, sharesMicro: 5n }),
    anActivity("SPLIT", { n: 1, sharesMicro: 5n }),
    anActivity("MERGE", { n: 2, sharesMicro: 3n, atSeconds: 1_760_000_010 }),
  ];
  const BOOKED = ["split 1000002 3", "split 1000002 3", "split 1000003 2", "split 1000003 2", "merge 1000002 2", "merge 1000003 1"];
  const unknown = anActivityProvider(1, [pageOf(BOTH)]);
  /** Tells the market, and no row again. */
  const later = anActivityProvider(1, [pageOf([])], [aProviderMarket(1)]);

  test("leave gaps, and are booked by the sync that finds it, which closes them", async () => {
    const { pool } = await aFollowedWallet();
    await sync(pool, unknown, 1, NOON);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
    for (const at of [ONE, TWO]) {
      await sync(pool, later, 1, at);
      expect(await bookedOf(pool)).toEqual({ gaps: [], legs: BOOKED });
    }
    const other = await aFollowedWallet();
    await sync(other.pool, anActivityProvider(1, [pageOf(BOTH)], [aProviderMarket(1)]), 1, NOON);
    expect((await readStoredState(pool)).positions).toEqual((await readStoredState(other.pool)).positions);
  });

  test("keep their gaps while one of their markets is not found, and no other", async () => {
    const { pool } = await aFollowedWallet();
    const rows = [...BOTH, anActivity("MERGE", { n: 3, market: 2, atSeconds: 1_760_000_020 }), anActivity("MIGRATION", { n: 4 })];
    await sync(pool, anActivityProvider(1, [pageOf(rows)]), 1, NOON);
    await sync(pool, later, 1, ONE);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "migration"], legs: BOOKED });
  });

  test("are not booked by what trades have named: the market may have a third outcome", async () => {
    const { pool } = await aFollowedWallet();
    const trades = ([0, 1] as const).map((outcome) => asActivity(aTrade({ n: 5 + outcome, outcome })));
    await sync(pool, anActivityProvider(1, [pageOf([...trades, ...BOTH])]), 1, NOON);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
    const [first] = aProviderMarket(1).outcomes;
    if (first === undefined) throw new Error("a market has outcomes");
    const ofThree = aProviderMarket(1, { outcomes: [...aProviderMarket(1).outcomes, { ...first, tokenId: "777", outcomeIndex: 2 }] });
    await sync(pool, anActivityProvider(1, [pageOf([])], [ofThree]), 1, ONE);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
  });

  test("have their turn, however many others are of markets that are never found", async () => {
    const { pool } = await aFollowedWallet();
    // The known one is in the middle, so that neither the first nor the last are it.
    const markets = Array.from({ length: 121 }, (_, n) => (n === 60 ? 1 : 100 + n));
    const rows = markets.map((market, n) => anActivity("SPLIT", { n: n + 1, market, atSeconds: 1_760_000_000 + n }));
    await sync(pool, anActivityProvider(1, [pageOf(rows)]), 1, NOON);
    for (let minute = 1; minute <= 3; minute++) await sync(pool, later, 1, new Date(ONE.getTime() + minute * 60_000));
    expect((await bookedOf(pool)).legs).toHaveLength(2);
  });

  test("are booked once and whole whatever step a process dies after", async () => {
    const live = async (pool: Awaited<ReturnType<typeof aFollowedWallet>>["pool"], life: MortalProcess) => {
      await sync(life.pool(pool), life.provider(later), 1, ONE).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
    };
    let steps = Infinity;
    for (let dieAfter = Infinity, next = 1; next <= steps; dieAfter = next++) {
      const { pool } = await aFollowedWallet();
      await sync(pool, unknown, 1, NOON);
      const life = new MortalProcess(dieAfter);
      await live(pool, life);
      if (dieAfter === Infinity) steps = life.steps;
      await sync(pool, later, 1, TWO);
      expect(await bookedOf(pool), `killed after step ${dieAfter}`).toEqual({ gaps: [], legs: BOOKED });
    }
  });
});

test("a combination of markets leaves a gap: what it pays is not told; a market whose id merely begins like one leaves none", async () => {
  const traded = (conditionId: string) => {
    const trade = aTrade();
    return anActivityProvider(1, [pageOf([asActivity({ ...trade, market: { ...trade.market, conditionId } })])]);
  };
  const combining = await aFollowedWallet();
  await sync(combining.pool, traded(`0x03${"7e".repeat(16)}${"0".repeat(28)}`), 1, NOON);
  expect((await bookedOf(combining.pool)).gaps).toEqual(["combination"]);
  const other = await aFollowedWallet();
  await sync(other.pool, traded(`0x03${"7e".repeat(31)}`), 1, NOON);
  expect((await bookedOf(other.pool)).gaps).toEqual([]);
});

describe("a row of a wallet's activity that could not be read", () => {
  test.each(["MERGE", "MAKER_REBATE", "STAKE", undefined])("%s: may have moved its figures, so its history is not whole", async (type) => {
    const { pool, stored } = await aFollowedWallet();
    const misfit = { record: { type }, reason: "usdc_size: expected an amount" };
    await sync(pool, anActivityProvider(1, [pageOf([asActivity(aTrade())], [misfit])]), 1, NOON);
    expect(await stored()).toEqual({ completeAt: NOON, trades: 1 });
    expect((await bookedOf(pool)).gaps).toEqual(["unreadable"]);
    await sync(pool, whole, 1, ONE);
    expect((await bookedOf(pool)).gaps).toEqual(["unreadable"]);
  });

  test.each(["DEPOSIT", "WITHDRAWAL", "TIP", "REWARD", "YIELD", "REFERRAL_REWARD", "REDEEM"])("%s: moves none of them", async (type) => {
    const { pool } = await aFollowedWallet();
    await sync(pool, anActivityProvider(1, [pageOf([asActivity(aTrade())], [{ record: { type }, reason: "tx" }])]), 1, NOON);
    expect((await bookedOf(pool)).gaps).toEqual([]);
  });
});
