import type { ClosingState } from "./pick-record.ts";

/**
 * Whether a pick's closing price is known. A price stored before the kickoff is the closing price only after it.
 *
 * @param closePrice the newest price that was read before the kickoff; null when none was
 */
export function closingState(
  {
    publishedAt,
    kickoff,
    closePrice,
  }: {
    readonly publishedAt: Date;
    readonly kickoff: Date;
    readonly closePrice: string | null;
  },
  now: Date,
): ClosingState {
  if (publishedAt.getTime() >= kickoff.getTime()) return "not_applicable";
  if (now.getTime() < kickoff.getTime()) return "pending";
  return closePrice === null ? "unavailable" : "measured";
}
