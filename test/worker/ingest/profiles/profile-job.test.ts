import type { Pool } from "@neondatabase/serverless";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { traderProfiles, traderTotals, walletSyncs } from "../../../../src/db/schema.ts";
import { handOutProfiles } from "../../../../src/ingest/profiles/due-profiles.ts";
import { rankProfiles } from "../../../../src/ingest/profiles/rank-profiles.ts";
import { handleMessage } from "../../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../../src/ingest/known-ids.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { anActivityProvider } from "../../../support/ingest/followed-wallet.ts";
import { Killed, MortalProcess } from "../../../support/ingest/mortal-process.ts";
import { aProfile, profileOf } from "../../../support/seed/profiles.ts";
import { aWallet, type Wallet } from "../../../support/seed/wallets.ts";
import { BETS, live, NOON_OF_THE_LAST_DAY as NOON } from "./profile-story.ts";

const TOTALS = { realizedMicro: 1_000_000n, entryCount: 1 };
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

/** What the queue does with all that is handed out at this time. */
async function runJob(pool: Pool, now: Date): Promise<void> {
  const settings = { pool, provider: anActivityProvider(1, []), known: new KnownIds(), now: () => now };
  for (const message of await handOutProfiles(pool, now)) await handleMessage(message, settings);
}

/** The wallets that a hand-out names. */
const walletsDue = async (pool: Pool, now: Date): Promise<number[]> =>
  (await handOutProfiles(pool, now)).flatMap((message) => (message.kind === "profile_wallets" ? message.trader_ids : []));

async function aDatabase() {
  const { db, openPool } = await createTestDatabase();
  return { db, pool: openPool() };
}

describe("which profiles are due", () => {
  test("those of wallets whose whole history is known, and no others", async () => {
    const { db, pool } = await aDatabase();
    const whole = await aWallet(db, { completeAt: NOON, totals: TOTALS });
    await aWallet(db, { totals: TOTALS });
    await aWallet(db, { followed: true, totals: TOTALS });
    await aWallet(db, { completeAt: NOON, gaps: ["conversion"], totals: TOTALS });
    await aWallet(db, { completeAt: NOON });
    expect(await walletsDue(pool, NOON)).toEqual([whole.id]);
    await runJob(pool, NOON);
    expect((await db.select({ id: traderProfiles.traderId }).from(traderProfiles)).map(({ id }) => id)).toEqual([whole.id]);
  });

  test("one at rest after three hours, one whose totals have moved after ten minutes", async () => {
    const { db, pool } = await aDatabase();
    const resting = await aWallet(db, { completeAt: NOON, totals: TOTALS });
    const moving = await aWallet(db, { completeAt: NOON, totals: TOTALS });
    await runJob(pool, NOON);
    await db.update(traderTotals).set({ settledMicro: 5n }).where(eq(traderTotals.traderId, moving.id));
    expect(await walletsDue(pool, minutesLater(9))).toEqual([]);
    expect(await walletsDue(pool, minutesLater(10))).toEqual([moving.id]);
    await runJob(pool, minutesLater(10));
    expect(await walletsDue(pool, minutesLater(179))).toEqual([]);
    expect(await walletsDue(pool, minutesLater(180))).toEqual([resting.id]);
    expect(await walletsDue(pool, minutesLater(190))).toEqual([resting.id, moving.id]);
  });

  test("the oldest come first, twenty to a message, those without one before all", async () => {
    const { db, pool } = await aDatabase();
    const wallets: Wallet[] = [];
    for (let index = 0; index < 22; index++) wallets.push(await aWallet(db, { completeAt: NOON, totals: TOTALS }));
    const [first, second] = wallets;
    if (first === undefined || second === undefined) throw new Error("no wallets");
    await aProfile(db, first, { computedAt: minutesLater(-400) });
    await aProfile(db, second, { computedAt: minutesLater(-500) });
    const messages = await handOutProfiles(pool, NOON);
    expect(messages.slice(0, 2).map((message) => message.kind === "profile_wallets" && message.trader_ids)).toEqual([
      wallets.slice(2).map(({ id }) => id),
      [second.id, first.id],
    ]);
  });
});

