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

export type IngestQueue = "ingest" | "traders" | "figures";

/**
 * The work of traders, by its queue in wrangler.toml. Thousands of traders delay no market, whose work is in `ingest`. The
 * activity of hot traders is read within two minutes; it does not wait for `figures`, of which a message takes seconds.
 */
const TRADER_WORK: Readonly<Partial<Record<IngestMessage["kind"], IngestQueue>>> = {
  sync_trader: "traders",
  read_combos: "traders",
  profile_traders: "figures",
  rank_profiles: "figures",
  measure_traders: "figures",
};

/** The queue in wrangler.toml for a message. */
export const queueOf = ({ kind }: IngestMessage): IngestQueue => TRADER_WORK[kind] ?? "ingest";
