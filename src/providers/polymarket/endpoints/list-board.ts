import type { Page, ProviderBoardRow } from "../../../ports/provider.ts";
import { toBoardRow } from "../mapping/board.ts";
import { BoardRow } from "../payloads/board.ts";
import { collectPages } from "./collect-pages.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** The most the provider gives. */
const ROWS = 1000;

/** The top of the P&L board, in as many pages as `limit` takes. */
export async function listBoard(source: Source, period: "week" | "month", limit: number): Promise<Page<ProviderBoardRow>> {
  const query = { time_period: period, category: "overall", sort_by: "PNL", limit: Math.min(limit, ROWS) };
  const { rows, misfits } = await collectPages(
    (cursor) => readDataPage(source, { route: "data.other", path: "/v2/leaderboard", query, cursor, schema: BoardRow, map: toBoardRow }),
    limit,
  );
  return { rows: rows.slice(0, limit), nextCursor: null, misfits };
}
