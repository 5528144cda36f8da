import type { StudyData } from "../study-data.ts";

/** Numbers of one bet in a batch, in this order. */
export const BET_FIELDS = 7;
export const BET = { at: 0, trader: 1, market: 2, price: 3, usd: 4, payout: 5, flags: 6 } as const;
/** In `flags`: the bought outcome, 0 or 1, plus this for a sale. */
export const SALE_FLAG = 2;

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

const BATCH = 4096;

/** Data in memory as a stream. */
export function toStream(data: StudyData): StreamedData {
  const { bets, clusterOfMarket } = data;
  const betsOfCluster = new Int32Array(data.clusterCount);
  const hasLateBets = new Uint8Array(data.settledAt.length);
  for (let bet = 0; bet < bets.count; bet += 1) {
    const market = bets.market[bet] ?? 0;
    const cluster = clusterOfMarket[market] ?? 0;
    if (Number.isNaN(bets.payout[bet])) continue;
    betsOfCluster[cluster] = (betsOfCluster[cluster] ?? 0) + 1;
    if ((data.settledAt[market] ?? 0) <= (bets.at[bet] ?? 0)) hasLateBets[market] = 1;
  }
  return {
    ...data,
    betCount: bets.count,
    firstAt: bets.at[0] ?? 0,
    lastAt: bets.at[bets.count - 1] ?? 0,
    betsOfCluster,
    hasLateBets,
    *batches() {
      let rows: number[] = [];
      for (let bet = 0; bet < bets.count; bet += 1) {
        if (Number.isNaN(bets.payout[bet])) continue;
        const flags = (bets.side[bet] ?? 0) + (bets.isSale[bet] === 1 ? SALE_FLAG : 0);
        for (const column of [bets.at, bets.trader, bets.market, bets.price, bets.usd, bets.payout])
          rows.push(column[bet] ?? Number.NaN);
        rows.push(flags);
        if (rows.length < BATCH * BET_FIELDS) continue;
        yield Float64Array.from(rows);
        rows = [];
      }
      yield Float64Array.from(rows);
    },
  };
}
