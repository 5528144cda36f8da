import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import type { SuspiciousTradeRow } from "../../queries/trades/suspicious-trades.ts";
import type { SuspiciousTrade } from "./schemas.ts";

/** Scores and evidence are those of the assessment; names are current. */
export function presentSuspiciousTrade(row: SuspiciousTradeRow): z.input<typeof SuspiciousTrade> {
  return {
    id: formatId("radarFlag", row.id),
    suspicion_score: row.score,
    severity: "flag",
    trader: { id: formatId("trader", row.trader_id), address: row.address, username: row.username },
    market: { id: formatId("market", row.market_id), condition_id: row.condition_id, title: row.title },
    scores: row.scores,
    evidence: row.evidence,
    created_at: row.traded_at,
  };
}
