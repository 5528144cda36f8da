import { describe, expect, test } from "vitest";
import { ledgerEntries, traderSyncs } from "../../../../src/db/schema.ts";
import { ProviderUnavailable, type Provider } from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { aTrade, anActivity, asActivity, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const ONE = new Date("2026-11-20T13:00:00Z");
const TWO = new Date("2026-11-20T14:00:00Z");

/** This many pages of one trade each. */
const pages = (count: number) =>
  Array.from({ length: count }, (_, n) => pageOf([asActivity(aTrade({ n: n + 1, atSeconds: 1_760_000_000 + n }))]));

const complete = anActivityProvider(1, pages(2));
/** Fails after the first page. */
const breaking: Provider = {
  ...complete,
  listActivity: async (address, since, cursor) => {
    if (cursor !== null) throw new ProviderUnavailable("away", null);
    return complete.listActivity(address, since, cursor);
  },
};

async function aFollowedTrader() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await followTrader(pool, 1);
  /** When the history was last completed, and the number of stored trades. */
  const stored = async () => ({
    completeAt: (await db.select().from(traderSyncs))[0]?.completeAt,
    trades: await db.$count(ledgerEntries),
  });
  return { pool, stored };
}

test("a completed walk stores its time, and each later walk renews it", async () => {
  const { pool, stored } = await aFollowedTrader();
  await syncFollowedTrader(pool, complete, 1, NOON);
  expect(await stored()).toEqual({ completeAt: NOON, trades: 2 });
  await syncFollowedTrader(pool, complete, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 2 });
});

test("an interrupted first walk leaves the history incomplete", async () => {
  const { pool, stored } = await aFollowedTrader();
  await expect(syncFollowedTrader(pool, breaking, 1, NOON)).rejects.toThrow("away");
  expect(await stored()).toEqual({ completeAt: null, trades: 1 });
  await syncFollowedTrader(pool, complete, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 2 });
});

test("an interrupted later walk keeps the earlier completion time until a walk completes", async () => {
  const { pool, stored } = await aFollowedTrader();
  await syncFollowedTrader(pool, complete, 1, NOON);
  await expect(syncFollowedTrader(pool, breaking, 1, ONE)).rejects.toThrow("away");
  expect((await stored()).completeAt).toEqual(NOON);
  await syncFollowedTrader(pool, complete, 1, TWO);
  expect((await stored()).completeAt).toEqual(TWO);
});

test("a history too long for one message is completed by a later message", async () => {
  const { pool, stored } = await aFollowedTrader();
  const long = anActivityProvider(1, pages(21));
  await syncFollowedTrader(pool, long, 1, NOON);
  expect(await stored()).toEqual({ completeAt: null, trades: 20 });
  await syncFollowedTrader(pool, long, 1, ONE);
  expect(await stored()).toEqual({ completeAt: ONE, trades: 21 });
});

/** The gaps, and the booked legs of splits and merges as kind, token and micro-dollars. */
async function bookedOf(pool: Awaited<ReturnType<typeof aFollowedTrader>>["pool"]) {
  const { entries, traders } = await readStoredState(pool);
  const legs = entries.filter(({ kind }) => kind === "split" || kind === "merge");
  return {
    gaps: traders[0]?.["gaps"],
    legs: legs.map(({ kind, token_id, usd_micro }) => `${kind} ${token_id} ${usd_micro}`),
  };
}

