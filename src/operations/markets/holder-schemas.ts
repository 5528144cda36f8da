import { z } from "zod";
import { conditionId, marketId, positionId, slugIfAny, titleOrNull, traderId, usernameOrNull, walletAddress } from "../fields.ts";

const usd = (description: string, example: number) => z.number().meta({ description: `Dollars ${description}.`, example });
const shares = (description: string, example: number) => z.number().meta({ description: `${description}, with four decimals.`, example });
const instant = (description: string) => z.iso.datetime().nullable().meta({ description, example: "2026-11-20T12:00:00.000Z" });
const wallets = (description: string) => z.int().min(0).meta({ description, example: 3 });

/** Rates of fewer decided markets say nothing. */
const WinRecord = z.object({
  wins: z.int().min(0).meta({ description: "Settled markets that made a profit.", example: 9 }),
  decided: z.int().min(0).meta({ description: "Settled markets that made a profit or a loss.", example: 14 }),
});

const badge = "One of the wallet's five badge fields, which come together and only when it is new or a bot.";

export const MarketHolder = z
  .object({
    id: positionId,
    trader_id: traderId,
    address: walletAddress,
    name: usernameOrNull,
    side: z.enum(["YES", "NO"]).meta({
      description: "The outcome it holds more shares of; of as many of both, YES. A wallet that holds both is listed once.",
      example: "YES",
    }),
    token_id: z.string().nullable().meta({ description: "Token of that outcome; null while it is not known.", example: "1000001" }),
    grade: z
      .enum(["S", "A", "B"])
      .nullable()
      .meta({ description: "The wallet's grade now: S, A or B; null in no row of this list.", example: "A" }),
    shares: shares("Shares of that outcome", 1_500),
    current_value_usd: z.number().nullable().meta({
      description: "Dollars: those shares at the outcome's current price, that of the market's snapshot; null while it has none.",
      example: 825,
    }),
    other_outcome_shares: shares("Shares of the other outcome; left out when it holds none", 20).optional(),
    last_traded_at: instant("When it last bought or sold in this market, UTC; null when no such trade of it is recorded."),
    category_win_rate: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "wins over decided, a fraction from 0 to 1. Left out unless measured.", example: 0.6428 }),
    category_win_record: WinRecord.optional().meta({ description: "What the rate is made of. Left out unless measured." }),
    category_win_rate_game: z.string().optional().meta({
      description:
        "The esports title whose record it is, where five or more of its markets were decided; else left out, and the record is the category's.",
      example: "CS2",
    }),
    category_win_rate_status: z.enum(["measured", "not_enough_data", "unavailable"]).meta({
      description:
        "measured: there are five decided markets or more. not_enough_data: there are fewer. unavailable: the market has no category, or the wallet's whole history is not known.",
      example: "measured",
    }),
    wallet_age_days: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Whole days since its first trade; null when not known. ${badge}`, example: 25 }),
    is_new_wallet: z
      .boolean()
      .optional()
      .meta({ description: `First traded less than 30 days ago. ${badge}`, example: true }),
    markets_traded: z
      .int()
      .nullable()
      .optional()
      .meta({ description: `Different markets it has traded; null when they were not counted. ${badge}`, example: 16 }),
    is_bot: z
      .boolean()
      .optional()
      .meta({ description: `Has traded 10,000 markets or more. ${badge}`, example: false }),
    x_username: z
      .string()
      .nullable()
      .optional()
      .meta({ description: `Always null: it is not recorded. ${badge}`, example: null }),
  })
  .meta({ id: "MarketHolder", description: "One graded wallet that holds the market." });

export const MarketHoldersMarket = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: titleOrNull,
    slug: slugIfAny,
    event_slug: z.string().optional().meta({ description: "The same of its event; left out without one.", example: "rain" }),
    category: z
      .string()
      .nullable()
      .meta({ description: "Our category, which category_win_rate is of; null when the provider's tags name none.", example: "Politics" }),
    outcome_yes: z.string().nullable().meta({ description: "Name of the first outcome; null while unknown.", example: "Yes" }),
    outcome_no: z.string().nullable().meta({ description: "Name of the second outcome; null while unknown.", example: "No" }),
    token_id_yes: z
      .string()
      .nullable()
      .meta({ description: "Token of the first outcome, a decimal text; null while unknown.", example: "1000001" }),
    token_id_no: z
      .string()
      .nullable()
      .meta({ description: "Token of the second outcome, a decimal text; null while unknown.", example: "1000002" }),
    end_date: z.iso
      .datetime()
      .optional()
      .meta({ description: "When trading is to end, UTC; left out while unknown.", example: "2026-12-31T00:00:00.000Z" }),
    status: z.enum(["open", "closed", "resolved"]).meta({
      description:
        "open: it is traded. closed: trading is over, or its end has come with no quotes from after it, and the result is not known yet. resolved: it is.",
      example: "open",
    }),
  })
  .meta({ id: "MarketHoldersMarket", description: "The market that is held." });

export const MarketHoldersScan = z
  .object({
    source: z.enum(["cached", "live"]).meta({
      description: "cached: a stored scan, at most 180 seconds old. live: made for this request, which no scan is.",
      example: "cached",
    }),
    complete: z.boolean().meta({ description: "Always true: without a whole scan there is no answer.", example: true }),
    fetched_at: instant("When the scan began, UTC; no row is older. Null in no answer."),
    wallet_count: wallets("Wallets that hold a tenth of a share or more of any outcome, graded or not."),
  })
  .meta({ id: "MarketHoldersScan", description: "The reading of all holders that the list rests on." });

const SideGrades = (side: string) =>
  z
    .object({ s: wallets("Graded S."), a: wallets("Graded A."), b: wallets("Graded B.") })
    .meta({ description: `Wallets on the ${side} side by grade.` });

export const MarketHoldersTotals = z
  .object({
    graded_count: wallets("Wallets graded S, A or B; one that holds both outcomes counts once."),
    yes_count: wallets("Those listed on the YES side."),
    no_count: wallets("Those listed on the NO side."),
    yes_shares: shares("Shares those hold of YES", 4_500),
    no_shares: shares("Shares those hold of NO", 1_000),
    yes_usd: usd(
      "yes_shares are worth at the outcome's current price; 0 while it has none, as current_value_usd of each row then says",
      2_475,
    ),
    no_usd: usd("no_shares are worth at the outcome's current price; 0 while it has none, as current_value_usd of each row then says", 450),
    yes_grades: SideGrades("YES"),
    no_grades: SideGrades("NO"),
  })
  .meta({ id: "MarketHoldersTotals", description: "Sums over all graded holders, whatever outcome and min_grade ask for." });
