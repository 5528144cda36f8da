import { z } from "zod";

/** The lease that the message's work was handed out under (`src/ingest/work-leases.ts`); absent where it is done whenever it arrives. */
const leased = { lease: z.string().optional() };

/**
 * Work for the queues of ingest. Each message names what to read or compute again, never what was read: doing it twice ends in the same
 * state.
 */
export const IngestMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sync_wallet"), address: z.string(), ...leased }),
  z.object({ kind: z.literal("hydrate_markets"), condition_ids: z.array(z.string()).min(1).max(50), ...leased }),
  z.object({ kind: z.literal("refresh_books"), token_ids: z.array(z.string()).min(1).max(100), ...leased }),
  z.object({ kind: z.literal("score_markets"), market_ids: z.array(z.number().int()).min(1).max(10), ...leased }),
  z.object({ kind: z.literal("grade_wallets"), ...leased }),
  z.object({ kind: z.literal("profile_wallets"), trader_ids: z.array(z.number().int()).min(1).max(20), ...leased }),
  z.object({ kind: z.literal("rank_profiles"), ...leased }),
  z.object({ kind: z.literal("measure_wallets"), trader_ids: z.array(z.number().int()).min(1).max(20), ...leased }),
  z.object({ kind: z.literal("scan_holders"), market_ids: z.array(z.number().int()).min(1).max(10), ...leased }),
]);

export type IngestMessage = z.output<typeof IngestMessage>;

/** Work of one wallet, much of it reads of the provider. It has a queue of its own, so that thousands of wallets keep no market waiting. */
const WALLET_WORK: ReadonlySet<IngestMessage["kind"]> = new Set(["sync_wallet", "profile_wallets", "rank_profiles", "measure_wallets"]);

/** The queue of wrangler.toml that carries the message. */
export const queueOf = ({ kind }: IngestMessage): "ingest" | "wallets" => (WALLET_WORK.has(kind) ? "wallets" : "ingest");
