import { utcDate } from "../../scoring/utc-calendar.ts";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { dateParam, enumListParam } from "../../api/request/query-params.ts";
import { findTraderPnlCurve } from "../../queries/traders/pnl-days.ts";
import { PNL_SECTIONS, TraderPnl } from "./schemas/pnl-schemas.ts";
import { presentPnlHistory } from "./present/present-pnl-history.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./parse-trader-ref.ts";

export const getTraderPnl = defineOperation({
  kind: "single",
  id: "getTraderPnl",
  method: "get",
  path: "/api/v1/trader/{address}/pnl",
  tag: "Traders",
  summary: "Get one trader's realized profit by day, month and year.",
  description:
    "Returns the curve of realized profit including fees and rebates, its statistics " +
    "and its drawdown; `completeness` says what the profit excludes. Volumes and market counts include " +
    "combinations of markets with unknown legs. `from` and `to` limit the days of `entries` and `drawdown`; totals and " +
    "statistics always cover the whole history.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    from: dateParam().meta({
      description:
        "First UTC day of `entries` and `drawdown`, inclusive. A day after `to` is 400. Defaults to the " +
        "first recorded day.",
      example: "2026-11-01",
    }),
    to: dateParam().meta({
      description: "Last UTC day of `entries` and `drawdown`, inclusive. Defaults to today.",
      example: "2026-11-20",
    }),
    sections: enumListParam(PNL_SECTIONS).meta({
      description: "Sections to return. All when omitted.",
      example: ["entries", "stats"],
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_trader_pnl",
  object: "trader_pnl",
  data: TraderPnl,
  async handle({ params, query }, { db, now }) {
    if (query.from !== null && query.to !== null && query.from > query.to) {
      throw new ApiError("invalid_query", { param: "from", message: "from is after to." });
    }
    const needsMarkets =
      query.sections === null || query.sections.includes("entries") || query.sections.includes("monthly");
    const trader = await findTraderPnlCurve(db, parseTraderRef(params.address), needsMarkets);
    if (trader === null) throw unknownTrader();
    return { data: presentPnlHistory(trader, query, utcDate(now.getTime())) };
  },
});
