import type { Pool } from "@neondatabase/serverless";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { traderProfiles, traderTotals, traderSyncs } from "../../../../src/db/schema.ts";
import { listDueProfiles } from "../../../../src/ingest/profiles/due-profiles.ts";
import type { Session } from "../../../../src/db/client.ts";
import { loadProfilePopulation } from "../../../../src/ingest/profiles/load-profile-population.ts";
import { memoSettled } from "../../../../src/lib/memo-settled.ts";
import { rankProfiles } from "../../../../src/ingest/profiles/rank-profiles.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { beforeEachQuery, textsOf } from "../../../support/database/before-each-query.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { anActivityProvider } from "../../../support/ingest/worlds/followed-trader.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aProfile, profileOf } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";
import { STORY_BETS, ingestStory, STORY_LAST_NOON as NOON } from "./profile-story.ts";

const TOTALS = { realizedMicro: 1_000_000n, entryCount: 1 };
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

/** Handles every message that the job enqueues at this time. */
async function runJob(pool: Pool, now: Date): Promise<void> {
  const settings = { pool, provider: anActivityProvider(1, []), rowIds: new RowIdCache(), now: () => now };
  for (const message of await listDueProfiles(pool, now)) await handleMessage(message, settings);
}

/** The ids of the traders that are due for a profile. */
const dueTraders = async (pool: Pool, now: Date): Promise<number[]> =>
  (await listDueProfiles(pool, now)).flatMap((message) =>
    message.kind === "profile_traders" ? message.trader_ids : [],
  );

async function aDatabase() {
  const { db, openPool } = await createTestDatabase();
  return { db, pool: openPool() };
}

describe("due profiles", () => {
  test("profiles are due only for traders with a complete history", async () => {
    const { db, pool } = await aDatabase();
    const whole = await aSeededTrader(db, { completeAt: NOON, totals: TOTALS });
    await aSeededTrader(db, { totals: TOTALS });
    await aSeededTrader(db, { isFollowed: true, totals: TOTALS });
    await aSeededTrader(db, { completeAt: NOON, gaps: ["conversion"], totals: TOTALS });
    await aSeededTrader(db, { completeAt: NOON });
    expect(await dueTraders(pool, NOON)).toEqual([whole.id]);
    await runJob(pool, NOON);
    expect((await db.select({ id: traderProfiles.traderId }).from(traderProfiles)).map(({ id }) => id)).toEqual([
      whole.id,
    ]);
  });

  test("a profile is due after three hours, or after ten minutes when its totals have changed", async () => {
    const { db, pool } = await aDatabase();
    const resting = await aSeededTrader(db, { completeAt: NOON, totals: TOTALS });
    const moving = await aSeededTrader(db, { completeAt: NOON, totals: TOTALS });
    await runJob(pool, NOON);
    await db.update(traderTotals).set({ settledMicro: 5n }).where(eq(traderTotals.traderId, moving.id));
    expect(await dueTraders(pool, minutesLater(9))).toEqual([]);
    expect(await dueTraders(pool, minutesLater(10))).toEqual([moving.id]);
    await runJob(pool, minutesLater(10));
    expect(await dueTraders(pool, minutesLater(179))).toEqual([]);
    expect(await dueTraders(pool, minutesLater(180))).toEqual([resting.id]);
    expect(await dueTraders(pool, minutesLater(190))).toEqual([resting.id, moving.id]);
  });

  test("the changed profile of a trader is due later the more entries it reads, at most after three hours", async () => {
    const { db, pool } = await aDatabase();
    const large = await aSeededTrader(db, { completeAt: NOON, totals: { ...TOTALS, entryCount: 10_000 } });
    const largest = await aSeededTrader(db, { completeAt: NOON, totals: { ...TOTALS, entryCount: 100_000 } });
    await runJob(pool, NOON);
    await db.update(traderTotals).set({ settledMicro: 5n });
    expect(await dueTraders(pool, minutesLater(49))).toEqual([]);
    expect(await dueTraders(pool, minutesLater(50))).toEqual([large.id]);
    expect(await dueTraders(pool, minutesLater(179))).toEqual([large.id]);
    expect(await dueTraders(pool, minutesLater(180))).toEqual([large.id, largest.id]);
  });

  test("due profiles are enqueued without profile first, then oldest first, twenty per message", async () => {
    const { db, pool } = await aDatabase();
    const traders: SeededTrader[] = [];
    for (let index = 0; index < 22; index++)
      traders.push(await aSeededTrader(db, { completeAt: NOON, totals: TOTALS }));
    const [first, second] = traders;
    if (first === undefined || second === undefined) throw new Error("no wallets");
    await aProfile(db, first, { computedAt: minutesLater(-400) });
    await aProfile(db, second, { computedAt: minutesLater(-500) });
    const messages = await listDueProfiles(pool, NOON);
    expect(messages.slice(0, 2).map((message) => message.kind === "profile_traders" && message.trader_ids)).toEqual([
      traders.slice(2).map(({ id }) => id),
      [second.id, first.id],
    ]);
  });
});

