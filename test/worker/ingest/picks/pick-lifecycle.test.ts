import { createHash } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Pool } from "@neondatabase/serverless";
import type { Database } from "../../../../src/db/client.ts";
import {
  games,
  markets,
  outcomes,
  pickCloses,
  pickCommitments,
  pickRevisions,
  picks,
} from "../../../../src/db/schema.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { settlePicks } from "../../../../src/ingest/picks/settle-picks.ts";
import { withdrawPick } from "../../../../src/ingest/picks/withdraw-pick.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import {
  aPickGame,
  aSealedPick,
  aSlot,
  beforeKickoff,
  holdersSwitch,
  KICKOFF,
  listQuotes,
  moveGame,
  readAgain,
  RELEASED_AT,
  resolveMarket,
  runPicks,
  SELECTED_AT,
  type PickGame,
} from "../../../support/ingest/pick-game.ts";
import { addHoldings } from "../../../support/seed/traders/holders.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

const storedPicks = () => db.select().from(picks).orderBy(asc(picks.id));
const commitments = () => db.select().from(pickCommitments);
const revisions = async () =>
  (await db.select().from(pickRevisions).orderBy(asc(pickRevisions.id))).map(
    ({ outcome, withdrawnFor }) => outcome ?? withdrawnFor,
  );

describe("selection", () => {
  test("a game that graded traders agree on becomes a slot of its US Eastern day, unpublished", async () => {
    const game = await aSlot(db, pool);
    expect(await storedPicks()).toMatchObject([
      {
        ...{ pickDate: "2026-11-20", rank: 1, isFree: true, marketId: game.market.id, outcomeIndex: 0 },
        ...{ kickoff: KICKOFF, releaseAt: RELEASED_AT, publishedAt: null, backedPrice: "0.500000" },
        backing: { top_grade: "S", backed_micro: "15000000000", opposed_micro: "0" },
      },
    ]);
    expect(await commitments()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "starts in more than twelve hours",
      () => aPickGame(db, new Date(SELECTED_AT.getTime() + 43_201_000), SELECTED_AT),
    ],
    ["is released already", () => aPickGame(db, new Date(SELECTED_AT.getTime() + 3_600_000), SELECTED_AT)],
    ["is live", () => aPickGame(db, KICKOFF, SELECTED_AT, { live: true })],
    ["is not served", () => aPickGame(db, KICKOFF, SELECTED_AT, { eventId: null })],
    ["has no sport", () => aPickGame(db, KICKOFF, SELECTED_AT, { sport: null })],
    ["starts between two seconds", () => aPickGame(db, new Date(KICKOFF.getTime() + 500), SELECTED_AT)],
    ["has holders of four minutes ago", () => aPickGame(db, KICKOFF, new Date(SELECTED_AT.getTime() - 240_000))],
  ])("a game that %s is not selected", async (_, given) => {
    await given();
    await runPicks(pool, SELECTED_AT);
    expect(await storedPicks()).toEqual([]);
  });

  test.each([
    [601, 0],
    [599, 1],
  ])("of a game whose market object was read %d seconds ago, %d slots are selected", async (seconds, slots) => {
    const game = await aPickGame(db, KICKOFF, SELECTED_AT);
    await listQuotes(db, game, new Date(SELECTED_AT.getTime() - seconds * 1_000));
    await runPicks(pool, SELECTED_AT);
    expect(await storedPicks()).toHaveLength(slots);
  });

  test("a later pass adds to the day and repeats nothing", async () => {
    await aSlot(db, pool);
    await aPickGame(db, beforeKickoff(-30), beforeKickoff(200));
    await runPicks(pool, beforeKickoff(200));
    await runPicks(pool, beforeKickoff(200));
    expect((await storedPicks()).map(({ rank, isFree }) => [rank, isFree])).toEqual([
      [1, true],
      [2, false],
    ]);
  });
});