describe("split and merge in a market without a description", () => {
  const SPLITS_AND_MERGE = [
    anActivity("SPLIT", { n: 1, sharesMicro: 5n }),
    anActivity("SPLIT", { n: 1, sharesMicro: 5n }),
    anActivity("MERGE", { n: 2, sharesMicro: 3n, atSeconds: 1_760_000_010 }),
  ];
  const BOOKED = [
    "split 1000002 3",
    "split 1000002 3",
    "split 1000003 2",
    "split 1000003 2",
    "merge 1000002 2",
    "merge 1000003 1",
  ];
  const undescribed = anActivityProvider(1, [pageOf(SPLITS_AND_MERGE)]);
  /** Has the market's description and no activity rows. */
  const describing = anActivityProvider(1, [pageOf([])], [aProviderMarket(1)]);

  test("splits and merges in an undescribed market leave gaps, which the sync that finds the market closes", async () => {
    const { pool } = await aFollowedTrader();
    await syncFollowedTrader(pool, undescribed, 1, NOON);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
    for (const at of [ONE, TWO]) {
      await syncFollowedTrader(pool, describing, 1, at);
      expect(await bookedOf(pool)).toEqual({ gaps: [], legs: BOOKED });
    }
    const other = await aFollowedTrader();
    await syncFollowedTrader(
      other.pool,
      anActivityProvider(1, [pageOf(SPLITS_AND_MERGE)], [aProviderMarket(1)]),
      1,
      NOON,
    );
    expect((await readStoredState(pool)).positions).toEqual((await readStoredState(other.pool)).positions);
  });

  test("a gap stays open only for the market that is still not found", async () => {
    const { pool } = await aFollowedTrader();
    const rows = [
      ...SPLITS_AND_MERGE,
      anActivity("MERGE", { n: 3, market: 2, atSeconds: 1_760_000_020 }),
      anActivity("MIGRATION", { n: 4 }),
    ];
    await syncFollowedTrader(pool, anActivityProvider(1, [pageOf(rows)]), 1, NOON);
    await syncFollowedTrader(pool, describing, 1, ONE);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "migration"], legs: BOOKED });
  });

  test("splits and merges are not booked from outcomes that only trades have named, because a third may exist", async () => {
    const { pool } = await aFollowedTrader();
    const trades = ([0, 1] as const).map((outcome) => asActivity(aTrade({ n: 5 + outcome, outcome })));
    await syncFollowedTrader(pool, anActivityProvider(1, [pageOf([...trades, ...SPLITS_AND_MERGE])]), 1, NOON);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
    const [first] = aProviderMarket(1).outcomes;
    if (first === undefined) throw new Error("a market has outcomes");
    const ofThree = aProviderMarket(1, {
      outcomes: [...aProviderMarket(1).outcomes, { ...first, tokenId: "777", outcomeIndex: 2 }],
    });
    await syncFollowedTrader(pool, anActivityProvider(1, [pageOf([])], [ofThree]), 1, ONE);
    expect(await bookedOf(pool)).toEqual({ gaps: ["merge", "split"], legs: [] });
  });

  test("many splits in markets that are never found do not stop the lookup of another market", async () => {
    const { pool } = await aFollowedTrader();
    // The known market is in the middle, so that neither the first nor the last lookup finds it.
    const markets = Array.from({ length: 121 }, (_, n) => (n === 60 ? 1 : 100 + n));
    const rows = markets.map((market, n) => anActivity("SPLIT", { n: n + 1, market, atSeconds: 1_760_000_000 + n }));
    await syncFollowedTrader(pool, anActivityProvider(1, [pageOf(rows)]), 1, NOON);
    for (let minute = 1; minute <= 3; minute++)
      await syncFollowedTrader(pool, describing, 1, new Date(ONE.getTime() + minute * 60_000));
    expect((await bookedOf(pool)).legs).toHaveLength(2);
  });

  test("splits and merges are booked once and completely after a process is killed at any step", async () => {
    const syncUntilKilled = async (
      pool: Awaited<ReturnType<typeof aFollowedTrader>>["pool"],
      process: KillableProcess,
    ) => {
      await syncFollowedTrader(process.pool(pool), process.provider(describing), 1, ONE).catch((error: unknown) => {
        if (!(error instanceof ProcessKilled)) throw error;
      });
    };
    let steps = Infinity;
    for (let dieAfter = Infinity, next = 1; next <= steps; dieAfter = next++) {
      const { pool } = await aFollowedTrader();
      await syncFollowedTrader(pool, undescribed, 1, NOON);
      const process = new KillableProcess(dieAfter);
      await syncUntilKilled(pool, process);
      if (dieAfter === Infinity) steps = process.steps;
      await syncFollowedTrader(pool, describing, 1, TWO);
      expect(await bookedOf(pool), `killed after step ${dieAfter}`).toEqual({ gaps: [], legs: BOOKED });
    }
  });
});

test("a combination of markets leaves a gap, and a condition id with only a similar prefix leaves none", async () => {
  const traded = (conditionId: string) => {
    const trade = aTrade();
    return anActivityProvider(1, [pageOf([asActivity({ ...trade, market: { ...trade.market, conditionId } })])]);
  };
  const combining = await aFollowedTrader();
  await syncFollowedTrader(combining.pool, traded(`0x03${"7e".repeat(16)}${"0".repeat(28)}`), 1, NOON);
  expect((await bookedOf(combining.pool)).gaps).toEqual(["combination"]);
  const other = await aFollowedTrader();
  await syncFollowedTrader(other.pool, traded(`0x03${"7e".repeat(31)}`), 1, NOON);
  expect((await bookedOf(other.pool)).gaps).toEqual([]);
});

describe("unreadable row of a trader's activity", () => {
  test.each(["MERGE", "MAKER_REBATE", "STAKE", undefined])(
    "an unreadable row of type %s makes the history incomplete, because it may change figures",
    async (type) => {
      const { pool, stored } = await aFollowedTrader();
      const invalidRow = { record: { type }, reason: "usdc_size: expected an amount" };
      await syncFollowedTrader(pool, anActivityProvider(1, [pageOf([asActivity(aTrade())], [invalidRow])]), 1, NOON);
      expect(await stored()).toEqual({ completeAt: NOON, trades: 1 });
      expect((await bookedOf(pool)).gaps).toEqual(["unreadable"]);
      await syncFollowedTrader(pool, complete, 1, ONE);
      expect((await bookedOf(pool)).gaps).toEqual(["unreadable"]);
    },
  );

  test.each(["DEPOSIT", "WITHDRAWAL", "TIP", "REWARD", "YIELD", "REFERRAL_REWARD", "REDEEM"])(
    "an unreadable row of type %s leaves no gap, because it changes no figure",
    async (type) => {
      const { pool } = await aFollowedTrader();
      await syncFollowedTrader(
        pool,
        anActivityProvider(1, [pageOf([asActivity(aTrade())], [{ record: { type }, reason: "tx" }])]),
        1,
        NOON,
      );
      expect((await bookedOf(pool)).gaps).toEqual([]);
    },
  );
});
