import { z } from "zod";

/**
 * Lease of the enqueued work (`src/ingest/queue/work-leases.ts`); absent for work that always runs when it
 * arrives.
 */
const leased = { lease: z.string().optional() };

/**
 * Work for the ingest queues. A message names what to read or recompute and contains no data, so processing
 * it twice ends in the same state.
 */
export const IngestMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sync_trader"), address: z.string(), ...leased }),
  z.object({ kind: z.literal("read_combos"), address: z.string(), ...leased }),
  z.object({ kind: z.literal("hydrate_markets"), condition_ids: z.array(z.string()).min(1).max(50), ...leased }),
  z.object({ kind: z.literal("refresh_books"), token_ids: z.array(z.string()).min(1).max(100), ...leased }),
  z.object({ kind: z.literal("score_markets"), market_ids: z.array(z.number().int()).min(1).max(10), ...leased }),
  z.object({ kind: z.literal("grade_traders"), ...leased }),
  z.object({ kind: z.literal("profile_traders"), trader_ids: z.array(z.number().int()).min(1).max(20), ...leased }),
  z.object({ kind: z.literal("rank_profiles"), ...leased }),
  z.object({ kind: z.literal("measure_traders"), trader_ids: z.array(z.number().int()).min(1).max(20), ...leased }),
  z.object({ kind: z.literal("scan_holders"), market_ids: z.array(z.number().int()).min(1).max(10), ...leased }),
]);

export type IngestMessage = z.output<typeof IngestMessage>;

/**
 * Per-trader work, mostly provider reads. Its own queue keeps thousands of traders from delaying market work.
 */
const TRADER_WORK: ReadonlySet<IngestMessage["kind"]> = new Set([
  "sync_trader",
  "read_combos",
  "profile_traders",
  "rank_profiles",
  "measure_traders",
]);

/** The queue in wrangler.toml for a message. */
export const queueOf = ({ kind }: IngestMessage): "ingest" | "traders" =>
  TRADER_WORK.has(kind) ? "traders" : "ingest";
