import { defineOperation } from "../../api/operation.ts";
import { expandParam } from "../../api/params.ts";
import { findMarketSnapshot } from "../../queries/markets.ts";
import { MarketSegment, parseMarketRef, unknownMarket } from "./market-ref.ts";
import { presentSnapshot } from "./present-snapshot.ts";
import { MarketSnapshot } from "./snapshot-schemas.ts";

export const getMarketSnapshot = defineOperation({
  kind: "single",
  id: "getMarketSnapshot",
  method: "get",
  path: "/api/v1/market/{condition_id}/snapshot",
  tag: "Markets",
  summary: "Read one market with its outcomes' prices.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: { condition_id: MarketSegment },
  query: { expand: expandParam(["trust"]) },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_market_snapshot",
  object: "market_snapshot",
  data: MarketSnapshot,
  async handle({ params, query }, { db, now }) {
    const row = await findMarketSnapshot(db, parseMarketRef(params.condition_id));
    if (row === null) throw unknownMarket();
    return { data: presentSnapshot(row, now, query.expand.includes("trust")) };
  },
});
