import { z } from "zod";
import {
  category,
  count,
  instant,
  matchup,
  number,
  outcome,
  outcomeDisplay,
  outcomeLabel,
  PICK_IDENTITY,
  pickDate,
  pickRank,
  text,
} from "./pick-fields.ts";

const optionalNumber = (description: string, example: number) => z.number().optional().meta({ description, example });
const optionalInstant = (description: string, example: string) => instant(description, example).optional();
const optionalText = (description: string, example: string) => z.string().optional().meta({ description, example });

export const PickOfTheDayArchiveEntry = z
  .object({
    pick_date: pickDate,
    pick_rank: pickRank,
    ...PICK_IDENTITY,
    published_at: optionalInstant("When the pick was published; left out while locked.", "2026-11-20T18:00:04.120Z"),
    matchup: matchup
      .optional()
      .meta({ description: "The game; left out while locked.", example: "Portugal vs. Uzbekistan" }),
    category: category.optional().meta({ description: "Sport of the game; left out while locked.", example: "Soccer" }),
    display_category: optionalText("League, or the sport; left out while locked.", "Soccer"),
    image_url: optionalText("Image of the market; left out while locked or without one.", "https://images.test/a.png"),
    pick_outcome_label: outcomeLabel
      .optional()
      .meta({ description: "The backed side; left out while locked.", example: "Portugal" }),
    top_grade: z
      .enum(["S", "A"])
      .optional()
      .meta({ description: "Best grade among the holders at publication; left out while locked.", example: "S" }),
    outcome,
    outcome_display: outcomeDisplay,
    resolved_at: optionalInstant(
      "When the result was last recorded; left out while pending.",
      "2026-11-20T21:10:00.000Z",
    ),
    stake_usd: optionalNumber("Dollars staked; with return_usd.", 1000),
    return_usd: optionalNumber("Dollars returned: stake / price, 0 or the stake; left out while pending.", 1834.86),
    return_per_100: optionalNumber("Dollars returned by 100 dollars; with return_usd.", 183.48),
    payout_display: optionalText("return_usd as text.", "$1,834.86"),
    backed_price: optionalNumber("Entry price, 0 to 1; with return_usd.", 0.545),
    clv_pct: optionalNumber("Closing-line value in percent; left out unless measured.", 2.75),
    clv_display: optionalText("clv_pct as text.", "+2.7%"),
    clv_entry_price: optionalNumber("Entry price, 0 to 1; with clv_pct.", 0.545),
    clv_close_price: optionalNumber("Last price before the kickoff, 0 to 1; with clv_pct.", 0.56),
    clv_applicability: z.enum(["applicable", "not_applicable"]).optional().meta({
      description: "not_applicable: published at the kickoff or later. Left out while locked.",
      example: "applicable",
    }),
    clv_status: z
      .enum(["pending", "measured", "unavailable", "not_applicable"])
      .optional()
      .meta({ description: "Whether the closing price is known; left out while locked.", example: "measured" }),
    clv_explanation: optionalText("What clv_status means.", "The price before the kickoff is compared with the entry."),
    unit_score: optionalNumber("Pure number: stakes won or lost, return / stake - 1; left out while pending.", 0.83),
    unit_score_display: optionalText("unit_score as text.", "+0.83u"),
    required_tier: z.enum(["account", "insider", "max"]).optional().meta({
      description:
        "Plan that opens the pick while it is pending: account is any, insider is Pro. Left out once settled.",
      example: "insider",
    }),
    backed_side_locked: z
      .boolean()
      .optional()
      .meta({ description: "True while the caller's plan does not open the pick; left out otherwise.", example: true }),
  })
  .meta({ id: "PickOfTheDayArchiveEntry", description: "One published pick." });

const PickOfTheDayArchiveDay = z
  .object({
    date: pickDate,
    picks: z.int().min(1).meta({ description: "Published picks of the day.", example: 5 }),
    wins: count("Won.", 3),
    losses: count("Lost.", 1),
    void: count("Void.", 0),
    pending: count("Not settled.", 1),
    unit_score: optionalNumber(
      "Pure number: stakes won or lost on the day's decided picks; left out without any.",
      1.24,
    ),
    unit_score_display: optionalText("unit_score as text.", "+1.24u"),
    sweep: z.enum(["win", "loss"]).optional().meta({
      description: "All decided picks had this result: three or more of them, and none pending. Left out otherwise.",
      example: "win",
    }),
  })
  .meta({ id: "PickOfTheDayArchiveDay", description: "One product day with a published pick." });

