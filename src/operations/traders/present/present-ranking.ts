import type { z } from "zod";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import type { DataQualityGroup } from "../../data-quality.ts";
import { computedTrust, missingTrust, type Trust } from "../../trust.ts";
import { explainGrade } from "./explain-grade.ts";
import type { TRUSTED_VALUES, Trader } from "../schemas/schemas.ts";

/** The source column of each ranking figure. */
const OWNERS = {
  grade: "traders.grade",
  score: "traders.score",
  forecast_score: "traders.forecast_score",
  forecast_evidence: "traders.forecast_evidence",
} as const;

const RANK_OWNER = "leaderboard_entries.rank";

const NEVER_GRADED = "no settled bet of the trader has been counted yet";

const UNGRADED: Record<NonNullable<TraderRow["ungraded_reason"]>, string> = {
  population_unknown: "too few traders have settled bets to compare with",
  too_few_markets: "the trader has settled bets in too few events",
  too_little_information: "the trader's settled bets were too small or too certain to separate skill from luck",
};

/** Grade, score, forecast and rank. Missing values are omitted. */
export function presentRanking(row: TraderRow): Pick<z.input<typeof Trader>, keyof typeof OWNERS | "rank"> {
  return {
    ...(row.grade === null ? {} : { grade: row.grade }),
    ...(row.score === null ? {} : { score: row.score }),
    ...(row.forecast_score === null ? {} : { forecast_score: row.forecast_score }),
    ...(row.forecast_evidence === null ? {} : { forecast_evidence: row.forecast_evidence }),
    ...(row.rank === null ? {} : { rank: row.rank }),
  };
}

/** The data-quality groups of an address that is not in the database. */
export const UNKNOWN_RANKING: readonly DataQualityGroup[] = [
  { group: "ranking", owner: OWNERS.grade, status: "untracked", reason: NEVER_GRADED },
  { group: "leaderboard_rank", owner: RANK_OWNER, status: "untracked", reason: NEVER_GRADED },
];

/** `as_of` of the ranking is the time of its last publication. */
export function rankingQuality(row: TraderRow): DataQualityGroup[] {
  const ranking: DataQualityGroup =
    row.graded_at === null
      ? { group: "ranking", owner: OWNERS.grade, status: "untracked", reason: NEVER_GRADED }
      : { group: "ranking", owner: OWNERS.grade, status: "fresh", as_of: row.graded_at };
  const rank: DataQualityGroup =
    row.rank === null || row.ranked_at === null
      ? { group: "leaderboard_rank", owner: RANK_OWNER, status: "untracked", reason: rankMissingReason(row) }
      : { group: "leaderboard_rank", owner: RANK_OWNER, status: "fresh", as_of: row.ranked_at };
  return [ranking, rank];
}

/** @returns null for values that are not part of the ranking */
export function rankingTrust(row: TraderRow, name: (typeof TRUSTED_VALUES)[number]): Trust | null {
  if (name === "rank") {
    return row.rank === null
      ? missingTrust(RANK_OWNER, "not_computed", rankMissingReason(row))
      : computedTrust(RANK_OWNER, row.ranked_at);
  }
  if (!isRankingFigure(name)) return null;
  if (row[name] === null) return missingTrust(OWNERS[name], "not_computed", gradeMissingReason(row));
  const trust = computedTrust(OWNERS[name], row.graded_at);
  return row.grade_basis === null
    ? trust
    : { ...trust, reconciliation: { ...trust.reconciliation, detail: explainGrade(row.grade_basis) } };
}

const isRankingFigure = (name: string): name is keyof typeof OWNERS => name in OWNERS;

const gradeMissingReason = (row: TraderRow): string =>
  row.ungraded_reason === null ? NEVER_GRADED : UNGRADED[row.ungraded_reason];

function rankMissingReason(row: TraderRow): string {
  if (row.grade === null) return gradeMissingReason(row);
  if (row.grade === "C" || row.grade === "D" || row.grade === "F") return "only grades S, A and B are ranked";
  return "the leaderboard ranks only the first thousand traders whose history in ordinary markets is known";
}
