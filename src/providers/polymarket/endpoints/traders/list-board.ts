import type { ProviderPage, ProviderLeaderboardRow } from "../../../../platform/provider.ts";
import { toBoardRow } from "../../mapping/traders/board.ts";
import { BoardRow } from "../../payloads/traders/board.ts";
import { collectPages } from "../collect-pages.ts";
import { readDataPage } from "../data-page.ts";
import type { Source } from "../source.ts";

/** Maximum page size of the provider. */
const PAGE_ROWS = 1000;

/** Reads the top `limit` rows of the P&L leaderboard, in as many pages as needed. */
export async function listBoard(
  source: Source,
  period: "week" | "month",
  limit: number,
): Promise<ProviderPage<ProviderLeaderboardRow>> {
  const query = { time_period: period, category: "overall", sort_by: "PNL", limit: Math.min(limit, PAGE_ROWS) };
  const { rows, quarantined } = await collectPages(
    (cursor) =>
      readDataPage(source, {
        route: "data.other",
        path: "/v2/leaderboard",
        query,
        cursor,
        schema: BoardRow,
        map: toBoardRow,
      }),
    limit,
  );
  return { rows: rows.slice(0, limit), nextCursor: null, quarantined };
}
