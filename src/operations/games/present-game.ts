import type { z } from "zod";
import { priceMoneyline, type MoneylinePrices, type PriceProvenance } from "../../domain/games/moneyline-prices.ts";
import { DELAYED_AFTER_MS, UNAVAILABLE_AFTER_MS, type BoardHalf } from "../../domain/games/game-board.ts";
import { parseGameScore, type GameScore } from "../../domain/games/game-score.ts";
import { marketSideOf } from "../../domain/games/market-side.ts";
import { parseMatchStatus } from "../../domain/games/match-status.ts";
import { formatId } from "../../domain/ids.ts";
import type { BoardRow, GameMarketRow, GameRow } from "../../queries/games/game-rows.ts";
import type { Game, GamesCoverage } from "./schemas.ts";

type PublicGame = z.input<typeof Game>;
type PublicMarket = PublicGame["markets"][number];

export interface PresentContext {
  readonly board: BoardRow;
  readonly now: Date;
  readonly webBaseUrl: string;
}

export function presentGame(row: GameRow, { board, now, webBaseUrl }: PresentContext): PublicGame {
  const score = row.score === null ? null : parseGameScore(row.score);
  const matchStatus = parseMatchStatus(row.provider_status);
  const competitors = presentCompetitors(row, score);
  const markets = row.markets.map((market) => presentMarket(market, row, score));
  return {
    object: "game",
    event_slug: row.event_slug,
    game_id: row.provider_game_id,
    sport: row.sport,
    ...(row.league === null ? {} : { league: row.league }),
    ...(row.title === null ? {} : { title: row.title }),
    ...(row.scheduled_at === null ? {} : { scheduled_at: row.scheduled_at }),
    status: {
      state: row.state,
      ...(matchStatus === null ? {} : { match_status: matchStatus }),
      ...(row.provider_status === null ? {} : { provider_status: row.provider_status }),
      ...(row.period === null ? {} : { period: row.period }),
      ...(row.clock === null ? {} : { clock: row.clock }),
      ...(row.live === null ? {} : { live: row.live }),
      ended: row.state === "ended" || row.ended === true,
    },
    competitors,
    ...(row.series_format === null ? {} : { series_format: row.series_format }),
    draw_offered: markets.some(({ side }) => side === "draw"),
    markets,
    freshness: presentFreshness(row, board, now),
    coverage: {
      scores: competitors.some((competitor) => competitor.score !== undefined) ? "available" : "unavailable",
      competitors: competitorCoverage(row),
      schedule: row.scheduled_at === null ? "unavailable" : "available",
    },
    url: `${webBaseUrl}/games/${row.event_slug}`,
  };
}

function presentCompetitors({ competitors, score_first: first }: GameRow, score: GameScore | null) {
  const isBound = score !== null && first !== null && competitors.length === 2;
  return competitors.map(({ name, providerId, logo, record }, index) => ({
    name,
    ...(providerId === null ? {} : { provider_id: providerId }),
    ...(logo === null ? {} : { logo }),
    ...(isBound ? { score: score.sides[index === first ? 0 : 1].text } : {}),
    ...(record === null ? {} : { record }),
  }));
}

function competitorCoverage({ competitors }: GameRow): PublicGame["coverage"]["competitors"] {
  if (competitors.length === 0) return "unavailable";
  return competitors.every(({ providerId }) => providerId !== null) ? "provider_ids" : "labels";
}

function presentMarket(market: GameMarketRow, game: GameRow, score: GameScore | null): PublicMarket {
  const [yes = null, no = null] = market.outcomes.map(({ label }) => label);
  const sided = { marketType: market.market_type, slug: market.slug, title: market.title, label: yes };
  const side = marketSideOf(sided, game.competitors);
  // Three-way moneylines are yes-or-no questions: their second outcome is not the other side.
  const isMoneyline = market.market_type === "moneyline" && yes?.toLowerCase() !== "yes";
  return {
    id: formatId("market", market.id),
    condition_id: market.condition_id,
    platform: "polymarket",
    ...(market.slug === null ? {} : { slug: market.slug }),
    ...(market.market_type === null ? {} : { sports_market_type: market.market_type }),
    ...(side === null ? {} : { side }),
    ...(yes === null ? {} : { outcome_yes: yes }),
    ...(no === null ? {} : { outcome_no: no }),
    ...(market.outcomes.length === 0 ? {} : { outcome_token_ids: market.outcomes.map((outcome) => outcome.token_id) }),
    ...(isMoneyline && yes !== null ? { prices: presentPrices(market, game, score) } : {}),
  };
}

