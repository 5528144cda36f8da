import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/request/query-params.ts";
import { normalizeLeaderboardCategory } from "../../domain/categories/categories.ts";
import { formatId } from "../../domain/ids.ts";
import { presentUsd } from "../../domain/money.ts";
import { presentShare } from "../../domain/present-share.ts";
import { STRATEGIES } from "../../domain/traders/strategies.ts";
import { listLeaderboard as listRows, type LeaderboardRow } from "../../queries/trades/leaderboard.ts";
import { sliceRankedPage, RankedCursorPosition } from "../ranked-page.ts";
import { presentRankedCompleteness } from "../trust.ts";
import { presentLeaderboardCorrection, presentProviderPnl } from "../traders/present/present-correction.ts";
import { LeaderboardEntry } from "./schemas.ts";

export const listLeaderboard = defineOperation({
  kind: "list",
  id: "listLeaderboard",
  method: "get",
  path: "/api/v1/leaderboard",
  tag: "Leaderboard",
  summary: "Rank traders by score.",
  description:
    "Ranks traders by score, overall or within one category. Only traders with grade S, A or B and a known " +
    "history in ordinary markets are ranked. All pages of one walk use the grades and scores of the same " +
    "generation. The list is empty until enough traders have settled bets for grades to exist.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    category: textParam().meta({
      description:
        "Ranks within this category instead of overall. Spelled as in responses; politics, culture, " +
        "science and business are also accepted in other spellings and cases. A category without ranked " +
        "traders returns an empty list.",
      example: "Politics",
    }),
    strategy: enumParam(STRATEGIES).meta({
      description: "Only traders with this trading style now. All when left out.",
      example: "diversified",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 30,
  cacheTags: ["leaderboard"],
  staleWhileRevalidate: true,
  mcpTool: "get_leaderboard",
  item: LeaderboardEntry,
  cursor: { prefix: "lbv1_", position: RankedCursorPosition },
  topLevel: { total: z.int().meta({ description: "Traders that match the filters, on all pages.", example: 1_000 }) },
  meta: {
    ranking_generation: z
      .int()
      .meta({ description: "Number of the ranking generation that the page comes from.", example: 512 }),
    ranking_as_of: z.iso
      .datetime()
      .meta({ description: "When that generation was built, UTC.", example: "2026-11-20T11:55:00.000Z" }),
  },
  async handle({ query, cursor }, { db, now }) {
    const category = query.category === null ? "" : normalizeLeaderboardCategory(query.category);
    const filter = { strategy: query.strategy, now };
    const page = sliceRankedPage(
      await listRows(db, category, filter, { cursor: cursor, limit: query.limit }),
      query.limit,
      cursor,
    );
    const meta = { ranking_generation: page.generation.id, ranking_as_of: page.generation.built_at };
    return { data: page.rows.map(present), next: page.next, topLevel: { total: page.total }, meta };
  },
});

function present(row: LeaderboardRow): z.input<typeof LeaderboardEntry> {
  const pnl = presentProviderPnl(row.provider_figures);
  const correction = presentLeaderboardCorrection(row.provider_figures);
  return {
    id: formatId("trader", row.trader_id),
    address: row.address,
    ...(row.username === null ? {} : { username: row.username }),
    grade: row.grade,
    ...(row.streak_tier === null ? {} : { streak_tier: row.streak_tier }),
    score: row.score,
    ...(pnl === null ? {} : { pnl }),
    ...(correction === null ? {} : { pnl_correction: correction }),
    realized_pnl: presentUsd(row.realized_micro),
    volume: presentUsd(row.volume_micro),
    markets_traded: row.markets_traded,
    ...presentWinRate(row.markets_won, row.markets_decided),
    ...(row.strategy === null ? {} : { strategy_type: row.strategy }),
    completeness: presentRankedCompleteness(row),
    platform: "polymarket",
    ...(row.last_at === null ? {} : { last_active: row.last_at }),
  };
}

/** Win rate: a fraction with four decimals. Left out when no market is decided or the counts are unknown. */
function presentWinRate(won: number | null, decided: number | null): { win_rate?: number } {
  return won === null || decided === null || decided === 0 ? {} : { win_rate: presentShare(won, decided) };
}
