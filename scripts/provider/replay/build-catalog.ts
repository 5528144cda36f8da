import { z } from "zod";
import { GrowingCatalog } from "../catalog.ts";
import type { Game, GameTeam, Market, MarketEvent, Tag } from "../provider-world.ts";
import { tagsOfGame } from "./game-tags.ts";
import { generatedGameId, generatedObjectId, generatedToken } from "./generated-ids.ts";
import type { EventDraft, MarketDraft } from "./market-drafts.ts";
import type { Recording } from "./recording.ts";

/** The label of an outcome that no file names. */
const UNRECORDED_LABEL = "(unrecorded)";
const OPPOSITES: Record<string, string> = {
  Yes: "No",
  No: "Yes",
  Over: "Under",
  Under: "Over",
  Up: "Down",
  Down: "Up",
};

/**
 * The markets and events of a recording. Ids and slugs that no file has are derived and marked as generated.
 *
 * @param lastTradeMs the last trade of each condition: the only bound when a resolution's time is not
 *   recorded
 */
export function buildCatalog(recording: Recording, lastTradeMs: ReadonlyMap<string, number>): GrowingCatalog {
  const catalog = new GrowingCatalog();
  const { drafts } = recording;
  const byEvent = Map.groupBy(drafts.markets.values(), eventSlugOf);
  for (const [slug, markets] of byEvent) {
    const event = buildEvent(drafts.event(slug), markets);
    for (const draft of markets)
      event.markets.push(buildMarket(draft, event, lastTradeMs.get(draft.conditionId) ?? null));
    catalog.addEvent(event);
  }
  for (const frame of recording.gameFrames) {
    const event = eventOfFrame(frame);
    if (event !== null) catalog.addEvent(event);
  }
  return catalog;
}

const unrecordedSlug = (draft: MarketDraft) => `replay-unrecorded-${draft.conditionId.slice(2, 26)}`;

const eventSlugOf = (draft: MarketDraft) => draft.eventSlug || draft.slug || unrecordedSlug(draft);

function buildEvent(draft: EventDraft, markets: readonly MarketDraft[]): MarketEvent {
  const first = markets[0];
  const closings = markets.map((market) =>
    market.closed ? (market.closedAtMs ?? market.resolvedAtMs ?? market.endAtMs ?? 0) : null,
  );
  const allClosed = closings.every((closing) => closing !== null);
  return {
    id: draft.id || generatedObjectId("event", draft.slug),
    slug: draft.slug,
    title: draft.title || (first?.question ?? ""),
    image: first?.icon ?? "",
    tags: tagsOf(draft, first),
    series: draft.series,
    createdAtMs: null,
    startAtMs: first?.startAtMs ?? null,
    endAtMs: first?.endAtMs ?? null,
    closedAtMs: allClosed ? Math.max(...closings.map((closing) => closing ?? 0)) : null,
    negRisk: markets.some((market) => market.negRisk),
    negRiskMarketId: "",
    game: draft.game === null ? null : gameOf(draft),
    markets: [],
    recorded: draft.recorded,
  };
}

/** Recorded tags of the event or of its first market; else, for a game, those of its league. */
function tagsOf({ tags, game }: EventDraft, first: MarketDraft | undefined): readonly Tag[] {
  const recorded = tags.length > 0 ? tags : (first?.tags ?? []);
  return recorded.length === 0 && game !== null ? tagsOfGame(game.league) : recorded;
}

/** A game without a recorded live state. */
function gameOf(draft: EventDraft): Game | null {
  if (draft.game === null) return null;
  const { home, away } = draft.game;
  return {
    ...draft.game,
    gameId: generatedGameId(draft.slug),
    endedAtMs: null,
    teams: teamsOf(home, away),
    stateAt: () => null,
  };
}

const teamsOf = (home: string, away: string): readonly GameTeam[] =>
  [[away, "away"] as const, [home, "home"] as const].map(([name, ordering]) => ({
    name,
    ordering,
    providerId: null,
    abbreviation: null,
    record: null,
  }));

