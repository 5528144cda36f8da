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
  description:
    "What the provider says of the market, the best quotes and the current price of each outcome, and how old each part is. Once the market has resolved, prices are its payouts; past its end and before its result is known, they are the last trades. Nothing is fetched for the request.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: { condition_id: MarketSegment },
  query: { expand: expandParam(["trust"]).meta({ description: "What to add. Nothing when left out.", example: ["trust"] }) },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_market_snapshot",
  object: "market_snapshot",
  data: MarketSnapshot,
  async handle({ params, query }, { db, now }) {
    const row = await findMarketSnapshot(db, parseMarketRef(params.condition_id), now);
    if (row === null) throw unknownMarket();
    return { data: presentSnapshot(row, now, query.expand.includes("trust")) };
  },
});