describe("the publication of a pick", () => {
  test("at its release the pick is published with that time's price and holders, and sealed before its kickoff", async () => {
    const game = await aSlot(db, pool);
    await readAgain(db, game, RELEASED_AT);
    await db
      .update(outcomes)
      .set({ bestBid: "0.545", bestAsk: "0.546" })
      .where(eq(outcomes.id, game.market.outcomes[0].id));
    await addHoldings(db, game.market, [{ trader: await aSeededTrader(db, { grade: "A" }), shares: 1_000 }]);
    await runPicks(pool, beforeKickoff(61));
    expect(await commitments()).toEqual([]);
    await runPicks(pool, RELEASED_AT);
    const [pick] = await storedPicks();
    expect(pick).toMatchObject({ publishedAt: RELEASED_AT, backedPrice: "0.545500" });
    expect(pick?.backing.holders).toHaveLength(3);
    const [sealed] = await commitments();
    expect(sealed).toMatchObject({ sealedAt: RELEASED_AT, kickoff: KICKOFF, nonce: null, openedAt: null });
    expect(sealed?.payload).toBe(
      `{"backed_price":"0.545500","condition_id":"${game.market.conditionId}","kickoff":"2026-11-21T00:00:00Z",` +
        `"pick_date":"2026-11-20","pick_outcome_index":0,"pick_outcome_label":"${pick?.outcomeLabel}","pick_rank":1,` +
        `"platform":"polymarket"}`,
    );
  });

  test("while its proof cannot be read a released slot waits, and is published when it can", async () => {
    const game = await aSlot(db, pool);
    await runPicks(pool, beforeKickoff(50));
    expect(await storedPicks()).toMatchObject([{ publishedAt: null }]);
    await readAgain(db, game, beforeKickoff(40));
    await runPicks(pool, beforeKickoff(40));
    expect(await commitments()).toMatchObject([{ sealedAt: beforeKickoff(40) }]);
  });

  test("a slot that reaches its kickoff without proof is published uncommitted, and is never sealed", async () => {
    const game = await aSlot(db, pool);
    await runPicks(pool, beforeKickoff(1));
    await readAgain(db, game, KICKOFF);
    await runPicks(pool, KICKOFF);
    await runPicks(pool, beforeKickoff(-5));
    expect(await storedPicks()).toMatchObject([{ publishedAt: KICKOFF, backedPrice: "0.500000" }]);
    expect(await commitments()).toEqual([]);
  });

  test("the database refuses a seal at or after the kickoff", async () => {
    await aSlot(db, pool);
    const [pick] = await storedPicks();
    const values = {
      pickId: pick?.id ?? 0,
      hash: "0".repeat(64),
      payload: "{}",
      sealedNonce: "v1.x",
      kickoff: KICKOFF,
    };
    await expect(db.insert(pickCommitments).values({ ...values, sealedAt: KICKOFF })).rejects.toThrow();
  });

  test.each<[string, string, (game: PickGame) => Promise<unknown>]>([
    ["whose holders switched sides", "not_admitted", (game) => holdersSwitch(db, game)],
    [
      "whose market closed",
      "market_closed",
      (game) => db.update(markets).set({ closed: true }).where(eq(markets.id, game.market.id)),
    ],
    [
      "whose game began early",
      "game_started",
      (game) => db.update(games).set({ live: true }).where(eq(games.id, game.gameId)),
    ],
  ])("a slot %s is withdrawn at its release", async (_, reason, change) => {
    const game = await aSlot(db, pool);
    await readAgain(db, game, RELEASED_AT);
    await change(game);
    await runPicks(pool, RELEASED_AT);
    await runPicks(pool, beforeKickoff(50));
    expect(await revisions()).toEqual([reason]);
    expect(await storedPicks()).toMatchObject([{ publishedAt: null }]);
    expect(await commitments()).toEqual([]);
  });
});

describe("a kickoff that moves", () => {
  test("before the release moves the release of the slot", async () => {
    const game = await aSlot(db, pool);
    const later = beforeKickoff(-60);
    await moveGame(db, game, later);
    await readAgain(db, game, RELEASED_AT);
    await runPicks(pool, RELEASED_AT);
    expect(await storedPicks()).toMatchObject([{ kickoff: later, releaseAt: KICKOFF, publishedAt: null }]);
    await readAgain(db, game, KICKOFF);
    await runPicks(pool, KICKOFF);
    expect(await commitments()).toMatchObject([{ kickoff: later, sealedAt: KICKOFF }]);
  });

  test("to an earlier time whose release has passed publishes the pick at once", async () => {
    const game = await aSlot(db, pool);
    await moveGame(db, game, beforeKickoff(100));
    await readAgain(db, game, beforeKickoff(130));
    await runPicks(pool, beforeKickoff(130));
    expect(await commitments()).toMatchObject([{ kickoff: beforeKickoff(100), sealedAt: beforeKickoff(130) }]);
  });

  test("into the past leaves a slot uncommitted", async () => {
    const game = await aSlot(db, pool);
    await moveGame(db, game, beforeKickoff(140));
    await readAgain(db, game, beforeKickoff(130));
    await runPicks(pool, beforeKickoff(130));
    expect(await storedPicks()).toMatchObject([{ kickoff: beforeKickoff(140), publishedAt: beforeKickoff(130) }]);
    expect(await commitments()).toEqual([]);
  });

  test.each([
    ["another day", new Date("2026-11-21T20:00:00Z")],
    ["no time", null],
  ])("to %s withdraws the slot", async (_, scheduledAt) => {
    const game = await aSlot(db, pool);
    await moveGame(db, game, scheduledAt);
    await runPicks(pool, beforeKickoff(290));
    expect(await revisions()).toEqual(["rescheduled"]);
    await readAgain(db, game, RELEASED_AT);
    await runPicks(pool, RELEASED_AT);
    expect(await storedPicks()).toMatchObject([{ publishedAt: null }]);
  });

  test("after publication within the day changes nothing of the pick", async () => {
    const game = await aSealedPick(db, pool);
    const sealed = await commitments();
    await moveGame(db, game, beforeKickoff(-120));
    await runPicks(pool, beforeKickoff(50));
    expect(await storedPicks()).toMatchObject([{ kickoff: KICKOFF, releaseAt: RELEASED_AT }]);
    expect(await commitments()).toEqual(sealed);
    expect(await revisions()).toEqual([]);
  });
});

