import type { Database } from "../../../../src/db/client.ts";
import { games, pickCloses, pickCommitments, pickRevisions, picks } from "../../../../src/db/schema.ts";
import { canonicalPayload, commitmentHash } from "../../../../src/domain/picks/commitment.ts";
import { aMarket, anEvent, type SeededMarket } from "../markets.ts";
import { nextNumber } from "../numbers.ts";
import type { SeededTrader } from "../traders/traders.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

export interface PickFacts {
  date: string;
  rank: number;
  isFree: boolean;
  kickoff: Date;
  /** Null for a slot. */
  publishedAt: Date | null;
  /** Whether a published pick has a commitment; by default if it was published before its kickoff. */
  isCommitted: boolean;
  price: string;
  label: string;
  matchup: string;
  league: string | null;
  /** Settled outcomes, oldest first. The commitment is opened by the first one. */
  outcomes: readonly ("win" | "loss" | "void")[];
  isWithdrawn: boolean;
  closePrice: string;
  /** Holders of 1,000 shares each, graded A. */
  holders: readonly SeededTrader[];
  game: Partial<typeof games.$inferInsert>;
}

export interface SeededPick {
  readonly id: number;
  readonly gameId: number;
  readonly market: SeededMarket;
  readonly matchup: string;
  /** Null without a commitment. */
  readonly nonce: string | null;
  readonly payload: string | null;
}

const PAYOUTS = { win: 1_000_000, loss: 0, void: 500_000 } as const;
const wholeSecond = (instant: Date) => new Date(Math.floor(instant.getTime() / 1000) * 1000);

/** A pick of the first outcome of a moneyline, with its own game and market. */
export async function aPick(db: Database, facts: Partial<PickFacts> & Pick<PickFacts, "date">): Promise<SeededPick> {
  const n = nextNumber();
  const { date, rank = 1, price = "0.500000", label = `Side ${n}`, matchup = `Side ${n} vs. Rest ${n}` } = facts;
  const kickoff = wholeSecond(facts.kickoff ?? new Date(Date.now() + HOUR_MS / 2));
  const releaseAt = new Date(kickoff.getTime() - HOUR_MS);
  const publishedAt = facts.publishedAt === undefined ? releaseAt : facts.publishedAt;
  const slug = `game-${n}`;
  const eventId = await anEvent(db, { slug, title: matchup });
  const [game] = await db
    .insert(games)
    .values({
      ...{ providerGameId: `g${n}`, eventId, eventSlug: slug, title: matchup, sport: "Soccer", scheduledAt: kickoff },
      ...{ competitors: [], observedAt: new Date() },
      ...facts.game,
    })
    .returning({ id: games.id });
  const market = await aMarket(db, { eventId, gameId: `g${n}`, marketType: "moneyline", category: "Soccer" }, [
    { label },
    { label: `Rest ${n}` },
  ]);
  if (game === undefined) throw new Error("no game was stored");
  const holders = facts.holders ?? [];
  const [row] = await db
    .insert(picks)
    .values({
      ...{ pickDate: date, rank, isFree: facts.isFree ?? rank === 1, gameId: game.id, marketId: market.id },
      ...{ marketKind: "moneyline", outcomeIndex: 0, outcomeLabel: label, matchup, category: "Soccer" },
      ...{ league: facts.league ?? null, kickoff, releaseAt, selectedAt: new Date(releaseAt.getTime() - HOUR_MS) },
      ...{ backedPrice: price, publishedAt },
      backing: {
        top_grade: "A",
        backed_micro: "9000000000",
        opposed_micro: "1000000000",
        holders: holders.map(({ id }) => ({ trader_id: id, grade: "A" as const, shares_micro: "1000000000" })),
      },
    })
    .returning({ id: picks.id });
  if (row === undefined) throw new Error("no pick was stored");
  const outcomes = facts.outcomes ?? [];
  const isCommitted = publishedAt !== null && (facts.isCommitted ?? publishedAt < kickoff);
  const nonce = isCommitted ? n.toString(16).padStart(64, "ab") : null;
  const payload = canonicalPayload({
    ...{ backed_price: price, condition_id: market.conditionId, pick_date: date, pick_outcome_index: 0 },
    ...{ kickoff: kickoff.toISOString().replace(".000Z", "Z"), pick_outcome_label: label, pick_rank: rank },
    platform: "polymarket",
  });
  if (nonce !== null && publishedAt !== null)
    await db.insert(pickCommitments).values({
      ...{ pickId: row.id, hash: await commitmentHash(payload, nonce), sealedAt: publishedAt, kickoff, payload },
      sealedNonce: `v1.sealed-${n}`,
      ...(outcomes.length > 0 ? { nonce, openedAt: new Date() } : {}),
    });
  for (const [index, outcome] of outcomes.entries())
    await db.insert(pickRevisions).values({
      ...{ pickId: row.id, outcome, payoutPpm: PAYOUTS[outcome] },
      recordedAt: new Date(kickoff.getTime() + (3 + index) * HOUR_MS),
    });
  if (facts.isWithdrawn === true)
    await db.insert(pickRevisions).values({ pickId: row.id, withdrawnFor: "operator", recordedAt: new Date() });
  if (facts.closePrice !== undefined)
    await db.insert(pickCloses).values({
      ...{ pickId: row.id, price: facts.closePrice, observedAt: new Date(kickoff.getTime() - 60_000) },
    });
  return { id: row.id, gameId: game.id, market, matchup, nonce, payload: isCommitted ? payload : null };
}
