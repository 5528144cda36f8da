import { z } from "zod";
import type { Session } from "../db/client.ts";

export const StoredCarry = z.object({ txHash: z.string(), counts: z.record(z.string(), z.number().int()) }).nullable();

/** A walk over a feed, newest row first, as far as it has come. */
const Walk = z.object({
  cursor: z.string().nullable(),
  /** Time of the newest row the walk has seen, ms. */
  newestMs: z.number().nullable(),
  /** The walk ends at the first row older than this; null walks to the feed's end. */
  floorMs: z.number().nullable(),
  carry: StoredCarry,
});

/** Where one trade feed stands. Everything up to the watermark is stored. */
export const FeedState = z.object({
  watermarkMs: z.number().nullable(),
  /** When a walk last went back over the long overlap. */
  deepAtMs: z.number().nullable(),
  walk: Walk.nullable(),
  stored: z.number().int(),
});

export type FeedState = z.output<typeof FeedState>;

/** Where the walk over the provider's markets stands: open ones, then (on a full backfill) closed ones. */
export const MarketWalkState = z.object({
  cursor: z.string().nullable(),
  closed: z.boolean(),
  walks: z.number().int(),
  stored: z.number().int(),
  /** When the walk under way began, ms; null before the first. */
  startedMs: z.number().nullable().default(null),
  /** When the last walk that came to its end began, ms: every market open since then has been read since then. */
  listedSinceMs: z.number().nullable().default(null),
});

export type MarketWalkState = z.output<typeof MarketWalkState>;

/** How far the first fill of an empty database has come. The start script shows it. */
export const BackfillState = z.object({
  phase: z.string(),
  stored: z.number().int(),
  expected: z.number().int().nullable(),
  done: z.boolean(),
});

export type BackfillState = z.output<typeof BackfillState>;

/** Up to which outcome id the round of valuing positions has come; 0 when it starts anew. */
export const ValuesState = z.object({ after: z.number().int() });

export type ValuesState = z.output<typeof ValuesState>;

/** The stored state of a feed, or null before its first page. */
export async function findCheckpoint<S extends z.ZodType>(session: Session, feed: string, schema: S): Promise<z.output<S> | null> {
  const { rows } = await session.query<{ state: unknown }>(`select state from ingest_checkpoints where feed = $1`, [feed]);
  return rows[0] === undefined ? null : schema.parse(rows[0].state);
}

/** Written in the transaction that applies the page it describes: a kill in between leaves both or neither. */
export async function saveCheckpoint(session: Session, feed: string, state: Readonly<Record<string, unknown>>): Promise<void> {
  await session.query(
    `insert into ingest_checkpoints (feed, state, updated_at) values ($1, $2, now())
     on conflict (feed) do update set state = excluded.state, updated_at = excluded.updated_at`,
    [feed, JSON.stringify(state)],
  );
}
