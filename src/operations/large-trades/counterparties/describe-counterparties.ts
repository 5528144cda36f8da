import type { z } from "zod";
import type { UnmatchedReason } from "../../../domain/trades/match-counterparties.ts";
import { sha256, toHex } from "../../../lib/crypto/hmac.ts";
import type { KeyRing } from "../../../lib/crypto/key-ring.ts";
import type { TradeCounterparties } from "../../../queries/trades/counterparties.ts";
import { pageMakers, type MakerList } from "./page-makers.ts";
import { presentCounterpartyParticipant } from "./present-counterparty-participant.ts";
import { EXECUTION_EXCHANGES, type CounterpartyAnalysis } from "./schemas.ts";

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

/** Why an execution with known makers is not shown. */
const UNSHOWN = {
  log_index_unknown:
    "The provider does not report the log index that an execution requires. All makers are known: read them by the " +
    "execution id in unavailable_executions.",
  exchange_not_listed:
    "The exchange contract that settled this trade has no name in exchange_family. All makers are known: read them by " +
    "the execution id in unavailable_executions.",
} as const;

/** Makers of an execution in the analysis itself. */
const INLINE_MAKERS = 20;

export interface CounterpartyDescription {
  readonly snapshotId: string;
  readonly analysisId: string;
  /** The transaction hash: the trade is one of the transaction's taker orders. */
  readonly executionId: string;
  readonly analysis: z.input<typeof CounterpartyAnalysis>;
}

/**
 * Describes the execution behind a large trade. It is shown when its fills add up and the log index of its OrdersMatched
 * event is known, because the schema requires the index. The event is on the chain only and missing in the provider's
 * feeds. Without it the makers are still readable by the execution id in `unavailable_executions`, because the page of
 * makers needs no log index.
 */
export async function describeCounterparties(
  found: TradeCounterparties,
  cursorKeys: KeyRing,
): Promise<CounterpartyDescription> {
  const digest = await digestOf(membershipOf(found));
  const [snapshotId, analysisId] = [`cps_${digest}`, `cpa_${await digestOf(`${METHOD} ${digest}`)}`];
  const executionId = found.transactionHash;
  const execution = await describeExecution(found, { keys: cursorKeys, analysisId });
  const isShown = "shown" in execution;
  return {
    snapshotId,
    analysisId,
    executionId,
    analysis: {
      status: isShown ? "available" : "unavailable",
      ...(isShown ? {} : { unavailable_reason: execution.text }),
      snapshot_id: snapshotId,
      analysis_id: analysisId,
      // A large trade is the fill of one taker order.
      execution_count: 1,
      available_execution_count: isShown ? 1 : 0,
      unavailable_execution_count: isShown ? 0 : 1,
      executions: isShown ? [execution.shown] : [],
      unavailable_executions: isShown
        ? []
        : [{ id: executionId, transaction_hash: found.transactionHash, ...execution.unavailable }],
    },
  };
}

type Analysis = z.input<typeof CounterpartyAnalysis>;

type ExecutionDescription =
  | { readonly shown: Analysis["executions"][number] }
  | {
      readonly text: string;
      readonly unavailable: Omit<Analysis["unavailable_executions"][number], "id" | "transaction_hash">;
    };

async function describeExecution(found: TradeCounterparties, list: MakerList): Promise<ExecutionDescription> {
  const { match, ordersMatched, transactionHash, participants } = found;
  if (match.status === "unavailable")
    return { text: UNMATCHED[match.reason], unavailable: { reason: match.reason, makers_available: false } };
  const { taker, makers } = match;
  const exchange = EXECUTION_EXCHANGES.find((name) => name === ordersMatched?.exchange);
  if (ordersMatched === null || exchange === undefined) {
    const reason = ordersMatched === null ? "log_index_unknown" : "exchange_not_listed";
    return { text: UNSHOWN[reason], unavailable: { reason, makers_available: true, maker_count: makers.length } };
  }
  const page = await pageMakers(makers, list, { served: 0, limit: INLINE_MAKERS });
  const present = (part: typeof taker) => presentCounterpartyParticipant(part, participants.get(part.wallet));
  return {
    shown: {
      execution_id: transactionHash,
      exchange_family: exchange,
      transaction_hash: transactionHash,
      orders_matched_log_index: ordersMatched.logIndex,
      taker: present(taker),
      makers: page.makers.map(present),
      ...(page.nextCursor === null ? {} : { makers_next_cursor: page.nextCursor }),
    },
  };
}

/** All that the analysis depends on. A change of any of it is a new snapshot. */
function membershipOf({ transactionHash, isBinary, fills, ordersMatched }: TradeCounterparties): string {
  const members = fills.map((fill) =>
    [fill.wallet, fill.tokenId, fill.side, fill.sharesMicro, fill.usdMicro, fill.isTaker].join(" "),
  );
  const log = ordersMatched === null ? [] : [ordersMatched.logIndex, ordersMatched.exchange];
  return JSON.stringify([transactionHash, isBinary, members.toSorted(), ...log]);
}

const digestOf = async (text: string): Promise<string> => toHex((await sha256(text)).subarray(0, 16));
