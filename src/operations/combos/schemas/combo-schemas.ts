import { z } from "zod";
import { ComboCoverage } from "./coverage-schemas.ts";
import { ComboFill } from "./fill-schemas.ts";
import { comboConditionId, comboLegCount, comboLegs, comboStatus, comboStatusReason } from "./leg-schemas.ts";

const count = (description: string, example = 1) => z.int().min(0).meta({ description, example });
const usd = (description: string, example = "100.000000") =>
  z.string().meta({ description: `${description}, an exact decimal in dollars.`, example });
const instant = (description: string) => z.iso.datetime().meta({ description, example: "2026-11-20T12:00:00.000Z" });

const ComboWindowStats = z
  .object({
    fills: count("Number of fills."),
    volume_usdc: usd("Sum of the fills"),
    distinct_traders: count("Number of takers."),
    largest_fill_usdc: usd("The largest fill"),
  })
  .meta({ id: "ComboWindowStats", description: "Recorded fills of the last 24 hours." });

const ComboTotals = z
  .object({
    fills: count("Number of fills."),
    volume_usdc: usd("Sum of the fills"),
    largest_fill_usdc: usd("The largest fill"),
    first_fill_at: instant("Time of the first fill, UTC."),
    last_fill_at: instant("Time of the last fill, UTC."),
    last_fill_price_yes: z.string().nullable().meta({
      description: "`price_yes` of the last fill. Not a quote. Null when that is null.",
      example: "0.25",
    }),
    last_fill_outcome_index: z.int().nullable().meta({
      description: "Side of the last fill: 0 YES, 1 NO; null while unknown.",
      example: 0,
    }),
    last_fill_action: z
      .enum(["buy", "sell"])
      .meta({ description: "Whether the taker of the last fill bought or sold.", example: "buy" }),
  })
  .meta({ id: "ComboTotals", description: "All recorded fills." });

const Combo = z
  .object({
    condition_id: comboConditionId,
    leg_count: comboLegCount,
    prepared_at: z.iso.datetime().nullable().meta({
      description: "When the combo was prepared on the chain. Always null: that event is not read.",
      example: null,
    }),
    legs_known: z.boolean().meta({ description: "Whether the provider has shown the legs.", example: true }),
    legs: comboLegs,
    window: ComboWindowStats.nullable().meta({
      description: "Recorded fills of the last 24 hours; null when there is none.",
    }),
    totals: ComboTotals.nullable().meta({ description: "All recorded fills; null when there is none." }),
    status: comboStatus,
    status_reason: comboStatusReason,
  })
  .meta({ id: "Combo", description: "A conjunction of legs, traded as one." });

const sum = (description: string, example = "0.000000") =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}, an exact decimal; null when an event has no amount.`, example });

const ComboLifecycleStats = z
  .object({
    splits: count("Number of splits.", 0),
    merges: count("Number of merges.", 0),
    redeems: count("Number of redemptions."),
    compresses: count("Number of compressions, which drop resolved legs.", 0),
    split_usdc: sum("Dollars of the splits"),
    merge_usdc: sum("Dollars of the merges"),
    redeemed_shares: sum("Shares redeemed", "400.000000"),
    redeemed_usdc: sum("Dollars paid to redeemed shares", "400.000000"),
    compressed_usdc: sum("Dollars of the compressions"),
    last_event_at: instant("Time of the newest event of any kind, UTC."),
  })
  .meta({ id: "ComboLifecycleStats", description: "Events of a combo other than fills, as far as recorded." });

export const ComboDetail = z
  .object({
    access: z.enum(["full"]).meta({ description: "Always full.", example: "full" }),
    combo: Combo,
    fills: z.array(ComboFill).max(100).meta({ description: "The newest fills, newest first, at any price." }),
    lifecycle: ComboLifecycleStats.nullable().meta({
      description:
        "Splits, merges, redemptions and compressions of traders whose combo activity was read; null when none is " +
        "recorded.",
    }),
    coverage: ComboCoverage,
  })
  .meta({ id: "ComboDetail", description: "One combo with its newest fills." });

const ComboLiveCount = z
  .object({
    count: count("Combos of status pending with a recorded fill.", 1204),
    unknown_count: count("Combos of status unknown with a recorded fill. They are not in `count`.", 35),
    computed_at: instant("When the combos were counted, UTC."),
  })
  .meta({ id: "ComboLiveCount", description: "Number of open combos." });

export const CombosSummary = z
  .object({
    live: ComboLiveCount.nullable().meta({
      description: "Open combos; null while unknown, before combos have been read for the first time.",
    }),
  })
  .meta({ id: "CombosSummary", description: "Counts over all combos." });