describe("settlement", () => {
  test("records the outcome and opens the commitment, which anyone can check", async () => {
    const game = await aSealedPick(db, pool);
    await resolveMarket(db, game, [1_000_000, 0]);
    await runPicks(pool, beforeKickoff(-150));
    expect(await revisions()).toEqual(["win"]);
    const [opened] = await commitments();
    const hash = createHash("sha256")
      .update(opened?.payload ?? "")
      .update(Buffer.from(opened?.nonce ?? "", "hex"));
    expect(opened).toMatchObject({ hash: hash.digest("hex"), openedAt: beforeKickoff(-150) });
  });

  test("a reversed result is appended, and the commitment stays as it was opened", async () => {
    const game = await aSealedPick(db, pool);
    await resolveMarket(db, game, [1_000_000, 0]);
    await runPicks(pool, beforeKickoff(-150));
    const opened = await commitments();
    await resolveMarket(db, game, null);
    await runPicks(pool, beforeKickoff(-160));
    expect(await revisions()).toEqual(["win"]);
    await resolveMarket(db, game, [0, 1_000_000]);
    await runPicks(pool, beforeKickoff(-170));
    await runPicks(pool, beforeKickoff(-180));
    expect(await revisions()).toEqual(["win", "loss"]);
    expect(await commitments()).toEqual(opened);
  });

  test("a pick without a result stays pending, and a result of equal payouts is void", async () => {
    const game = await aSealedPick(db, pool);
    await runPicks(pool, new Date("2026-12-01T00:00:00Z"));
    expect(await revisions()).toEqual([]);
    await resolveMarket(db, game, [500_000, 500_000]);
    await runPicks(pool, new Date("2026-12-02T00:00:00Z"));
    expect(await revisions()).toEqual(["void"]);
  });

  test("a commitment that cannot be opened settles nothing of its pick, and all others settle", async () => {
    const [first, second] = [await aPickGame(db, KICKOFF, RELEASED_AT), await aPickGame(db, KICKOFF, RELEASED_AT)];
    await runPicks(pool, beforeKickoff(61));
    await runPicks(pool, RELEASED_AT);
    const [broken] = await storedPicks();
    await db.execute(sql`alter table pick_commitments disable trigger user`);
    await db
      .update(pickCommitments)
      .set({ sealedNonce: "v1.x" })
      .where(eq(pickCommitments.pickId, broken?.id ?? 0));
    for (const game of [first, second]) await resolveMarket(db, game, [0, 1_000_000]);
    const settling = settlePicks(
      pool,
      { keys: { current: "the sealing secret of the tests, 32 characters", previous: [] } },
      () => beforeKickoff(-150),
    );
    await expect(settling).rejects.toThrow(`cannot open the commitments of the picks ${broken?.id}:`);
    expect(await revisions()).toEqual(["loss"]);
    expect((await commitments()).filter(({ nonce }) => nonce !== null)).toHaveLength(1);
  });
});

