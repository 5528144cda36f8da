import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam } from "../../api/request/query-params.ts";
import { isCombination } from "../../domain/ids.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/markets/holder-scans.ts";
import { findMarketHolders, HOLDER_GRADES, type HoldersPage } from "../../queries/markets/market-holders.ts";
import { MarketHolder, MarketHoldersMarket, MarketHoldersScan, MarketHoldersTotals } from "./schemas/holder-schemas.ts";
import { MarketParam, parseMarketRef, marketNotFound } from "./market-param.ts";
import {
  presentHolder,
  presentHoldersMarket,
  presentHoldersScan,
  presentHoldersTotals,
} from "./present/present-holders.ts";

/** Offset in the list, valid for any scan. */
const CursorPosition = z.object({ offset: z.number().int().min(0).max(1_000_000) });

const CACHE_SECONDS = 5;
/** Usual duration of a first scan. */
const SCAN_SECONDS = 10;
const OUTCOME_INDEX = { yes: 0, no: 1, all: null } as const;

/** Delays between checks for a scan that another request runs: about ten seconds in all. */
const SCAN_POLL_DELAYS_MS = [150, 200, 300, 450, 700, 1_000, 1_500, 2_500, 3_500];

const isScanMissing = (page: HoldersPage | null): page is HoldersPage => page?.scan === null && isScannable(page);
/** Whether the market's holders can be scanned: two outcomes, and not a combination of markets. */
const isScannable = ({ market }: HoldersPage) =>
  !isCombination(market.condition_id) && market.outcomes.every(({ index }) => index <= 1);

export const getMarketHolders = defineOperation({
  kind: "list",
  id: "getMarketHolders",
  method: "get",
  path: "/api/v1/market/{condition_id}/holders",
  tag: "Markets",
  summary: "List the graded holders of a market.",
  description:
    "Lists traders with a current grade of S, A or B, from a complete scan of all holders of the market: most " +
    "valuable first, then by shares, then by address. A market that was not requested recently is scanned first: " +
    "the response is 503, retry after Retry-After. A cursor is an offset in the list and stays valid when the " +
    "scan is renewed; the page size can change between pages.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketParam },
  query: {
    outcome: enumParam(["yes", "no", "all"], "all").meta({
      description:
        "Only traders listed on this side, the side where they hold more shares: yes is the first outcome of " +
        "the market, no the second.",
      example: "yes",
    }),
    min_grade: enumParam(HOLDER_GRADES, "B").meta({
      description: "Only traders with this grade or a better one; S is the best.",
      example: "A",
    }),
    limit: limitParam({ max: 100, default: 20 }),
  },
  reasons: ["bad_request", "not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: CACHE_SECONDS,
  mcpTool: "get_market_holders",
  item: MarketHolder,
  cursor: { prefix: "mh_", position: CursorPosition },
  topLevel: {
    total: z.int().meta({ description: "Holders that match the filters, on all pages.", example: 4 }),
    market: MarketHoldersMarket,
    scan: MarketHoldersScan,
    totals: MarketHoldersTotals,
  },
  async handle({ params, query, cursor }, { db, now, wait, holderScanner }) {
    const offset = cursor?.offset ?? 0;
    const filters = {
      outcomeIndex: OUTCOME_INDEX[query.outcome],
      grades: HOLDER_GRADES.slice(0, HOLDER_GRADES.indexOf(query.min_grade) + 1),
    };
    // A response can be served from the cache later, so the cache time counts toward its maximum age.
    const age = { now, maxAgeSeconds: HOLDERS_MAX_AGE_SECONDS - CACHE_SECONDS };
    const find = () =>
      findMarketHolders(db, parseMarketRef(params.condition_id), filters, { offset, limit: query.limit }, age);
    let page = await find();
    // The first request for a market starts its scan and responds when the scan ends; concurrent requests
    // poll for it.
    let runningScan = isScanMissing(page) ? holderScanner.scan(page.market.id) : null;
    for (const delayMs of SCAN_POLL_DELAYS_MS) {
      if (!isScanMissing(page)) break;
      const hasEnded: boolean = await Promise.race([
        wait(delayMs).then(() => false),
        ...(runningScan === null ? [] : [runningScan.then(() => true)]),
      ]);
      if (hasEnded) runningScan = null;
      page = await find();
    }
    if (page === null) throw marketNotFound();
    const { market, scan, total } = page;
    if (!isScannable(page)) {
      throw new ApiError("not_found", {
        param: "condition_id",
        message: "Holders are available only for markets with two outcomes, and not for combinations of markets.",
      });
    }
    if (scan === null) {
      throw new ApiError("read_model_warming", {
        message: "The market's holders are being scanned.",
        retryAfterSeconds: SCAN_SECONDS,
      });
    }
    const end = offset + page.rows.length;
    return {
      data: page.rows.map((row) => presentHolder(row, market, now)),
      next: end < total && page.rows.length > 0 ? { offset: end } : null,
      topLevel: {
        total,
        market: presentHoldersMarket(market),
        scan: presentHoldersScan(scan),
        totals: presentHoldersTotals(page.totals),
      },
    };
  },
});
