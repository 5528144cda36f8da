import { lowerBound } from "../../activity-log.ts";
import { positionIdsOf } from "../../combos.ts";
import type { Market, MarketEvent, ProviderWorld } from "../../provider-world.ts";

const iso = (ms: number | null) => (ms === null ? undefined : new Date(ms).toISOString());
/** `2026-04-05 19:37:33+00`: Gamma's second time format. */
const spaced = (ms: number | null) =>
  ms === null ? undefined : `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}+00`;

export const isClosed = (thing: { readonly closedAtMs: number | null }, now: number) =>
  thing.closedAtMs !== null && thing.closedAtMs <= now;
export const isCreated = (thing: { readonly createdAtMs: number | null }, now: number) =>
  thing.createdAtMs === null || thing.createdAtMs <= now;

export interface MarketFigures {
  /** Dollars; null when the source has no figure. */
  readonly volume: number | null;
  readonly volume24h: number | null;
  readonly liquidity: number | null;
}

const DAY = 86_400;

/**
 * Recorded figures. A generated world has every fill, so they are computed from takers' fills and the book.
 */
export function marketFiguresOf(world: ProviderWorld, market: Market): MarketFigures {
  if (world.kind === "replay") {
    const recorded = market.recorded ?? {};
    return {
      volume: numberOf(recorded["volumeNum"]),
      volume24h: numberOf(recorded["volume24hr"]),
      liquidity: numberOf(recorded["liquidityNum"]),
    };
  }
  const list = world.activity.ofCondition(market.conditionId);
  const horizon = world.feedHorizon();
  let volume = 0;
  let volume24h = 0;
  for (const row of list.slice(0, lowerBound(list, horizon, Number.POSITIVE_INFINITY))) {
    if (row.type !== "TRADE" || row.role !== "taker") continue;
    volume += row.size * row.price;
    if (row.timestamp > world.nowMs() / 1000 - DAY) volume24h += row.size * row.price;
  }
  const book = isClosed(market, world.nowMs()) ? null : world.findBook(market, 0);
  const levels = book === null ? null : [...book.bids, ...book.asks];
  const liquidity =
    levels === null ? null : levels.reduce((sum, level) => sum + Number(level.price) * Number(level.size), 0);
  return {
    volume: cents(volume),
    volume24h: cents(volume24h),
    liquidity: liquidity === null ? null : cents(liquidity),
  };
}

const cents = (value: number) => Math.round(value * 100) / 100;
const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

/** A market as in `/markets`. Recorded fields override derived ones. */
export function presentMarket(
  world: ProviderWorld,
  market: Market,
  options: { readonly tags: boolean; readonly event: boolean },
): Record<string, unknown> {
  const now = world.nowMs();
  const { event } = market;
  return {
    id: market.id,
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    description: market.description,
    icon: market.icon,
    image: market.icon,
    outcomes: JSON.stringify(market.outcomes),
    clobTokenIds: JSON.stringify(market.tokenIds),
    // A legacy market that may be a leg of combos has position ids beside its tokens.
    ...(world.kind === "simulate" ? { positionIds: positionIdsOf(market) } : {}),
    groupItemTitle: market.groupItemTitle,
    active: true,
    archived: false,
    restricted: true,
    enableOrderBook: true,
    negRisk: event.negRisk,
    ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId, negRiskOther: false } : {}),
    ...questionFields(world, market),
    createdAt: iso(market.createdAtMs),
    startDate: iso(market.startAtMs),
    endDate: iso(market.endAtMs),
    ...(market.feeRate === null
      ? {}
      : {
          feesEnabled: market.feeRate > 0,
          feeSchedule: { exponent: 1, rate: market.feeRate, takerOnly: true, rebateRate: 0.25 },
        }),
    ...sportsFields(market),
    ...stateFields(world, market, now),
    ...figureFields(marketFiguresOf(world, market)),
    ...market.recorded,
    ...(options.event ? { events: [presentEvent(world, event, { markets: false })] } : {}),
    ...(options.tags ? { tags: event.tags } : {}),
  };
}

/**
 * The question id of a generated group, where all questions are known. A recording has only some markets of a
 * group, so only recorded ids are shown.
 */
function questionFields(world: ProviderWorld, market: Market): Record<string, unknown> {
  const { negRisk, negRiskMarketId, markets } = market.event;
  if (world.kind === "replay" || !negRisk) return {};
  return { questionID: `${negRiskMarketId.slice(0, -2)}${markets.indexOf(market).toString(16).padStart(2, "0")}` };
}

function sportsFields({ sportsMarketType, line, event }: Market): Record<string, unknown> {
  if (sportsMarketType === null) return {};
  return {
    sportsMarketType,
    ...(line === null ? {} : { line }),
    ...(event.game === null ? {} : { gameId: String(event.game.gameId), gameStartTime: spaced(event.game.kickoffMs) }),
  };
}

