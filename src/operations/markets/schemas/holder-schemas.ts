import { z } from "zod";
import {
  conditionId,
  marketId,
  positionId,
  optionalSlug,
  nullableTitle,
  traderId,
  nullableUsername,
  walletAddress,
} from "../../shared-fields.ts";

const usd = (description: string, example: number) =>
  z.number().meta({ description: `Dollars: ${description}.`, example });
const shares = (description: string, example: number) =>
  z.number().meta({ description: `${description}, with four decimals.`, example });
const instant = (description: string) =>
  z.iso.datetime().nullable().meta({ description, example: "2026-11-20T12:00:00.000Z" });
const traderCount = (description: string) => z.int().min(0).meta({ description, example: 3 });

const WinRecord = z.object({
  wins: z.int().min(0).meta({ description: "Settled markets with a profit.", example: 9 }),
  decided: z.int().min(0).meta({ description: "Settled markets with a profit or a loss.", example: 14 }),
});

const badge = "One of five badge fields, which are present together and only for a new wallet or a bot.";

export const MarketHolder = z
  .object({
    id: positionId,
    trader_id: traderId,
    address: walletAddress,
    name: nullableUsername,
    side: z.enum(["YES", "NO"]).meta({
      description:
        "Outcome of which the trader holds more shares; YES when both are equal. A trader who " +
        "holds both is listed once.",
      example: "YES",
    }),
    token_id: z
      .string()
      .nullable()
      .meta({ description: "Token id of that outcome; null while unknown.", example: "1000001" }),
    grade: z
      .enum(["S", "A", "B"])
      .nullable()
      .meta({ description: "The trader's current grade: S, A or B; never null in this list.", example: "A" }),
    shares: shares("Shares of that outcome", 1_500),
    current_value_usd: z
      .number()
      .nullable()
      .meta({
        description:
          "Dollars: value of those shares at the current price of the outcome, as in the market snapshot; " +
          "null while it has no price.",
        example: 825,
      }),
    other_outcome_shares: shares("Shares of the other outcome; left out when there are none", 20).optional(),
    last_traded_at: instant(
      "Time of the trader's last recorded purchase or sale in this market, UTC; null when there is none.",
    ),
    category_win_rate: z.number().min(0).max(1).optional().meta({
      description:
        "wins divided by decided, a fraction from 0 to 1. Left out unless category_win_rate_status is measured.",
      example: 0.6428,
    }),
    category_win_record: WinRecord.optional().meta({
      description: "Counts behind category_win_rate. Left out unless category_win_rate_status is measured.",
    }),
    category_win_rate_game: z
      .string()
      .optional()
      .meta({
        description:
          "Esports title of the record, when at least five of its markets were decided. Otherwise left out, and " +
          "the record is that of the category.",
        example: "CS2",
      }),
    category_win_rate_status: z.enum(["measured", "not_enough_data", "unavailable"]).meta({
      description:
        "measured: at least five decided markets. not_enough_data: fewer than five. unavailable: the market has " +
        "no category, or the trader's whole history is not known.",
      example: "measured",
    }),
    wallet_age_days: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Whole days since the trader's first trade; null when unknown. ${badge}`, example: 25 }),
    is_new_wallet: z
      .boolean()
      .optional()
      .meta({ description: `Whether the first trade was less than 30 days ago. ${badge}`, example: true }),
    markets_traded: z
      .int()
      .nullable()
      .optional()
      .meta({
        description: `Number of different markets traded; null when they were not counted. ${badge}`,
        example: 16,
      }),
    is_bot: z
      .boolean()
      .optional()
      .meta({ description: `Whether the trader has traded 10,000 markets or more. ${badge}`, example: false }),
    x_username: z
      .string()
      .nullable()
      .optional()
      .meta({ description: `Always null: it is not recorded. ${badge}`, example: null }),
  })
  .meta({ id: "MarketHolder", description: "One graded holder of the market." });

export const MarketHoldersMarket = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: nullableTitle,
    slug: optionalSlug,
    event_slug: z
      .string()
      .optional()
      .meta({ description: "The provider's URL slug of the event; left out when there is none.", example: "rain" }),
    category: z.string().nullable().meta({
      description: "Market category, used for category_win_rate; null when the provider's tags match no category.",
      example: "Politics",
    }),
    outcome_yes: z
      .string()
      .nullable()
      .meta({ description: "Label of the first outcome; null while unknown.", example: "Yes" }),
    outcome_no: z
      .string()
      .nullable()
      .meta({ description: "Label of the second outcome; null while unknown.", example: "No" }),
    token_id_yes: z.string().nullable().meta({
      description: "Token id of the first outcome, a decimal string; null while unknown.",
      example: "1000001",
    }),
    token_id_no: z.string().nullable().meta({
      description: "Token id of the second outcome, a decimal string; null while unknown.",
      example: "1000002",
    }),
    end_date: z.iso.datetime().optional().meta({
      description: "Scheduled end of trading, UTC; left out while unknown.",
      example: "2026-12-31T00:00:00.000Z",
    }),
    status: z.enum(["open", "closed", "resolved"]).meta({
      description:
        "open: the market is trading. closed: trading is over, or the end time has passed without later quotes, " +
        "and the result is not known yet. resolved: the result is known.",
      example: "open",
    }),
  })
  .meta({ id: "MarketHoldersMarket", description: "The market of the holders." });

export const MarketHoldersScan = z
  .object({
    source: z.enum(["cached", "live"]).meta({
      description:
        "cached: a stored scan, at most 180 seconds old. live: a scan made for this request, which is never used.",
      example: "cached",
    }),
    complete: z
      .boolean()
      .meta({ description: "Always true: without a complete scan the operation returns an error.", example: true }),
    fetched_at: instant("Start of the scan, UTC; no row is older. Never null."),
    wallet_count: traderCount("Wallets with at least a tenth of a share of any outcome, graded or not."),
  })
  .meta({ id: "MarketHoldersScan", description: "The scan of all holders behind the list." });

const SideGrades = (side: string) =>
  z
    .object({
      s: traderCount("Traders graded S."),
      a: traderCount("Traders graded A."),
      b: traderCount("Traders graded B."),
    })
    .meta({ description: `Traders on the ${side} side by grade.` });

export const MarketHoldersTotals = z
  .object({
    graded_count: traderCount("Traders graded S, A or B; a trader who holds both outcomes counts once."),
    yes_count: traderCount("Graded traders listed on the YES side."),
    no_count: traderCount("Graded traders listed on the NO side."),
    yes_shares: shares("YES shares of the traders on the YES side", 4_500),
    no_shares: shares("NO shares of the traders on the NO side", 1_000),
    yes_usd: usd(
      "value of yes_shares at the current price of YES; 0 while YES has no price, and " +
        "current_value_usd is then null in each row",
      2_475,
    ),
    no_usd: usd(
      "value of no_shares at the current price of NO; 0 while NO has no price, and " +
        "current_value_usd is then null in each row",
      450,
    ),
    yes_grades: SideGrades("YES"),
    no_grades: SideGrades("NO"),
  })
  .meta({
    id: "MarketHoldersTotals",
    description: "Sums over all graded holders, independent of the outcome and min_grade filters.",
  });
