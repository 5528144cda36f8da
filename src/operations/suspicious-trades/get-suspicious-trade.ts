import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findSuspiciousTrade } from "../../queries/suspicious-trades.ts";
import { parseRowRef, SUSPICIOUS_TRADE_REF } from "../row-ref.ts";
import { presentSuspiciousTrade } from "./present-suspicious-trade.ts";
import { SuspiciousTrade } from "./schemas.ts";

export const getSuspiciousTrade = defineOperation({
  kind: "single",
  id: "getSuspiciousTrade",
  method: "get",
  path: "/api/v1/suspicious-trades/{id}",
  tag: "Suspicious trades",
  summary: "Read one suspicious trade.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: z.string().regex(SUSPICIOUS_TRADE_REF, "expected an rf_ id or an integer") },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 30,
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
