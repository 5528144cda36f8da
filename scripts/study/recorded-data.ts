import { loadRecording } from "../provider/replay/load/load-recording.ts";
import type { Drafts, MarketDraft } from "../provider/replay/market-drafts.ts";
import type { RecordedTrade } from "../provider/replay/recorded-trades.ts";
import { mergeTrades } from "../provider/replay/merge-trades.ts";
import { toBet } from "./to-bet.ts";
import type { StudyData } from "./study-data.ts";

/**
 * With `infersResolutions`, an outcome whose last recorded price is this close to certainty counts as
 * settled.
 */
const NEARLY_CERTAIN = 0.01;

/**
 * A directory of recorded files, in any shape that the replay reads, as data of the study.
 *
 * @param infersResolutions uses the last price of a market without a recorded resolution as its payout when
 *   it is within a cent of certainty, and the last trade as the time of a resolution without one
 */
export async function readRecordedData(dir: string, infersResolutions: boolean): Promise<StudyData> {
  const recording = await loadRecording(dir);
  const trades = mergeTrades(recording.tradeFiles)
    .flatMap((trade) => withOutcome(recording.drafts, trade))
    .toSorted((a, b) => a.trade.timestamp - b.trade.timestamp);
  const markets = numberBy(trades.map(({ market }) => market.conditionId));
  const clusters = numberBy(trades.map(({ market }) => market.eventSlug || market.conditionId));
  const wallets = numberBy(trades.map(({ trade }) => trade.wallet));
  const inferred = infersResolutions ? inferResolutions(trades) : new Map<string, Resolution>();
  const resolutions = new Map(trades.flatMap(({ market }) => listResolution(market, inferred, infersResolutions)));
  const timeless = new Set(
    trades.flatMap(({ market }) =>
      market.payoutsPpm !== null && market.resolvedAtMs === null ? [market.conditionId] : [],
    ),
  );
  const bets = trades.map(({ trade, market, outcomeIndex }) => {
    const payout = resolutions.get(market.conditionId)?.payouts[outcomeIndex] ?? Number.NaN;
    return {
      ...toBet({ side: trade.side, price: trade.price, shares: trade.size, payout }),
      trade,
      market,
      outcomeIndex,
    };
  });
  const resolved = bets.filter(({ payout }) => !Number.isNaN(payout)).length;
  return {
    title: `recording ${dir}`,
    isGenerated: false,
    notes: [
      `${bets.length} trades of ${wallets.size} wallets in ${markets.size} markets of ${clusters.size} events; ${resolved} trades are in markets whose payout is known.`,
      ...(timeless.size > 0
        ? [
            `The resolution times of ${timeless.size} markets are not recorded: ${infersResolutions ? "the time of their last trade is used" : "their payouts count before no trade"}.`,
          ]
        : []),
      ...(inferred.size > 0
        ? [`The payouts of ${inferred.size} markets are inferred from their last price and not recorded.`]
        : []),
      ...(recording.unserved.length > 0 ? [`Files of unknown shape, not read: ${recording.unserved.join(", ")}.`] : []),
    ],
    traderCount: wallets.size,
    clusterCount: clusters.size,
    clusterOfMarket: Int32Array.from(markets.keys(), (conditionId) => {
      const market = recording.drafts.market(conditionId);
      return clusters.get(market.eventSlug || conditionId) ?? 0;
    }),
    settledAt: Float64Array.from(
      markets.keys(),
      (conditionId) => resolutions.get(conditionId)?.at ?? Number.POSITIVE_INFINITY,
    ),
    bets: {
      count: bets.length,
      at: Float64Array.from(bets, ({ trade }) => trade.timestamp),
      trader: Int32Array.from(bets, ({ trade }) => wallets.get(trade.wallet) ?? 0),
      market: Int32Array.from(bets, ({ market }) => markets.get(market.conditionId) ?? 0),
      price: Float64Array.from(bets, ({ price }) => price),
      usd: Float64Array.from(bets, ({ usd }) => usd),
      payout: Float64Array.from(bets, ({ payout }) => payout),
      side: Uint8Array.from(bets, ({ trade, outcomeIndex }) =>
        trade.side === "SELL" ? 1 - outcomeIndex : outcomeIndex,
      ),
      isSale: Uint8Array.from(bets, ({ trade }) => (trade.side === "SELL" ? 1 : 0)),
    },
    latent: null,
  };
}

interface TradeWithOutcome {
  readonly trade: RecordedTrade;
  readonly market: MarketDraft;
  readonly outcomeIndex: number;
}

/** Finds the outcome of a trade. A trade with a guessed outcome, or without price or size, is left out. */
function withOutcome(drafts: Drafts, trade: RecordedTrade): readonly TradeWithOutcome[] {
  const token = drafts.findToken(trade.tokenId);
  if (token === null || !(trade.price >= 0 && trade.price <= 1) || !(trade.size > 0)) return [];
  const market = drafts.market(token.conditionId);
  return market.hasGuessedOutcome ? [] : [{ trade, market, outcomeIndex: token.outcomeIndex }];
}

interface Resolution {
  /** By outcome, 0 to 1. */
  readonly payouts: readonly number[];
  /** Epoch seconds; null when not recorded: then the resolution never precedes a trade. */
  readonly at: number | null;
}

function listResolution(
  market: MarketDraft,
  inferred: ReadonlyMap<string, Resolution>,
  infersResolutions: boolean,
): readonly (readonly [string, Resolution])[] {
  if (market.payoutsPpm !== null) {
    // A market may be closed by its last trade long before its payout is known.
    const atMs = market.resolvedAtMs ?? (infersResolutions ? market.closedAtMs : null);
    const payouts = market.payoutsPpm.map((ppm) => ppm / 1_000_000);
    return [[market.conditionId, { payouts, at: atMs === null ? null : atMs / 1000 }]];
  }
  const guess = inferred.get(market.conditionId);
  return guess === undefined ? [] : [[market.conditionId, guess]];
}

/** Infers resolutions from the last trade of each binary market. */
function inferResolutions(trades: readonly TradeWithOutcome[]): Map<string, Resolution> {
  const last = new Map(trades.map((one) => [one.market.conditionId, one]));
  const found = new Map<string, Resolution>();
  for (const [conditionId, { trade, market, outcomeIndex }] of last) {
    if (market.payoutsPpm !== null || outcomeIndex > 1) continue;
    const isCertain = trade.price <= NEARLY_CERTAIN || trade.price >= 1 - NEARLY_CERTAIN;
    if (!isCertain) continue;
    const winner = trade.price > 0.5 ? outcomeIndex : 1 - outcomeIndex;
    found.set(conditionId, { payouts: winner === 0 ? [1, 0] : [0, 1], at: trade.timestamp + 1 });
  }
  return found;
}

/** Numbers from 0 in the order of first appearance. */
function numberBy(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}
