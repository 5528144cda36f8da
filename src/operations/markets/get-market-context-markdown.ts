import { defineOperation } from "../../api/operation.ts";
import { HOLDERS_MAX_AGE_SECONDS } from "../../domain/markets/holder-scans.ts";
import type { HoldersPage } from "../../queries/markets/market-holders.ts";
import { findMarketContext } from "../../queries/markets/market-context.ts";
import { isWindowCovered } from "./flow-coverage.ts";
import { MarketParam, parseMarketRef, marketNotFound } from "./market-param.ts";
import { presentMarketFlow } from "./present/present-market-flow.ts";
import { presentHolder, presentHoldersScan, presentHoldersTotals } from "./present/present-holders.ts";
import { presentSnapshot } from "./present/present-snapshot.ts";
import { renderMarketContext, type MarketContextDocument } from "./present/render-market-context.ts";

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
    "Contains the snapshot with trust, the large-trade flow of the last 24 hours and the graded holders, if they " +
    "were scanned within the last three minutes. All data is in JSON blocks. Errors are JSON responses.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { condition_id: MarketParam },
  query: {},
  reasons: ["bad_request", "not_found"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  async handle({ params }, { db, now }) {
    const options = {
      window: WINDOW,
      mostHolders: TOP_HOLDERS,
      holdersMaxAgeSeconds: HOLDERS_MAX_AGE_SECONDS,
    } as const;
    const found = await findMarketContext(db, parseMarketRef(params.condition_id), options, now);
    if (found === null) throw marketNotFound();
    const { snapshot, flow, holders } = found;
    return renderMarketContext({
      snapshot: presentSnapshot(snapshot, now, true),
      flow: !flow.isSided || !isWindowCovered(flow.feedReadAt, WINDOW, now) ? null : presentMarketFlow(flow, WINDOW),
      holders: presentHolders(holders, now),
    });
  },
});

function presentHolders({ market, scan, totals, rows }: HoldersPage, now: Date): MarketContextDocument["holders"] {
  if (scan === null || market.outcomes.some(({ index }) => index > 1)) return null;
  return {
    scan: presentHoldersScan(scan),
    totals: presentHoldersTotals(totals),
    top: rows.map((row) => presentHolder(row, market, now)),
  };
}
