import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import {
  csvEnumParam,
  enumParam,
  factorParam,
  limitParam,
  numberParam,
  textParam,
} from "../../api/request/query-params.ts";
import { SPORT_FILTERS } from "../../domain/categories/sport-filters.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import {
  listComboFills as listRows,
  type ComboFillCursor,
  type ComboFillSort,
} from "../../queries/combos/list-combo-fills.ts";
import { presentComboCoverage } from "./present/present-combo-coverage.ts";
import { presentComboFills } from "./present/present-combo-fill.ts";
import { ComboCoverage } from "./schemas/coverage-schemas.ts";
import { ComboFill } from "./schemas/fill-schemas.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

const SORTS = ["recent", "largest", "payout"] as const;
const WINDOWS = ["24h", "7d", "all"] as const;
const WINDOW_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, all: null } as const;
const LEG_NUMBERS = { "2": 2, "3": 3, "4": 4, "5+": 5 } as const;
const MAX_OFFSET = 5_000;
const EXAMPLE_CURSOR = "1795176000:901";

export const listComboFills = defineOperation({
  kind: "list",
  id: "listComboFills",
  method: "get",
  path: "/api/v1/combos/fills",
  tag: "Combos",
  summary: "List fills of combos.",
  description:
    "Executions of combos at a price of 0.95 or less, newest or largest first. An execution is listed once, as the " +
    "fill of its taker; the makers' fills of it are not listed, and neither is a fill that the provider has not " +
    "shown as a taker's. `has_more` says that this page is full, so the last page may be empty. The provider's trade " +
    "feed has no block numbers: see `chain_position_known`.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    result: csvEnumParam(["pending", "won", "lost"]).meta({
      description: "Only combos with one of these statuses. Combos of unknown status match only without this filter.",
      example: "pending,won",
    }),
    legs: csvEnumParam(["2", "3", "4", "5+"]).meta({
      description: "Only combos with one of these numbers of legs. Combos whose legs are not known never match.",
      example: "2,5+",
    }),
    min_stake: numberParam({ min: 0, max: 1_000_000_000, integer: true, default: 0 }).meta({
      description: "Minimum `collateral_usdc`, in whole dollars, compared in cents.",
      example: 100,
    }),
    min_multiplier: factorParam({ max: 1_000_000 }).meta({
      description: "Minimum `payout_multiplier`. Sells have none and match only without this filter.",
      example: 5,
    }),
    grades: csvEnumParam(GRADES).meta({
      description: "Only traders whose current grade is one of these. Ungraded traders never match.",
      example: "S,A",
    }),
    sports: csvEnumParam(SPORT_FILTERS).meta({
      description:
        "Only combos with a leg in one of these sports or leagues, by the category and tags of the leg's market. A " +
        "leg whose sport is not known never matches.",
      example: "nba,soccer",
    }),
    sort: enumParam(SORTS, "recent").meta({
      description:
        "recent: newest first. largest: most dollars first. payout: buys only, the most shares first, which are the " +
        "dollars that the fill pays when its side wins.",
      example: "largest",
    }),
    window: enumParam(WINDOWS).meta({
      description: "Only fills of this time before now. Without it: all for recent, 24h for largest and payout.",
      example: "7d",
    }),
    limit: limitParam({ max: 200, default: 50 }),
    cursor: textParam().meta({
      description:
        "The `next_cursor` of the previous page, or `block_number:log_index` of any fill: only fills before it, in " +
        "the order recent. Omitted or empty: the first page. Another form, a cursor with another order, and a " +
        "block and log index that no fill has, are refused with 400.",
      example: EXAMPLE_CURSOR,
    }),
    offset: numberParam({ min: 0, max: MAX_OFFSET, integer: true, default: 0 }).meta({
      description:
        "The `next_offset` of the previous page, for the orders largest and payout. Above 0 it is refused with 400 " +
        "in the order recent. Fills that arrive between two pages move the following ones.",
      example: 50,
    }),
  },
  reasons: ["invalid_query", "cursor_expired"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_combo_fills",
  item: ComboFill,
  cursor: null,
  plainCursor: {
    description:
      "Send it as `cursor` to get the next page. Only in the order recent; left out when `has_more` is false.",
    example: EXAMPLE_CURSOR,
  },
  topLevel: {
    sort: z.enum(SORTS).meta({ description: "The order of the list.", example: "recent" }),
    window: z.enum(WINDOWS).meta({ description: "The window of the list.", example: "all" }),
    limit: z.int().min(1).max(200).meta({ description: "Maximum number of fills of this page.", example: 50 }),
    coverage: ComboCoverage,
    next_offset: z
      .int()
      .optional()
      .meta({
        description:
          "Send it as `offset` to get the next page. Only in the orders largest and payout; left out when `has_more` " +
          "is false.",
        example: 50,
      }),
  },
  async handle({ query }, { db, now }) {
    const { sort, limit, offset } = query;
    const cursor = parseCursor(query.cursor, sort);
    if (sort === "recent" && offset > 0)
      throw new ApiError("invalid_query", { param: "offset", message: "The order recent is paged with cursor." });
    const window = query.window ?? (sort === "recent" ? "all" : "24h");
    const span = WINDOW_MS[window];
    const page = await listRows(
      db,
      {
        results: query.result,
        legs: query.legs?.map((number) => LEG_NUMBERS[number]) ?? null,
        minStakeUsd: query.min_stake,
        minMultiplier: query.min_multiplier,
        grades: query.grades,
        sports: query.sports,
        since: span === null ? null : new Date(now.getTime() - span),
      },
      { sort, limit, cursor, offset },
      now,
    );
    if (!page.is_cursor_known) throw new ApiError("cursor_expired", { param: "cursor", message: NO_FILL });
    const data = presentComboFills(page, now);
    const last = data.at(-1);
    const nextOffset = offset + limit;
    const isFull = data.length === limit && last !== undefined;
    const hasMore = isFull && (sort === "recent" || nextOffset <= MAX_OFFSET);
    return {
      data,
      next: null,
      paging:
        hasMore && sort === "recent"
          ? { has_more: true, next_cursor: `${last.block_number}:${last.log_index}` }
          : { has_more: hasMore },
      topLevel: {
        sort,
        window,
        limit,
        coverage: presentComboCoverage(page.coverage, now),
        ...(hasMore && sort !== "recent" ? { next_offset: nextOffset } : {}),
      },
    };
  },
});

const NO_FILL = "No fill has this block number and log index.";

/** A smaller number is a block, of which the chain has a tenth as many, and a larger one is a Unix second. */
const FIRST_SECOND = 1_000_000_000;
const MAX_LOG_INDEX = 2 ** 31 - 1;

/** @throws ApiError invalid_query for a text of another form, and for any cursor in the ranked orders */
function parseCursor(text: string | null, sort: ComboFillSort): ComboFillCursor | null {
  if (text === null || text === "") return null;
  const [, block, index] = /^(\d{1,11}):(\d{1,15})$/.exec(text) ?? [];
  const [blockNumber, logIndex] = [Number(block), Number(index)];
  const isLog = blockNumber < FIRST_SECOND;
  if (block === undefined || (isLog && logIndex > MAX_LOG_INDEX))
    throw new ApiError("invalid_query", { param: "cursor", message: "cursor must be block_number:log_index." });
  if (sort !== "recent")
    throw new ApiError("invalid_query", { param: "cursor", message: `The order ${sort} is paged with offset.` });
  return isLog ? { blockNumber, logIndex } : { seconds: blockNumber, id: logIndex };
}
