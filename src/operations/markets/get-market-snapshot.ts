import { defineOperation } from "../../api/operation.ts";
import { expandParam } from "../../api/request/query-params.ts";
import { findMarketSnapshot } from "../../queries/markets/market-snapshot.ts";
import { MarketParam, parseMarketRef, marketNotFound } from "./market-param.ts";
import { presentSnapshot } from "./present/present-snapshot.ts";
import { MarketSnapshot } from "./schemas/snapshot-schemas.ts";

export const getMarketSnapshot = defineOperation({
  kind: "single",
  id: "getMarketSnapshot",
  method: "get",
  path: "/api/v1/market/{condition_id}/snapshot",
  tag: "Markets",
  summary: "Read one market with the prices of its outcomes.",
  description:
    "Returns the provider's data about the market, the best quotes and the current price of each outcome, and the " +
    "age of each part. After the market has resolved, prices are its payouts; between its end and its result, " +
    "they are the last trades. The request never calls the provider.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: { condition_id: MarketParam },
  query: {
    expand: expandParam(["trust"]).meta({ description: "Fields to add. None when left out.", example: ["trust"] }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_market_snapshot",
  object: "market_snapshot",
  data: MarketSnapshot,
  async handle({ params, query }, { db, now }) {
    const row = await findMarketSnapshot(db, parseMarketRef(params.condition_id), now);
    if (row === null) throw marketNotFound();
    return { data: presentSnapshot(row, now, query.expand.includes("trust")) };
  },
});
