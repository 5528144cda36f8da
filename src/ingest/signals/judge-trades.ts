import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import { recentSlices } from "../../scoring/signals/recent-slices.ts";
import type { SuspicionInput, WalletBefore } from "../../scoring/signals/suspicion-input.ts";
import { suspicionOf } from "../../scoring/signals/suspicion.ts";
import { directionOf } from "../../scoring/signals/trade-direction.ts";
import { listDueTrades } from "./due-trades.ts";
import { READ_BOUNDS, readUnjudgedTrades, type ReadBounds, type UnjudgedTrade } from "./unjudged-trades.ts";
import { writeVerdicts } from "./write-verdicts.ts";

const DAY_MS = 86_400_000;
/** Trades of one wallet that one transaction judges: each may be of another market that has to be gone through. */
const TRADES_A_TRANSACTION = 5;

/**
 * Judges the suspicion of the next large trades, each once and from what was known when it was made. A wallet's verdicts, flags and their
 * events are one transaction; a trade judged meanwhile by someone else is left as it is.
 *
 * @returns whether more may be waiting
 */
export async function judgeTrades(pool: Pool, largeTradeMinUsd: number, now: Date, bounds: ReadBounds = READ_BOUNDS): Promise<boolean> {
  const due = await inTransaction(pool, (session) => listDueTrades(session, now));
  for (const { trader_id, ids } of due) {
    await inTransaction(pool, async (session) => {
      const trades = await readUnjudgedTrades(session, trader_id, ids.slice(0, TRADES_A_TRANSACTION), bounds);
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
    marketVolumeShare: marketShares === null || marketShares <= 0n ? null : shareOf(BigInt(trade.shares_micro), marketShares),
    wallet: toWallet(trade),
    slices:
      fills === undefined || direction === null ? null : recentSlices(fills, { tradedAtMs: trade.traded_ms, direction }, marketShares),
  };
}

function toWallet({ wallet, traded_ms }: UnjudgedTrade): WalletBefore | null {
  if (wallet === null) return null;
  return {
    ageDays: wallet.first_ms === null ? 0 : (traded_ms - wallet.first_ms) / DAY_MS,
    markets: wallet.other_markets,
    volumeUsd: Number(wallet.usd_micro) / 1e6,
  };
}

const shareOf = (shares: bigint, all: bigint): number => Math.min(1, Number(shares) / Number(all));
