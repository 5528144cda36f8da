import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import { ExactDecimal } from "../../traders/schemas/schemas.ts";
import { TrustCompleteness } from "../../trust.ts";
import {
  optionalCategory,
  conditionId,
  optionalEventSlug,
  marketId,
  positionId,
  optionalSlug,
  nullableTokenId,
  traderId,
  optionalUsername,
  walletAddress,
} from "../../shared-fields.ts";

const Grade = z.enum(GRADES).meta({ description: "Current grade; omitted when ungraded.", example: "A" });
const usd = (description: string, example: number) => z.number().meta({ description, example });
const exact = (description: string, unit: string, value: string, basis: string) =>
  ExactDecimal.meta({ description, example: { value, unit, scale: value.split(".")[1]?.length ?? 0, basis } });
const COST = "average cost over all recorded activity";

const KNOWN_HISTORY = "Omitted while the trader's complete activity is not known.";
const KNOWN_BASIS = `${KNOWN_HISTORY.slice(0, -1)}, and when shares without a recorded acquisition left the position.`;

const PositionExact = z
  .object({
    shares: exact("Open shares.", "shares", "250.000000", "all recorded activity"),
    current_value_usd: exact(
      "Value of the shares in dollars.",
      "USD",
      "130.000000",
      "shares at the outcome's current price, rounded to the millionth",
    ),
    cost_basis_usd: exact(`Cost of the shares in dollars. ${KNOWN_HISTORY}`, "USD", "120.500000", COST).optional(),
    avg_price: exact(
      `Average cost in dollars per share: cost divided by shares, with ten decimals. ${KNOWN_HISTORY}`,
      "USD/share",
      "0.4820000000",
      "cost basis over shares, rounded to ten decimals",
    ).optional(),
    initial_value_usd: exact(
      `Same value as cost_basis_usd, in dollars. ${KNOWN_HISTORY}`,
      "USD",
      "120.500000",
      "the cost basis",
    ).optional(),
    cash_pnl: exact(
      `Value minus cost, in dollars. ${KNOWN_HISTORY}`,
      "USD",
      "9.500000",
      "current value less cost basis",
    ).optional(),
    realized_pnl: exact(
      `Profit of its sales, merges and conversions minus known fees, in dollars. ${KNOWN_BASIS}`,
      "USD",
      "-1.250000",
      "average cost over all recorded activity, known fees off",
    ).optional(),
  })
  .meta({ id: "PositionExact", description: "The amounts with all digits." });

const PositionTrader = z.object({
  id: traderId,
  address: walletAddress,
  username: optionalUsername,
  grade: Grade.optional(),
  win_rate: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .meta({
      description:
        "Percent from 0 to 100: profitable markets among resolved markets with a profit or a loss. Omitted " +
        "when there is no such market, or while unknown.",
      example: 58.33,
    }),
  pnl: usd(
    "Realized plus unrealized profit of the trader, in dollars. Omitted while an open position has no " +
      "price, or while unknown.",
    1520.75,
  ).optional(),
  markets: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "Markets in which the trader ever had shares. Omitted while unknown.", example: 41 }),
  completeness: TrustCompleteness,
  wallet_age_days: z
    .number()
    .min(0)
    .optional()
    .meta({
      description: `Whole days since the first recorded activity of the trader. ${KNOWN_HISTORY}`,
      example: 212,
    }),
  is_new_wallet: z
    .boolean()
    .meta({ description: "Whether the first recorded activity of the trader is at most 30 days old.", example: false }),
});

const PositionMarket = z.object({
  id: marketId,
  condition_id: conditionId,
  title: z.string().meta({
    description: "The market's question; its slug or condition id until the market has been read.",
    example: "Will it rain?",
  }),
  slug: optionalSlug,
  event_slug: optionalEventSlug,
  category: optionalCategory,
  outcome_label: z
    .string()
    .optional()
    .meta({ description: "Name of the outcome; omitted while unknown.", example: "Yes" }),
  end_date: z.iso.datetime().optional().meta({
    description: "Scheduled end of trading, UTC; omitted while unknown.",
    example: "2026-12-31T00:00:00.000Z",
  }),
});

export const Position = z
  .object({
    id: positionId,
    platform: z.literal("polymarket").meta({ description: "The provider of the market." }),
    wallet: walletAddress,
    side: z.enum(["YES", "NO"]).meta({ description: "YES is the first outcome of the market, NO the second one." }),
    token_id: nullableTokenId,
    shares: z.number().meta({ description: "Open shares according to the recorded activity.", example: 250 }),
    avg_price: usd(`Average cost in dollars per share, with four decimals. ${KNOWN_HISTORY}`, 0.482).optional(),
    current_value_usd: usd(
      "Value in dollars: shares times the current price of the outcome in the market snapshot. Positions " +
        "without a price are not listed; `meta.unlisted` counts them.",
      130,
    ),
    initial_value_usd: usd(`Cost of the shares in dollars. ${KNOWN_HISTORY}`, 120.5).optional(),
    cash_pnl: usd(`Unrealized profit in dollars: value minus cost. ${KNOWN_HISTORY}`, 9.5).optional(),
    realized_pnl: usd(
      `Profit of its sales, merges and conversions minus known fees, in dollars. ${KNOWN_BASIS}`,
      -1.25,
    ).optional(),
    exact: PositionExact.optional(),
    last_reconciled_at: z.iso
      .datetime()
      .optional()
      .meta({
        description:
          "Last time at which the position was known to be right, UTC: the last complete read of the " +
          "trader's activity, or the newest fill if that is later. Omitted while that activity has never " +
          "been read, or cannot be applied completely.",
        example: "2026-11-20T12:00:00.000Z",
      }),
    freshness: z.enum(["fresh", "refreshing", "stale", "unknown"]).meta({
      description:
        "fresh: reconciled within the last hour. refreshing: reconciled earlier and due to be read again. " +
        "stale: reconciled earlier and no longer tracked. unknown: never reconciled, so it lacks shares " +
        "acquired before or outside the recorded fills; only for traders requested by name. While the " +
        "market has ended and its result is pending, a position is stale unless it is unknown, because " +
        "its value uses the last trade.",
    }),
    trader: PositionTrader.meta({ description: "The trader of the position." }),
    market: PositionMarket.meta({ description: "The market of the position." }),
  })
  .meta({ id: "Position", description: "The open shares of one trader in one outcome." });

export const UnlistedPositions = z
  .object({
    positions: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "Number of positions; null when there are more than 1,000.", example: 50 }),
    cost_usd: z
      .number()
      .nullable()
      .meta({
        description:
          "Cost of these positions in dollars; null when they are not counted, or when the complete " +
          "activity of their traders is not known.",
        example: 3956.87,
      }),
  })
  .meta({
    description:
      "Open positions that match the filters other than `min_size` and are not listed: the price of the " +
      "outcome is unknown, or the outcome belongs to a combination of markets or is neither YES nor NO. " +
      "Omitted when there are none, and in requests without `wallet` and `condition_id`.",
  });

export const PositionSnapshotInfo = z
  .object({
    as_of: z.iso
      .datetime()
      .meta({ description: "Time at which the rows were frozen, UTC.", example: "2026-11-20T12:00:00.000Z" }),
    expires_at: z.iso
      .datetime()
      .meta({ description: "Time until which the pages can be read, UTC.", example: "2026-11-20T12:05:00.000Z" }),
    row_count: z.int().min(0).meta({ description: "Number of frozen rows, at most 500.", example: 42 }),
  })
  .meta({ description: "The snapshot that all pages show. Only with `consistency=snapshot`." });
