import { z } from "zod";
import { ExactDecimal } from "../traders/schemas.ts";

const Grade = z.enum(["S", "A", "B", "C", "D", "F"]).meta({ description: "Today's grade; left out when ungraded.", example: "A" });
const usd = (description: string, example: number) => z.number().meta({ description, example });
const exact = (description: string, unit: string, value: string) =>
  ExactDecimal.meta({ description, example: { value, unit, scale: 6, basis: "sum of recorded fills" } });

const KNOWN_HISTORY = "Left out while the wallet's whole activity is not known.";

const PositionExact = z
  .object({
    shares: exact("Shares held.", "shares", "250.000000"),
    current_value_usd: exact("What they are worth.", "USD", "130.000000"),
    cost_basis_usd: exact(`What they cost. ${KNOWN_HISTORY}`, "USD", "120.500000").optional(),
    avg_price: exact(`Cost over shares, to ten decimals. ${KNOWN_HISTORY}`, "USD per share", "0.4820000000").optional(),
    initial_value_usd: exact(`The same as the cost. ${KNOWN_HISTORY}`, "USD", "120.500000").optional(),
    cash_pnl: exact(`Value less cost. ${KNOWN_HISTORY}`, "USD", "9.500000").optional(),
    realized_pnl: exact(`What its sales, merges and conversions made, fees off. ${KNOWN_HISTORY}`, "USD", "-1.250000").optional(),
  })
  .meta({ id: "PositionExact", description: "The amounts to the last digit." });

const PositionTrader = z.object({
  id: z.string().meta({ description: "trd_ id.", example: "trd_12" }),
  address: z.string().meta({ description: "In lower case.", example: `0x${"a1".repeat(20)}` }),
  username: z.string().optional().meta({ example: "alice" }),
  grade: Grade.optional(),
  win_rate: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: "Percent of resolved markets with any profit or loss that made a profit, two decimals.", example: 58.33 }),
  pnl: usd(
    "Everything the wallet has made, dollars, open holdings at their value. Left out while one of them has no price.",
    1520.75,
  ).optional(),
  markets: z.int().min(0).optional().meta({ description: "Markets it ever held shares in; left out above 1,000 positions.", example: 41 }),
  wallet_age_days: z
    .number()
    .min(0)
    .optional()
    .meta({ description: `Whole days since its first recorded activity. ${KNOWN_HISTORY}`, example: 212 }),
  is_new_wallet: z.boolean().meta({ description: "Whether the first that is recorded of it is at most 30 days old.", example: false }),
});

const PositionMarket = z.object({
  id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
  condition_id: z.string().meta({ description: "The provider's id.", example: `0x${"b2".repeat(32)}` }),
  title: z.string().meta({ description: "The condition id while the market has not been read.", example: "Will it rain?" }),
  slug: z.string().optional().meta({ example: "will-it-rain" }),
  event_slug: z.string().optional().meta({ example: "weather" }),
  category: z.string().optional().meta({ example: "Politics" }),
  outcome_label: z.string().optional().meta({ description: "The held outcome's name.", example: "Yes" }),
  end_date: z.iso.datetime().optional(),
});

export const Position = z
  .object({
    id: z.string().meta({
      description: "pos_, then wallet, condition id and outcome index with colons between.",
      example: `pos_0x${"a1".repeat(20)}:0x${"b2".repeat(32)}:0`,
    }),
    platform: z.literal("polymarket"),
    wallet: z.string().meta({ description: "Address in lower case.", example: `0x${"a1".repeat(20)}` }),
    side: z.enum(["YES", "NO"]).meta({ description: "YES is the market's first outcome, NO its second." }),
    token_id: z.string().nullable().meta({ description: "The outcome's token, a decimal string.", example: "1000001" }),
    shares: z.number().meta({ description: "Shares held, by recorded activity.", example: 250 }),
    avg_price: usd(`Dollars paid a share, average cost, four decimals. ${KNOWN_HISTORY}`, 0.482).optional(),
    current_value_usd: usd("Shares at the outcome's current price; positions without a price are not listed.", 130),
    initial_value_usd: usd(`What the shares cost, dollars. ${KNOWN_HISTORY}`, 120.5).optional(),
    cash_pnl: usd(`Unrealized: value less cost, dollars. ${KNOWN_HISTORY}`, 9.5).optional(),
    realized_pnl: usd(`What its sales, merges and conversions made, dollars, known fees off. ${KNOWN_HISTORY}`, -1.25).optional(),
    exact: PositionExact.optional(),
    last_reconciled_at: z.iso.datetime().optional().meta({
      description: "When the wallet's whole activity was last read; left out while it never was, or not all of it can be applied.",
    }),
    freshness: z.enum(["fresh", "refreshing", "stale", "unknown"]).meta({
      description:
        "fresh: reconciled within the hour. refreshing: longer ago, and due to be read. stale: longer ago, and no longer followed. unknown: never reconciled, so that shares moved before or beside the recorded fills are not in it.",
    }),
    trader: PositionTrader,
    market: PositionMarket,
  })
  .meta({ id: "Position" });

export const SnapshotInfo = z
  .object({
    as_of: z.iso.datetime().meta({ description: "When the rows were frozen." }),
    expires_at: z.iso.datetime().meta({ description: "Until when its pages can be read." }),
    row_count: z.int().min(0).meta({ description: "Frozen rows, at most 500.", example: 42 }),
  })
  .meta({ description: "Only with consistency=snapshot: the moment that all pages show." });
