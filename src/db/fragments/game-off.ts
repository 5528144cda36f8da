import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { OFF_STATES } from "../../domain/games/game-state.ts";

const STATES = sql.raw(OFF_STATES.map((state) => `'${state}'`).join(", "));

/**
 * Whether the provider says that a game will not be played as scheduled: postponed, cancelled or abandoned. Never
 * null. An abandoned game has the state `suspended`, which also means a pause, so that its status decides.
 */
export const isGameOff = (game: { readonly state: AnyPgColumn; readonly providerStatus: AnyPgColumn }): SQL =>
  sql`(${game.state} in (${STATES}) or coalesce(${game.providerStatus} ~* 'abandon', false))`;