/**
 * The fields that change as the market trades, closes and resolves. Quotes of closed markets stay frozen, as
 * at the provider.
 */
function stateFields(world: ProviderWorld, market: Market, now: number): Record<string, unknown> {
  const closed = isClosed(market, now);
  const resolved = market.resolution !== null && market.resolution.atMs <= now;
  const quote = world.findQuote(market, 0);
  const mid =
    quote === null ? null : quote.bid !== null && quote.ask !== null ? (quote.bid + quote.ask) / 2 : quote.last;
  const prices = resolved
    ? market.resolution?.payoutsPpm.map((ppm) => String(ppm / 1e6))
    : mid === null
      ? null
      : [mid, 1 - mid].map((price) => String(Math.round(price * 1e4) / 1e4));
  return {
    closed,
    acceptingOrders: !closed,
    closedTime: closed ? spaced(market.closedAtMs) : undefined,
    ...(prices ? { outcomePrices: JSON.stringify(prices) } : {}),
    ...(quote?.bid == null ? {} : { bestBid: quote.bid }),
    ...(quote?.ask == null ? {} : { bestAsk: quote.ask }),
    ...(quote?.bid == null || quote.ask === null ? {} : { spread: Math.round((quote.ask - quote.bid) * 1e4) / 1e4 }),
    ...(quote?.last == null ? {} : { lastTradePrice: quote.last }),
    umaResolutionStatus: resolved ? "resolved" : closed && market.resolution !== null ? "proposed" : undefined,
    umaResolutionStatuses: "[]",
  };
}

/** Gamma writes market volumes twice: as strings and as numbers. */
function figureFields({ volume, volume24h, liquidity }: MarketFigures): Record<string, unknown> {
  return {
    ...(volume === null ? {} : { volume: String(volume), volumeNum: volume, volumeClob: volume }),
    ...(volume24h === null ? {} : { volume24hr: volume24h, volume24hrClob: volume24h }),
    ...(liquidity === null ? {} : { liquidity: String(liquidity), liquidityNum: liquidity, liquidityClob: liquidity }),
  };
}

/** An event as in `/events`; `markets: false` omits the markets, as inside a market object. */
export function presentEvent(
  world: ProviderWorld,
  event: MarketEvent,
  options: { readonly markets: boolean },
): Record<string, unknown> {
  const now = world.nowMs();
  const closed = isClosed(event, now);
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    image: event.image,
    icon: event.image,
    active: true,
    closed,
    archived: false,
    createdAt: iso(event.createdAtMs),
    creationDate: iso(event.createdAtMs),
    startDate: iso(event.startAtMs),
    endDate: iso(event.endAtMs),
    closedTime: closed ? iso(event.closedAtMs) : undefined,
    negRisk: event.negRisk,
    enableNegRisk: event.negRisk,
    ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId } : {}),
    ...(event.series === null ? {} : { series: [event.series], seriesSlug: event.series.slug }),
    tags: event.tags,
    ...gameFields(event, now),
    ...event.recorded,
    ...(options.markets
      ? {
          ...totals(world, event),
          markets: event.markets.map((market) => presentMarket(world, market, { tags: false, event: false })),
        }
      : {}),
  };
}

/** Event volumes are numbers only. A recorded event keeps its recorded figures. */
function totals(world: ProviderWorld, event: MarketEvent): Record<string, unknown> {
  if (world.kind === "replay") return {};
  const figures = event.markets.map((market) => marketFiguresOf(world, market));
  const sum = (pick: (one: MarketFigures) => number | null) =>
    cents(figures.reduce((total, one) => total + (pick(one) ?? 0), 0));
  return {
    volume: sum((one) => one.volume),
    volume24hr: sum((one) => one.volume24h),
    liquidity: sum((one) => one.liquidity),
  };
}

function gameFields({ game }: MarketEvent, now: number): Record<string, unknown> {
  if (game === null) return {};
  const state = game.stateAt(now);
  return {
    gameId: game.gameId,
    startTime: iso(game.kickoffMs),
    eventDate: iso(game.kickoffMs)?.slice(0, 10),
    homeTeamName: game.home,
    awayTeamName: game.away,
    sport: { sport: game.league },
    teams: game.teams.map(({ providerId, abbreviation, record, ...team }) => ({
      ...team,
      league: game.league,
      ...(providerId === null ? {} : { id: providerId, providerId }),
      ...(abbreviation === null ? {} : { abbreviation }),
      ...(record === null ? {} : { record }),
    })),
    ...(state === null
      ? {}
      : { score: state.score, period: state.period, elapsed: state.elapsed, live: state.live, ended: state.ended }),
    ...(state?.ended === true && game.endedAtMs !== null ? { finishedTimestamp: iso(game.endedAtMs) } : {}),
  };
}
