import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { dateParam, enumListParam } from "../../api/params.ts";
import { findWalletPnl } from "../../queries/pnl-days.ts";
import { PNL_SECTIONS, TraderPnl } from "./pnl-schemas.ts";
import { presentPnl } from "./present-pnl.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./trader-ref.ts";

export const getTraderPnl = defineOperation({
  kind: "single",
  id: "getTraderPnl",
  method: "get",
  path: "/api/v1/trader/{address}/pnl",
  tag: "Traders",
  summary: "Read one wallet's realized profit by day, month and year.",
  description:
    "The whole curve of realized profit in ordinary markets with fees and rebates, its statistics and its drawdown; completeness says what profit leaves out. Volumes and counts of markets have combinations of markets too. from and to clip the days and their drawdown; totals and statistics are always those of the whole history.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    from: dateParam().meta({
      description: "First UTC day of `entries` and `drawdown`, included; later than `to` it is refused. From the first day when left out.",
      example: "2026-11-01",
    }),
    to: dateParam().meta({ description: "Last UTC day of both, included. Up to today when left out.", example: "2026-11-20" }),
    sections: enumListParam(PNL_SECTIONS).meta({ description: "Which parts to answer. All when left out.", example: ["entries", "stats"] }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_trader_pnl",
  object: "trader_pnl",
  data: TraderPnl,
  async handle({ params, query }, { db, now }) {
    if (query.from !== null && query.to !== null && query.from > query.to) {
      throw new ApiError("invalid_query", { param: "from", message: "from is later than to." });
    }
    const needsMarkets = query.sections === null || query.sections.includes("entries") || query.sections.includes("monthly");
    const wallet = await findWalletPnl(db, parseTraderRef(params.address), needsMarkets);
    if (wallet === null) throw unknownTrader();
    return { data: presentPnl(wallet, query, now.toISOString().slice(0, 10)) };
  },
});
