import { z } from "zod";
import { walletAddress } from "../../shared-fields.ts";
import {
  category,
  count,
  instant,
  kickoffInstant,
  matchup,
  number,
  outcome,
  outcomeDisplay,
  outcomeLabel,
  PICK_IDENTITY,
  pickDate,
  pickRank,
  platform,
  releaseInstant,
  text,
} from "./pick-fields.ts";

export const PickHolder = z
  .object({
    address: walletAddress,
    name: z
      .string()
      .nullable()
      .meta({ description: "Username on the provider; null when there is none.", example: "alice" }),
    grade: z.enum(["S", "A"]).meta({ description: "Grade at publication.", example: "S" }),
    last_traded_at: z.iso.datetime().nullable().meta({
      description:
        "The trader's last recorded fill, split, merge or conversion in any market, read with the request; null when none is known.",
      example: "2026-11-20T17:12:00.000Z",
    }),
    shares: number("Net shares of the backed side at publication.", 12_000),
    entry_value_usd: number("Dollars: those shares at the backed price.", 6_540),
  })
  .meta({ id: "PickHolder", description: "A trader graded S or A who held the backed side at publication." });

const PICK = {
  state: z.enum(["full"]).meta({ description: "full: the pick is open to the caller.", example: "full" }),
  pick_date: pickDate,
  pick_rank: pickRank,
  ...PICK_IDENTITY,
  matchup,
  category,
  display_category: text("League of the game; its sport when the league is unknown.", "Soccer"),
  platform,
  release_at: releaseInstant,
  is_locked: z
    .boolean()
    .meta({ description: "Whether the pick is under embargo. False: it is released.", example: false }),
  game_started: z.boolean().meta({
    description: "Whether the game has begun: its current schedule has passed, or it is reported as live or ended.",
    example: false,
  }),
  game_ended: z
    .boolean()
    .optional()
    .meta({ description: "Whether the game is reported as ended; left out while unknown.", example: false }),
  outcome,
  outcome_display: outcomeDisplay,
  pick_outcome_label: outcomeLabel,
  token_id: z
    .string()
    .optional()
    .meta({ description: "Token of the backed side; left out when unknown.", example: "1000001" }),
  position: text("The backed side as a sentence.", "Portugal to win"),
  side_summary: text(
    "Who backs the side, at publication.",
    "4 traders graded S or A hold $48,000.00 of it; $2,000.00 of theirs is on the other side.",
  ),
  sharp_wallet_count: count("Traders graded S or A on the backed side at publication.", 4),
  traders: count("The same as sharp_wallet_count.", 4),
  holder_count: count("The same as sharp_wallet_count.", 4),
  top_grade: z.enum(["S", "A"]).meta({ description: "Best grade among them.", example: "S" }),
  sharp_usd: number("Dollars that they held on the backed side, net of their other side.", 48_000),
  backed_sharp_usd: number("Dollars: the same as sharp_usd.", 48_000),
  sharp_pct: number("Their dollars on the backed side, as a fraction of their dollars on both sides.", 0.96),
  market_pct: number("Probability that the price implies, 0 to 1: the backed price.", 0.545),
  backed_price: number("Price of the backed side, 0 to 1: the midpoint of the book, frozen at publication.", 0.545),
  odds_display: text("The backed price in cents.", "54.5c"),
  stake_usd: number("Dollars: the stake of every figure below.", 1000),
  return_usd: number("Dollars that the stake returns if the side wins: stake / price.", 1834.86),
  return_per_100: number("Dollars that 100 dollars return if the side wins.", 183.48),
  payout_display: text("return_usd as text.", "$1,834.86"),
  profit_display: text("return_usd less the stake as text.", "+$834.86"),
  clv_status: z.enum(["pending", "measured", "unavailable", "not_applicable"]).meta({
    description:
      "Closing price: pending until the kickoff; unavailable when no price was read in the ten minutes before it; " +
      "not_applicable when the pick was published at the kickoff or later.",
    example: "pending",
  }),
  clv_basis: z.enum(["frozen_displayed_entry"]).meta({
    description: "The entry price that the closing price is compared with.",
    example: "frozen_displayed_entry",
  }),
  clv_pct: z.number().optional().meta({
    description: "Closing-line value in percent: (close / entry - 1) × 100; left out unless measured.",
    example: 2.75,
  }),
  clv_display: z
    .string()
    .optional()
    .meta({ description: "clv_pct as text; left out unless measured.", example: "+2.7%" }),
  clv_explanation: text("What clv_status means.", "The closing price is known after the kickoff."),
  unit_score: z.number().optional().meta({
    description: "Pure number: stakes won or lost, return / stake - 1; left out until the pick settles.",
    example: 0.83,
  }),
  unit_score_display: z
    .string()
    .optional()
    .meta({ description: "unit_score as text; left out until the pick settles.", example: "+0.83u" }),
  holders: z.array(PickHolder).meta({ description: "Those traders, most shares first; at most 20." }),
  thesis: text(
    "Why the pick was made, from a fixed template.",
    "4 traders graded S or A back Portugal, the best graded S.",
  ),
  event_slug: z.string().optional().meta({
    description: "The provider's URL slug of the game; left out while unknown.",
    example: "portugal-uzbekistan",
  }),
  disclaimer: text("What the pick is not.", "Not betting advice."),
};

