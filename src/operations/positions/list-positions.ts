import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import {
  enumParam,
  limitParam,
  textListParam,
  textParam,
  numberParamWithDocumentedDefault,
} from "../../api/request/query-params.ts";
import { gradesFrom, GRADES } from "../../domain/traders/grades.ts";
import { listPositions as listRows } from "../../queries/positions/list-positions.ts";
import { MIN_LISTED_USD, type PositionFilters } from "../../queries/positions/filters.ts";
import { DataQuality } from "../data-quality.ts";
import { EXACT_CATEGORY_FILTER, MARKET_FILTER, MIN_GRADE_FILTER } from "../shared-params.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { cursorAfter, sortByCurrentValue, liveCursorOf, PositionCursor } from "./position-cursor.ts";
import { presentPosition } from "./present/present-position.ts";
import { presentPositionQuality, presentUnlisted, openPositionTotal } from "./present/present-position-quality.ts";
import { readPositionSnapshot } from "./read-position-snapshot.ts";
import { Position, PositionSnapshotInfo, UnlistedPositions } from "./schemas/schemas.ts";
import { parseTraderName, unknownTraderName } from "./present/trader-name.ts";

const MAX_TRADERS = 25;

const QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  consistency: enumParam(["live", "snapshot"], "live").meta({
    description:
      "live: each page shows the current positions. snapshot: all pages show the positions at the time of " +
      "the first page; requires `wallet`, otherwise 400.",
    example: "snapshot",
  }),
  min_size: numberParamWithDocumentedDefault(MIN_LISTED_USD).meta({
    description:
      "Minimum value in dollars, compared in cents (half a cent rounds up). The default is 100, or no " +
      "minimum with `wallet`. A value below 100 applies only with `wallet` or `condition_id`.",
    example: 1000,
  }),
  category: textParam().meta(EXACT_CATEGORY_FILTER),
  condition_id: textParam().meta(MARKET_FILTER),
  wallet: textListParam({ max: MAX_TRADERS }).meta({
    description:
      "Only these traders, each by address, trd_ id or username; put @ before a username that looks like " +
      "an address or an id. An unknown trader is 404. When omitted, all traders whose complete activity is known.",
    example: ["trd_12"],
  }),
  min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
  side: enumParam(["yes", "no"]).meta({
    description:
      "Only positions on this side: yes is the first outcome of the market, no the second one. Both when omitted.",
    example: "yes",
  }),
};

export const listPositions = defineOperation({
  kind: "list",
  id: "listPositions",
  method: "get",
  path: "/api/v1/positions",
  tag: "Positions",
  summary: "List open positions, the most valuable first.",
  description:
    "Open positions that have a price, ordered by current value, then by address, market and outcome. A " +
    "value is the number of shares times the current price in the market snapshot. Page boundaries and " +
    "`min_size` use values that are a few seconds old. Positions in a resolved market are settled and not " +
    "listed; while the result is pending they are stale and valued at the last trade. Without `wallet`, " +
    "`min_size` defaults to 100; without `wallet` and `condition_id`, nothing below 100 dollars is " +
    "listed. Traders whose complete activity is not known are listed only when named, because recorded " +
    "fills alone do not determine their positions. Open positions without a value, and positions in " +
    "combinations of markets, are not listed: with `wallet` or `condition_id`, `meta.unlisted` counts " +
    "them. `consistency=snapshot` freezes the first 500 rows of the named traders for 5 minutes, one " +
    "snapshot per key; all its pages show the same time.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: QUERY,
  reasons: ["not_found", "cursor_expired"],
  conditional: true,
  // A snapshot belongs to one key, but cached responses are shared by all keys.
  cacheSeconds: 0,
  mcpTool: "get_positions",
  item: Position,
  cursor: { prefix: "pos_", position: PositionCursor },
  topLevel: {
    data_quality: DataQuality,
    total: z
      .int()
      .optional()
      .meta({
        description:
          "Positions on all pages. Without a minimum value it also counts the positions in `meta.unlisted`, " +
          "so it can be higher than the number of rows. Omitted when there are too many to count.",
        example: 42,
      }),
    snapshot: PositionSnapshotInfo.optional(),
  },
  meta: { unlisted: UnlistedPositions.optional() },
  async handle({ query, cursor }, context) {
    const { db, now } = context;
    const filters = toFilters(query);
    if (query.consistency === "snapshot")
      return readPositionSnapshot(filters, query.wallet ?? [], { cursor, limit: query.limit }, context);
    const page = await listRows(db, filters, { cursor: liveCursorOf(cursor), limit: query.limit }, now);
    if (page.unknownTraderIndex !== null) throw unknownTraderName(query.wallet?.[page.unknownTraderIndex]);
    const listed = page.rows.slice(0, query.limit);
    const last = page.rows.length > query.limit ? listed.at(-1) : undefined;
    const rows = sortByCurrentValue(listed);
    return {
      data: rows.map((row) => presentPosition(row, now)),
      next: last === undefined ? null : cursorAfter(last),
      topLevel: {
        data_quality: presentPositionQuality(rows, page, now),
        ...openPositionTotal(page, filters),
      },
      meta: presentUnlisted(page.unlisted),
    };
  },
});

type Query = { readonly [Name in keyof typeof QUERY]: z.output<(typeof QUERY)[Name]> };

function toFilters(query: Query): PositionFilters {
  const traders = query.wallet === null ? null : query.wallet.map(parseTraderName);
  const market = query.condition_id === null ? null : parseMarketFilter(query.condition_id);
  const requestedUsd = query.min_size ?? (traders === null ? MIN_LISTED_USD : 0);
  const floorUsd = traders === null && market === null ? MIN_LISTED_USD : 0;
  return {
    traders,
    market,
    category: query.category,
    grades: query.min_grade === null ? null : gradesFrom(query.min_grade),
    outcomeIndex: query.side === null ? null : query.side === "yes" ? 0 : 1,
    minSizeUsd: Math.max(floorUsd, requestedUsd),
  };
}
