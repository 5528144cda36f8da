import { asc, eq } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { games, outcomes, pickCommitments, pickRevisions, picks } from "../../../../src/db/schema.ts";
import { publishPicks } from "../../../../src/ingest/picks/publish-picks.ts";
import { listPickLedger } from "../../../../src/queries/picks/pick-ledger.ts";
import { readPicksOfDay } from "../../../../src/queries/picks/picks-of-day.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import {
  aPickGame,
  aSealedPick,
  aSlot,
  beforeKickoff,
  KICKOFF,
  moveGame,
  readAgain,
  RELEASED_AT,
  resolveMarket,
  runPicks,
  SELECTED_AT,
  type PickGame,
} from "../../../support/ingest/pick-game.ts";
import { TEST_SEALING } from "../../../support/ingest/test-sealing.ts";
import { aCompetitor } from "../../../support/seed/picks/a-game.ts";

const DAY = "2026-11-20";

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

type GameFacts = Partial<typeof games.$inferInsert>;

const change = ({ gameId }: PickGame, facts: GameFacts) => db.update(games).set(facts).where(eq(games.id, gameId));
const storedPicks = () => db.select().from(picks).orderBy(asc(picks.id));
const commitments = () => db.select().from(pickCommitments);
const revisions = async () =>
  (await db.select().from(pickRevisions).orderBy(asc(pickRevisions.id))).map(
    ({ outcome, withdrawnFor, recordedAt }) => [outcome ?? withdrawnFor, recordedAt] as const,
  );
const served = async () => (await readPicksOfDay(db, DAY)).picks.map(({ rank }) => rank);

/** A slot past its release whose holders and books were not read again. */
async function aPendingSlot(): Promise<PickGame> {
  const game = await aSlot(db, pool);
  await runPicks(pool, beforeKickoff(30));
  return game;
}

async function anUncommittedPick(): Promise<PickGame> {
  const game = await aSlot(db, pool);
  await runPicks(pool, KICKOFF);
  return game;
}

async function aStartedPick(): Promise<PickGame> {
  const game = await aSealedPick(db, pool);
  await change(game, { live: true, state: "live" });
  await runPicks(pool, beforeKickoff(-20));
  return game;
}

async function aSettledPick(): Promise<PickGame> {
  const game = await aStartedPick();
  await change(game, { live: false, ended: true, state: "ended" });
  await resolveMarket(db, game, [0, 1_000_000]);
  await runPicks(pool, beforeKickoff(-150));
  return game;
}

const CANCELLED: GameFacts = { state: "cancelled", providerStatus: "Canceled", live: false };
const POSTPONED: GameFacts = { state: "postponed", providerStatus: "Postponed", live: false };
const ABANDONED: GameFacts = { state: "suspended", providerStatus: "Abandoned", live: false };
const OFF = [
  ["cancelled", CANCELLED],
  ["postponed", POSTPONED],
  ["abandoned", ABANDONED],
] as const;

