import { defineOperation } from "../../api/operation.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/holder-scans.ts";
import type { HoldersPage } from "../../queries/holders.ts";
import { findMarketContext } from "../../queries/market-context.ts";
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
    const asked = { window: WINDOW, mostHolders: TOP_HOLDERS, holdersMaxAgeSeconds: HOLDERS_MAX_AGE_SECONDS } as const;
    const found = await findMarketContext(db, parseMarketRef(params.condition_id), asked, now);
    if (found === null) throw unknownMarket();
    const { snapshot, flow, holders } = found;
    return renderMarketContext({
      snapshot: presentSnapshot(snapshot, now, true),
      flow: !flow.isSided || !isCovered(flow.feedReadAt, WINDOW, now) ? null : presentFlow(flow, WINDOW),
      holders: presentScanned(holders, now),
    });
  },
});

function presentScanned({ market, scan, totals, rows }: HoldersPage, now: Date): MarketContext["holders"] {
  if (scan === null || market.outcomes.some(({ index }) => index > 1)) return null;
  return {
    scan: presentHoldersScan(scan),
    totals: presentHoldersTotals(totals),
    top: rows.map((row) => presentHolder(row, market, now)),
  };
}
