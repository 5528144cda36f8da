import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/params.ts";
import { foldSection } from "../../domain/categories.ts";
import { formatId } from "../../domain/ids.ts";
import { presentUsd } from "../../domain/money.ts";
import { STRATEGIES } from "../../domain/strategies.ts";
import { listLeaderboard as listRows, type LeaderboardRow } from "../../queries/leaderboard.ts";
import { cutPage, RankedPosition } from "../ranked-page.ts";
import { presentFiguresCompleteness } from "../trust.ts";
import { presentListedCorrection, presentProviderPnl } from "../traders/present-correction.ts";
import { LeaderboardEntry } from "./schemas.ts";

export const listLeaderboard = defineOperation({
  kind: "list",
  id: "listLeaderboard",
  method: "get",
  path: "/api/v1/leaderboard",
  tag: "Leaderboard",
  summary: "Rank wallets by score.",
  description:
    "Ranks wallets of grade S, A or B whose history in ordinary markets is known by score, overall or within one category. A walk stays in the generation it began in, with its grades and scores. Empty until enough wallets have settled bets for grades to exist.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    category: textParam().meta({
      description:
        "Ranks within one category in place of all. Spelt as in answers; names of politics, culture, science and business are also taken in other spellings and cases. A category without ranked wallets gives an empty list.",
      example: "Politics",
    }),
    strategy: enumParam(STRATEGIES).meta({
      description: "Only wallets that trade in this way now. All when left out.",
      example: "diversified",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 30,
  restsOn: ["leaderboard"],
  whileRefreshed: true,
  mcpTool: "get_leaderboard",
  item: LeaderboardEntry,
  cursor: { prefix: "lbv1_", position: RankedPosition },
  topLevel: { total: z.int().meta({ description: "Wallets that pass the filters, on all pages.", example: 1_000 }) },
  meta: {
    ranking_generation: z.int().meta({ description: "Number of the ranking that the page is of.", example: 512 }),
    ranking_as_of: z.iso.datetime().meta({ description: "When it was built, UTC.", example: "2026-11-20T11:55:00.000Z" }),
  },
  async handle({ query, cursor }, { db, now }) {
    const category = query.category === null ? "" : foldSection(query.category);
    const filter = { strategy: query.strategy, now };
    const page = cutPage(await listRows(db, category, filter, { place: cursor, limit: query.limit }), query.limit, cursor);
    const meta = { ranking_generation: page.generation.id, ranking_as_of: page.generation.built_at };
    return { data: page.rows.map(present), next: page.next, topLevel: { total: page.total }, meta };
  },
});

function present(row: LeaderboardRow): z.input<typeof LeaderboardEntry> {
  const pnl = presentProviderPnl(row.provider_figures);
  const correction = presentListedCorrection(row.provider_figures);
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
    completeness: presentFiguresCompleteness(row),
    platform: "polymarket",
    ...(row.last_at === null ? {} : { last_active: row.last_at }),
  };
}

/** A fraction of four decimals; nothing while no market is decided, or when it is not known how many are. */
function presentWinRate(won: number | null, decided: number | null): { win_rate?: number } {
  return won === null || decided === null || decided === 0 ? {} : { win_rate: Math.trunc((won * 10_000) / decided) / 10_000 };
}
