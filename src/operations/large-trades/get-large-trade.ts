import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findLargeTrade } from "../../queries/trades/large-trades.ts";
import { LargeTradeIdParam, parseRowId } from "../row-id.ts";
import { describeCounterparties } from "./counterparties/describe-counterparties.ts";
import { presentLargeTrade } from "./present-large-trade.ts";
import { LargeTradeDetail } from "./schemas.ts";

export const getLargeTrade = defineOperation({
  kind: "single",
  id: "getLargeTrade",
  method: "get",
  path: "/api/v1/large-trades/{id}",
  tag: "Large trades",
  summary: "Read one large trade.",
  description: "Returns the trade as in the lists, with its known counterparties.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: LargeTradeIdParam },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade",
  object: "large_trade",
  data: LargeTradeDetail,
  async handle({ params }, { db, config }) {
    const id = parseRowId(params.id);
    const found = id === null ? null : await findLargeTrade(db, id);
    if (found === null)
      throw new ApiError("not_found", { param: "id", message: `There is no large trade ${params.id}.` });
    const { analysis } = await describeCounterparties(found.counterparties, config.cursorKeys);
    return { data: { ...presentLargeTrade(found.trade), counterparty_analysis: analysis } };
  },
});