function presentPrices(
  market: GameMarketRow,
  game: GameRow,
  score: GameScore | null,
): NonNullable<PublicMarket["prices"]> {
  const provenance = choosePrices(market);
  const isDisplay = provenance === "clob_display";
  const prices = priceMoneyline({
    outcomes: market.outcomes.map((outcome) => ({
      label: outcome.label ?? "",
      price: isDisplay ? outcome.display_price : outcome.price,
    })),
    provenance,
    competitors: game.competitors,
    final: game.state === "ended" ? finalOf(game, score) : null,
  });
  return {
    provider: presentProviderPrices(prices),
    observed_at: isDisplay ? oldestDisplay(market) : market.figures_as_of,
    observation_source: isDisplay ? "clob_display" : "board_snapshot",
  };
}

/** The live books of both outcomes where they are newer than the provider's listed prices. */
function choosePrices({ outcomes, figures_as_of: listedAt }: GameMarketRow): PriceProvenance {
  const hasListed = listedAt !== null && outcomes.some(({ price }) => price !== null);
  const displayed = outcomes.filter((outcome) => outcome.display_price !== null);
  if (!hasListed) return displayed.length > 0 ? "clob_display" : "gamma_outcome_prices";
  const isNewer = displayed.every((outcome) => outcome.display_as_of !== null && outcome.display_as_of > listedAt);
  return displayed.length === outcomes.length && displayed.length > 0 && isNewer
    ? "clob_display"
    : "gamma_outcome_prices";
}

const oldestDisplay = ({ outcomes }: GameMarketRow): string | null =>
  outcomes
    .flatMap((outcome) => outcome.display_as_of ?? [])
    .toSorted()
    .at(0) ?? null;

function finalOf({ score_first: first }: GameRow, score: GameScore | null) {
  if (score === null || first === null) return { isScoreKnown: false, winner: null };
  return { isScoreKnown: true, winner: score.leader === null ? null : score.leader === 0 ? first : 1 - first };
}

function presentProviderPrices(prices: MoneylinePrices): NonNullable<PublicMarket["prices"]>["provider"] {
  if (prices.state === "paired") {
    const [a, b] = prices.sides.map(({ providerId, label, price, provenance }) => ({
      ...(providerId === null ? {} : { provider_id: providerId }),
      label,
      price,
      price_provenance: provenance,
    }));
    if (a === undefined || b === undefined) throw new Error("a moneyline has two sides");
    return {
      state: "paired",
      competitor_a: a,
      competitor_b: b,
      competitor_a_is_yes: prices.binding.firstIsYes,
      binding_provenance: prices.binding.provenance,
    };
  }
  const { binding } = prices;
  const [a = null, b = null] = binding?.providerIds ?? [];
  const bound = {
    ...(binding === null ? {} : { competitor_a_is_yes: binding.firstIsYes, binding_provenance: binding.provenance }),
    ...(a === null ? {} : { competitor_a_provider_id: a }),
    ...(b === null ? {} : { competitor_b_provider_id: b }),
  };
  return prices.state === "incomplete"
    ? { state: "incomplete", reason: prices.reason, ...bound }
    : { state: "invalid", reason: prices.reason, ...bound };
}

function presentFreshness(row: GameRow, board: BoardRow, now: Date): PublicGame["freshness"] {
  const half = halfOf(row);
  const { readMs, ageMs, isAvailable } = readOf(half, board, now);
  const isDelayed = ageMs === null || ageMs > DELAYED_AFTER_MS[half];
  return {
    source: half,
    source_status: isAvailable ? "ok" : "unavailable",
    source_availability: isAvailable ? "available" : "unavailable",
    source_freshness: isAvailable ? (isDelayed ? "stale" : "fresh") : "unknown",
    ...(readMs === null ? {} : { source_observed_at: new Date(readMs).toISOString() }),
    ...(ageMs === null || !isAvailable ? {} : { source_age_seconds: Math.floor(ageMs / 1000) }),
    delayed: isDelayed,
    ...(row.scores_observed_at === null ? {} : { scores_observed_at: row.scores_observed_at }),
    ...(row.scores_source_at === null ? {} : { scores_source_at: row.scores_source_at }),
  };
}

const halfOf = ({ state, live }: GameRow): BoardHalf =>
  state === "live" || state === "paused" || live === true ? "live" : "upcoming";

function readOf(half: BoardHalf, board: BoardRow, now: Date) {
  const readMs = half === "live" ? board.live_read_ms : board.upcoming_read_ms;
  const ageMs = readMs === null ? null : Math.max(0, now.getTime() - readMs);
  return { readMs, ageMs, isAvailable: ageMs !== null && ageMs <= UNAVAILABLE_AFTER_MS };
}

/** @returns null before the board was read for the first time */
export function presentGamesCoverage(board: BoardRow, now: Date): z.input<typeof GamesCoverage> | null {
  const { sports, leagues } = board;
  if (sports === null || leagues === null || board.upcoming_read_ms === null) return null;
  const halves = (["live", "upcoming"] as const).filter((half) => !readOf(half, board, now).isAvailable);
  return {
    sports,
    leagues,
    sources_unavailable: sports.flatMap((sport) => halves.map((half) => `${sport}:${half}`)),
  };
}
