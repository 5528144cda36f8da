import type { StudyData } from "../study-data.ts";

/** Numbers of one bet in a batch, in this order. */
export const BET_FIELDS = 7;
export const BET = { at: 0, trader: 1, market: 2, price: 3, usd: 4, payout: 5, flags: 6 } as const;
/** In `flags`: the bought outcome, 0 or 1, plus these for a sale and for a trade known to be a maker's. */
export const SALE_FLAG = 2;
export const MAKER_FLAG = 4;

/** The study's data with its bets as a stream. Only bets whose payout is known. */
export interface StreamedData extends Pick<
  StudyData,
  "title" | "isGenerated" | "notes" | "traderCount" | "clusterCount" | "clusterOfMarket" | "settledAt"
> {
  /** Of all bets, also those without payout. */
  readonly betCount: number;
  /** Time of the first and of the last bet, also of those without payout. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** By cluster: its bets in the stream. A cluster's state is dropped after the last of them has settled. */
  readonly betsOfCluster: Int32Array;
  /** By market: 1 when a bet was made at its result or later. */
  readonly hasLateBets: Uint8Array;
  /** BET_FIELDS numbers a bet, in the order of time. A batch is valid until the next one. */
  readonly batches: () => Iterable<Float64Array>;
}
