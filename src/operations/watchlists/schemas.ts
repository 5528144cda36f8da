import { z } from "zod";
import { MAX_WATCHLIST_WALLETS } from "../../domain/watchlists/watchlist-limits.ts";
import { EXAMPLE_WALLET_ADDRESS } from "../shared-fields.ts";

export const WALLET_PATTERN = /^0x[a-fA-F0-9]{40}$/;
export const WATCHLIST_ID_PATTERN = /^wl_[1-9][0-9]{0,14}$/;

export const WatchlistSegment = z.string().regex(WATCHLIST_ID_PATTERN, "expected a wl_ id").meta({
  description: "The watchlist's wl_ id. Any other text is 400; an id that is not a watchlist of this account is 404.",
  example: "wl_5",
});

export const WatchlistContent = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: "Name of the list, chosen by you, 1 to 100 characters.", example: "Election desks" }),
    wallets: z
      .array(z.string().regex(WALLET_PATTERN, "Expected 0x and 40 hex digits"))
      .max(MAX_WATCHLIST_WALLETS)
      .transform((wallets) => [...new Set(wallets.map((wallet) => wallet.toLowerCase()))])
      .meta({
        description:
          `All addresses of the list, at most ${MAX_WATCHLIST_WALLETS}, in upper or lower ` +
          "case. Repeated ones are stored once. An empty list is valid and matches no trade.",
        examples: [[EXAMPLE_WALLET_ADDRESS, `0x${"2".repeat(40)}`]],
      }),
  })
  .meta({ id: "WatchlistContent", description: "Name and addresses of a watchlist. Both are required." });

const summary = {
  id: z.string().meta({ description: "The list's wl_ id, for the filter `watchlist`.", example: "wl_5" }),
  object: z.literal("watchlist").meta({ description: "Always watchlist." }),
  name: z.string().meta({ description: "Name chosen by the owner.", example: "Election desks" }),
  wallet_count: z.int().min(0).meta({ description: "Number of addresses in the list.", example: 2 }),
  created_at: z.iso.datetime().meta({ description: "Time of creation, UTC.", example: "2026-11-20T12:00:00.000Z" }),
  updated_at: z.iso.datetime().meta({
    description: "Time of the last change of name or addresses, UTC. The same content again does not change it.",
    example: "2026-11-20T12:00:00.000Z",
  }),
};

export const WatchlistSummary = z
  .object(summary)
  .meta({ id: "WatchlistSummary", description: "A watchlist without its addresses." });

export const Watchlist = z
  .object({
    ...summary,
    wallets: z.array(z.string()).meta({
      description: "The addresses in lower case, in ascending order.",
      examples: [[EXAMPLE_WALLET_ADDRESS, `0x${"2".repeat(40)}`]],
    }),
  })
  .meta({ id: "Watchlist", description: "A watchlist with its addresses." });

export const DeletedWatchlist = z
  .object({
    id: summary.id,
    object: summary.object,
    deleted: z.literal(true).meta({ description: "Always true." }),
  })
  .meta({ id: "DeletedWatchlist", description: "A watchlist that no longer exists." });
