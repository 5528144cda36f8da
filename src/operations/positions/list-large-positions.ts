import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, numberParam, textParam } from "../../api/params.ts";
import { parseCsvRecord } from "../../domain/csv-record.ts";
import { gradesFrom, GRADES } from "../../domain/grades.ts";
import { listLargePositions as listRows } from "../../queries/large-positions.ts";
import { cutPage, RankedPosition } from "../ranked-page.ts";
import { MARKET_FILTER } from "../param-words.ts";
import { LargePosition } from "./large-position-schemas.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { byShownValue, presentLargePosition } from "./present-large-position.ts";

export const listLargePositions = defineOperation({
  kind: "list",
  id: "listLargePositions",
  method: "get",
  path: "/api/v1/large-positions",
  tag: "Positions",
  summary: "List what graded wallets hold in one market that is worth 50,000 dollars or more.",
  description:
    "Open holdings of graded wallets whose history in ordinary markets is known, both outcomes of a market together, the most valuable first, as the scan of the last 24 hours saw them. Shares, prices and values are those of now; pages and min_size go by the values of the scan. What has been sold or settled since is left out.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    min_size: numberParam({ min: 0 }).meta({
      description: "Least combined value in dollars. Less than 50,000 changes nothing, which is also what counts when left out.",
      example: 250_000,
    }),
    category: textParam().meta({
      description:
        "Only markets of these categories: one CSV record (RFC 4180), so a name with a comma stands in quotes. Upper and lower case are the same; a name that no market has lists nothing. All when left out.",
      example: "Politics,Crypto",
    }),
    min_grade: enumParam(GRADES).meta({
      description:
        "Only wallets of this grade or a better one when the list was built; S is the best, F the worst. All graded wallets when left out.",
      example: "B",
    }),
    condition_id: textParam().meta(MARKET_FILTER),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  restsOn: ["large_positions", "results"],
  mcpTool: "get_large_positions",
  item: LargePosition,
  cursor: { prefix: "lp_", position: RankedPosition },
  topLevel: { total: z.int().meta({ description: "Rows of the whole list.", example: 42 }) },
  async handle({ query, cursor }, { db, now }) {
    const filters = {
      minSizeUsd: query.min_size ?? 0,
      categories: query.category === null ? null : parseCategories(query.category),
      grades: gradesFrom(query.min_grade ?? "F"),
      market: query.condition_id === null ? null : parseMarketFilter(query.condition_id),
    };
    const found = await listRows(db, filters, { place: cursor, limit: query.limit }, now);
    const page = cutPage(found, query.limit, cursor);
    return { data: byShownValue(page.rows).map(presentLargePosition), next: page.next, topLevel: { total: page.total } };
  },
});

/** What is no CSV record counts as one category that nothing has. */
const parseCategories = (text: string): string[] => (parseCsvRecord(text) ?? []).map((category) => category.toLowerCase());
