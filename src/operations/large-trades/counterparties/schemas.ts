import { z } from "zod";
import { GRADES } from "../../../domain/grades.ts";
import { usernameIfAny } from "../../fields.ts";

const exact = (description: string, example: string) => z.string().meta({ description: `${description}; exact, six decimals.`, example });

const CounterpartyMatchBreakdown = z
  .object({
    match_type: z.enum(["COMPLEMENTARY", "MINT", "MERGE"]).meta({
      description:
        "COMPLEMENTARY: one bought the token that the other sold. MINT: both bought, opposite tokens, and shares were made. MERGE: both sold, opposite tokens, and shares were taken back.",
      example: "MINT",
    }),
    maker_fill_count: z.int().meta({ description: "Fills matched in this way.", example: 1 }),
    filled_shares: exact("Shares matched in this way", "5000.000000"),
  })
  .meta({ id: "CounterpartyMatchBreakdown", description: "How a part of a maker's shares was matched." });

const CounterpartyParticipant = z
  .object({
    counterparty_key: z.string().meta({ description: "Names the wallet within the execution.", example: `0x${"2".repeat(40)}` }),
    execution_wallet: z.string().meta({ description: "Address of the wallet that traded, lower case.", example: `0x${"2".repeat(40)}` }),
    identity_status: z.enum(["resolved", "infrastructure", "unavailable"]).meta({
      description: "resolved: the wallet is a trader's. infrastructure: it belongs to the exchange. unavailable: nothing is known of it.",
      example: "resolved",
    }),
    resolved_user_id: z
      .string()
      .optional()
      .meta({ description: "trd_ id of the wallet; left out while nothing is known of it.", example: "trd_12" }),
    display_name: usernameIfAny,
    grade: z.enum(GRADES).optional().meta({ description: "Today's grade; left out when ungraded.", example: "A" }),
    last_traded_at: z.iso.datetime().optional().meta({
      description: "When it last traded by our records, UTC; left out when no trade of it is recorded.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    profile_segment: z.string().optional().meta({
      description:
        "What names a tracked wallet in a profile's address: @username where nobody else has the name, else the address. Left out of others.",
      example: "@Known",
    }),
    maker_fill_count: z.int().meta({ description: "Its fills in the execution.", example: 1 }),
    filled_shares: exact("Its shares in the execution", "5000.000000"),
    filled_usdc: exact("Its own dollars; in a MINT or MERGE those for the opposite token at the opposite price", "2000.000000"),
    share_pct: exact("Its shares in percent, 0 to 100, of the whole execution", "25.000000"),
    match_breakdown: z.array(CounterpartyMatchBreakdown).meta({ description: "Its shares by how they were matched." }),
  })
  .meta({ id: "CounterpartyParticipant", description: "One wallet's part in an execution." });

const CounterpartyExecution = z
  .object({
    execution_id: z.string().meta({ description: "Names the execution within the trade.", example: `0x${"a".repeat(64)}` }),
    exchange_family: z.enum(["ctf_v2", "neg_risk_ctf_v2"]).meta({ description: "The contract that settled it.", example: "ctf_v2" }),
    transaction_hash: z.string().meta({ description: "The settlement transaction.", example: `0x${"a".repeat(64)}` }),
    orders_matched_log_index: z.int().meta({ description: "Place of its OrdersMatched event among the block's logs, from 0.", example: 3 }),
    taker: CounterpartyParticipant,
    makers: z.array(CounterpartyParticipant).meta({ description: "The largest makers; the others are pages of their own." }),
    makers_next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page of makers. Left out when there is none.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyExecution", description: "One taker order as it was settled, with who filled it." });

const CounterpartyUnavailableExecution = z
  .object({
    id: z
      .string()
      .meta({ description: "Names the execution within the trade, as on the route of its makers.", example: `0x${"a".repeat(64)}` }),
    transaction_hash: z.string().meta({ description: "The settlement transaction.", example: `0x${"a".repeat(64)}` }),
    reason: z
      .enum([
        "log_index_unknown",
        "several_taker_orders",
        "no_taker_fill",
        "no_maker_fills",
        "missing_maker_fills",
        "surplus_maker_fills",
        "unmatchable_fill",
      ])
      .meta({
        description:
          "What keeps it from being shown. log_index_unknown: everything but the log index is known. no_taker_fill: the taker's own fill is not recorded as the taker's. no_maker_fills, missing_maker_fills: no maker is recorded, or not all are. surplus_maker_fills, several_taker_orders, unmatchable_fill: what is recorded does not add up to one taker's order.",
        example: "log_index_unknown",
      }),
    makers_available: z.boolean().meta({ description: "Whether its makers can be read under its id.", example: true }),
    maker_count: z
      .int()
      .optional()
      .meta({ description: "Wallets among its makers; left out while its makers are not all known.", example: 2 }),
  })
  .meta({ id: "CounterpartyUnavailableExecution", description: "What is known of an execution that cannot be shown." });

export const CounterpartyAnalysis = z
  .object({
    status: z
      .enum(["available", "partial", "unavailable"])
      .meta({ description: "available: all executions are shown. partial: some are. unavailable: none can be.", example: "unavailable" }),
    unavailable_reason: z.string().optional().meta({
      description: "Why executions are not shown, and what can be read instead. Left out when all are.",
      example: "Not all makers of this trade are recorded.",
    }),
    snapshot_id: z
      .string()
      .optional()
      .meta({ description: "Names the recorded fills it rests on: the snapshot_id of further pages.", example: "cps_0f" }),
    analysis_id: z
      .string()
      .optional()
      .meta({ description: "Names the matching made of them; page cursors hold for it alone.", example: "cpa_0f" }),
    execution_count: z.int().meta({ description: "Taker orders behind the trade: one.", example: 1 }),
    available_execution_count: z.int().meta({ description: "Executions that can be shown.", example: 0 }),
    unavailable_execution_count: z.int().meta({ description: "Executions that cannot.", example: 1 }),
    executions: z.array(CounterpartyExecution).meta({
      description: "None while the analysis is unavailable: that is not known, and not none.",
    }),
    unavailable_executions: z
      .array(CounterpartyUnavailableExecution)
      .meta({ description: "The executions that cannot be shown, with what is known of each." }),
    executions_next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page of executions. Left out when there is none.", example: "wte_x" }),
  })
  .meta({
    id: "CounterpartyAnalysis",
    description: "Who was on the other side of a large trade, as far as the recorded fills tell.",
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
    analysis_id: z.string().meta({ description: "As in the analysis.", example: "cpa_0f" }),
    snapshot_id: z.string().meta({ description: "As in the analysis.", example: "cps_0f" }),
    execution_id: z.string().meta({ description: "The execution whose makers these are.", example: `0x${"a".repeat(64)}` }),
    items: z.array(CounterpartyParticipant).meta({ description: "Makers, the largest part first." }),
    next_cursor: z.string().optional().meta({ description: "Cursor of the next page. Left out when there is none.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyMakerPage", description: "A page of the makers of one execution." });

export type Participant = z.input<typeof CounterpartyParticipant>;
