import { sql, type SQL } from "drizzle-orm";
import type { positions, traderTotals } from "../schema.ts";
import type { Columns } from "../sql.ts";

type Sums = Columns<typeof traderTotals, "realizedMicro" | "settledMicro" | "feesMicro" | "rebatesMicro">;

/** The booked profit of a trader's sums, in total or of one day: without rewards, and without open shares. */
export const bookedProfit = (sums: Sums): SQL =>
  sql`${sums.realizedMicro} + ${sums.settledMicro} - ${sums.feesMicro} + ${sums.rebatesMicro}`;

/** The booked result of a position: its sales and its settlement, minus its fees. */
export const positionResult = (
  position: Columns<typeof positions, "realizedMicro" | "settledMicro" | "feesMicro">,
): SQL => sql`${position.realizedMicro} + coalesce(${position.settledMicro}, 0) - ${position.feesMicro}`;
