import { z } from "zod";

const exact = (description: string, example: string) => z.string().meta({ description: `${description}; exact, six decimals.`, example });

const CounterpartyMatchBreakdown = z
  .object({
    match_type: z.enum(["COMPLEMENTARY", "MINT", "MERGE"]).meta({
      description: "Bought from a seller of the token, or both bought (MINT) or both sold (MERGE) opposite tokens.",
      example: "MINT",
    }),
    maker_fill_count: z.int().meta({ description: "Fills matched in this way.", example: 1 }),
    filled_shares: exact("Shares matched in this way", "5000.000000"),
  })
  .meta({ id: "CounterpartyMatchBreakdown" });

const CounterpartyParticipant = z
  .object({
    counterparty_key: z.string().meta({ description: "Names the wallet within the execution.", example: `0x${"2".repeat(40)}` }),
    execution_wallet: z.string().meta({ description: "The wallet that traded, in lower case.", example: `0x${"2".repeat(40)}` }),
    identity_status: z.enum(["resolved", "infrastructure", "unavailable"]).meta({
      description: "resolved: the wallet is one that traders are known by here.",
      example: "resolved",
    }),
    resolved_user_id: z.string().optional().meta({ description: "trd_ id of the wallet.", example: "trd_12" }),
    display_name: z.string().optional().meta({ description: "Its name on the provider; left out when it has none.", example: "Known" }),
    grade: z.enum(["S", "A", "B", "C", "D", "F"]).optional().meta({ description: "Today's grade; left out when ungraded.", example: "A" }),
    last_traded_at: z.iso.datetime().optional().meta({
      description: "Of all its trades that are recorded, as of this answer.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    profile_segment: z.string().optional().meta({
      description: "What names a tracked wallet in a profile's address: @username where nobody else has the name, else the wallet.",
      example: "@Known",
    }),
    maker_fill_count: z.int().meta({ description: "Its fills in the execution.", example: 1 }),
    filled_shares: exact("Its shares in the execution", "5000.000000"),
    filled_usdc: exact("Its own dollars: who minted or merged traded the other token at the other price", "2000.000000"),
    share_pct: exact("Its shares in percent of the whole execution, on every page", "25.000000"),
    match_breakdown: z.array(CounterpartyMatchBreakdown).meta({ description: "Its shares by how they were matched." }),
  })
  .meta({ id: "CounterpartyParticipant" });

const CounterpartyExecution = z
  .object({
    execution_id: z.string().meta({ description: "Names the execution within the trade.", example: `0x${"a".repeat(64)}` }),
    exchange_family: z.enum(["ctf_v2", "neg_risk_ctf_v2"]).meta({ description: "The contract that settled it.", example: "ctf_v2" }),
    transaction_hash: z.string().meta({ description: "The settlement transaction.", example: `0x${"a".repeat(64)}` }),
    orders_matched_log_index: z.int().meta({ description: "Place of OrdersMatched among the block's logs.", example: 3 }),
    taker: CounterpartyParticipant,
    makers: z.array(CounterpartyParticipant).meta({ description: "The largest makers; the others are pages of their own." }),
    makers_next_cursor: z.string().optional().meta({ description: "Where the next page of makers starts.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyExecution" });

export const CounterpartyAnalysis = z
  .object({
    status: z
      .enum(["available", "partial", "unavailable"])
      .meta({ description: "Whether the executions are shown.", example: "unavailable" }),
    unavailable_reason: z.string().optional().meta({
      description: "Why they are not, and what can be read instead.",
      example: "Not all makers of this trade are recorded.",
    }),
    snapshot_id: z.string().optional().meta({ description: "Names the recorded fills it rests on.", example: "cps_0f" }),
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
    executions_next_cursor: z.string().optional().meta({ description: "Where the next page of executions starts.", example: "wte_x" }),
  })
  .meta({ id: "CounterpartyAnalysis" });

export const CounterpartyMakerPage = z
  .object({
    analysis_id: z.string().meta({ description: "As in the analysis.", example: "cpa_0f" }),
    snapshot_id: z.string().meta({ description: "As in the analysis.", example: "cps_0f" }),
    execution_id: z.string().meta({ description: "The execution whose makers these are.", example: `0x${"a".repeat(64)}` }),
    items: z.array(CounterpartyParticipant).meta({ description: "Makers, the largest part first." }),
    next_cursor: z.string().optional().meta({ description: "Left out on the last page.", example: "wtc_x" }),
  })
  .meta({ id: "CounterpartyMakerPage" });

export type Participant = z.input<typeof CounterpartyParticipant>;
