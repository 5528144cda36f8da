import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, numberParam, textParam } from "../../api/request/query-params.ts";
import { parseCsvRecord } from "../../domain/reports/csv-record.ts";
import { gradesFrom, GRADES } from "../../domain/traders/grades.ts";
import { listLargePositions as listRows } from "../../queries/positions/large-positions.ts";
import { sliceRankedPage, RankedCursorPosition } from "../ranked-page.ts";
import { MARKET_FILTER } from "../shared-params.ts";
import { LargePosition } from "./schemas/large-position-schemas.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { sortLargePositionsByValue, presentLargePosition } from "./present/present-large-position.ts";

export const listLargePositions = defineOperation({
  kind: "list",
  id: "listLargePositions",
  method: "get",
  path: "/api/v1/large-positions",
  tag: "Positions",
  summary: "List positions of graded traders worth 50,000 dollars or more in one market.",
  description:
    "Open positions of graded traders whose history in ordinary markets is known, both outcomes of a " +
    "market together, the most valuable first. A scan of the last 24 hours found them. Shares, prices and " +
    "values are current; page order and `min_size` use the values of the scan. Positions sold or settled " +
    "since the scan are omitted.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    min_size: numberParam({ min: 0 }).meta({
      description: "Minimum combined value in dollars. The default is 50,000, and a lower value has no effect.",
      example: 250_000,
    }),
    category: textParam().meta({
      description:
        "Only markets of these categories, as one CSV record (RFC 4180); a name that contains a comma " +
        "needs quotes. Case-insensitive. An unknown category matches nothing. All categories when omitted.",
      example: "Politics,Crypto",
    }),
    min_grade: enumParam(GRADES).meta({
      description:
        "Only traders with this grade or a better one when the list was built; S is the best, F the " +
        "worst. All graded traders when omitted.",
      example: "B",
    }),
    condition_id: textParam().meta(MARKET_FILTER),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  cacheTags: ["large_positions", "results"],
  mcpTool: "get_large_positions",
  item: LargePosition,
  cursor: { prefix: "lp_", position: RankedCursorPosition },
  topLevel: { total: z.int().meta({ description: "Positions that match the filters, on all pages.", example: 42 }) },
  async handle({ query, cursor }, { db, now }) {
    const filters = {
      minSizeUsd: query.min_size ?? 0,
      categories: query.category === null ? null : parseCategories(query.category),
      grades: gradesFrom(query.min_grade ?? "F"),
      market: query.condition_id === null ? null : parseMarketFilter(query.condition_id),
    };
    const found = await listRows(db, filters, { cursor: cursor, limit: query.limit }, now);
    const page = sliceRankedPage(found, query.limit, cursor);
    return {
      data: sortLargePositionsByValue(page.rows).map(presentLargePosition),
      next: page.next,
      topLevel: { total: page.total },
    };
  },
});

/** Text that is not a CSV record selects no category, so the list is empty. */
const parseCategories = (text: string): string[] =>
  (parseCsvRecord(text) ?? []).map((category) => category.toLowerCase());
