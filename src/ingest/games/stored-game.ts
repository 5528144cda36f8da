import { getTableColumns, inArray, sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { excluded } from "../../db/sql.ts";
import { games } from "../../db/schema.ts";

/** A row of `games` without its id, which the table assigns. */
export type GameRow = Omit<typeof games.$inferSelect, "id">;

/** Games by the provider's id, locked until the end of the transaction. */
export async function lockGames(session: Session, gameIds: readonly string[]): Promise<ReadonlyMap<string, GameRow>> {
  if (gameIds.length === 0) return new Map();
  const rows = await session
    .select()
    .from(games)
    .where(inArray(games.providerGameId, [...new Set(gameIds)]))
    .orderBy(games.id)
    .for("update");
  return new Map(rows.map(({ id: _, ...row }) => [row.providerGameId, row]));
}

const { id: _id, ...COLUMNS } = getTableColumns(games);
const REPLACED = Object.fromEntries(
  Object.entries(COLUMNS)
    .filter(([name]) => name !== "providerGameId")
    .map(([name, column]) => [name, excluded(column)]),
);

/** Writes whole rows: new games and changed ones. */
export async function saveGames(session: Session, rows: readonly GameRow[]): Promise<void> {
  if (rows.length === 0) return;
  const inOrder = rows.toSorted((a, b) => (a.providerGameId < b.providerGameId ? -1 : 1));
  await freeSlugs(session, inOrder);
  await session.insert(games).values(inOrder).onConflictDoUpdate({ target: games.providerGameId, set: REPLACED });
}

/** A slug can move from one game to another. The game that has it now keeps it; the other one is not served. */
async function freeSlugs(session: Session, rows: readonly GameRow[]): Promise<void> {
  const owners = new Map(rows.flatMap((row) => (row.eventSlug === null ? [] : [[row.eventSlug, row.providerGameId]])));
  const taken = await session
    .select({ gameId: games.providerGameId, slug: games.eventSlug })
    .from(games)
    .where(inArray(games.eventSlug, [...owners.keys()]));
  const losers = taken.filter(({ gameId, slug }) => slug !== null && owners.get(slug) !== gameId);
  if (losers.length === 0) return;
  await session
    .update(games)
    .set({ eventSlug: sql`null`, eventId: sql`null` })
    .where(
      inArray(
        games.providerGameId,
        losers.map(({ gameId }) => gameId),
      ),
    );
}
