import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { pf } from "../../db/aliases.ts";
import { bigintText, integer, isoText } from "../../db/sql.ts";

const Figures = z.object({
  /**
   * All-time P&L on the provider's leaderboard, a plain decimal in dollars; null when the trader is not
   * ranked there.
   */
  all_time_pnl: z.string().nullable(),
  /** When the leaderboard was read. */
  board_as_of: z.string().nullable(),
  /**
   * Ours minus theirs over the measured markets; null when nothing was measured, or when rounding explains
   * the difference.
   */
  correction_micro: bigintText.nullable(),
  realized_micro: bigintText.nullable(),
  /** Null when one of our open positions in the measured markets has no price. */
  net_micro: bigintText.nullable(),
  markets_measured: integer.nullable(),
  markets_excluded: integer.nullable(),
  /** When the provider's positions were read; null before the first time. */
  measured_at: z.string().nullable(),
});

/** The provider's figures of a trader, and their difference from ours. */
export type ProviderFigures = z.output<typeof Figures>;

/** Null for a trader whose figures were never requested. */
export const PROVIDER_FIGURES = { provider_figures: Figures.nullable() };

/** The figures of `pf`, as JSON. */
export const providerFigures: SQL = sql`case when ${pf.traderId} is not null then jsonb_build_object(
  'all_time_pnl', ${pf.allTimePnlUsd}::text, 'board_as_of', ${isoText(pf.boardAsOf)},
  'correction_micro', ${pf.correctionMicro}::text, 'realized_micro', ${pf.realizedMicro}::text,
  'net_micro', ${pf.netMicro}::text, 'markets_measured', ${pf.marketsMeasured},
  'markets_excluded', ${pf.marketsExcluded}, 'measured_at', ${isoText(pf.measuredAt)}) end as provider_figures`;

/** Left-joins a trader's figures as `pf`. */
export const joinProviderFigures = (traderId: SQL | AnyColumn): SQL =>
  sql`left join ${pf} on ${pf.traderId} = ${traderId}`;
