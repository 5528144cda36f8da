import { z } from "zod";
import { presentDecimal, presentUsd } from "../../../domain/money.ts";
import type { ProviderFigures } from "../../../queries/traders/provider-figures.ts";

/** Identifies the definition of the correction. Change it together with the definition. */
const BASIS = "realized_by_market_v1";

export const ProviderPnlCorrection = z
  .object({
    basis: z.enum([BASIS]).meta({
      description:
        "The definition of the correction. realized_by_market_v1: our realized profit minus the " +
        "provider's, summed over the markets in which the provider's position rows and our ledger agree " +
        "on the shares bought and on the open shares. Our realized profit uses average cost, values open " +
        "shares of a resolved market at their payout, and excludes fees on both sides.",
    }),
    amount: z.number().meta({
      description:
        "Our realized profit minus the provider's over the measured markets, in dollars; negative when " +
        "the provider overstates.",
    }),
    realized: z
      .number()
      .optional()
      .meta({ description: "Our realized profit in the measured markets, in dollars, excluding fees." }),
    net_total: z
      .number()
      .optional()
      .meta({
        description:
          "realized plus the unrealized profit of open positions in these markets, in dollars. Omitted " +
          "when one of them has no price.",
      }),
    as_of: z.iso.datetime().meta({ description: "Time at which the provider's positions were read, UTC." }),
    markets_measured: z.int().min(1).meta({ description: "Number of compared markets." }),
    markets_excluded: z
      .int()
      .min(0)
      .meta({ description: "Number of markets that are known to either side and could not be compared." }),
  })
  .meta({
    id: "PnlCorrection",
    description:
      "Difference between the provider's profit and ours in the markets where both can be measured. " +
      "Omitted when no market could be compared, and when the provider's rounding explains the difference.",
    examples: [
      {
        basis: BASIS,
        amount: -1520.35,
        realized: 48210.07,
        net_total: 51002.6,
        as_of: "2026-11-20T12:05:00.000Z",
        markets_measured: 41,
        markets_excluded: 3,
      },
    ],
  });

type Correction = z.input<typeof ProviderPnlCorrection>;

/**
 * The provider's all-time profit from its leaderboard, in dollars; null when the board does not rank the
 * trader or was not read.
 */
export const presentProviderPnl = (figures: ProviderFigures | null): number | null =>
  figures === null ? null : presentDecimal(figures.all_time_pnl, 2);

/** @returns null when there is nothing to correct, or when no market was compared */
export function presentCorrection(figures: ProviderFigures | null): Correction | null {
  if (figures === null) return null;
  const { correction_micro, realized_micro, net_micro, measured_at, markets_measured, markets_excluded } = figures;
  if (correction_micro === null || measured_at === null || markets_measured === null || markets_excluded === null)
    return null;
  return {
    basis: BASIS,
    amount: presentUsd(correction_micro),
    ...(realized_micro === null ? {} : { realized: presentUsd(realized_micro) }),
    ...(net_micro === null ? {} : { net_total: presentUsd(net_micro) }),
    as_of: measured_at,
    markets_measured,
    markets_excluded,
  };
}

/** The correction as the leaderboard shows it: without `net_total`. */
export function presentLeaderboardCorrection(figures: ProviderFigures | null): Omit<Correction, "net_total"> | null {
  const correction = presentCorrection(figures);
  if (correction === null) return null;
  const { net_total: _, ...rest } = correction;
  return rest;
}
