import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam } from "../../api/request/query-params.ts";
import { formatId } from "../../domain/ids.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import { presentFloat } from "../../domain/present-float.ts";
import { traderCompleteness } from "../../domain/traders/trader-completeness.ts";
import { listTrending, type TrendingRow } from "../../queries/trades/leaderboard.ts";
import { sliceRankedPage, RankedCursorPosition } from "../ranked-page.ts";
import { presentCompleteness } from "../trust.ts";
import { presentCorrection } from "../traders/present/present-correction.ts";
import { TrendingTrader } from "./schemas.ts";

export const listTrendingTraders = defineOperation({
  kind: "list",
  id: "listTrendingWallets",
  method: "get",
  path: "/api/v1/leaderboard/trending",
  tag: "Leaderboard",
  summary: "List the provider's weekly or monthly profit leaderboard.",
  description:
    "Traders on the provider's leaderboard in the provider's order, at most 50, with figures from our own records " +
    "for the window. All pages of one walk come from the same version of the leaderboard.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 50, default: 20 }),
    window: enumParam(["7d", "30d"], "7d").meta({
      description: "Which leaderboard of the provider: weekly (7d) or monthly (30d).",
      example: "30d",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 30,
  cacheTags: ["trending"],
  mcpTool: "get_trending_wallets",
  item: TrendingTrader,
  cursor: { prefix: "trv1_", position: RankedCursorPosition, bindsLimit: true },
  topLevel: { total: z.int().meta({ description: "Traders on the leaderboard.", example: 50 }) },
  async handle({ query, cursor }, { db, now }) {
    const page = sliceRankedPage(
      await listTrending(db, query.window, now, { cursor: cursor, limit: query.limit }),
      query.limit,
      cursor,
    );
    return { data: page.rows.map(present), next: page.next, topLevel: { total: page.total } };
  },
});

function present(row: TrendingRow): z.input<typeof TrendingTrader> {
  const correction = presentCorrection(row.provider_figures);
  const shares = presentDecimal(row.provider_volume_shares, 2);
  return {
    id: formatId("trader", row.trader_id),
    address: row.address,
    rank: row.rank,
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.profile_image === null ? {} : { profile_image_url: row.profile_image }),
    platform: "polymarket",
    trending_pnl_usd: presentDecimal(row.provider_pnl, 2),
    ...(row.window_volume_micro === null ? {} : { window_volume_usd: presentUsd(row.window_volume_micro) }),
    ...(shares === null ? {} : { window_volume_shares: shares }),
    window_markets_traded: row.window_markets_traded,
    window_trade_days: row.window_trade_days,
    ...(row.grade === null ? {} : { grade: row.grade }),
    ...(row.streak_tier === null ? {} : { streak_tier: row.streak_tier }),
    ...(row.net_micro === null ? {} : { all_time_pnl_usd: presentUsd(row.net_micro) }),
    ...(row.net_micro === null || row.valued_at === null ? {} : { all_time_pnl_as_of: row.valued_at }),
    ...(correction === null ? {} : { pnl_correction: correction }),
    completeness: presentCompleteness(traderCompleteness(row)),
    ...(row.score === null ? {} : { all_time_score: presentFloat(row.score, 2) }),
    ...(row.synced_at === null ? {} : { last_synced: row.synced_at }),
    daily_pnl_series: row.daily_pnl.map((day) => ({ date: day.date, pnl_usd: presentUsd(day.pnl_micro) })),
  };
}