describe("the withdrawal", () => {
  const withdraw = async () => {
    const [pick] = await storedPicks();
    return inTransaction(pool, (session) => withdrawPick(session, pick?.id ?? 0, "operator", beforeKickoff(45)));
  };

  test("of a slot: it is never published", async () => {
    const game = await aSlot(db, pool);
    expect([await withdraw(), await withdraw()]).toEqual([true, false]);
    await readAgain(db, game, RELEASED_AT);
    await runPicks(pool, RELEASED_AT);
    await runPicks(pool, KICKOFF);
    expect(await storedPicks()).toMatchObject([{ publishedAt: null }]);
    expect(await revisions()).toEqual(["operator"]);
  });

  test("of a sealed pick: it still settles and opens", async () => {
    const game = await aSealedPick(db, pool);
    await withdraw();
    await resolveMarket(db, game, [0, 1_000_000]);
    await runPicks(pool, beforeKickoff(-150));
    expect(await revisions()).toEqual(["operator", "loss"]);
    expect(await commitments()).toMatchObject([{ openedAt: beforeKickoff(-150) }]);
  });

  test("of an opened pick: its outcome stays and may be corrected", async () => {
    const game = await aSealedPick(db, pool);
    await resolveMarket(db, game, [0, 1_000_000]);
    await runPicks(pool, beforeKickoff(-150));
    expect(await withdraw()).toBe(true);
    await resolveMarket(db, game, [1_000_000, 0]);
    await runPicks(pool, beforeKickoff(-160));
    expect(await revisions()).toEqual(["loss", "operator", "win"]);
  });
});

describe("what is published", () => {
  test.each([
    ["a published pick", sql`update picks set backed_price = 0.9`],
    ["a published pick's publication", sql`update picks set published_at = null`],
    ["a revision", sql`update pick_revisions set outcome = 'win'`],
    ["the seal", sql`update pick_commitments set payload = '{}'`],
  ])("%s cannot be changed", async (_, change) => {
    const game = await aSealedPick(db, pool);
    await resolveMarket(db, game, [0, 1_000_000]);
    await runPicks(pool, beforeKickoff(-150));
    await expect(db.execute(change)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("a published pick is never changed") }),
    });
  });

  test.each(["picks", "pick_commitments", "pick_revisions"])("no row of %s can be deleted", async (table) => {
    const game = await aSealedPick(db, pool);
    await resolveMarket(db, game, [0, 1_000_000]);
    await runPicks(pool, beforeKickoff(-150));
    await expect(db.execute(sql.raw(`delete from ${table}`))).rejects.toThrow();
  });

  test("the nonce is not stored in the clear before the settlement", async () => {
    await aSealedPick(db, pool);
    const { rows } = await db.execute(sql`select to_jsonb(c)::text as row from pick_commitments c`);
    expect(String(rows[0]?.["row"])).not.toContain("2b".repeat(32));
  });
});

describe("the closing price of a pick", () => {
  const closes = () => db.select().from(pickCloses);
  const quote = (game: PickGame, bid: string, ask: string, bookAsOf: Date) =>
    db
      .update(outcomes)
      .set({ bestBid: bid, bestAsk: ask, bookAsOf })
      .where(eq(outcomes.id, game.market.outcomes[0].id));

  test("is the last midpoint that was read in the ten minutes before the kickoff", async () => {
    const game = await aSealedPick(db, pool);
    await quote(game, "0.40", "0.42", beforeKickoff(12));
    await runPicks(pool, beforeKickoff(11));
    expect(await closes()).toEqual([]);
    await quote(game, "0.50", "0.54", beforeKickoff(9));
    await runPicks(pool, beforeKickoff(8));
    await quote(game, "0.55", "0.57", beforeKickoff(1));
    await runPicks(pool, beforeKickoff(0.5));
    await quote(game, "0.90", "0.92", beforeKickoff(-1));
    await runPicks(pool, beforeKickoff(-2));
    expect(await closes()).toMatchObject([{ price: "0.560000", observedAt: beforeKickoff(1) }]);
  });

  test("has the time of the market object whose quotes it is from", async () => {
    const game = await aSealedPick(db, pool);
    await listQuotes(db, game, beforeKickoff(11));
    await runPicks(pool, beforeKickoff(9));
    expect(await closes()).toEqual([]);
    await listQuotes(db, game, beforeKickoff(8));
    await runPicks(pool, beforeKickoff(7));
    expect(await closes()).toMatchObject([{ price: "0.500000", observedAt: beforeKickoff(8) }]);
  });

  test("is not read once the game has begun before its time", async () => {
    const game = await aSealedPick(db, pool);
    await moveGame(db, game, beforeKickoff(9));
    await quote(game, "0.90", "0.92", beforeKickoff(8));
    await runPicks(pool, beforeKickoff(7));
    expect(await closes()).toEqual([]);
  });

  test("needs a narrow book", async () => {
    const game = await aSealedPick(db, pool);
    await quote(game, "0.20", "0.80", beforeKickoff(5));
    await runPicks(pool, beforeKickoff(4));
    expect(await closes()).toEqual([]);
  });
});
