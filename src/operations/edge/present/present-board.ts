import type { z } from "zod";
import { EDGE_MAX_AGE_SECONDS, EDGE_SPORTS, type EdgeSport } from "../../../domain/edge/edge-snapshot.ts";
import type { EdgeBoard, EdgeSnapshot } from "../../../queries/edge/edge-entries.ts";
import { IN_PLAY_SERVED_SECONDS, isLate, isOlderThan } from "../snapshot-age.ts";
import type { EdgeBoardSport } from "../schemas/board-schemas.ts";
import { presentSportFunnel } from "./present-funnel.ts";

type Board = z.input<typeof EdgeBoardSport>;

/** One item for each sport of the category, or for every sport. */
export function presentBoard({ preGame, inPlay, counts }: EdgeBoard, category: string | null, now: Date): Board[] {
  const current = usable(preGame, now);
  const live = inPlay === null || isOlderThan(inPlay, IN_PLAY_SERVED_SECONDS, now) ? null : inPlay;
  const countOf = (sport: EdgeSport, cohort: EdgeBoard["counts"][number]["cohort"]) =>
    counts.find((row) => row.sport === sport && row.cohort === cohort)?.rows ?? 0;
  return EDGE_SPORTS.filter((sport) => category === null || sport === category).map((sport) => ({
    sport,
    pre_game_as_of: current?.builtAt ?? null,
    in_play_as_of: live?.builtAt ?? null,
    pre_game_degraded: current === null ? null : current.is_degraded || isLate(current, "pre_game", now),
    in_play_degraded: live?.is_degraded ?? null,
    signals: current === null ? null : countOf(sport, "signal"),
    wider_holders: current === null ? null : countOf(sport, "wider_holder"),
    emerging_piles: current === null ? null : countOf(sport, "emerging_pile"),
    in_play: live === null ? null : countOf(sport, "in_play"),
    pre_game_funnel: funnelOf(current, sport),
    in_play_funnel: funnelOf(live, sport),
  }));
}

const usable = (snapshot: EdgeSnapshot | null, now: Date): EdgeSnapshot | null =>
  snapshot === null || isOlderThan(snapshot, EDGE_MAX_AGE_SECONDS, now) ? null : snapshot;

function funnelOf(snapshot: EdgeSnapshot | null, sport: EdgeSport): Board["pre_game_funnel"] {
  const stored = snapshot?.funnel.find((one) => one.sport === sport);
  return stored === undefined ? null : presentSportFunnel(stored);
}
