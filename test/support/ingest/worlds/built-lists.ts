import { and, asc, desc, eq, gt, isNull, lte, max, or } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { exploreEntries, leaderboardEntries, listGenerations, trendingEntries } from "../../../../src/db/schema.ts";

export type BuiltList = "leaderboard" | "trending:7d" | "trending:30d" | "explore";

/** The stored generations of a list, newest first. */
export const generationsOf = (db: Database, list: BuiltList) =>
  db.select().from(listGenerations).where(eq(listGenerations.list, list)).orderBy(desc(listGenerations.id));

const newest = (db: Database, list: BuiltList) =>
  db
    .select({ id: max(listGenerations.id) })
    .from(listGenerations)
    .where(eq(listGenerations.list, list));

/** The newest leaderboard of a category, by rank. */
export const boardOf = (db: Database, category = "") =>
  db
    .select()
    .from(leaderboardEntries)
    .where(and(eq(leaderboardEntries.generation, newest(db, "leaderboard")), eq(leaderboardEntries.category, category)))
    .orderBy(asc(leaderboardEntries.rank));

/** The newest trending list, by rank. */
export const trendingOf = (db: Database, list: "trending:7d" | "trending:30d") =>
  db
    .select()
    .from(trendingEntries)
    .where(eq(trendingEntries.generation, newest(db, list)))
    .orderBy(asc(trendingEntries.rank));

/** The newest exploration, ordered by the largest volume of its representatives. */
export const exploreOf = (db: Database) =>
  db
    .select()
    .from(exploreEntries)
    .where(
      and(
        lte(exploreEntries.addedIn, newest(db, "explore")),
        or(isNull(exploreEntries.removedIn), gt(exploreEntries.removedIn, newest(db, "explore"))),
      ),
    )
    .orderBy(desc(exploreEntries.volumeUsd));