describe.each(OFF)("a game that is %s", (_, off) => {
  test("is not selected", async () => {
    await aPickGame(db, KICKOFF, SELECTED_AT, off);
    await runPicks(pool, SELECTED_AT);
    expect(await storedPicks()).toEqual([]);
  });

  test.each<[string, () => Promise<PickGame>, number, number]>([
    ["a slot", () => aSlot(db, pool), 200, 0],
    ["a slot whose proof is pending", aPendingSlot, 20, 0],
    ["a sealed pick", () => aSealedPick(db, pool), 50, 1],
    ["an uncommitted pick", anUncommittedPick, -10, 0],
    ["a pick of a started game", aStartedPick, -30, 1],
  ])("withdraws %s with the reason game_off, for good", async (__, given, minutes, sealed) => {
    const game = await given();
    const kept = [await storedPicks(), await commitments()];
    await change(game, off);
    await readAgain(db, game, beforeKickoff(minutes));
    await runPicks(pool, beforeKickoff(minutes));
    expect(await revisions()).toEqual([["game_off", beforeKickoff(minutes)]]);
    expect(await served()).toEqual([]);
    // Nothing is sealed after the withdrawal, and nothing that was published changes.
    expect([await storedPicks(), await commitments()]).toEqual(kept);
    expect(await commitments()).toHaveLength(sealed);

    await change(game, { state: "scheduled", providerStatus: null, live: null, ended: null });
    await readAgain(db, game, beforeKickoff(minutes - 1));
    await runPicks(pool, beforeKickoff(minutes - 1));
    expect(await revisions()).toHaveLength(1);
    expect([await storedPicks(), await commitments()]).toEqual(kept);
  });

  test("does not withdraw a settled pick: a loss stays in the record", async () => {
    const game = await aSettledPick();
    await change(game, off);
    await runPicks(pool, beforeKickoff(-200));
    expect(await revisions()).toEqual([["loss", beforeKickoff(-150)]]);
    expect(await served()).toEqual([1]);
  });

  test("does not withdraw a pick whose market has a result that was not recorded yet", async () => {
    const game = await aStartedPick();
    await resolveMarket(db, game, [0, 1_000_000]);
    await change(game, off);
    await runPicks(pool, beforeKickoff(-150));
    expect(await revisions()).toEqual([["loss", beforeKickoff(-150)]]);
  });
});

test("a settled pick whose result is taken back is not withdrawn when its game is cancelled", async () => {
  const game = await aSettledPick();
  await resolveMarket(db, game, null);
  await change(game, CANCELLED);
  await runPicks(pool, beforeKickoff(-200));
  await resolveMarket(db, game, [500_000, 500_000]);
  await runPicks(pool, beforeKickoff(-210));
  expect((await revisions()).map(([what]) => what)).toEqual(["loss", "void"]);
});

test("a pick that was withdrawn for its game opens only when its market has a result", async () => {
  const game = await aSealedPick(db, pool);
  await change(game, CANCELLED);
  await runPicks(pool, beforeKickoff(50));
  expect(await listPickLedger(db)).toMatchObject([{ nonce: null, payload: null, outcome: null }]);
  await resolveMarket(db, game, [500_000, 500_000]);
  await runPicks(pool, beforeKickoff(-150));
  expect(await listPickLedger(db)).toMatchObject([{ nonce: "2b".repeat(32), outcome: "void" }]);
  expect((await revisions()).map(([what]) => what)).toEqual(["game_off", "void"]);
  expect(await served()).toEqual([]);
});

test("a game that is cancelled between the passes is not sealed by the publication that meets it first", async () => {
  const game = await aSlot(db, pool);
  await readAgain(db, game, RELEASED_AT);
  await change(game, CANCELLED);
  await publishPicks(pool, TEST_SEALING, () => RELEASED_AT);
  expect(await revisions()).toEqual([["game_off", RELEASED_AT]]);
  expect(await commitments()).toEqual([]);
});

describe("a game that moves to another product day", () => {
  const nextDay = new Date("2026-11-21T20:00:00Z");

  test.each<[string, () => Promise<PickGame>, number]>([
    ["a sealed pick", () => aSealedPick(db, pool), 50],
    ["an uncommitted pick", anUncommittedPick, -10],
  ])("withdraws %s, which is sealed once at most", async (_, given, minutes) => {
    const game = await given();
    const kept = [await storedPicks(), await commitments()];
    await moveGame(db, game, nextDay);
    await runPicks(pool, beforeKickoff(minutes));
    const released = new Date(nextDay.getTime() - 3_600_000);
    await readAgain(db, game, released);
    await runPicks(pool, released);
    expect(await revisions()).toEqual([["rescheduled", beforeKickoff(minutes)]]);
    expect([await storedPicks(), await commitments()]).toEqual(kept);
  });

  test("does not withdraw a pick while it is played, nor one that is settled", async () => {
    const game = await aStartedPick();
    await moveGame(db, game, nextDay);
    await runPicks(pool, beforeKickoff(-30));
    expect(await revisions()).toEqual([]);
    await resolveMarket(db, game, [1_000_000, 0]);
    await change(game, { live: false, ended: null });
    await runPicks(pool, beforeKickoff(-150));
    await runPicks(pool, beforeKickoff(-160));
    expect((await revisions()).map(([what]) => what)).toEqual(["win"]);
  });
});

