import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { ExactDecimal } from "../traders/schemas.ts";
import { TrustCompleteness } from "../trust.ts";
import {
  categoryIfAny,
  conditionId,
  eventSlugIfAny,
  marketId,
  positionId,
  slugIfAny,
  tokenIdOrNull,
  traderId,
  usernameIfAny,
  walletAddress,
} from "../fields.ts";

const Grade = z.enum(GRADES).meta({ description: "Today's grade; left out when ungraded.", example: "A" });
const usd = (description: string, example: number) => z.number().meta({ description, example });
const exact = (description: string, unit: string, value: string, basis: string) =>
  ExactDecimal.meta({ description, example: { value, unit, scale: value.split(".")[1]?.length ?? 0, basis } });
const COST = "average cost over all recorded activity";

const KNOWN_HISTORY = "Left out while the wallet's whole activity is not known.";
const KNOWN_BASIS = `${KNOWN_HISTORY.slice(0, -1)}, and where shares left it that were never seen to come.`;

const PositionExact = z
  .object({
    shares: exact("Shares held.", "shares", "250.000000", "all recorded activity"),
    current_value_usd: exact(
      "Dollars they are worth.",
      "USD",
      "130.000000",
      "shares at the outcome's current price, rounded to the millionth",
    ),
    cost_basis_usd: exact(`Dollars they cost. ${KNOWN_HISTORY}`, "USD", "120.500000", COST).optional(),
    avg_price: exact(
      `Dollars a share: cost over shares, to ten decimals. ${KNOWN_HISTORY}`,
      "USD/share",
      "0.4820000000",
      "cost basis over shares, rounded to ten decimals",
    ).optional(),
    initial_value_usd: exact(`The same as cost_basis_usd. ${KNOWN_HISTORY}`, "USD", "120.500000", "the cost basis").optional(),
    cash_pnl: exact(`Dollars: value less cost. ${KNOWN_HISTORY}`, "USD", "9.500000", "current value less cost basis").optional(),
    realized_pnl: exact(
      `Dollars: what its sales, merges and conversions made, known fees off. ${KNOWN_BASIS}`,
      "USD",
      "-1.250000",
      "average cost over all recorded activity, known fees off",
    ).optional(),
  })
  .meta({ id: "PositionExact", description: "The amounts to the last digit." });

const PositionTrader = z.object({
  id: traderId,
  address: walletAddress,
  username: usernameIfAny,
  grade: Grade.optional(),
  win_rate: z.number().min(0).max(100).optional().meta({
    description:
      "Percent, 0 to 100, of resolved markets with any profit or loss that made a profit. Left out without one, and while it is not known.",
    example: 58.33,
  }),
  pnl: usd(
    "Dollars: everything the wallet has made, open holdings at their value. Left out while one of them has no price, and while it is not known.",
    1520.75,
  ).optional(),
  markets: z.int().min(0).optional().meta({ description: "Markets it ever held shares in. Left out while it is not known.", example: 41 }),
  completeness: TrustCompleteness,
  wallet_age_days: z
    .number()
    .min(0)
    .optional()
    .meta({ description: `Whole days since its first recorded activity. ${KNOWN_HISTORY}`, example: 212 }),
  is_new_wallet: z.boolean().meta({ description: "Whether the first that is recorded of it is at most 30 days old.", example: false }),
});

const PositionMarket = z.object({
  id: marketId,
  condition_id: conditionId,
  title: z
    .string()
    .meta({ description: "The market's question; its slug or condition id while the market has not been read.", example: "Will it rain?" }),
  slug: slugIfAny,
  event_slug: eventSlugIfAny,
  category: categoryIfAny,
  outcome_label: z.string().optional().meta({ description: "The held outcome's name; left out while unknown.", example: "Yes" }),
  end_date: z.iso
    .datetime()
    .optional()
    .meta({ description: "When trading is to end, UTC; left out while unknown.", example: "2026-12-31T00:00:00.000Z" }),
});

export const Position = z
  .object({
    id: positionId,
    platform: z.literal("polymarket").meta({ description: "Where it is held." }),
    wallet: walletAddress,
    side: z.enum(["YES", "NO"]).meta({ description: "YES is the market's first outcome, NO its second." }),
    token_id: tokenIdOrNull,
    shares: z.number().meta({ description: "Shares held, by recorded activity.", example: 250 }),
    avg_price: usd(`Dollars paid a share, average cost, with four decimals. ${KNOWN_HISTORY}`, 0.482).optional(),
    current_value_usd: usd(
      "Dollars: shares at the outcome's current price, that of its market's snapshot. Positions without a price are no rows; meta.unlisted counts them.",
      130,
    ),
    initial_value_usd: usd(`Dollars the shares cost. ${KNOWN_HISTORY}`, 120.5).optional(),
    cash_pnl: usd(`Dollars, unrealized: value less cost. ${KNOWN_HISTORY}`, 9.5).optional(),
    realized_pnl: usd(`Dollars: what its sales, merges and conversions made, known fees off. ${KNOWN_BASIS}`, -1.25).optional(),
    exact: PositionExact.optional(),
    last_reconciled_at: z.iso.datetime().optional().meta({
      description:
        "When the position was last known to be so, UTC: at the last reading of the wallet's whole activity, or at its newest fill. Left out while that activity was never read, or not all of it can be applied.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    freshness: z.enum(["fresh", "refreshing", "stale", "unknown"]).meta({
      description:
        "fresh: reconciled within the hour. refreshing: longer ago, and due to be read. stale: longer ago, and no longer followed. unknown: never reconciled, so that shares moved before or beside the recorded fills are not in it; only of wallets asked for by name. While the market is over and its result awaited, what is not unknown is stale: the value is at the last trade.",
    }),
    trader: PositionTrader.meta({ description: "Who holds it." }),
    market: PositionMarket.meta({ description: "Where." }),
  })
  .meta({ id: "Position", description: "What one wallet holds of one outcome." });

export const UnlistedPositions = z
  .object({
    positions: z.int().min(1).nullable().meta({ description: "How many; null when there are more than 1,000.", example: 50 }),
    cost_usd: z.number().nullable().meta({
      description: "Dollars that they cost; null when not all activity of their wallets is known, and when they are not counted.",
      example: 3956.87,
    }),
  })
  .meta({
    description:
      "Open positions that match the filters (min_size aside) and are no rows: no price is known of their outcome, or it belongs to a combination of markets or is neither YES nor NO. Left out when there are none, and without wallet and condition_id.",
  });

export const SnapshotInfo = z
  .object({
    as_of: z.iso.datetime().meta({ description: "When the rows were frozen, UTC.", example: "2026-11-20T12:00:00.000Z" }),
    expires_at: z.iso.datetime().meta({ description: "Until when its pages can be read, UTC.", example: "2026-11-20T12:05:00.000Z" }),
    row_count: z.int().min(0).meta({ description: "Frozen rows, at most 500.", example: 42 }),
  })
  .meta({ description: "Only with consistency=snapshot: the moment that all pages show." });
