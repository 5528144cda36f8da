import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { expandParam } from "../../api/params.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import { findMarketSnapshot } from "../../queries/markets.ts";
import { presentSnapshot } from "./present-snapshot.ts";
import { MarketSnapshot } from "./schemas.ts";

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
  params: { condition_id: z.string().min(1).max(100) },
  query: { expand: expandParam(["trust"]) },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_market_snapshot",
  object: "market_snapshot",
  data: MarketSnapshot,
  async handle({ params, query }, { db, now }) {
    const id = parseId("market", params.condition_id);
    const conditionId = parseConditionId(params.condition_id);
    if (id === null && conditionId === null) {
      throw new ApiError("bad_request", { param: "condition_id", message: "Give a condition id or a mkt_ id." });
    }
    const row = await findMarketSnapshot(db, id !== null ? { id } : { conditionId: conditionId ?? "" });
    if (row === null) throw new ApiError("not_found", { param: "condition_id", message: "No such market is known." });
    return { data: presentSnapshot(row, now, query.expand.includes("trust")) };
  },
});
