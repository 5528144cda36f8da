import type { Game, GameTeam } from "../../provider-world.ts";
import type { EventPlan, MarketPlan } from "./event-plan.ts";
import type { Random } from "../random.ts";
import { runningScore } from "../running-score.ts";
import { isExtraGame } from "./schedule.ts";
import { LEAGUES, tagOf, type League } from "./topics.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

/** The fraction of all information that arrives before kick-off. */
const KNOWN_AT_KICKOFF = 0.12;

/** A game with moneyline, spread and total, from its listing to its result. */
export function planGame(number: number, opensMs: number, random: Random): EventPlan {
  const league = random.pick(LEAGUES);
  const home = random.pick(league.teams);
  const away = random.pick(league.teams.filter((team) => team !== home));
  const kickoffMs = Math.ceil((opensMs + random.between(6, 40) * HOUR_MS) / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
  const endedMs = kickoffMs + league.minutes * MINUTE_MS;
  const prior = random.between(0.2, 0.8);
  const awayWins = random.chance(prior);
  const points = finalPoints(league, random);
  const game = createGame({ number, league, home, away, kickoffMs, endedMs, awayWins, points, random });
  const total = points.winner + points.loser;
  const margin = points.winner - points.loser;
  const slug = `sim-${league.slug}-${number}`;
  const market = (
    fields: Pick<MarketPlan, "question" | "slug" | "outcomes" | "prior" | "happens" | "sportsMarketType" | "line">,
  ): MarketPlan => ({
    groupItemTitle: "",
    split: false,
    takerTrades: isExtraGame(number) ? random.integer(3, 9) : random.integer(12, 45),
    ...fields,
  });
  return {
    number,
    slug,
    title: `${away} vs. ${home}`,
    tags: ["sports", "games", league.slug, league.sport].map(tagOf),
    series: { id: String(9000 + LEAGUES.indexOf(league)), slug: `sim-${league.slug}` },
    feeRate: 0.05,
    opensMs,
    closesMs: endedMs + 3 * MINUTE_MS,
    resolvesMs: endedMs + random.between(10, 45) * MINUTE_MS,
    negRisk: false,
    game,
    markets: [
      market({
        question: `${away} vs. ${home}`,
        slug,
        outcomes: [away, home],
        prior,
        happens: awayWins,
        sportsMarketType: "moneyline",
        line: null,
      }),
      market({
        question: `Spread: ${away} (-1.5)`,
        slug: `${slug}-spread`,
        outcomes: [away, home],
        prior: prior * 0.7,
        happens: awayWins && margin > 1.5,
        sportsMarketType: "spreads",
        line: -1.5,
      }),
      market({
        question: `${away} vs. ${home}: O/U ${league.totalLine}`,
        slug: `${slug}-total`,
        outcomes: ["Over", "Under"],
        prior: 0.5,
        happens: total > league.totalLine,
        sportsMarketType: "totals",
        line: league.totalLine,
      }),
    ],
    progressAt(ms) {
      if (ms < kickoffMs) return (KNOWN_AT_KICKOFF * (ms - opensMs)) / (kickoffMs - opensMs);
      return KNOWN_AT_KICKOFF + ((1 - KNOWN_AT_KICKOFF) * (ms - kickoffMs)) / (endedMs - kickoffMs);
    },
  };
}

function finalPoints(league: League, random: Random): { winner: number; loser: number } {
  const winner = random.integer(...league.winnerPoints);
  return { winner, loser: Math.min(winner - 1, Math.max(0, winner - 1 - random.integer(0, Math.ceil(winner / 4)))) };
}

function createGame(facts: {
  number: number;
  league: League;
  home: string;
  away: string;
  kickoffMs: number;
  endedMs: number;
  awayWins: boolean;
  points: { winner: number; loser: number };
  random: Random;
}): Game {
  const { league, home, away, kickoffMs, endedMs, points } = facts;
  const final = facts.awayWins ? ([points.winner, points.loser] as const) : ([points.loser, points.winner] as const);
  return {
    gameId: facts.number,
    league: league.slug,
    home,
    away,
    kickoffMs,
    endedAtMs: endedMs,
    teams: [teamOf(league, away, "away"), teamOf(league, home, "home")],
    stateAt(ms) {
      if (ms < kickoffMs) return null;
      const share = Math.min((ms - kickoffMs) / (endedMs - kickoffMs), 1);
      const ended = share >= 1;
      const { score, period } = runningScore(league, final, share);
      return {
        score,
        period: ended && league.scoreFormat === undefined ? "FT" : period,
        elapsed: ended ? "" : String(Math.floor((ms - kickoffMs) / MINUTE_MS)),
        live: !ended,
        ended,
      };
    },
  };
}

/** The ids and short names are those of `/teams`. */
function teamOf(league: League, name: string, ordering: GameTeam["ordering"]): GameTeam {
  const index = league.teams.indexOf(name);
  return {
    name,
    ordering,
    providerId: LEAGUES.indexOf(league) * 100 + index,
    abbreviation: name.slice(0, 3).toLowerCase(),
    record: `${index}-${league.teams.length - index}`,
  };
}