const FrameOfGame = z.object({
  gameId: z.number(),
  leagueAbbreviation: z.string(),
  homeTeam: z.string(),
  awayTeam: z.string(),
  score: z.string(),
  period: z.string().default(""),
  elapsed: z.string().default(""),
  live: z.boolean(),
  ended: z.boolean(),
  eventState: z.object({ type: z.string() }).optional(),
});

/**
 * The event of a recorded frame of the score socket. Recorded are its game, its teams and its state, which stays
 * as it is; slug and ids are generated, and it has neither a kickoff nor markets.
 */
function eventOfFrame(value: Record<string, unknown>): MarketEvent | null {
  const frame = FrameOfGame.safeParse(value);
  if (!frame.success) return null;
  const { gameId, homeTeam, awayTeam, leagueAbbreviation, score, period, elapsed, live, ended, eventState } =
    frame.data;
  const slug = `replay-game-${gameId}`;
  const league = leagueAbbreviation.toLowerCase();
  return {
    id: generatedObjectId("event", slug),
    slug,
    title: `${homeTeam} vs. ${awayTeam}`,
    image: "",
    tags: tagsOfGame(league, eventState?.type),
    series: null,
    createdAtMs: null,
    startAtMs: null,
    endAtMs: null,
    closedAtMs: null,
    negRisk: false,
    negRiskMarketId: "",
    game: {
      gameId,
      league,
      home: homeTeam,
      away: awayTeam,
      kickoffMs: null,
      endedAtMs: null,
      // A recorded score begins with the frame's home team.
      teams: teamsOf(homeTeam, awayTeam).toReversed(),
      stateAt: () => ({ score, period, elapsed, live, ended }),
    },
    markets: [],
    recorded: null,
  };
}

function buildMarket(draft: MarketDraft, event: MarketEvent, lastTradeMs: number | null): Market {
  const resolvedBy = draft.resolvedAtMs ?? draft.closedAtMs ?? Math.max(lastTradeMs ?? 0, draft.endAtMs ?? 0);
  const payouts = draft.hasGuessedOutcome ? null : draft.payoutsPpm;
  return {
    id: draft.id || generatedObjectId("market", draft.conditionId),
    conditionId: draft.conditionId,
    slug: draft.slug || unrecordedSlug(draft),
    question: draft.question || `(unrecorded market ${draft.conditionId.slice(0, 14)})`,
    description: draft.description,
    icon: draft.icon,
    ...outcomesOf(draft),
    event,
    groupItemTitle: "",
    createdAtMs: null,
    startAtMs: draft.startAtMs,
    endAtMs: draft.endAtMs,
    closedAtMs: draft.closed ? (draft.closedAtMs ?? resolvedBy) : null,
    resolution:
      payouts === null ? null : { payoutsPpm: payouts, atMs: resolvedBy, timeKnown: draft.resolvedAtMs !== null },
    sportsMarketType: draft.sportsMarketType,
    line: null,
    feeRate: null,
    recorded: draft.recorded,
    recordedClob: draft.recordedClob,
  };
}

/** At least two outcomes; a market that Gamma recorded without tokens has none. */
function outcomesOf(draft: MarketDraft): { outcomes: readonly string[]; tokenIds: readonly string[] } {
  const gammaWithoutTokens = draft.recorded?.["clobTokenIds"] === "[]" && draft.tokenIds.length === 0;
  const count = Math.max(gammaWithoutTokens ? 0 : 2, draft.labels.length, draft.tokenIds.length);
  const indexes = Array.from({ length: count }, (_, index) => index);
  const outcomes = indexes.map(
    (index) => draft.labels[index] ?? OPPOSITES[draft.labels[1 - index] ?? ""] ?? UNRECORDED_LABEL,
  );
  const tokenIds = gammaWithoutTokens
    ? []
    : indexes.map((index) => draft.tokenIds[index] ?? generatedToken(draft.conditionId, index));
  return { outcomes, tokenIds };
}