describe("a game that is listed twice", () => {
  const sides = [aCompetitor("Boston Celtics"), aCompetitor("Milwaukee Bucks")];

  test("is selected once: under its older number, whatever the order of its sides", async () => {
    await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: sides });
    await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: sides.toReversed() });
    await runPicks(pool, SELECTED_AT);
    const listed = await db.select({ id: games.id }).from(games).orderBy(games.id);
    expect((await storedPicks()).map(({ gameId }) => gameId)).toEqual([listed[0]?.id]);
  });

  test("is selected under its newer number once the older one is off, and the older slot is withdrawn", async () => {
    const older = await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: sides });
    const newer = await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: sides });
    await runPicks(pool, SELECTED_AT);
    await change(older, CANCELLED);
    await runPicks(pool, SELECTED_AT);
    expect((await storedPicks()).map(({ gameId }) => gameId)).toEqual([older.gameId, newer.gameId]);
    expect((await revisions()).map(([what]) => what)).toEqual(["game_off"]);
    expect(await served()).toEqual([2]);
  });

  test.each<[string, GameFacts]>([
    ["at another time, the second game of a doubleheader", { scheduledAt: beforeKickoff(-180) }],
    ["in another league", { league: "wnba" }],
    ["against another side", { competitors: [aCompetitor("Boston Celtics"), aCompetitor("Miami Heat")] }],
    ["without known sides", { competitors: [] }],
  ])("is another game %s", async (_, facts) => {
    await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: facts.competitors?.length === 0 ? [] : sides });
    await aPickGame(db, KICKOFF, SELECTED_AT, { competitors: sides, ...facts });
    await runPicks(pool, SELECTED_AT);
    expect(await storedPicks()).toHaveLength(2);
  });

  test("loses its event to the other listing: its slot is withdrawn, and its sealed pick stands", async () => {
    const slot = await aPickGame(db, beforeKickoff(-180), RELEASED_AT);
    const sealed = await aPickGame(db, KICKOFF, beforeKickoff(61));
    await runPicks(pool, beforeKickoff(61));
    await readAgain(db, sealed, RELEASED_AT);
    await runPicks(pool, RELEASED_AT);
    for (const game of [slot, sealed]) await change(game, { eventId: null, eventSlug: null });
    await runPicks(pool, beforeKickoff(50));
    const bySlot = (await storedPicks()).map(({ id, gameId }) => [id, gameId === slot.gameId] as const);
    const [withdrawn, ...others] = await db.select().from(pickRevisions);
    expect(others).toEqual([]);
    expect(withdrawn).toMatchObject({ pickId: bySlot.find(([, isSlot]) => isSlot)?.[0], withdrawnFor: "game_off" });
  });
});

test("a pick of a renamed game is sealed with the names of its release, and later names do not reach it", async () => {
  const game = await aSlot(db, pool);
  await readAgain(db, game, RELEASED_AT);
  const rename = async (title: string, label: string) => {
    await change(game, { title });
    await db.update(outcomes).set({ label }).where(eq(outcomes.id, game.market.outcomes[0].id));
  };
  await rename("Lakers vs. Celtics", "Lakers");
  await runPicks(pool, RELEASED_AT);
  await rename("Kings vs. Celtics", "Kings");
  await runPicks(pool, beforeKickoff(50));
  expect(await storedPicks()).toMatchObject([{ matchup: "Lakers vs. Celtics", outcomeLabel: "Lakers" }]);
  expect((await commitments()).map(({ payload }) => JSON.parse(payload).pick_outcome_label)).toEqual(["Lakers"]);
});
