import { isDegrading, type TerminalReason } from "./terminal-reasons.ts";

export interface SportFunnel {
  /** Markets, and games without one. */
  readonly input: number;
  /** Only reasons that occur. Their sum is the input. */
  readonly terminals: Readonly<Partial<Record<TerminalReason, number>>>;
}

/** Counts where the markets of one sport ended. */
export function countTerminals(reasons: readonly TerminalReason[]): SportFunnel {
  const terminals: Partial<Record<TerminalReason, number>> = {};
  for (const reason of reasons) terminals[reason] = (terminals[reason] ?? 0) + 1;
  return { input: reasons.length, terminals };
}

/** Whether some market's verdict is open. */
export const isPartial = (reasons: readonly TerminalReason[]): boolean => reasons.some(isDegrading);
