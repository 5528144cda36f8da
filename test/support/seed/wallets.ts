import type { Database } from "../../../src/db/client.ts";
import { traders, traderTotals, walletSyncs } from "../../../src/db/schema.ts";
import { hex, nextNumber } from "./numbers.ts";

export interface Wallet {
  readonly id: number;
  readonly address: string;
}

export interface WalletFacts {
  username: string | null;
  profileImage: string | null;
  grade: string | null;
  /** Published with its grade; 70 for a graded wallet that does not say. */
  score: number | null;
  gradedAt: Date | null;
  tier: string;
  /** Whether its activity is followed; then whether it has been read to its end, and what positions do not follow. */
  followed: boolean;
  completeAt: Date | null;
  gaps: string[];
  totals: Partial<typeof traderTotals.$inferInsert> | null;
}

export async function aWallet(db: Database, facts: Partial<WalletFacts> = {}): Promise<Wallet> {
  const { username = null, profileImage = null, grade = null, gradedAt = null, tier, completeAt = null, gaps = [], totals = null } = facts;
  const score = facts.score === undefined && grade !== null ? 70 : (facts.score ?? null);
  const [row] = await db
    .insert(traders)
    .values({ address: hex(nextNumber(), 40), username, profileImage, grade, score, gradedAt, tier })
    .returning({ id: traders.id, address: traders.address });
  if (row === undefined) throw new Error("no wallet was stored");
  if (facts.followed ?? completeAt !== null) await db.insert(walletSyncs).values({ traderId: row.id, completeAt, gaps });
  if (totals !== null) {
    const nothing = { realizedMicro: 0n, settledMicro: 0n, volumeMicro: 0n, feesMicro: 0n, entryCount: 1 };
    const at = new Date("2026-11-01T00:00:00Z");
    await db.insert(traderTotals).values({ ...nothing, firstAt: at, lastAt: at, ...totals, traderId: row.id });
  }
  return row;
}
