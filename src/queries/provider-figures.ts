import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { big, count, iso } from "./rows.ts";

const Figures = z.object({
  /** All-time P&L of the provider's board, a plain decimal in dollars; null when it ranks no such wallet. */
  all_time_pnl: z.string().nullable(),
  /** When the board was read. */
  board_as_of: z.string().nullable(),
  /** Ours less theirs over the measured markets; null when nothing was measured, or rounding explains the difference. */
  correction_micro: big.nullable(),
  realized_micro: big.nullable(),
  /** Null when one of our holdings in the measured markets has no price. */
  net_micro: big.nullable(),
  markets_measured: count.nullable(),
  markets_excluded: count.nullable(),
  /** When the provider's positions were read; null before the first time. */
  measured_at: z.string().nullable(),
});

/** What the provider says of a wallet, and how far that is from our figures. */
export type ProviderFigures = z.output<typeof Figures>;

/** Null for a wallet whose figures were never asked for. */
export const PROVIDER_FIGURES = { provider_figures: Figures.nullable() };

export const providerFigures: SQL = sql`case when pf.trader_id is not null then jsonb_build_object(
  'all_time_pnl', pf.all_time_pnl_usd::text, 'board_as_of', ${iso(sql`pf.board_as_of`)}, 'correction_micro', pf.correction_micro::text,
  'realized_micro', pf.realized_micro::text, 'net_micro', pf.net_micro::text, 'markets_measured', pf.markets_measured,
  'markets_excluded', pf.markets_excluded, 'measured_at', ${iso(sql`pf.measured_at`)}) end as provider_figures`;

/** Joins a wallet's figures as `pf`. A wallet that has none keeps its row. */
export const joinProviderFigures = (traderId: SQL): SQL => sql`left join provider_figures pf on pf.trader_id = ${traderId}`;
