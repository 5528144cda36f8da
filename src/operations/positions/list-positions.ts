import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textListParam, textParam, yieldingNumberParam } from "../../api/params.ts";
import { gradesFrom, GRADES } from "../../domain/grades.ts";
import { listPositions as listRows } from "../../queries/positions/list-positions.ts";
import { LEAST_LISTED_USD, type PositionFilters } from "../../queries/positions/filters.ts";
import { DataQuality } from "../data-quality.ts";
import { EXACT_CATEGORY_FILTER, MARKET_FILTER, MIN_GRADE_FILTER } from "../param-words.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { cursorAfter, inShownOrder, placeOf, PositionCursor } from "./position-place.ts";
import { presentPosition } from "./present-position.ts";
import { presentPositionQuality, presentUnlisted, totalHeld } from "./present-quality.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { Position, SnapshotInfo, UnlistedPositions } from "./schemas.ts";
import { parseWalletName, unknownWallet } from "./wallet-name.ts";

const MOST_WALLETS = 25;

const QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  consistency: enumParam(["live", "snapshot"], "live").meta({
    description:
      "live: each page shows what is held now. snapshot: all pages show the moment of the first one; it needs `wallet`, and is refused without.",
    example: "snapshot",
  }),
  min_size: yieldingNumberParam(LEAST_LISTED_USD).meta({
    description:
      "Least value in dollars; half a cent and more counts as a cent. When left out 100, and with `wallet` no bound. Below 100 it counts only with `wallet` or `condition_id`.",
    example: 1000,
  }),
  category: textParam().meta(EXACT_CATEGORY_FILTER),
  condition_id: textParam().meta(MARKET_FILTER),
  wallet: textListParam({ max: MOST_WALLETS }).meta({
    description:
      "Only these wallets, each by address, trd_ id or username (@ before it where it looks like one of them). One that nobody has is 404. All whose whole activity is known when left out.",
    example: ["trd_12"],
  }),
  min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
  side: enumParam(["yes", "no"]).meta({
    description: "Only positions on this side: yes is the market's first outcome, no its second. Both when left out.",
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
    "Open positions that have a price, by what they are worth now, then by wallet, market and outcome. Values are shares at the snapshot's current price; pages follow each other by values of a few seconds ago, which also count for min_size. Positions of a market that has resolved are settled, and not listed; while its result is awaited they are stale, and valued at the last trade. Without wallet, min_size is 100 unless given; without wallet and condition_id nothing below 100 dollars is listed. Wallets whose whole activity is not known are listed only when named: recorded fills alone do not say how much they hold. Open positions that have no value, and those in combinations of markets, are no rows: with wallet or condition_id meta.unlisted counts them. consistency=snapshot freezes the first 500 rows of the named wallets for 5 minutes, one snapshot a key; its pages all show that moment.",
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
    total: z.int().optional().meta({
      description:
        "Rows of the whole list; where no min_size holds also the open positions in meta.unlisted, so that it may be above the number of rows. Left out when they are too many to count.",
      example: 42,
    }),
    snapshot: SnapshotInfo.optional(),
  },
  meta: { unlisted: UnlistedPositions.optional() },
  async handle({ query, cursor }, context) {
    const { db, now } = context;
    const filters = toFilters(query);
    if (query.consistency === "snapshot") return readSnapshot(filters, query.wallet ?? [], { cursor, limit: query.limit }, context);
    const page = await listRows(db, filters, { place: placeOf(cursor), limit: query.limit }, now);
    if (page.unknownWallet !== null) throw unknownWallet(query.wallet?.[page.unknownWallet]);
    const listed = page.rows.slice(0, query.limit);
    const last = page.rows.length > query.limit ? listed.at(-1) : undefined;
    const rows = inShownOrder(listed);
    return {
      data: rows.map((row) => presentPosition(row, now)),
      next: last === undefined ? null : cursorAfter(last),
      topLevel: {
        data_quality: presentPositionQuality(rows, page, now),
        ...totalHeld(page, filters),
      },
      meta: presentUnlisted(page.unlisted),
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
    minSizeUsd: Math.max(least, asked),
  };
}
