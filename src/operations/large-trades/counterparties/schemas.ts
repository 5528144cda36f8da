import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import { optionalUsername } from "../../shared-fields.ts";

const exact = (description: string, example: string) =>
  z.string().meta({ description: `${description}; exact, with six decimals.`, example });

const CounterpartyMatchBreakdown = z
  .object({
    match_type: z.enum(["COMPLEMENTARY", "MINT", "MERGE"]).meta({
      description:
        "COMPLEMENTARY: one side bought the token that the other side sold. MINT: both bought, opposite tokens, " +
        "and new shares were created. MERGE: both sold, opposite tokens, and shares were destroyed.",
      example: "MINT",
    }),
    maker_fill_count: z.int().meta({ description: "Number of fills with this match type.", example: 1 }),
    filled_shares: exact("Shares with this match type", "5000.000000"),
  })
  .meta({ id: "CounterpartyMatchBreakdown", description: "Shares of a participant with one match type." });

const CounterpartyParticipant = z
  .object({
    counterparty_key: z
      .string()
      .meta({ description: "Key of the participant within the execution.", example: `0x${"2".repeat(40)}` }),
    execution_wallet: z
      .string()
      .meta({ description: "Address of the wallet that traded, lower case.", example: `0x${"2".repeat(40)}` }),
    identity_status: z.enum(["resolved", "infrastructure", "unavailable"]).meta({
      description:
        "resolved: the wallet belongs to a known trader. infrastructure: it belongs to the exchange. " +
        "unavailable: it is unknown.",
      example: "resolved",
    }),
    resolved_user_id: z
      .string()
      .optional()
      .meta({ description: "The trader's trd_ id; left out while the wallet is unknown.", example: "trd_12" }),
    display_name: optionalUsername,
    grade: z.enum(GRADES).optional().meta({ description: "Current grade; left out when ungraded.", example: "A" }),
    last_traded_at: z.iso.datetime().optional().meta({
      description:
        "Time of the trader's last recorded fill, split, merge or conversion, UTC; left out when there is none.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    profile_segment: z
      .string()
      .optional()
      .meta({
        description:
          "Segment of the trader's profile URL: @username when the username is unique, else the wallet address. " +
          "Left out for traders that are not tracked.",
        example: "@Known",
      }),
    maker_fill_count: z.int().meta({ description: "Number of the participant's fills in the execution.", example: 1 }),
    filled_shares: exact("The participant's shares in the execution", "5000.000000"),
    filled_usdc: exact(
      "The participant's own dollars; in a MINT or MERGE, those of the opposite token at the opposite price",
      "2000.000000",
    ),
    share_pct: exact("The participant's shares as a percentage of the whole execution, 0 to 100", "25.000000"),
    match_breakdown: z
      .array(CounterpartyMatchBreakdown)
      .meta({ description: "The participant's shares by match type." }),
  })
  .meta({ id: "CounterpartyParticipant", description: "One participant of an execution." });

/** The exchanges of which executions are shown. The contract has no name for others. */
export const EXECUTION_EXCHANGES = ["ctf_v2", "neg_risk_ctf_v2"] as const;

const CounterpartyExecution = z
  .object({
    execution_id: z
      .string()
      .meta({ description: "Id of the execution within the trade.", example: `0x${"a".repeat(64)}` }),
    exchange_family: z
      .enum(EXECUTION_EXCHANGES)
      .meta({ description: "Exchange contract that settled the execution.", example: "ctf_v2" }),
    transaction_hash: z
      .string()
      .meta({ description: "Hash of the settlement transaction.", example: `0x${"a".repeat(64)}` }),
    orders_matched_log_index: z.int().meta({
      description: "Index of the OrdersMatched event among the logs of the block, starting at 0.",
      example: 3,
    }),
    taker: CounterpartyParticipant,
    makers: z
      .array(CounterpartyParticipant)
      .meta({ description: "The largest makers; more makers are on further pages." }),
    makers_next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page of makers. Left out when there is none.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyExecution", description: "One settled taker order with its makers." });

const CounterpartyUnavailableExecution = z
  .object({
    id: z.string().meta({
      description: "Id of the execution within the trade, as in the path of its makers.",
      example: `0x${"a".repeat(64)}`,
    }),
    transaction_hash: z
      .string()
      .meta({ description: "Hash of the settlement transaction.", example: `0x${"a".repeat(64)}` }),
    reason: z
      .enum([
        "log_index_unknown",
        "exchange_not_listed",
        "several_taker_orders",
        "no_taker_fill",
        "no_maker_fills",
        "missing_maker_fills",
        "surplus_maker_fills",
        "unmatchable_fill",
      ])
      .meta({
        description:
          "Why the execution is not shown. log_index_unknown: only the log index is unknown, because the chain was not " +
          "read for this trade. exchange_not_listed: its exchange has no name in exchange_family. no_taker_fill: the " +
          "taker's own fill is not recorded as a taker fill. no_maker_fills: no maker is recorded. " +
          "missing_maker_fills: not all makers are recorded. surplus_maker_fills, several_taker_orders, " +
          "unmatchable_fill: the recorded fills do not add up to one taker order.",
        example: "log_index_unknown",
      }),
    makers_available: z
      .boolean()
      .meta({ description: "Whether the makers can be read by the execution id.", example: true }),
    maker_count: z
      .int()
      .optional()
      .meta({ description: "Number of makers; left out unless all makers are known.", example: 2 }),
  })
  .meta({ id: "CounterpartyUnavailableExecution", description: "Known data of an execution that cannot be shown." });

export const CounterpartyAnalysis = z
  .object({
    status: z.enum(["available", "partial", "unavailable"]).meta({
      description: "available: all executions are shown. partial: some are shown. unavailable: none can be shown.",
      example: "unavailable",
    }),
    unavailable_reason: z.string().optional().meta({
      description: "Why executions are not shown, and what can be read instead. Left out when all are shown.",
      example: "Not all makers of this trade are recorded.",
    }),
    snapshot_id: z.string().optional().meta({
      description: "Id of the recorded fills behind the analysis. Send it as snapshot_id to read further pages.",
      example: "cps_0f",
    }),
    analysis_id: z.string().optional().meta({
      description: "Id of the matching of these fills. Page cursors are valid for this analysis only.",
      example: "cpa_0f",
    }),
    execution_count: z.int().meta({ description: "Number of taker orders behind the trade: one.", example: 1 }),
    available_execution_count: z.int().meta({ description: "Number of executions that can be shown.", example: 0 }),
    unavailable_execution_count: z
      .int()
      .meta({ description: "Number of executions that cannot be shown.", example: 1 }),
    executions: z.array(CounterpartyExecution).meta({
      description:
        "Executions of the trade: those whose log was read from the chain and whose fills add up. Empty while the " +
        "analysis is unavailable: the executions are unknown, not absent.",
    }),
    unavailable_executions: z
      .array(CounterpartyUnavailableExecution)
      .meta({ description: "Executions that cannot be shown, with the known data of each." }),
    executions_next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page of executions. Left out when there is none.", example: "wte_x" }),
  })
  .meta({
    id: "CounterpartyAnalysis",
    description: "Counterparties of a large trade, as far as the recorded fills show them.",
    examples: [
      {
        status: "unavailable",
        unavailable_reason: "Not all makers of this trade are recorded.",
        snapshot_id: "cps_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
        analysis_id: "cpa_0d5d3b9f4c118a7e3f6c2f0e6f6d4b0e",
        execution_count: 1,
        available_execution_count: 0,
        unavailable_execution_count: 1,
        executions: [],
        unavailable_executions: [
          {
            id: `0x${"a".repeat(64)}`,
            transaction_hash: `0x${"a".repeat(64)}`,
            reason: "missing_maker_fills",
            makers_available: false,
          },
        ],
      },
    ],
  });

export const CounterpartyMakerPage = z
  .object({
    analysis_id: z.string().meta({ description: "Same value as in the analysis.", example: "cpa_0f" }),
    snapshot_id: z.string().meta({ description: "Same value as in the analysis.", example: "cps_0f" }),
    execution_id: z
      .string()
      .meta({ description: "Id of the execution with these makers.", example: `0x${"a".repeat(64)}` }),
    items: z.array(CounterpartyParticipant).meta({ description: "Makers, largest share first." }),
    next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page. Left out when there is none.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyMakerPage", description: "One page of makers of an execution." });

export type CounterpartyParticipantBody = z.input<typeof CounterpartyParticipant>;
