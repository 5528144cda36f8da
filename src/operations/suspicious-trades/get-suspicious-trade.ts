import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findSuspiciousTrade } from "../../queries/trades/suspicious-trades.ts";
import { parseRowId, SuspiciousTradeIdParam } from "../row-id.ts";
import { presentSuspiciousTrade } from "./present-suspicious-trade.ts";
import { SuspiciousTrade } from "./schemas.ts";

export const getSuspiciousTrade = defineOperation({
  kind: "single",
  id: "getSuspiciousTrade",
  method: "get",
  path: "/api/v1/suspicious-trades/{id}",
  tag: "Suspicious trades",
  summary: "Get one suspicious trade.",
  description: "Returns one flag as in the list. Scores and evidence are those of the assessment; names are current.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: SuspiciousTradeIdParam },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 30,
  cacheTags: ["suspicious_trades"],
  mcpTool: "get_suspicious_trade",
  object: "suspicious_trade",
  data: SuspiciousTrade,
  async handle({ params }, { db }) {
    const id = parseRowId(params.id);
    const row = id === null ? null : await findSuspiciousTrade(db, id);
    if (row === null)
      throw new ApiError("not_found", { param: "id", message: `There is no suspicious trade ${params.id}.` });
    return { data: presentSuspiciousTrade(row) };
  },
});