const SeriesPoint = z
  .object({
    date: pickDate,
    net_profit_usd: number("Dollars: running total.", 834.86),
    hit_rate_pct: number("Running hit rate in percent, one decimal.", 66.6),
  })
  .meta({ id: "PickOfTheDaySeriesPoint", description: "The record after one decided pick." });

export const PickOfTheDayHitRate = z
  .object({
    wins: count("Won.", 2),
    losses: count("Lost.", 1),
    decided: count("Won and lost.", 3),
    pct: number("Won of decided in percent, truncated to one decimal; 0 when none is decided.", 66.6),
    void: count("Void; not part of the hit rate.", 0),
    pending: count("Not settled; not part of the hit rate.", 1),
    stake_usd: number("Dollars: the stake of every pick.", 1000),
    net_profit_usd: number("Dollars won less dollars lost, at the frozen prices.", 669.72),
    staked_usd: number("Dollars staked on decided picks.", 3000),
    roi_pct: number(
      "net_profit_usd / staked_usd in percent, truncated to one decimal; 0 when nothing is staked.",
      22.3,
    ),
    net_profit_display: text("net_profit_usd in whole dollars.", "+$669"),
    roi_display: text("roi_pct as text.", "+22.3%"),
    win_rate_display: text("pct as text.", "66.6%"),
    unit_score: optionalNumber("Pure number: stakes won or lost; left out when none is decided.", 0.66),
    unit_score_display: optionalText("unit_score as text.", "+0.66u"),
    clv_state: z.enum(["measured", "pending", "unavailable", "not_applicable", "none"]).meta({
      description:
        "measured: some closing prices are known; otherwise the state of the settled picks; none without any.",
      example: "measured",
    }),
    clv_total: count("Settled picks.", 3),
    clv_eligible: count("Settled picks that were published before the kickoff.", 3),
    clv_applicable: count("The same as clv_eligible.", 3),
    clv_not_applicable: count("Settled picks that were published at the kickoff or later.", 0),
    clv_measured: count("Settled picks with a closing price.", 3),
    clv_pending: count("Settled picks whose kickoff has not come.", 0),
    clv_unavailable: count("Settled picks without a price in the ten minutes before the kickoff.", 0),
    clv_coverage_pct: optionalNumber("clv_measured / clv_applicable in percent; left out when that is 0 / 0.", 100),
    clv_coverage_display: optionalText("clv_coverage_pct as text.", "100.0%"),
    clv_avg_pct: optionalNumber("Mean closing-line value in percent; left out with fewer than 5 measured.", 1.25),
    clv_avg_display: optionalText("clv_avg_pct as text.", "+1.2%"),
    clv_avg_pp: optionalNumber("Mean of close less entry, in points; left out with fewer than 5 measured.", 0.4),
    clv_avg_pp_display: optionalText("clv_avg_pp as text.", "+0.4 pp"),
    clv_beats_close: count("Measured picks whose closing price is above the entry price.", 2),
    clv_ties: count("Measured picks whose closing price equals the entry price.", 0),
    series: z
      .array(SeriesPoint)
      .meta({ description: "One point for each decided pick, oldest first. The last one equals the figures above." }),
  })
  .meta({ id: "PickOfTheDayHitRate", description: "The record of all published picks that were not withdrawn." });

export const PickOfTheDayArchive = z
  .object({
    picks: z
      .array(PickOfTheDayArchiveEntry)
      .meta({ description: "This page's picks: newest day first, then by rank." }),
    days: z.array(PickOfTheDayArchiveDay).meta({ description: "All days, newest first, on every page." }),
    hit_rate: PickOfTheDayHitRate,
  })
  .meta({ id: "PickOfTheDayArchive", description: "Published picks and their record. Withdrawn picks are left out." });
