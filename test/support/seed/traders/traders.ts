import type { Database } from "../../../../src/db/client.ts";
import { traders, traderTotals, traderSyncs } from "../../../../src/db/schema.ts";
import { hex, nextNumber } from "../numbers.ts";

export interface SeededTrader {
  readonly id: number;
  readonly address: string;
}

export interface SeededTraderFacts {
  username: string | null;
  profileImage: string | null;
  grade: string | null;
  /** Published with its grade; 70 by default for a graded trader. */
  score: number | null;
  gradedAt: Date | null;
  tier: string;
  /** Whether its activity is followed. `completeAt` and `gaps` then tell the completeness of its history. */
  isFollowed: boolean;
  completeAt: Date | null;
  gaps: string[];
  totals: Partial<typeof traderTotals.$inferInsert> | null;
}

export async function aSeededTrader(db: Database, facts: Partial<SeededTraderFacts> = {}): Promise<SeededTrader> {
  const {
    username = null,
    profileImage = null,
    grade = null,
    gradedAt = null,
    tier,
    completeAt = null,
    gaps = [],
    totals = null,
  } = facts;
  const score = facts.score === undefined && grade !== null ? 70 : (facts.score ?? null);
  const [row] = await db
    .insert(traders)
    .values({ address: hex(nextNumber(), 40), username, profileImage, grade, score, gradedAt, tier })
    .returning({ id: traders.id, address: traders.address });
  if (row === undefined) throw new Error("no trader was stored");
  if (facts.isFollowed ?? completeAt !== null)
    await db.insert(traderSyncs).values({ traderId: row.id, completeAt, gaps });
  if (totals !== null) {
    const nothing = { realizedMicro: 0n, settledMicro: 0n, volumeMicro: 0n, feesMicro: 0n, entryCount: 1 };
    const at = new Date("2026-11-01T00:00:00Z");
    await db.insert(traderTotals).values({ ...nothing, firstAt: at, lastAt: at, ...totals, traderId: row.id });
  }
  return row;
}
