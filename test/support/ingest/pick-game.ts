import type { Pool } from "@neondatabase/serverless";
import { eq } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { games, holderScans, marketHolders, markets, outcomes } from "../../../src/db/schema.ts";
import { followGames } from "../../../src/ingest/picks/follow-games.ts";
import { publishPicks } from "../../../src/ingest/picks/publish-picks.ts";
import { selectSlots } from "../../../src/ingest/picks/select-slots.ts";
import { settlePicks } from "../../../src/ingest/picks/settle-picks.ts";
import { captureCloses } from "../../../src/ingest/picks/capture-closes.ts";
import { addHoldings, aHolderScan, type SeededHolding } from "../seed/traders/holders.ts";
import { MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";
import { aMarket, anEvent, type SeededMarket } from "../seed/markets.ts";
import { nextNumber } from "../seed/numbers.ts";
import { aSeededTrader } from "../seed/traders/traders.ts";
import { TEST_SEALING } from "./test-sealing.ts";

/** A Friday evening: 19:00 US Eastern. */
export const KICKOFF = new Date("2026-11-21T00:00:00Z");
export const beforeKickoff = (minutes: number): Date => new Date(KICKOFF.getTime() - minutes * MINUTE_MS);
export const SELECTED_AT = beforeKickoff(300);
export const RELEASED_AT = beforeKickoff(60);

export interface PickGame {
  readonly gameId: number;
  readonly market: SeededMarket;
}

/** A game whose moneyline two traders graded S and A back with 15,000 dollars at 0.50, read at `readAt`. */
export async function aPickGame(
  db: Database,
  kickoff: Date,
  readAt: Date,
  facts: Partial<typeof games.$inferInsert> = {},
): Promise<PickGame> {
  const n = nextNumber();
  const eventId = await anEvent(db, { slug: `pick-game-${n}` });
  const [game] = await db
    .insert(games)
    .values({
      ...{ providerGameId: `p${n}`, eventId, eventSlug: `pick-game-${n}`, title: `Home ${n} vs. Away ${n}` },
      ...{ sport: "Soccer", scheduledAt: kickoff, competitors: [], observedAt: readAt },
      ...facts,
    })
    .returning({ id: games.id });
  if (game === undefined) throw new Error("no game was stored");
  const book = { bestBid: "0.49", bestAsk: "0.51", bookSource: "clob_book", bookAsOf: readAt };
  const market = await aMarket(db, { eventId, gameId: `p${n}`, marketType: "moneyline" }, [
    { label: `Home ${n}`, ...book },
    { label: `Away ${n}`, ...book },
  ]);
  const held: SeededHolding[] = [
    { trader: await aSeededTrader(db, { grade: "S" }), shares: 20_000 },
    { trader: await aSeededTrader(db, { grade: "A" }), shares: 10_000 },
  ];
  await aHolderScan(db, market, held, { fetchedAt: readAt });
  return { gameId: game.id, market };
}

/** The provider's books and holders of a market were read again. */
export async function readAgain(db: Database, { market }: PickGame, readAt: Date): Promise<void> {
  await db.update(outcomes).set({ bookAsOf: readAt }).where(eq(outcomes.marketId, market.id));
  await db.update(holderScans).set({ fetchedAt: readAt }).where(eq(holderScans.marketId, market.id));
}

/** The quotes of a market are those of its market object, which was read at `readAt`. */
export async function listQuotes(db: Database, { market }: PickGame, readAt: Date): Promise<void> {
  const listed = { bookSource: "gamma_market", bookAsOf: null };
  await db.update(outcomes).set(listed).where(eq(outcomes.marketId, market.id));
  await db.update(markets).set({ figuresAsOf: readAt }).where(eq(markets.id, market.id));
}

/** All holders leave, and others take the other side. */
export async function holdersSwitch(db: Database, { market }: PickGame): Promise<void> {
  await db.delete(marketHolders).where(eq(marketHolders.marketId, market.id));
  const held: SeededHolding[] = [
    { trader: await aSeededTrader(db, { grade: "S" }), outcome: 1, shares: 30_000 },
    { trader: await aSeededTrader(db, { grade: "A" }), outcome: 1, shares: 30_000 },
  ];
  await addHoldings(db, market, held);
}

export const moveGame = (db: Database, { gameId }: PickGame, scheduledAt: Date | null) =>
  db.update(games).set({ scheduledAt }).where(eq(games.id, gameId));

export const resolveMarket = (db: Database, { market }: PickGame, payoutsPpm: number[] | null) =>
  db.update(markets).set({ payoutsPpm, closed: true }).where(eq(markets.id, market.id));

/** One run of each pick job at a time. */
export async function runPicks(pool: Pool, now: Date): Promise<void> {
  await followGames(pool, now);
  await selectSlots(pool, now);
  await publishPicks(pool, TEST_SEALING, () => now);
  await captureCloses(pool, now);
  await settlePicks(pool, TEST_SEALING, () => now);
}

/** A game that graded traders agree on, selected at SELECTED_AT. */
export async function aSlot(db: Database, pool: Pool): Promise<PickGame> {
  const game = await aPickGame(db, KICKOFF, SELECTED_AT);
  await runPicks(pool, SELECTED_AT);
  return game;
}

/** A slot that is published and sealed at its release. */
export async function aSealedPick(db: Database, pool: Pool): Promise<PickGame> {
  const game = await aSlot(db, pool);
  await readAgain(db, game, RELEASED_AT);
  await runPicks(pool, RELEASED_AT);
  return game;
}
