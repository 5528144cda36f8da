import { multiplyMicro } from "../../../src/domain/money.ts";
import type { ProviderMarket, ProviderResolution, ProviderTrade } from "../../../src/platform/provider.ts";
import { createRandom, type Random } from "../../provider/simulate/random.ts";
import {
  aMarket,
  conditionOf,
  hex,
  isCombinationNumber,
  marketHint,
  tokenOf,
  walletHint,
} from "../../soak/named-objects.ts";

export interface GeneratedSize {
  readonly seed: number;
  readonly wallets: number;
  readonly markets: number;
  /** Time of the first trade; three trades share a second. */
  readonly startSeconds: number;
}

/** The provider's longest page. */
export const PAGE_ROWS = 1_000;

/**
 * Pages of generated trades, oldest page first, newest row first. Few traders and markets have most of them.
 */
export function* generatePages(fills: number, size: GeneratedSize): Generator<readonly ProviderTrade[]> {
  const random = createRandom(size.seed, "bench");
  for (let first = 0; first < fills; first += PAGE_ROWS) {
    const rows = Math.min(PAGE_ROWS, fills - first);
    yield Array.from({ length: rows }, (_, n) => {
      const wallet = Math.floor(size.wallets * random.next() ** 2);
      const market = Math.floor(size.markets * random.next() ** 2);
      return generateTrade(
        random,
        first + n,
        wallet,
        market,
        size.startSeconds + Math.floor((first + n) / 3),
        size.seed,
      );
    }).toReversed();
  }
}

/** One trade. @param n its number, which determines the transaction hash */
export function generateTrade(
  random: Random,
  n: number,
  wallet: number,
  market: number,
  atSeconds: number,
  seed: number,
): ProviderTrade {
  const outcome = random.chance(0.5) ? 0 : 1;
  // Micro-shares instead of whole shares, so that average costs have to be rounded.
  const sharesMicro = BigInt(1 + Math.floor(400_000_000 * random.next() ** 3)) * (random.chance(0.002) ? 100n : 1n);
  const price = (0.05 + 0.9 * random.next()).toFixed(3);
  return {
    trader: walletHint(wallet),
    market: marketHint(market),
    tokenId: tokenOf(market, outcome),
    outcomeIndex: outcome,
    outcomeLabel: outcome === 0 ? "Yes" : "No",
    side: random.chance(0.6) ? "BUY" : "SELL",
    sharesMicro,
    usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
    feeMicro: random.chance(0.5) ? BigInt(random.integer(0, 1_000_000)) : null,
    price,
    tradedAt: new Date(atSeconds * 1000),
    txHash: `0x${hex(seed, 8).slice(2)}${hex(n + 1, 56).slice(2)}`,
  };
}

/** The provider's objects of the first `count` markets. */
export const generateMarkets = (count: number): readonly ProviderMarket[] =>
  Array.from({ length: count }, (_, n) => aMarket(n));

/** Payouts of two markets of three: won, lost or shared. Combinations have none: their legs decide. */
export function generateResolutions(markets: number, atSeconds: number): readonly ProviderResolution[] {
  return Array.from({ length: markets }, (_, n) => n)
    .filter((n) => n % 3 !== 2 && !isCombinationNumber(n))
    .map((n) => {
      const first = n % 31 === 0 ? 500_000 : n % 2 === 0 ? 1_000_000 : 0;
      return {
        conditionId: conditionOf(n),
        status: "resolved",
        payoutsPpm: [first, 1_000_000 - first],
        resolvedAt: new Date((atSeconds + n) * 1000),
        expectedAt: null,
      };
    });
}
