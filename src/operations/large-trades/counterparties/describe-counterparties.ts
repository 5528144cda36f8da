import type { z } from "zod";
import type { UnmatchedReason } from "../../../domain/match-counterparties.ts";
import { sha256, toHex } from "../../../lib/hmac.ts";
import type { TradeCounterparties } from "../../../queries/counterparties.ts";
import type { CounterpartyAnalysis } from "./schemas.ts";

/** Moves when the same fills would be matched otherwise. */
const METHOD = "counterparties-1";

const UNMATCHED: Readonly<Record<UnmatchedReason, string>> = {
  several_taker_orders: "Several taker orders are recorded for this trade's transaction, and its makers cannot be told apart.",
  no_taker_fill: "The taker's own fill is not recorded as the taker's.",
  no_maker_fills: "No maker of this trade is recorded.",
  missing_maker_fills: "Not all makers of this trade are recorded.",
  surplus_maker_fills: "More maker shares are recorded for this trade's transaction than its taker traded.",
  unmatchable_fill: "A recorded fill of this trade's transaction fits none of the ways in which orders are matched.",
};

export interface DescribedCounterparties {
  readonly snapshotId: string;
  readonly analysisId: string;
  /** One taker order settles in a transaction, so the transaction names its execution. */
  readonly executionId: string;
  readonly analysis: z.input<typeof CounterpartyAnalysis>;
}

/**
 * What can be said of a trade's executions. A shown execution has to carry the log index of its OrdersMatched event. It is on the chain only,
 * the provider's feeds do not tell it, and the shape has no null for it; so no execution is shown, and none is made up. Where the recorded
 * fills add up, its makers can be read all the same: their page needs no log index, and `unavailable_executions` names it.
 */
export async function describeCounterparties(found: TradeCounterparties): Promise<DescribedCounterparties> {
  const digest = await digestOf(membershipOf(found));
  const [snapshotId, analysisId] = [`cps_${digest}`, `cpa_${await digestOf(`${METHOD} ${digest}`)}`];
  const executionId = found.transactionHash;
  return {
    snapshotId,
    analysisId,
    executionId,
    analysis: {
      status: "unavailable",
      unavailable_reason:
        found.match.status === "unavailable"
          ? UNMATCHED[found.match.reason]
          : "The provider does not tell the log index that a shown execution has to carry. Its makers are all known: read them by its id in unavailable_executions.",
      snapshot_id: snapshotId,
      analysis_id: analysisId,
      // The provider reports one taker row an order.
      execution_count: 1,
      available_execution_count: 0,
      unavailable_execution_count: 1,
      executions: [],
      unavailable_executions: [
        {
          id: executionId,
          transaction_hash: found.transactionHash,
          ...(found.match.status === "unavailable"
            ? { reason: found.match.reason, makers_available: false }
            : { reason: "log_index_unknown", makers_available: true, maker_count: found.match.makers.length }),
        },
      ],
    },
  };
}

/** All that the match follows from, so that any change of it is another snapshot. */
function membershipOf({ transactionHash, isBinary, fills }: TradeCounterparties): string {
  const members = fills.map((fill) => [fill.wallet, fill.tokenId, fill.side, fill.sharesMicro, fill.usdMicro, fill.isTaker].join(" "));
  return JSON.stringify([transactionHash, isBinary, members.toSorted()]);
}

const digestOf = async (text: string): Promise<string> => toHex((await sha256(text)).subarray(0, 16));
