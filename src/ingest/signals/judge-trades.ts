import type { Pool } from "@neondatabase/serverless";
import { inSnapshot, inTransaction } from "../../db/client.ts";
import { chunk } from "../../lib/chunk.ts";
import { recentSlices, type SliceFill } from "../../scoring/signals/recent-slices.ts";
import type { SuspicionInput, TraderBeforeTrade } from "../../scoring/signals/suspicion-input.ts";
import { suspicionOf } from "../../scoring/signals/suspicion.ts";
import { directionOf } from "../../scoring/signals/trade-direction.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";
import { readDayFills } from "./day-fills.ts";
import { listDueTrades, type DueTrade } from "./due-trades.ts";
import { readMarketShares } from "./market-shares.ts";
import { readTraderHistories, type TraderHistory } from "./trader-histories.ts";
import { writeVerdicts, type Verdict } from "./write-verdicts.ts";

/**
 * Maximum numbers of entries to read. Beyond them the input is unknown and adds no suspicion: a trader with
 * that many trades is not new, no trader slices one position that finely, and in a market with that many
 * fills one large trade is a tiny share. Without a bound one trader or market would block all others.
 */
export interface ReadBounds {
  /** Of the trader, over its whole history. */
  readonly own: number;
  /** Of the market, up to the trade. */
  readonly market: number;
  /** Of the trader in the market, in 24 hours. */
  readonly day: number;
}

const READ_BOUNDS: ReadBounds = { own: 20_000, market: 200_000, day: 2_000 };

/** Trades whose fills are in memory together, up to 2,000 each. */
const TRADES_PER_READ = 25;

/**
 * Judges the suspicion of the next large trades, each once and from the data known when it was made. All
 * inputs are of one moment. Verdicts, flags and events are written in one transaction. A trade that was judged
 * meanwhile is left unchanged.
 *
 * @returns whether more trades may be due
 */
export async function judgeTrades(
  pool: Pool,
  largeTradeMinUsd: number,
  now: Date,
  bounds: ReadBounds = READ_BOUNDS,
): Promise<boolean> {
  const verdicts = await judgeDueTrades(pool, largeTradeMinUsd, now, bounds);
  if (verdicts.length === 0) return false;
  await inTransaction(pool, (session) => writeVerdicts(session, verdicts, now));
  return true;
}

const judgeDueTrades = (pool: Pool, floorUsd: number, now: Date, bounds: ReadBounds): Promise<Verdict[]> =>
  inSnapshot(pool, async (session) => {
    const trades = await listDueTrades(session, now);
    const [marketShares, histories] = await Promise.all([
      readMarketShares(session, trades, bounds.market),
      readTraderHistories(session, trades, bounds.own),
    ]);
    const verdicts: Verdict[] = [];
    for (const group of chunk(trades, TRADES_PER_READ)) {
      const fills = await readDayFills(session, group, bounds.day);
      for (const trade of group) {
        const marketSharesMicro = marketShares.get(trade.id) ?? null;
        const inputs = { marketSharesMicro, history: histories.get(trade.id), fills: fills.get(trade.id) };
        verdicts.push({ trade, marketSharesMicro, suspicion: suspicionOf(toInput(trade, inputs, floorUsd)) });
      }
    }
    return verdicts;
  });

/**
 * The recorded data up to a trade; null or absent if it is unknown. Events within the trade's own second have no
 * order. The trader's history therefore ends before that second, while the day's fills and the market's shares
 * include it.
 */
interface RecordedInputs {
  readonly marketSharesMicro: bigint | null;
  readonly history: TraderHistory | undefined;
  readonly fills: readonly SliceFill[] | undefined;
}

function toInput(trade: DueTrade, inputs: RecordedInputs, floorUsd: number): SuspicionInput {
  const { marketSharesMicro, history, fills } = inputs;
  const directed = { side: trade.side, outcomeIndex: trade.outcome_index };
  const direction = directionOf(directed);
  return {
    ...directed,
    sizeUsd: Number(trade.size_usd_micro) / 1e6,
    floorUsd,
    price: Number(trade.price),
    marketVolumeShare:
      marketSharesMicro === null || marketSharesMicro <= 0n
        ? null
        : shareOf(BigInt(trade.shares_micro), marketSharesMicro),
    trader: history === undefined ? null : toTraderHistory(history, trade.traded_ms),
    slices:
      fills === undefined || direction === null
        ? null
        : recentSlices(fills, { tradedAtMs: trade.traded_ms, direction }, marketSharesMicro),
  };
}

const toTraderHistory = (history: TraderHistory, tradedMs: number): TraderBeforeTrade => ({
  ageDays: history.first_ms === null ? 0 : (tradedMs - history.first_ms) / DAY_MS,
  markets: history.other_markets,
  volumeUsd: Number(history.usd_micro) / 1e6,
});

const shareOf = (shares: bigint, all: bigint): number => Math.min(1, Number(shares) / Number(all));