test("wallets of many entries are handed out fewer to a message, the largest alone", async () => {
  const { db, pool } = await aDatabase();
  const ids: number[] = [];
  for (const entryCount of [90_000, 90_000, 90_000, 1_000_000, 1]) {
    ids.push((await aWallet(db, { completeAt: NOON, totals: { ...TOTALS, entryCount } })).id);
  }
  const slices = (await handOutProfiles(pool, NOON)).map((message) =>
    message.kind === "profile_wallets" ? message.trader_ids : message.kind,
  );
  expect(slices).toEqual([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
});

describe("a wallet whose history is no longer whole loses its profile", () => {
  test.each([
    { why: "it does what positions do not follow", facts: { gaps: ["conversion"] } },
    { why: "it has to be read from the start", facts: { completeAt: null } },
  ])("$why", async ({ facts }) => {
    const { db, pool } = await aDatabase();
    const wallet = await aWallet(db, { completeAt: NOON, totals: TOTALS });
    await runJob(pool, NOON);
    expect(await profileOf(db, wallet.id)).toBeDefined();
    await db.update(walletSyncs).set(facts).where(eq(walletSyncs.traderId, wallet.id));
    await runJob(pool, minutesLater(1));
    expect(await profileOf(db, wallet.id)).toBeUndefined();
  });
});

test("a message that comes twice, or late, changes nothing", async () => {
  const { db, pool } = await aDatabase();
  const id = await live(pool, 5_000);
  const messages = await handOutProfiles(pool, NOON);
  const settings = (now: Date) => ({ pool, provider: anActivityProvider(1, []), known: new KnownIds(), now: () => now });
  for (const message of messages) await handleMessage(message, settings(NOON));
  const once = await profileOf(db, id);
  for (const message of messages) await handleMessage(message, settings(minutesLater(5)));
  expect(await profileOf(db, id)).toEqual(once);
  expect(once?.computedAt).toEqual(NOON);
});

describe("the population", () => {
  /** Three lives of different luck among 20 seeded wallets. */
  async function aPopulation() {
    const { db, pool } = await aDatabase();
    for (let index = 0; index < 20; index++) {
      await aProfile(db, await aWallet(db, { completeAt: NOON }), {
        computedAt: NOON,
        sharpe30d: index - 10,
        profitFactor: index / 5,
        edgeConsistency: index / 20,
        form: (index - 10) / 10,
      });
    }
    const lives = [BETS, BETS.map((bet) => ({ ...bet, won: !bet.won })), BETS.map((bet) => ({ ...bet, won: bet.market % 2 === 0 }))];
    const shifted = lives.map((bets, index) => bets.map((bet) => ({ ...bet, market: bet.market + index * 100 })));
    for (const [index, bets] of shifted.entries()) await live(pool, 5_000 + index, bets);
    return { db, pool };
  }

  /** All that readers see, by wallet, without when it was computed. */
  const stateOf = async ({ db }: Awaited<ReturnType<typeof aPopulation>>) =>
    (await db.select().from(traderProfiles).orderBy(traderProfiles.traderId)).map(({ computedAt: _, ...row }) => row);

  test("places every profile among all, whichever was stored first", async () => {
    const together = await aPopulation();
    await runJob(together.pool, NOON);
    await runJob(together.pool, NOON);
    const state = await stateOf(together);

    const oneByOne = await aPopulation();
    for (const id of (await walletsDue(oneByOne.pool, NOON)).toReversed()) {
      await handleMessage(
        { kind: "profile_wallets", trader_ids: [id] },
        { pool: oneByOne.pool, provider: anActivityProvider(1, []), known: new KnownIds(), now: () => NOON },
      );
    }
    await runJob(oneByOne.pool, NOON);
    expect(await stateOf(oneByOne)).toEqual(state);
    // 23 wallets: every percentile of a seeded one is a multiple of 50/23.
    const percentiles = state.map(({ profile }) => (profile as { metrics: { sharpe_percentile: number } }).metrics.sharpe_percentile);
    expect(new Set(percentiles).size).toBe(23);
    for (const percentile of percentiles)
      expect(Math.abs((percentile * 46) / 100 - Math.round((percentile * 46) / 100))).toBeLessThan(1e-9);
  });

  test("is compared anew after ten minutes when one profile has changed, and at once when a twentieth has", async () => {
    const { db, pool } = await aDatabase();
    for (let index = 0; index < 40; index++) await aProfile(db, await aWallet(db, { completeAt: NOON }), { computedAt: minutesLater(-60) });
    const isCompared = async (now: Date) => (await handOutProfiles(pool, now)).some(({ kind }) => kind === "rank_profiles");
    expect(await isCompared(NOON)).toBe(true);
    await runJob(pool, NOON);
    expect(await isCompared(minutesLater(30))).toBe(false);
    const change = async (limit: number, computedAt: Date) =>
      pool.query(
        "update trader_profiles set computed_at = $1 where trader_id in (select trader_id from trader_profiles order by 1 limit $2)",
        [computedAt.toISOString(), limit],
      );
    await change(1, minutesLater(1));
    expect(await isCompared(minutesLater(9))).toBe(false);
    expect(await isCompared(minutesLater(10))).toBe(true);
    await change(2, minutesLater(1));
    expect(await isCompared(minutesLater(2))).toBe(true);
  });

  test("a comparison of many batches that is killed in any of them goes on from there", async () => {
    const untroubled = await aPopulation();
    await rankProfiles(untroubled.pool, NOON);
    const state = await stateOf(untroubled);
    expect(new Set(state.map(({ streakTier }) => streakTier)).size).toBe(5);
    const world = await aPopulation();
    const { rows: seeded } = await world.pool.query<{ row: unknown }>("select to_jsonb(p) as row from trader_profiles p");
    const life = new MortalProcess(Infinity);
    await rankProfiles(life.pool(world.pool), NOON, 7);
    expect(await stateOf(world)).toEqual(state);
    for (let dieAfter = 1; dieAfter < life.steps; dieAfter++) {
      await restore(world.pool, seeded);
      await expect(rankProfiles(new MortalProcess(dieAfter).pool(world.pool), NOON, 7)).rejects.toThrow(Killed);
      await rankProfiles(world.pool, minutesLater(1), 7);
      expect(await stateOf(world), `killed after step ${dieAfter}`).toEqual(state);
    }
  });

  test("a profile that is computed anew while it is compared is left alone", async () => {
    const { db, pool } = await aPopulation();
    const { rows } = await pool.query<{ id: string }>("select min(trader_id) as id from trader_profiles");
    const id = Number(rows[0]?.id);
    const meanwhile = new Proxy(pool, {
      get: (target, name) =>
        name !== "connect"
          ? Reflect.get(target, name)
          : async () => {
              const client = await target.connect();
              const own = client.query.bind(client);
              return Object.assign(Object.create(client), {
                query: async (...args: [string, unknown[]]) => {
                  if (args[0].startsWith("update trader_profiles")) {
                    await own("update trader_profiles set computed_at = $2, streak_tier = null where trader_id = $1", [
                      id,
                      minutesLater(1),
                    ]);
                  }
                  return own(...args);
                },
                release: (error?: Error) => client.release(error),
              });
            },
    });
    await rankProfiles(meanwhile, NOON);
    expect(await profileOf(db, id)).toMatchObject({ streakTier: null });
  });

  async function restore(pool: Pool, profiles: readonly { row: unknown }[]): Promise<void> {
    await pool.query("delete from trader_profiles; delete from ingest_checkpoints");
    await pool.query("insert into trader_profiles select (jsonb_populate_record(null::trader_profiles, r)).* from unnest($1::jsonb[]) r", [
      profiles.map(({ row }) => JSON.stringify(row)),
    ]);
  }

  test("a process killed after any of its steps: the next one ends in the same state", async () => {
    const untroubled = await aPopulation();
    const life = new MortalProcess(Infinity);
    await runJob(life.pool(untroubled.pool), NOON);
    await runJob(life.pool(untroubled.pool), minutesLater(1));
    const state = await stateOf(untroubled);
    const world = await aPopulation();
    const { rows: seeded } = await world.pool.query<{ row: unknown }>("select to_jsonb(p) as row from trader_profiles p");
    for (let dieAfter = 1; dieAfter <= life.steps; dieAfter++) {
      await restore(world.pool, seeded);
      const mortal = new MortalProcess(dieAfter).pool(world.pool);
      const run = async () => {
        await runJob(mortal, NOON);
        await runJob(mortal, minutesLater(1));
      };
      await run().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await runJob(world.pool, minutesLater(2));
      await runJob(world.pool, minutesLater(13));
      expect(await stateOf(world), `killed after step ${dieAfter}`).toEqual(state);
    }
  });
});
