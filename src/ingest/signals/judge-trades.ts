import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import { recentSlices } from "../../scoring/signals/recent-slices.ts";
import type { SuspicionInput, TraderBeforeTrade } from "../../scoring/signals/suspicion-input.ts";
import { suspicionOf } from "../../scoring/signals/suspicion.ts";
import { directionOf } from "../../scoring/signals/trade-direction.ts";
import { listDueTrades } from "./due-trades.ts";
import { READ_BOUNDS, readUnjudgedTrades, type ReadBounds, type UnjudgedTrade } from "./unjudged-trades.ts";
import { writeVerdicts } from "./write-verdicts.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

/**
 * Trades of one trader that one transaction judges. Each may be in a different market whose entries must be
 * read.
 */
const TRADES_PER_TRANSACTION = 5;

/**
 * Judges the suspicion of the next large trades, each once and from the data known when it was made. A
 * trader's verdicts, flags and events are written in one transaction. A trade that was judged meanwhile is
 * left unchanged.
 *
 * @returns whether more trades may be due
 */
export async function judgeTrades(
  pool: Pool,
  largeTradeMinUsd: number,
  now: Date,
  bounds: ReadBounds = READ_BOUNDS,
): Promise<boolean> {
  const due = await inTransaction(pool, (session) => listDueTrades(session, now));
  for (const { trader_id, ids } of due) {
    await inTransaction(pool, async (session) => {
      const trades = await readUnjudgedTrades(session, trader_id, ids.slice(0, TRADES_PER_TRANSACTION), bounds);
      const verdicts = trades.map((trade) => ({ trade, suspicion: suspicionOf(toInput(trade, largeTradeMinUsd)) }));
      await writeVerdicts(session, verdicts, now);
    });
  }
  return due.length > 0;
}

function toInput(trade: UnjudgedTrade, floorUsd: number): SuspicionInput {
  const directed = { side: trade.side, outcomeIndex: trade.outcome_index };
  const direction = directionOf(directed);
  const marketShares = trade.market_shares_micro === null ? null : BigInt(trade.market_shares_micro);
  const fills = trade.fills?.map((fill) => ({
    side: fill.side,
    outcomeIndex: fill.outcome_index,
    txHash: fill.tx,
    tradedAtMs: fill.traded_ms,
    usdMicro: BigInt(fill.usd_micro),
    sharesMicro: BigInt(fill.shares_micro),
  }));
  return {
    ...directed,
    sizeUsd: Number(trade.size_usd_micro) / 1e6,
    floorUsd,
    price: Number(trade.price),
    marketVolumeShare:
      marketShares === null || marketShares <= 0n ? null : shareOf(BigInt(trade.shares_micro), marketShares),
    trader: toTraderHistory(trade),
    slices:
      fills === undefined || direction === null
        ? null
        : recentSlices(fills, { tradedAtMs: trade.traded_ms, direction }, marketShares),
  };
}

function toTraderHistory({ history, traded_ms }: UnjudgedTrade): TraderBeforeTrade | null {
  if (history === null) return null;
  return {
    ageDays: history.first_ms === null ? 0 : (traded_ms - history.first_ms) / DAY_MS,
    markets: history.other_markets,
    volumeUsd: Number(history.usd_micro) / 1e6,
  };
}

const shareOf = (shares: bigint, all: bigint): number => Math.min(1, Number(shares) / Number(all));
