import { z } from "zod";

const CONDITION_ID = `0x${"7".repeat(64)}`;
const WALLET = `0x${"1".repeat(40)}`;
const usd = (description: string, example: number) =>
  z.number().meta({ description: `${description}, in dollars of two decimals.`, example });
const shares = (description: string, example: number) => z.number().meta({ description: `${description}, of four decimals.`, example });
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
    id: z.string().meta({ description: "pos_, wallet, condition id and outcome index.", example: `pos_${WALLET}:${CONDITION_ID}:0` }),
    trader_id: z.string().meta({ description: "trd_ id.", example: "trd_12" }),
    address: z.string().meta({ description: "Wallet, lower case.", example: WALLET }),
    name: z.string().nullable().meta({ description: "Null when the wallet shows none.", example: "known" }),
    side: z.enum(["YES", "NO"]).meta({
      description: "The outcome it holds more shares of; of as many of both, YES. A wallet that holds both is listed once.",
      example: "YES",
    }),
    token_id: z.string().nullable().meta({ description: "Token of that outcome; null while it is not known.", example: "1000001" }),
    grade: z.enum(["S", "A", "B"]).nullable().meta({ description: "The wallet's grade now.", example: "A" }),
    shares: shares("Shares of that outcome", 1_500),
    current_value_usd: usd("What those shares are worth", 825).nullable(),
    other_outcome_shares: shares("Shares of the other outcome; left out when it holds none", 20).optional(),
    last_traded_at: instant("When it last bought or sold in this market; null when no such trade of it is recorded."),
    category_win_rate: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "wins over decided, a fraction of four decimals; with status measured.", example: 0.6428 }),
    category_win_record: WinRecord.optional().meta({ description: "What the rate is made of; with status measured." }),
    category_win_rate_game: z.string().optional().meta({
      description:
        "The esports title whose record it is, where five or more of its markets were decided; else the record is the category's.",
      example: "CS2",
    }),
    category_win_rate_status: z.enum(["measured", "not_enough_data", "unavailable"]).meta({
      description:
        "measured from five decided markets on. unavailable: the market has no category, or the wallet's whole history is not known.",
      example: "measured",
    }),
    wallet_age_days: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Whole days since its first trade. ${badge}`, example: 3 }),
    is_new_wallet: z
      .boolean()
      .optional()
      .meta({ description: `First traded less than 30 days ago. ${badge}`, example: true }),
    markets_traded: z
      .int()
      .nullable()
      .optional()
      .meta({ description: `Different markets traded. ${badge}`, example: 2 }),
    is_bot: z
      .boolean()
      .optional()
      .meta({ description: `Has traded 10,000 markets or more. ${badge}`, example: false }),
    x_username: z
      .string()
      .nullable()
      .optional()
      .meta({ description: `Null: not recorded. ${badge}`, example: null }),
  })
  .meta({ id: "MarketHolder" });

export const MarketHoldersMarket = z
  .object({
    id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
    condition_id: z.string().meta({ description: "The provider's id of the market.", example: CONDITION_ID }),
    title: z.string().nullable().meta({ description: "Null while the market has not been read.", example: "Will it rain?" }),
    slug: z.string().optional().meta({ description: "The provider's name in addresses.", example: "will-it-rain" }),
    event_slug: z.string().optional().meta({ description: "That of its event.", example: "rain" }),
    category: z.string().nullable().meta({ description: "Our category, which category_win_rate is of.", example: "Politics" }),
    outcome_yes: z.string().nullable().meta({ description: "Label of the first outcome.", example: "Yes" }),
    outcome_no: z.string().nullable().meta({ description: "Label of the second outcome.", example: "No" }),
    token_id_yes: z.string().nullable().meta({ description: "Token of the first outcome.", example: "1000001" }),
    token_id_no: z.string().nullable().meta({ description: "Token of the second outcome.", example: "1000002" }),
    end_date: z.iso.datetime().optional().meta({ description: "When trading is to end.", example: "2026-12-31T00:00:00.000Z" }),
    status: z
      .enum(["open", "closed", "resolved"])
      .meta({ description: "closed: trading is over, the result is not known yet.", example: "open" }),
  })
  .meta({ id: "MarketHoldersMarket" });

export const MarketHoldersScan = z
  .object({
    source: z.enum(["cached", "live"]).meta({ description: "cached: a stored scan, at most 180 seconds old.", example: "cached" }),
    complete: z.boolean().meta({ description: "Always true: without a whole scan there is no answer.", example: true }),
    fetched_at: instant("When the scan began; no row is older."),
    wallet_count: wallets("Wallets that hold a tenth of a share or more of any outcome, graded or not."),
  })
  .meta({ id: "MarketHoldersScan" });

const SideGrades = (side: string) =>
  z
    .object({ s: wallets("Graded S."), a: wallets("Graded A."), b: wallets("Graded B.") })
    .meta({ description: `Wallets on the ${side} side by grade.` });

export const MarketHoldersTotals = z
  .object({
    graded_count: wallets("Wallets graded S, A or B; one that holds both outcomes counts once."),
    yes_count: wallets("Those listed on the YES side."),
    no_count: wallets("Those listed on the NO side."),
    yes_shares: shares("What they hold of the side they are listed on", 4_500),
    no_shares: shares("What they hold of the side they are listed on", 1_000),
    yes_usd: usd("Its worth; holders without a known value are left out of the sum", 2_475),
    no_usd: usd("Its worth; holders without a known value are left out of the sum", 450),
    yes_grades: SideGrades("YES"),
    no_grades: SideGrades("NO"),
  })
  .meta({ id: "MarketHoldersTotals", description: "Of all graded holders, before outcome and min_grade." });
