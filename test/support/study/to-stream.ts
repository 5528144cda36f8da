import { BET_FIELDS, MAKER_FLAG, SALE_FLAG, type StreamedData } from "../../../scripts/study/archive/streamed-data.ts";
import type { StudyData } from "../../../scripts/study/study-data.ts";

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
        const role = bets.isMaker?.[bet] === 1 ? MAKER_FLAG : 0;
        const flags = (bets.side[bet] ?? 0) + (bets.isSale[bet] === 1 ? SALE_FLAG : 0) + role;
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
