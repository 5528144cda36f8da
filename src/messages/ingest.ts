import { z } from "zod";

/** Work for the ingest queue. Each message names what to read again, never what was read: doing it twice ends in the same state. */
export const IngestMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sync_wallet"), address: z.string() }),
  z.object({ kind: z.literal("hydrate_markets"), condition_ids: z.array(z.string()).min(1).max(50) }),
  z.object({ kind: z.literal("check_resolutions"), condition_ids: z.array(z.string()).min(1).max(20) }),
  z.object({ kind: z.literal("refresh_books"), token_ids: z.array(z.string()).min(1).max(100) }),
]);

export type IngestMessage = z.output<typeof IngestMessage>;
