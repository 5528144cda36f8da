import type { z } from "zod";
import type { UnmatchedReason } from "../../../domain/trades/match-counterparties.ts";
import { sha256, toHex } from "../../../lib/crypto/hmac.ts";
import type { TradeCounterparties } from "../../../queries/trades/counterparties.ts";
import type { CounterpartyAnalysis } from "./schemas.ts";

/** Version of the matching method. Change it when the same fills would be matched differently. */
const METHOD = "counterparties-1";

const UNMATCHED: Readonly<Record<UnmatchedReason, string>> = {
  several_taker_orders:
    "Several taker orders are recorded for this trade's transaction, and its makers cannot be assigned to one of them.",
  no_taker_fill: "The taker's own fill is not recorded as the taker's.",
  no_maker_fills: "No maker of this trade is recorded.",
  missing_maker_fills: "Not all makers of this trade are recorded.",
  surplus_maker_fills: "More maker shares are recorded for this trade's transaction than its taker traded.",
  unmatchable_fill: "A recorded fill of this trade's transaction fits none of the order match types.",
};

export interface CounterpartyDescription {
  readonly snapshotId: string;
  readonly analysisId: string;
  /** The transaction hash: a transaction settles one taker order. */
  readonly executionId: string;
  readonly analysis: z.input<typeof CounterpartyAnalysis>;
}

/**
 * Describes the executions behind a large trade. No execution is shown: the schema requires the log index of
 * its OrdersMatched event, which is on the chain only and missing in the provider's feeds, and the schema
 * does not allow null. When the recorded fills add up, the makers are still readable by the execution id in
 * `unavailable_executions`, because the page of makers needs no log index.
 */
export async function describeCounterparties(found: TradeCounterparties): Promise<CounterpartyDescription> {
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
          : "The provider does not report the log index that an execution requires. All makers are known: read " +
            "them by the execution id in unavailable_executions.",
      snapshot_id: snapshotId,
      analysis_id: analysisId,
      // The provider reports one taker row per order.
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

/** All inputs of the match. A change of any of them is a new snapshot. */
function membershipOf({ transactionHash, isBinary, fills }: TradeCounterparties): string {
  const members = fills.map((fill) =>
    [fill.wallet, fill.tokenId, fill.side, fill.sharesMicro, fill.usdMicro, fill.isTaker].join(" "),
  );
  return JSON.stringify([transactionHash, isBinary, members.toSorted()]);
}

const digestOf = async (text: string): Promise<string> => toHex((await sha256(text)).subarray(0, 16));
