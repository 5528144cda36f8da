import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findLargeTrade } from "../../queries/large-trades.ts";
import { LARGE_TRADE_REF, parseLargeTradeRef } from "./large-trade-ref.ts";
import { presentLargeTrade } from "./present-large-trade.ts";
import { LargeTradeDetail } from "./schemas.ts";

const UNMATCHED: z.input<typeof LargeTradeDetail>["counterparty_analysis"] = {
  status: "unavailable",
  unavailable_reason: "Counterparties are not matched in this release.",
  execution_count: 0,
  available_execution_count: 0,
  unavailable_execution_count: 0,
  executions: [],
};

export const getLargeTrade = defineOperation({
  kind: "single",
  id: "getLargeTrade",
  method: "get",
  path: "/api/v1/large-trades/{id}",
  tag: "Large trades",
  summary: "Read one large trade.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: z.string().regex(LARGE_TRADE_REF, "expected a wt_ id or an integer") },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade",
  object: "large_trade",
  data: LargeTradeDetail,
  async handle({ params }, { db }) {
    const id = parseLargeTradeRef(params.id);
    const row = id === null ? null : await findLargeTrade(db, id);
    if (row === null) throw new ApiError("not_found", { param: "id", message: `There is no large trade ${params.id}.` });
    return {
      data: {
        ...presentLargeTrade(row),
        counterparty_analysis: UNMATCHED,
      },
    };
  },
});
