import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findSuspiciousTrade } from "../../queries/suspicious-trades.ts";
import { parseRowRef, SuspiciousTradeSegment } from "../row-ref.ts";
import { presentSuspiciousTrade } from "./present-suspicious-trade.ts";
import { SuspiciousTrade } from "./schemas.ts";

export const getSuspiciousTrade = defineOperation({
  kind: "single",
  id: "getSuspiciousTrade",
  method: "get",
  path: "/api/v1/suspicious-trades/{id}",
  tag: "Suspicious trades",
  summary: "Read one suspicious trade.",
  description: "One flag as the list shows it. Its scores and evidence stand as they were judged; names are today's.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: SuspiciousTradeSegment },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 30,
  restsOn: ["suspicious_trades"],
  mcpTool: "get_suspicious_trade",
  object: "suspicious_trade",
  data: SuspiciousTrade,
  async handle({ params }, { db }) {
    const id = parseRowRef(params.id);
    const row = id === null ? null : await findSuspiciousTrade(db, id);
    if (row === null) throw new ApiError("not_found", { param: "id", message: `There is no suspicious trade ${params.id}.` });
    return { data: presentSuspiciousTrade(row) };
  },
});
