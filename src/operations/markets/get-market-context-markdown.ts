import { defineOperation } from "../../api/operation.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/holder-scans.ts";
import { findMarketHolders, HOLDER_GRADES, type HoldersPage } from "../../queries/holders.ts";
import { findMarketFlow } from "../../queries/market-flow.ts";
import { findMarketSnapshot } from "../../queries/markets.ts";
import { isCovered } from "./covered-from.ts";
import { MarketSegment, parseMarketRef, unknownMarket } from "./market-ref.ts";
import { presentFlow } from "./present-flow.ts";
import { presentHolder, presentHoldersScan, presentHoldersTotals } from "./present-holders.ts";
import { presentSnapshot } from "./present-snapshot.ts";
import { renderMarketContext, type MarketContext } from "./render-market-context.ts";

const WINDOW = "24h";
const TOP_HOLDERS = 10;

export const getMarketContextMarkdown = defineOperation({
  kind: "text",
  id: "getMarketContextMarkdown",
  method: "get",
  path: "/api/v1/market/{condition_id}/context.md",
  tag: "Markets",
  summary: "Read a market's context as a Markdown document.",
  description:
    "Its snapshot with trust, the large-trade flow of the last 24 hours and, when they were scanned in the last three minutes, its graded holders. All data stands in JSON blocks. Its errors are JSON.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketSegment },
  query: {},
  reasons: ["bad_request", "not_found"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  async handle({ params }, { db, now }) {
    const ref = parseMarketRef(params.condition_id);
    const [snapshot, flow, holders] = await Promise.all([
      findMarketSnapshot(db, ref),
      findMarketFlow(db, ref, WINDOW, now),
      findMarketHolders(db, ref, ALL_HOLDERS, { offset: 0, limit: TOP_HOLDERS }, { now, maxAgeSeconds: HOLDERS_MAX_AGE_SECONDS }),
    ]);
    if (snapshot === null) throw unknownMarket();
    return renderMarketContext({
      snapshot: presentSnapshot(snapshot, now, true),
      flow: flow === null || !flow.isSided || !isCovered(flow.feedReadAt, WINDOW, now) ? null : presentFlow(flow, WINDOW),
      holders: holders === null ? null : presentScanned(holders, now),
    });
  },
});

const ALL_HOLDERS = { outcomeIndex: null, grades: HOLDER_GRADES };

function presentScanned({ market, scan, totals, rows }: HoldersPage, now: Date): MarketContext["holders"] {
  if (scan === null || market.outcomes.some(({ index }) => index > 1)) return null;
  return {
    scan: presentHoldersScan(scan),
    totals: presentHoldersTotals(totals),
    top: rows.map((row) => presentHolder(row, market, now)),
  };
}
