import { z } from "zod";

const unread = (description: string) => z.int().nullable().meta({ description, example: null });

const ComboCoverageCursor = z
  .object({
    contract: z.string().meta({ description: "The contract that is read.", example: "exchange" }),
    last_block: z.int().meta({ description: "The last block that was read.", example: 93_784_296 }),
    seed_block: z.int().meta({ description: "The first block that was read.", example: 87_000_000 }),
    seed_origin: z.string().meta({ description: "Where the first block comes from.", example: "deployment" }),
    chain_finalized_block: z
      .int()
      .nullable()
      .meta({ description: "The chain's newest final block; null while unknown.", example: 93_784_296 }),
    lag_blocks: z.int().nullable().meta({ description: "Blocks not read yet; null while unknown.", example: 0 }),
    updated_at: z.iso
      .datetime()
      .meta({ description: "When the cursor last moved, UTC.", example: "2026-11-20T12:00:00.000Z" }),
  })
  .meta({ id: "ComboCoverageCursor", description: "A position in the chain." });

const ComboSource = z
  .object({
    name: z.enum(["trade_feed", "combo_reads"]).meta({
      description: "trade_feed: the provider's takers' trades, the source of fills. combo_reads: its legs and events.",
      example: "trade_feed",
    }),
    as_of: z.iso.datetime().nullable().meta({
      description: "When the source was last read, UTC; null before the first time.",
      example: "2026-11-20T12:00:00.000Z",
    }),
  })
  .meta({ id: "ComboSource", description: "A source of combos at the provider." });

export const ComboCoverage = z
  .object({
    state: z.enum(["paused", "uninitialized", "stale", "backfilling", "live"]).meta({
      description:
        "uninitialized: a source has never been read. stale: one was not read in the last 15 minutes. backfilling: " +
        "legs or events of combos have waited for their read that long. live: none of these. paused is never sent.",
      example: "live",
    }),
    ingest_enabled: z
      .boolean()
      .meta({ description: "Always true: this deployment has no switch for combos.", example: true }),
    cursors: z.array(ComboCoverageCursor).meta({
      description:
        "Always empty: combos, their fills and events come from the provider's API. See `sources`. Where the chain is " +
        "read as well, it adds the block and the log index of fills: see `chain_position_known`.",
      example: [],
    }),
    sources: z.array(ComboSource).meta({ description: "Where combos come from, and when it was last read." }),
    max_lag_blocks: unread("Always null: there are no chain cursors."),
    oldest_cursor_update: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Always null: there are no chain cursors. See `sources`.", example: null }),
    lifecycle_lag_blocks: unread("Always null: there are no chain cursors."),
    lifecycle_backfilling: z.boolean().meta({
      description: "Whether legs or events of a combo have waited for their read for more than 15 minutes.",
      example: false,
    }),
    computed_at: z.iso
      .datetime()
      .meta({ description: "When this state was determined, UTC.", example: "2026-11-20T12:00:05.000Z" }),
  })
  .meta({ id: "ComboCoverage", description: "How current the data of combos are." });