test("traders with many entries are enqueued in smaller messages, the largest alone", async () => {
  const { db, pool } = await aDatabase();
  const ids: number[] = [];
  for (const entryCount of [25_000, 25_000, 25_000, 1_000_000, 1]) {
    ids.push((await aSeededTrader(db, { completeAt: NOON, totals: { ...TOTALS, entryCount } })).id);
  }
  const slices = (await listDueProfiles(pool, NOON)).map((message) =>
    message.kind === "profile_traders" ? message.trader_ids : message.kind,
  );
  expect(slices).toEqual([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
});

describe("incomplete history", () => {
  test.each([
    { why: "gets a conversion gap", facts: { gaps: ["conversion"] } },
    { why: "has to be read from the start", facts: { completeAt: null } },
  ])("a trader that $why loses its profile", async ({ facts }) => {
    const { db, pool } = await aDatabase();
    const wallet = await aSeededTrader(db, { completeAt: NOON, totals: TOTALS });
    await runJob(pool, NOON);
    expect(await profileOf(db, wallet.id)).toBeDefined();
    await db.update(traderSyncs).set(facts).where(eq(traderSyncs.traderId, wallet.id));
    await runJob(pool, minutesLater(1));
    expect(await profileOf(db, wallet.id)).toBeUndefined();
  });
});

test("a message that is delivered twice or late changes nothing", async () => {
  const { db, pool } = await aDatabase();
  const id = await ingestStory(pool, 5_000);
  const messages = await listDueProfiles(pool, NOON);
  const settings = (now: Date) => ({
    pool,
    provider: anActivityProvider(1, []),
    rowIds: new RowIdCache(),
    now: () => now,
  });
  for (const message of messages) await handleMessage(message, settings(NOON));
  const once = await profileOf(db, id);
  for (const message of messages) await handleMessage(message, settings(minutesLater(5)));
  expect(await profileOf(db, id)).toEqual(once);
  expect(once?.computedAt).toEqual(NOON);
});

describe("profile population", () => {
  /** The same story with three different results, among 20 seeded traders. */
  async function aPopulation() {
    const { db, pool } = await aDatabase();
    for (let index = 0; index < 20; index++) {
      await aProfile(db, await aSeededTrader(db, { completeAt: NOON }), {
        computedAt: NOON,
        sharpe30d: index - 10,
        profitFactor: index / 5,
        edgeConsistency: index / 20,
        form: (index - 10) / 10,
      });
    }
    const lives = [
      STORY_BETS,
      STORY_BETS.map((bet) => ({ ...bet, won: !bet.won })),
      STORY_BETS.map((bet) => ({ ...bet, won: bet.market % 2 === 0 })),
    ];
    const shifted = lives.map((bets, index) => bets.map((bet) => ({ ...bet, market: bet.market + index * 100 })));
    for (const [index, bets] of shifted.entries()) await ingestStory(pool, 5_000 + index, bets);
    return { db, pool };
  }

  /** What readers see of every profile, without computedAt. */
  const stateOf = async ({ db }: Awaited<ReturnType<typeof aPopulation>>) =>
    (await db.select().from(traderProfiles).orderBy(traderProfiles.traderId)).map(({ computedAt: _, ...row }) => row);

  test("ranks are the same whatever the order in which profiles are stored", async () => {
    const together = await aPopulation();
    await runJob(together.pool, NOON);
    await runJob(together.pool, NOON);
    const state = await stateOf(together);

    const oneByOne = await aPopulation();
    for (const id of (await dueTraders(oneByOne.pool, NOON)).toReversed()) {
      await handleMessage(
        { kind: "profile_traders", trader_ids: [id] },
        { pool: oneByOne.pool, provider: anActivityProvider(1, []), rowIds: new RowIdCache(), now: () => NOON },
      );
    }
    await runJob(oneByOne.pool, NOON);
    expect(await stateOf(oneByOne)).toEqual(state);

    // The messages of a batch compare with the measures from before the first of them.
    const shared = await aPopulation();
    let loads = 0;
    const loadPopulation = memoSettled(
      1,
      () => "",
      (session: Session) => {
        loads++;
        return loadProfilePopulation(session);
      },
    );
    for (const id of await dueTraders(shared.pool, NOON)) {
      const settings = { pool: shared.pool, provider: anActivityProvider(1, []), rowIds: new RowIdCache() };
      await handleMessage(
        { kind: "profile_traders", trader_ids: [id] },
        { ...settings, now: () => NOON, loadPopulation },
      );
    }
    expect(loads).toBe(1);
    expect(await stateOf(shared)).not.toEqual(state);
    await runJob(shared.pool, NOON);
    expect(await stateOf(shared)).toEqual(state);
    // 23 traders: every percentile of a seeded one is a multiple of 50/23.
    const percentiles = state.map(
      ({ profile }) => (profile as { metrics: { sharpe_percentile: number } }).metrics.sharpe_percentile,
    );
    expect(new Set(percentiles).size).toBe(23);
    for (const percentile of percentiles)
      expect(Math.abs((percentile * 46) / 100 - Math.round((percentile * 46) / 100))).toBeLessThan(1e-9);
  });

  test("the population is ranked half an hour after a change, and at once when half as many profiles are new", async () => {
    const { db, pool } = await aDatabase();
    const add = async (count: number, computedAt: Date) => {
      for (let index = 0; index < count; index++)
        await aProfile(db, await aSeededTrader(db, { completeAt: NOON }), { computedAt });
    };
    const isCompared = async (now: Date) =>
      (await listDueProfiles(pool, now)).some(({ kind }) => kind === "rank_profiles");
    await add(40, minutesLater(-60));
    expect(await isCompared(NOON)).toBe(true);
    await runJob(pool, NOON);
    expect(await isCompared(minutesLater(30))).toBe(false);
    await pool.query("update trader_profiles set computed_at = $1", [minutesLater(1).toISOString()]);
    expect(await isCompared(minutesLater(29))).toBe(false);
    expect(await isCompared(minutesLater(30))).toBe(true);
    await add(19, minutesLater(1));
    expect(await isCompared(minutesLater(2))).toBe(false);
    await add(1, minutesLater(1));
    expect(await isCompared(minutesLater(2))).toBe(true);
    await rankProfiles(pool, minutesLater(2));
    await add(29, minutesLater(3));
    expect(await isCompared(minutesLater(4))).toBe(false);
    await add(1, minutesLater(3));
    expect(await isCompared(minutesLater(4))).toBe(true);
  });

  test("a ranking that is killed in any of its batches continues from there", async () => {
    const reference = await aPopulation();
    await rankProfiles(reference.pool, NOON);
    const state = await stateOf(reference);
    expect(new Set(state.map(({ streakTier }) => streakTier)).size).toBe(5);
    const world = await aPopulation();
    const { rows: seeded } = await world.pool.query<{ row: unknown }>(
      "select to_jsonb(p) as row from trader_profiles p",
    );
    const process = new KillableProcess(Infinity);
    await rankProfiles(process.pool(world.pool), NOON, 7);
    expect(await stateOf(world)).toEqual(state);
    for (let dieAfter = 1; dieAfter < process.steps; dieAfter++) {
      await restore(world.pool, seeded);
      await expect(rankProfiles(new KillableProcess(dieAfter).pool(world.pool), NOON, 7)).rejects.toThrow(
        ProcessKilled,
      );
      await rankProfiles(world.pool, minutesLater(1), 7);
      expect(await stateOf(world), `killed after step ${dieAfter}`).toEqual(state);
    }
  });

  test("a profile that is recomputed during a ranking is left unchanged", async () => {
    const { db, pool } = await aPopulation();
    const { rows } = await pool.query<{ id: string }>("select min(trader_id) as id from trader_profiles");
    const id = Number(rows[0]?.id);
    const interleaved = beforeEachQuery(pool, async (statement, session) => {
      if (!textsOf(statement).some((text) => text.startsWith('update "trader_profiles"'))) return;
      await session.query("update trader_profiles set computed_at = $2, streak_tier = null where trader_id = $1", [
        id,
        minutesLater(1),
      ]);
    });
    await rankProfiles(interleaved, NOON);
    expect(await profileOf(db, id)).toMatchObject({ streakTier: null });
  });

  async function restore(pool: Pool, profiles: readonly { row: unknown }[]): Promise<void> {
    await pool.query("delete from trader_profiles; delete from ingest_checkpoints");
    await pool.query(
      "insert into trader_profiles select (jsonb_populate_record(null::trader_profiles, r)).* from unnest($1::jsonb[]) r",
      [profiles.map(({ row }) => JSON.stringify(row))],
    );
  }

  test("a run killed after any step ends in the same state after the next run", async () => {
    const reference = await aPopulation();
    const process = new KillableProcess(Infinity);
    await runJob(process.pool(reference.pool), NOON);
    await runJob(process.pool(reference.pool), minutesLater(1));
    const state = await stateOf(reference);
    const world = await aPopulation();
    const { rows: seeded } = await world.pool.query<{ row: unknown }>(
      "select to_jsonb(p) as row from trader_profiles p",
    );
    for (let dieAfter = 1; dieAfter <= process.steps; dieAfter++) {
      await restore(world.pool, seeded);
      const mortal = new KillableProcess(dieAfter).pool(world.pool);
      const run = async () => {
        await runJob(mortal, NOON);
        await runJob(mortal, minutesLater(1));
      };
      await run().catch((error: unknown) => {
        if (!(error instanceof ProcessKilled)) throw error;
      });
      await runJob(world.pool, minutesLater(2));
      await runJob(world.pool, minutesLater(13));
      expect(await stateOf(world), `killed after step ${dieAfter}`).toEqual(state);
    }
  });
});
