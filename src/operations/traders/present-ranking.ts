import type { z } from "zod";
import type { TraderRow } from "../../queries/traders.ts";
import type { DataQualityGroup } from "../data-quality.ts";
import { computedTrust, missingTrust, type Trust } from "../trust.ts";
import { explainGrade } from "./explain-grade.ts";
import type { TRUSTED_VALUES, Trader } from "./schemas.ts";

/** Which column each figure of the ranking is served from. */
const OWNERS = {
  grade: "traders.grade",
  score: "traders.score",
  forecast_score: "traders.forecast_score",
  forecast_evidence: "traders.forecast_evidence",
} as const;

const RANK_OWNER = "leaderboard_entries.rank";

const NEVER_GRADED = "no settled bet of the wallet has been counted yet";

const UNGRADED: Record<NonNullable<TraderRow["ungraded_reason"]>, string> = {
  population_unknown: "too few wallets have settled bets to compare with",
  too_few_markets: "the wallet has settled bets in too few events",
  too_little_information: "the wallet's settled bets were too small or too sure to tell skill from luck",
};

/** Grade, score, forecast and rank, as far as the wallet has them. */
export function presentRanking(row: TraderRow): Pick<z.input<typeof Trader>, keyof typeof OWNERS | "rank"> {
  return {
    ...(row.grade === null ? {} : { grade: row.grade }),
    ...(row.score === null ? {} : { score: row.score }),
    ...(row.forecast_score === null ? {} : { forecast_score: row.forecast_score }),
    ...(row.forecast_evidence === null ? {} : { forecast_evidence: row.forecast_evidence }),
    ...(row.rank === null ? {} : { rank: row.rank }),
  };
}

/** The groups of a wallet nobody has seen. */
export const UNKNOWN_RANKING: readonly DataQualityGroup[] = [
  { group: "ranking", owner: OWNERS.grade, status: "untracked", reason: NEVER_GRADED },
  { group: "leaderboard_rank", owner: RANK_OWNER, status: "untracked", reason: NEVER_GRADED },
];

/** The ranking's clock is the last time its figures were published anew. */
export function rankingQuality(row: TraderRow): DataQualityGroup[] {
  const ranking: DataQualityGroup =
    row.graded_at === null
      ? { group: "ranking", owner: OWNERS.grade, status: "untracked", reason: NEVER_GRADED }
      : { group: "ranking", owner: OWNERS.grade, status: "fresh", as_of: row.graded_at };
  const rank: DataQualityGroup =
    row.rank === null || row.ranked_at === null
      ? { group: "leaderboard_rank", owner: RANK_OWNER, status: "untracked", reason: whyNoRank(row) }
      : { group: "leaderboard_rank", owner: RANK_OWNER, status: "fresh", as_of: row.ranked_at };
  return [ranking, rank];
}

/** @returns null for values that are no part of the ranking */
export function rankingTrust(row: TraderRow, name: (typeof TRUSTED_VALUES)[number]): Trust | null {
  if (name === "rank") {
    return row.rank === null ? missingTrust(RANK_OWNER, "not_computed", whyNoRank(row)) : computedTrust(RANK_OWNER, row.ranked_at);
  }
  if (!isRankingFigure(name)) return null;
  if (row[name] === null) return missingTrust(OWNERS[name], "not_computed", whyNoGrade(row));
  const trust = computedTrust(OWNERS[name], row.graded_at);
  return row.grade_basis === null
    ? trust
    : { ...trust, reconciliation: { ...trust.reconciliation, detail: explainGrade(row.grade_basis) } };
}

const isRankingFigure = (name: string): name is keyof typeof OWNERS => name in OWNERS;

const whyNoGrade = (row: TraderRow): string => (row.ungraded_reason === null ? NEVER_GRADED : UNGRADED[row.ungraded_reason]);

function whyNoRank(row: TraderRow): string {
  if (row.grade === null) return whyNoGrade(row);
  if (row.grade === "C" || row.grade === "D" || row.grade === "F") return "only grades S, A and B are ranked";
  return "the leaderboard ranks its first thousand wallets whose history in ordinary markets is known";
}
