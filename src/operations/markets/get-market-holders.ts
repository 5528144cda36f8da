import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam } from "../../api/params.ts";
import { isCombination } from "../../domain/ids.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/holder-scans.ts";
import { findMarketHolders, HOLDER_GRADES, type HoldersPage } from "../../queries/holders.ts";
import { MarketHolder, MarketHoldersMarket, MarketHoldersScan, MarketHoldersTotals } from "./holder-schemas.ts";
import { MarketSegment, parseMarketRef, unknownMarket } from "./market-ref.ts";
import { presentHolder, presentHoldersMarket, presentHoldersScan, presentHoldersTotals } from "./present-holders.ts";

/** How many rows come before the page: a place in the list, whichever scan it is from. */
const Position = z.object({ offset: z.number().int().min(0).max(1_000_000) });

const CACHE_SECONDS = 5;
/** What a first scan usually takes. */
const SCAN_SECONDS = 10;
const OUTCOME_INDEX = { yes: 0, no: 1, all: null } as const;

/** After how long each an answer looks again for a scan that others do: about ten seconds in all. */
const LOOKS_MS = [150, 200, 300, 450, 700, 1_000, 1_500, 2_500, 3_500];

const isUnscanned = (page: HoldersPage | null): page is HoldersPage => page?.scan === null && isScanned(page);
/** Whether the market's holders are ever scanned. */
const isScanned = ({ market }: HoldersPage) => !isCombination(market.condition_id) && market.outcomes.every(({ index }) => index <= 1);

export const getMarketHolders = defineOperation({
  kind: "list",
  id: "getMarketHolders",
  method: "get",
  path: "/api/v1/market/{condition_id}/holders",
  tag: "Markets",
  summary: "List the graded wallets that hold a market.",
  description:
    "Wallets graded S, A or B now, from a whole scan of everybody who holds the market: most valuable first, then by shares, then by address. A market that nobody has asked for lately is scanned first: 503, to be repeated after Retry-After. A cursor is a place in the list and stays good when the scan is renewed; the page size may change.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketSegment },
  query: {
    outcome: enumParam(["yes", "no", "all"], "all").meta({
      description: "Only wallets listed on this side, where they hold more shares: yes is the market's first outcome, no its second.",
      example: "yes",
    }),
    min_grade: enumParam(HOLDER_GRADES, "B").meta({
      description: "Only wallets of this grade or a better one; S is the best.",
      example: "A",
    }),
    limit: limitParam({ max: 100, default: 20 }),
  },
  reasons: ["bad_request", "not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: CACHE_SECONDS,
  mcpTool: "get_market_holders",
  item: MarketHolder,
  cursor: { prefix: "mh_", position: Position },
  topLevel: {
    total: z.int().meta({ description: "Holders that pass the filters, on all pages.", example: 4 }),
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
    // An answer may be served again from the cache, and is no younger for it.
    const age = { now, maxAgeSeconds: HOLDERS_MAX_AGE_SECONDS - CACHE_SECONDS };
    const find = () => findMarketHolders(db, parseMarketRef(params.condition_id), filters, { offset, limit: query.limit }, age);
    let page = await find();
    // The first to ask for a market starts its scan and answers as soon as it has ended; others who ask meanwhile look for it.
    let scanned = isUnscanned(page) ? holderScanner.scan(page.market.id) : null;
    for (const lookMs of LOOKS_MS) {
      if (!isUnscanned(page)) break;
      const hasEnded: boolean = await Promise.race([
        wait(lookMs).then(() => false),
        ...(scanned === null ? [] : [scanned.then(() => true)]),
      ]);
      if (hasEnded) scanned = null;
      page = await find();
    }
    if (page === null) throw unknownMarket();
    const { market, scan, total } = page;
    if (!isScanned(page)) {
      throw new ApiError("not_found", {
        param: "condition_id",
        message: "Holders are listed of markets with two outcomes, and of no combination of markets.",
      });
    }
    if (scan === null) {
      throw new ApiError("read_model_warming", { message: "The market's holders are being scanned.", retryAfterSeconds: SCAN_SECONDS });
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
