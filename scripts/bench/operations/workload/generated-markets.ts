import { CATEGORIES } from "../../../../src/domain/categories/category-tags.ts";
import type { MarketHint, ProviderMarket } from "../../../../src/platform/provider.ts";
import { createRandom } from "../../../provider/simulate/random.ts";
import { conditionOf, tokenOf } from "../../../soak/named-objects.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

/** A generated binary market. It is traded between two times and has settled or is still open. */
export interface GeneratedMarket {
  readonly n: number;
  readonly title: string;
  readonly category: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isSettled: boolean;
  /** The outcome that wins, or would win. */
  readonly winner: 0 | 1;
  /** Log odds of YES at the start. */
  readonly startLogit: number;
}

/**
 * One market of this many is open the whole time; a multiple of three, because two of three markets settle.
 */
const ALWAYS_OPEN = 30;
/** Markets of one event. */
const EVENT_MARKETS = 5;
const SUBJECTS =
  "Arsenal Bitcoin Ethereum Trump Harris Lakers Celtics Yankees Madrid Barcelona Tesla Nvidia Inflation Ceasefire".split(
    " ",
  );
const VERBS = ["win", "lose", "reach a new high", "fall below the line", "be announced", "be decided"];
const PLACES = "London Paris Texas Ohio Tokyo Berlin Madrid Chicago Dubai Seoul".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");

/**
 * `count` markets over the days before `nowMs`; two of three have settled by then. The first ones have most
 * of the trades.
 */
export function generateTradedMarkets(count: number, days: number, nowMs: number): readonly GeneratedMarket[] {
  const random = createRandom("operations", "markets");
  return Array.from({ length: count }, (_, n) => {
    const isSettled = n % 3 !== 2;
    // Some markets are always open, so that there is always one to trade in.
    const age = n % ALWAYS_OPEN === 2 ? 1 : random.between(isSettled ? 0.1 : 0.02, 1);
    const startMs = nowMs - Math.floor(days * DAY_MS * age);
    const settledMs = startMs + (nowMs - startMs) * random.between(0.3, 0.98);
    const startLogit = random.normal();
    const title = `Generated: Will ${random.pick(SUBJECTS)} ${random.pick(VERBS)} in ${random.pick(PLACES)} by ${random.pick(MONTHS)}?`;
    return {
      n,
      title: `${title} (${n})`,
      category: random.pick(CATEGORIES),
      startMs,
      endMs: isSettled ? settledMs : nowMs + Math.floor(random.between(0.1, 60) * DAY_MS),
      isSettled,
      winner: random.chance(1 / (1 + Math.exp(-startLogit))) ? 0 : 1,
      startLogit,
    };
  });
}

export const hintOf = ({ n, title }: GeneratedMarket): MarketHint => ({
  conditionId: conditionOf(n),
  title,
  slug: `generated-market-${n}`,
  eventSlug: `generated-event-${Math.floor(n / EVENT_MARKETS)}`,
  icon: null,
});

/**
 * The provider's object of a market.
 *
 * @param price the last traded price of YES; null before the first trade
 */
export function providerMarketOf(market: GeneratedMarket, price: number | null): ProviderMarket {
  const { n, startMs, endMs, isSettled } = market;
  const event = Math.floor(n / EVENT_MARKETS);
  const quotes = (of: number) =>
    price === null || isSettled
      ? { price: null, bestBid: null, bestAsk: null }
      : { price: of, bestBid: of - 0.005, bestAsk: of + 0.005 };
  const decimal = (value: number | null) => (value === null ? null : value.toFixed(3));
  return {
    ...hintOf(market),
    title: market.title,
    event: {
      providerEventId: `generated-${event}`,
      slug: `generated-event-${event}`,
      title: `Generated event ${event}`,
      image: null,
      seriesSlug: null,
      tags: [],
      startAt: new Date(startMs),
      endAt: new Date(endMs),
    },
    providerMarketId: `generated-${n}`,
    description: "Generated for a benchmark.",
    image: null,
    category: market.category,
    tags: [],
    protocolVersion: "v1",
    negRisk: false,
    marketType: null,
    gameId: null,
    closed: isSettled,
    createdAt: new Date(startMs),
    startAt: new Date(startMs),
    endAt: new Date(endMs),
    closedAt: isSettled ? new Date(endMs) : null,
    gameStartAt: null,
    volumeUsd: (20_000_000 / (n + 1)).toFixed(2),
    volume24hUsd: isSettled ? null : (500_000 / (n + 1)).toFixed(2),
    liquidityUsd: (100_000 / (n + 1)).toFixed(2),
    resolutionStatus: isSettled ? "resolved" : null,
    outcomes: ["Yes", "No"].map((label, outcomeIndex) => {
      const { price: last, bestBid, bestAsk } = quotes(outcomeIndex === 0 ? (price ?? 0) : 1 - (price ?? 0));
      const traded = price === null ? null : outcomeIndex === 0 ? price : 1 - price;
      return {
        tokenId: tokenOf(n, outcomeIndex),
        outcomeIndex,
        label,
        price: decimal(last),
        lastTradePrice: decimal(traded),
        bestBid: decimal(bestBid),
        bestAsk: decimal(bestAsk),
      };
    }),
  };
}