const PickOfTheDayItem = z
  .object(PICK)
  .meta({ id: "PickOfTheDayItem", description: "One open pick. Everything but the result is frozen at publication." });

const ScheduledPickSlot = z
  .object({ pick_rank: pickRank, release_at: releaseInstant, kickoff: kickoffInstant, ...PICK_IDENTITY })
  .meta({ id: "ScheduledPickSlot", description: "A pick that is selected and not released. Its game is not named." });

const ProofPendingPickSlot = z
  .object({
    pick_rank: pickRank,
    release_at: releaseInstant,
    kickoff: kickoffInstant,
    retry_at: instant("When to read again.", "2026-11-20T18:00:30.000Z"),
    ...PICK_IDENTITY,
  })
  .meta({
    id: "ProofPendingPickSlot",
    description: "A pick whose release has come, while its holders or its price cannot be read. Its game is not named.",
  });

const LockedPick = z
  .object({
    pick_rank: pickRank,
    required_tier: z
      .enum(["insider", "max"])
      .meta({ description: "Plan that opens the pick: insider is Pro.", example: "max" }),
  })
  .meta({ id: "LockedPick", description: "A pick that the caller's plan does not open before it settles." });

const COLLECTIONS = {
  scheduled_picks: z
    .array(ScheduledPickSlot)
    .meta({ description: "Picks that the caller will open, not yet released." }),
  proof_pending_picks: z
    .array(ProofPendingPickSlot)
    .meta({ description: "Picks that the caller opens, released and not yet readable." }),
};

const deadline = z.string().optional().meta({
  description: "Next release of a pick that the caller opens; left out when none is scheduled.",
  example: "2026-11-20T21:00:00.000Z",
});

const PickOfTheDay = z
  .object({
    ...z.object(PICK).partial().shape,
    state: PICK.state,
    supersedes_pick_id: PICK_IDENTITY.supersedes_pick_id,
    pick_date: pickDate,
    picks: z.array(PickOfTheDayItem).meta({ description: "The open picks, by rank." }),
    pick_count: count("Number of open picks.", 1),
    ...COLLECTIONS,
    locked_picks: z.array(LockedPick).meta({ description: "Unsettled picks that need a higher plan." }),
    next_drop_deadline: deadline,
  })
  .meta({
    id: "PickOfTheDay",
    description:
      "The day's open picks. The fields of the first one are repeated at the top; they are left out while none is open.",
  });

const PickOfTheDayNoEntitledPicks = z
  .object({
    state: z.enum(["none"]).meta({ description: "none: no pick of the day is open to the caller.", example: "none" }),
    pick_date: pickDate,
    picks: z.array(PickOfTheDayItem).max(0).meta({ description: "Empty." }),
    pick_count: z.int().min(0).max(0).meta({ description: "Always 0.", example: 0 }),
    locked_picks: z.array(LockedPick).min(1).meta({ description: "Unsettled picks that need a higher plan." }),
    message: text("What opens them.", "The picks of this day open with a higher plan."),
    ...COLLECTIONS,
    supersedes_pick_id: z.null().meta({ description: "Always null.", example: null }),
  })
  .meta({ id: "PickOfTheDayNoEntitledPicks", description: "Picks are released, and the caller opens none of them." });

export const PickOfTheDayData = z
  .discriminatedUnion("state", [PickOfTheDay, PickOfTheDayNoEntitledPicks])
  .meta({ id: "PickOfTheDayData", description: "The picks of one product day." });
