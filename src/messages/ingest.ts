import { z } from "zod";

/** Work for the ingest queue. Each message names what to read or compute again, never what was read: doing it twice ends in the same state. */
export const IngestMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sync_wallet"), address: z.string() }),
  z.object({ kind: z.literal("hydrate_markets"), condition_ids: z.array(z.string()).min(1).max(50) }),
  z.object({ kind: z.literal("refresh_books"), token_ids: z.array(z.string()).min(1).max(100) }),
  z.object({ kind: z.literal("score_markets"), market_ids: z.array(z.number().int()).min(1).max(10) }),
  z.object({ kind: z.literal("grade_wallets") }),
  z.object({ kind: z.literal("profile_wallets"), trader_ids: z.array(z.number().int()).min(1).max(20) }),
  z.object({ kind: z.literal("rank_profiles") }),
  z.object({ kind: z.literal("measure_wallets"), trader_ids: z.array(z.number().int()).min(1).max(20) }),
  z.object({ kind: z.literal("scan_holders"), market_ids: z.array(z.number().int()).min(1).max(10) }),
]);

export type IngestMessage = z.output<typeof IngestMessage>;
