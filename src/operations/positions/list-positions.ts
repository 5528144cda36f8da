import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textListParam, textParam, yieldingNumberParam } from "../../api/params.ts";
import { gradesFrom, GRADES } from "../../domain/grades.ts";
import { listPositions as listRows } from "../../queries/positions/list-positions.ts";
import { LEAST_LISTED_USD, type PositionFilters } from "../../queries/positions/filters.ts";
import { DataQuality } from "../data-quality.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { cursorAfter, placeOf, PositionCursor } from "./position-place.ts";
import { presentPosition } from "./present-position.ts";
import { presentPositionQuality } from "./present-quality.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { Position, SnapshotInfo } from "./schemas.ts";
import { parseWalletName, unknownWallet } from "./wallet-name.ts";

const MOST_WALLETS = 25;
/** Nothing is worth more; a larger bound means the same and would not fit the database's integers. */
const MOST_USD = 1e12;

const QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  consistency: enumParam(["live", "snapshot"], "live"),
  min_size: yieldingNumberParam(LEAST_LISTED_USD),
  category: textParam(),
  condition_id: textParam(),
  wallet: textListParam({ max: MOST_WALLETS }),
  min_grade: enumParam(GRADES),
  side: enumParam(["yes", "no"]),
};

export const listPositions = defineOperation({
  kind: "list",
  id: "listPositions",
  method: "get",
  path: "/api/v1/positions",
  tag: "Positions",
  summary: "List open positions, the most valuable first.",
  description:
    "Open positions that have a price, by what they are worth now, then by wallet, market and outcome. Without wallet, min_size is 100 unless given; without wallet and condition_id nothing below 100 dollars is listed. Where few positions pass category, min_grade or side, a page may have fewer rows than asked, even none, while has_more is true: the next one looks on. consistency=snapshot freezes the first 500 rows of the named wallets for 5 minutes, one snapshot a key; its pages all show that moment.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: QUERY,
  reasons: ["not_found", "cursor_expired"],
  conditional: true,
  // A snapshot belongs to one key, and answers are shared by all.
  cacheSeconds: 0,
  mcpTool: "get_positions",
  item: Position,
  cursor: { prefix: "pos_", position: PositionCursor },
  topLevel: {
    data_quality: DataQuality,
    total: z.int().optional().meta({ description: "Rows of the whole list; left out when they are too many to count.", example: 42 }),
    snapshot: SnapshotInfo.optional(),
  },
  async handle({ query, cursor }, context) {
    const { db, now } = context;
    const filters = toFilters(query);
    if (query.consistency === "snapshot") return readSnapshot(filters, query.wallet ?? [], { cursor, limit: query.limit }, context);
    const page = await listRows(db, filters, { place: placeOf(cursor), limit: query.limit }, now);
    if (page.unknownWallet !== null) throw unknownWallet(query.wallet?.[page.unknownWallet]);
    const rows = page.rows.slice(0, query.limit);
    const last = page.rows.length > query.limit ? rows.at(-1) : undefined;
    return {
      data: rows.map((row) => presentPosition(row, now)),
      next: last !== undefined ? cursorAfter(last) : page.walkEndMicro !== null ? { behind: page.walkEndMicro } : null,
      topLevel: {
        data_quality: presentPositionQuality(rows, page.clocks, now),
        ...(page.total === null ? {} : { total: page.total }),
      },
    };
  },
});

type Query = { readonly [Name in keyof typeof QUERY]: z.output<(typeof QUERY)[Name]> };

function toFilters(query: Query): PositionFilters {
  const wallets = query.wallet === null ? null : query.wallet.map(parseWalletName);
  const market = query.condition_id === null ? null : parseMarketFilter(query.condition_id);
  const asked = query.min_size ?? (wallets === null ? LEAST_LISTED_USD : 0);
  const least = wallets === null && market === null ? LEAST_LISTED_USD : 0;
  return {
    wallets,
    market,
    category: query.category,
    grades: query.min_grade === null ? null : gradesFrom(query.min_grade),
    outcomeIndex: query.side === null ? null : query.side === "yes" ? 0 : 1,
    minSizeUsd: Math.min(MOST_USD, Math.max(least, asked)),
  };
}
