import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { TradeFeed } from "../../platform/provider.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { ingestCheckpoints } from "../../db/schema.ts";
import { columnName, columnNames, excluded, run, setEach } from "../../db/sql.ts";

export const StoredOrdinalCarry = z
  .object({ txHash: z.string(), counts: z.record(z.string(), z.number().int()) })
  .nullable();

/** Progress of a walk over a feed, newest row first. */
const Walk = z.object({
  cursor: z.string().nullable(),
  /** Time of the newest row the walk has seen, ms. */
  newestMs: z.number().nullable(),
  /** The walk ends at the first row older than this; null walks to the feed's end. */
  floorMs: z.number().nullable(),
  carry: StoredOrdinalCarry,
  /** Whether it reads the long overlap. */
  isDeep: z.boolean().default(false),
  /** Whether it reads the short overlap. */
  isShort: z.boolean().default(false),
  /** Whether it has found a row that only a long overlap finds. */
  hasLateRows: z.boolean().default(false),
});

/** The name of a trade feed among checkpoints. */
export const checkpointOf = (feed: TradeFeed): string => `trades:${feed}`;

/** State of one trade feed. Every row up to the watermark is stored. */
export const FeedState = z.object({
  watermarkMs: z.number().nullable(),
  /** When the last walk over more than the short overlap began, ms; null before the first. */
  overlapAtMs: z.number().nullable().default(null),
  /** When the last walk over the long overlap began, ms; null before the first. */
  deepAtMs: z.number().nullable(),
  /** The pause between two long overlaps, ms: it grows while they find nothing. */
  deepEveryMs: z.number().default(60_000),
  walk: Walk.nullable(),
  stored: z.number().int(),
});

export type FeedState = z.output<typeof FeedState>;

/**
 * State of the walk over the provider's markets: the open ones, then, in a full backfill, the closed ones.
 */
export const MarketWalkState = z.object({
  cursor: z.string().nullable(),
  closed: z.boolean(),
  walks: z.number().int(),
  stored: z.number().int(),
  /** When the current walk began, ms; null before the first. */
  startedMs: z.number().nullable().default(null),
  /**
   * When the last completed walk began, ms. Every market that was open at that time has been read since; null
   * before the first.
   */
  listedSinceMs: z.number().nullable().default(null),
});

export type MarketWalkState = z.output<typeof MarketWalkState>;

/** Progress of the backfill (the first fill of an empty database). The start script shows it. */
export const BackfillState = z.object({
  phase: z.string(),
  stored: z.number().int(),
  expected: z.number().int().nullable(),
  done: z.boolean(),
});

export type BackfillState = z.output<typeof BackfillState>;

export const PositionValuationState = z.object({
  /** The last outcome id that the current round of position valuation has reached; 0 when a new round starts. */
  after: z.number().int(),
  /** Outcomes of which some positions may have a value at a price that is not their valued price. */
  unfinished: z.array(z.string()).default([]),
});

export type PositionValuationState = z.output<typeof PositionValuationState>;

/** How far the chain has been compared with the ledger. */
export const ChainState = z.object({
  nextBlock: z.number().int(),
  /** The hash of the block before it, which the next block must name as its parent. */
  lastHash: z.string(),
  /** How many fills were recorded from the chain. */
  stored: z.number().int(),
});

export type ChainState = z.output<typeof ChainState>;

/** The stored state of a feed, or null before its first page. */
export async function findCheckpoint<S extends z.ZodType>(
  session: Session,
  feed: string,
  schema: S,
): Promise<z.output<S> | null> {
  const [row] = await session
    .select({ state: ingestCheckpoints.state })
    .from(ingestCheckpoints)
    .where(eq(ingestCheckpoints.feed, feed));
  return row === undefined ? null : schema.parse(row.state);
}

interface Checkpoint {
  readonly feed: string;
  readonly state: Readonly<Record<string, unknown>>;
}

const UPSERT = constantStatement<Checkpoint>(({ value }) => {
  const { feed, state, updatedAt } = ingestCheckpoints;
  return sql`insert into ${ingestCheckpoints} (${columnNames(feed, state, updatedAt)})
    values (${value((checkpoint) => checkpoint.feed)}, ${value((checkpoint) => JSON.stringify(checkpoint.state))}::jsonb, now())
    on conflict (${columnName(feed)}) do update set ${setEach([state, updatedAt], excluded)}`;
});

/** Saves the state in the transaction that applies its page, so that a crash leaves both or neither. */
export async function saveCheckpoint(
  session: Session,
  feed: string,
  state: Readonly<Record<string, unknown>>,
): Promise<void> {
  await run(session, UPSERT({ feed, state }));
}
