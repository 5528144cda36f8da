import { loadRecording } from "../provider/replay/load-recording.ts";
import type { Drafts, MarketDraft } from "../provider/replay/market-drafts.ts";
import type { RecordedTrade } from "../provider/replay/recorded-trades.ts";
import { uniteTrades } from "../provider/replay/unite-trades.ts";
import { readAsBet } from "./read-as-bet.ts";
import type { StudyData } from "./study-data.ts";

/** An outcome whose last recorded price is this close to certainty is taken for settled, when the reader asks for that. */
const NEARLY_CERTAIN = 0.01;

/**
 * A directory of recorded files, of any shape that the replay reads, as data of the study.
 *
 * @param infersResolutions takes the last price of a market without recorded resolution for its payout when it is within a cent of certainty,
 *   and the last trade for the time of a resolution that has none
 */
export async function readRecordedData(dir: string, infersResolutions: boolean): Promise<StudyData> {
  const recording = await loadRecording(dir);
  const trades = uniteTrades(recording.tradeFiles)
    .flatMap((trade) => placeTrade(recording.drafts, trade))
    .toSorted((a, b) => a.trade.timestamp - b.trade.timestamp);
  const markets = numberBy(trades.map(({ market }) => market.conditionId));
  const clusters = numberBy(trades.map(({ market }) => market.eventSlug || market.conditionId));
  const wallets = numberBy(trades.map(({ trade }) => trade.wallet));
  const inferred = infersResolutions ? inferResolutions(trades) : new Map<string, Resolution>();
  const resolutions = new Map(trades.flatMap(({ market }) => listResolution(market, inferred, infersResolutions)));
  const timeless = new Set(
    trades.flatMap(({ market }) => (market.payoutsPpm !== null && market.resolvedAtMs === null ? [market.conditionId] : [])),
  );
  const bets = trades.map(({ trade, market, outcomeIndex }) => {
    const payout = resolutions.get(market.conditionId)?.payouts[outcomeIndex] ?? Number.NaN;
    return { ...readAsBet({ side: trade.side, price: trade.price, shares: trade.size, payout }), trade, market };
  });
  const resolved = bets.filter(({ payout }) => !Number.isNaN(payout)).length;
  return {
    title: `recording ${dir}`,
    isGenerated: false,
    notes: [
      `${bets.length} trades of ${wallets.size} wallets in ${markets.size} markets of ${clusters.size} events; ${resolved} trades are in markets whose payout is known.`,
      ...(timeless.size > 0
        ? [
            `When ${timeless.size} markets resolved is not recorded${infersResolutions ? ": their last trade stands for it" : ", so nothing is known of them before any trade"}.`,
          ]
        : []),
      ...(inferred.size > 0 ? [`The payouts of ${inferred.size} markets are inferred from their last price and not recorded.`] : []),
      ...(recording.unserved.length > 0 ? [`Files of no known shape, not read: ${recording.unserved.join(", ")}.`] : []),
    ],
    walletCount: wallets.size,
    clusterCount: clusters.size,
    clusterOfMarket: Int32Array.from(markets.keys(), (conditionId) => {
      const market = recording.drafts.market(conditionId);
      return clusters.get(market.eventSlug || conditionId) ?? 0;
    }),
    settledAt: Float64Array.from(markets.keys(), (conditionId) => resolutions.get(conditionId)?.at ?? Number.POSITIVE_INFINITY),
    bets: {
      count: bets.length,
      at: Float64Array.from(bets, ({ trade }) => trade.timestamp),
      wallet: Int32Array.from(bets, ({ trade }) => wallets.get(trade.wallet) ?? 0),
      market: Int32Array.from(bets, ({ market }) => markets.get(market.conditionId) ?? 0),
      price: Float64Array.from(bets, ({ price }) => price),
      usd: Float64Array.from(bets, ({ usd }) => usd),
      payout: Float64Array.from(bets, ({ payout }) => payout),
      isSale: Uint8Array.from(bets, ({ trade }) => (trade.side === "SELL" ? 1 : 0)),
    },
    latent: null,
  };
}

interface PlacedTrade {
  readonly trade: RecordedTrade;
  readonly market: MarketDraft;
  readonly outcomeIndex: number;
}

/** A trade whose token's place is only guessed can be given no payout, so it is left out, as is one without price or size. */
function placeTrade(drafts: Drafts, trade: RecordedTrade): readonly PlacedTrade[] {
  const place = drafts.findToken(trade.tokenId);
  if (place === null || !(trade.price >= 0 && trade.price <= 1) || !(trade.size > 0)) return [];
  const market = drafts.market(place.conditionId);
  return market.guessed ? [] : [{ trade, market, outcomeIndex: place.outcomeIndex }];
}

interface Resolution {
  /** By outcome, 0 to 1. */
  readonly payouts: readonly number[];
  /** Epoch seconds; null when the time is not recorded: then it never comes before a trade. */
  readonly at: number | null;
}

function listResolution(
  market: MarketDraft,
  inferred: ReadonlyMap<string, Resolution>,
  infersResolutions: boolean,
): readonly (readonly [string, Resolution])[] {
  if (market.payoutsPpm !== null) {
    // A market may be closed by its last trade long before anybody knows what it pays.
    const atMs = market.resolvedAtMs ?? (infersResolutions ? market.closedAtMs : null);
    const payouts = market.payoutsPpm.map((ppm) => ppm / 1_000_000);
    return [[market.conditionId, { payouts, at: atMs === null ? null : atMs / 1000 }]];
  }
  const guess = inferred.get(market.conditionId);
  return guess === undefined ? [] : [[market.conditionId, guess]];
}

/** From the last trade of each market of two outcomes. */
function inferResolutions(trades: readonly PlacedTrade[]): Map<string, Resolution> {
  const last = new Map(trades.map((placed) => [placed.market.conditionId, placed]));
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
