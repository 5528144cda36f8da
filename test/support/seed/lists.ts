import { and, inArray, isNull } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import {
  exploreEntries,
  leaderboardEntries,
  listGenerations,
  traders,
  trendingEntries,
} from "../../../src/db/schema.ts";
import type { SeededMarket } from "./markets.ts";
import type { SeededTrader } from "./traders/traders.ts";

/** A generation of a rebuilt list. @returns its number */
export async function aGeneration(
  db: Database,
  list: string,
  builtAt: Date,
  rowCount: number,
  detail: object = {},
): Promise<number> {
  const [row] = await db
    .insert(listGenerations)
    .values({ list, builtAt, rowCount, detail })
    .returning({ id: listGenerations.id });
  if (row === undefined) throw new Error("no generation was stored");
  return row.id;
}

export type BoardFacts = Partial<typeof leaderboardEntries.$inferInsert> & { generation: number };

/**
 * A leaderboard with these traders in this order, one dollar of profit apart; the facts apply to every row.
 * Only graded traders may be on it, so ungraded ones get an A.
 */
export async function aBoard(db: Database, ranked: readonly SeededTrader[], facts: BoardFacts): Promise<void> {
  const ungraded = and(
    inArray(
      traders.id,
      ranked.map((trader) => trader.id),
    ),
    isNull(traders.grade),
  );
  await db.update(traders).set({ grade: "A", score: 70 }).where(ungraded);
  await db.insert(leaderboardEntries).values(
    ranked.map((trader, index) => ({
      category: "",
      rank: index + 1,
      traderId: trader.id,
      realizedMicro: BigInt(1_000 - index) * 1_000_000n,
      volumeMicro: 5_000_000_000n,
      marketsTraded: 4,
      marketsWon: 2,
      marketsDecided: 3,
      ...facts,
    })),
  );
}

export async function aTrendingRow(db: Database, facts: typeof trendingEntries.$inferInsert): Promise<void> {
  await db.insert(trendingEntries).values(facts);
}

export type ExploreFacts = Partial<typeof exploreEntries.$inferInsert> & {
  generation: number;
  id: number;
  markets: readonly SeededMarket[];
};

/** An explore entry over these markets, represented by the first; it is part of this generation only. */
export async function anExploreEntry(db: Database, { markets, generation, ...facts }: ExploreFacts): Promise<void> {
  const representativeId = markets[0]?.id;
  if (representativeId === undefined) throw new Error("an entry has at least one market");
  await db.insert(exploreEntries).values({
    marketIds: markets.map((market) => market.id),
    representativeId,
    hasActive: true,
    hasClosed: false,
    largeTradeCount: 0,
    trendingScore: 0,
    discoverScore: 0,
    searchText: "",
    addedIn: generation,
    removedIn: generation + 1,
    ...facts,
  });
}
