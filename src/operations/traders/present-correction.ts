import { z } from "zod";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import type { ProviderFigures } from "../../queries/provider-figures.ts";

/** How a correction is computed. Another definition gets another name. */
const BASIS = "realized_by_market_v1";

export const PnlCorrection = z
  .object({
    basis: z.enum([BASIS]).meta({
      description:
        "How it was computed. realized_by_market_v1: in each market in which the provider's position rows and our ledger agree on what was bought and " +
        "what is held, our realized profit (average cost; held shares at their payout once the market has resolved; fees on neither side) less the provider's.",
    }),
    amount: z.number().meta({ description: "Dollars: ours less theirs over the measured markets, below 0 when the provider overstates." }),
    realized: z.number().optional().meta({ description: "Dollars: our realized profit in the measured markets, fees excluded." }),
    net_total: z
      .number()
      .optional()
      .meta({ description: "Dollars: realized plus what open holdings there are worth above their cost. Left out when one has no price." }),
    as_of: z.iso.datetime().meta({ description: "When the provider's positions were read, UTC." }),
    markets_measured: z.int().min(1).meta({ description: "Markets that were compared." }),
    markets_excluded: z.int().min(0).meta({ description: "Markets that either side knows and that could not be compared." }),
  })
  .meta({
    id: "PnlCorrection",
    description:
      "How far the provider's account differs from ours where both can be measured. Left out when no market could be compared, and when the provider's own rounding explains the difference.",
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

type Correction = z.input<typeof PnlCorrection>;

/** The provider's own all-time profit as its board shows it, in dollars; null when the board ranks no such wallet or was not read. */
export const presentProviderPnl = (figures: ProviderFigures | null): number | null =>
  figures === null ? null : presentDecimal(figures.all_time_pnl, 2);

/** @returns null where there is nothing to correct, or nothing was compared */
export function presentCorrection(figures: ProviderFigures | null): Correction | null {
  if (figures === null) return null;
  const { correction_micro, realized_micro, net_micro, measured_at, markets_measured, markets_excluded } = figures;
  if (correction_micro === null || measured_at === null || markets_measured === null || markets_excluded === null) return null;
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

/** As the leaderboard shows it: without `net_total`. */
export function presentListedCorrection(figures: ProviderFigures | null): Omit<Correction, "net_total"> | null {
  const correction = presentCorrection(figures);
  if (correction === null) return null;
  const { net_total: _, ...listed } = correction;
  return listed;
}
