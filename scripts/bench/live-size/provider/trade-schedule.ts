import { burstOf, type LiveSize } from "../live-size.ts";

/** An execution has two rows: one of its taker, one of its maker. */
export const ROWS_OF_EXECUTION = 2;

type Rates = Pick<LiveSize, "rate" | "burst" | "minutes">;

/** How many executions the provider has had this long after the beginning, ms. */
export function executionsBy(elapsedMs: number, size: Rates): number {
  const burst = burstOf(size);
  const at = Math.max(0, Math.min(elapsedMs, size.minutes * 60_000));
  const inBurstMs = Math.max(0, Math.min(at, burst.toMs) - burst.fromMs);
  const rows = ((at - inBurstMs) * size.rate + inBurstMs * size.burst) / 1_000;
  return Math.floor(rows / ROWS_OF_EXECUTION);
}

/** Rows of the burst that are by new traders alone, with the fault `traders`. */
const ROWS_OF_NEW_TRADERS = 5_000;

/** Whether both sides of an execution are traders without an earlier fill. */
export function isOfNewTraders(execution: number, size: Rates & Pick<LiveSize, "faults">): boolean {
  if (!size.faults.includes("traders")) return false;
  const first = executionsBy(burstOf(size).fromMs, size);
  return execution >= first && execution < first + ROWS_OF_NEW_TRADERS / ROWS_OF_EXECUTION;
}

/** The time of an execution after the beginning, whole seconds: the provider's rows have no fractions. */
export function secondOfExecution(execution: number, size: Rates): number {
  let [low, high] = [0, size.minutes * 60];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (executionsBy((middle + 1) * 1_000, size) > execution) high = middle;
    else low = middle + 1;
  }
  return low;
}
