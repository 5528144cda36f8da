import { z } from "zod";
import type { EventType } from "../domain/event-catalogue.ts";
import { GRADES } from "../domain/grades.ts";

const WALLET = "0x1111111111111111111111111111111111111111";
const CONDITION = `0x${"7".repeat(64)}`;
const grade = z.enum(GRADES);
const decimal = z.string().regex(/^\d+(\.\d+)?$/);

const conditionId = z.string().meta({ description: "The market: the provider's condition id.", example: CONDITION });
const wallet = z.string().meta({ description: "The wallet's address.", example: WALLET });
const traderId = z.int().positive().meta({ description: "The wallet's row number: 12 is trd_12.", example: 12 });

/** What a `large_trade_inserted_v2` tells, as the outbox has it. */
const largeTrade = z.object({
  whale_alert_id: z.int().positive().meta({ description: "The trade's row number: 81 is wt_81.", example: 81 }),
  condition_id: conditionId,
  trader_id: traderId,
  wallet,
  grade: grade.nullable().meta({ description: "The wallet's letter when the trade was recorded; null when it had none.", example: "A" }),
  size_usd: decimal.meta({ description: "Dollars, without fees, exact.", example: "12500.5" }),
  shares: decimal.meta({ description: "Shares, exact.", example: "20000" }),
  price: decimal.meta({ description: "Dollars a share, 0 to 1, exact.", example: "0.625025" }),
  side: z.enum(["BUY", "SELL"]).meta({ description: "What the wallet did.", example: "BUY" }),
  outcome_index: z.int().min(0).nullable().meta({
    description: "Which outcome, counted from 0 as the provider lists them; null while the market has not been read.",
    example: 0,
  }),
  traded_at: z.iso.datetime().meta({ description: "When it was filled, UTC.", example: "2026-11-20T11:59:58.000Z" }),
  platform: z.literal("polymarket").meta({ description: "The provider.", example: "polymarket" }),
});

export const LargeTradeInsertedV2Data = z
  .object({
    event_id: z.string().meta({ description: "The event's id, the same as that of the delivery's body.", example: "evt_1_90210" }),
    ...largeTrade.shape,
  })
  .meta({ id: "WebhookLargeTradeInsertedV2Data", description: "A large trade, as it was recorded." });

export const CountData = z
  .object({ count: z.int().positive().meta({ description: "How many.", example: 3 }) })
  .meta({ id: "WebhookCountData", description: "How many there are; what they are is read from the list." });

const competitor = z.object({
  team: z.string().optional().meta({ description: "Its short name.", example: "BOS" }),
  full_name: z.string().optional().meta({ description: "Its whole name; left out where it is the same.", example: "Boston Celtics" }),
  score: z.string().optional().meta({ description: "Its score, as the provider writes it.", example: "88" }),
  map_score: z.unknown().optional().meta({ description: "Its score in the present map, where the game has maps.", example: "13" }),
});

export const LiveSportsUpdatedData = z
  .object({
    event_slug: z.string().meta({ description: "The game, as the games operations take it.", example: "nba-bos-lal-2026-11-20" }),
    game_id: z.string().optional().meta({ description: "The provider's id of the game.", example: "1903122" }),
    league: z.string().optional().meta({ description: "Its league.", example: "nba" }),
    version: z.int().positive().meta({ description: "Counts the changes of this game: a lower one came before.", example: 41 }),
    changed: z.array(z.string()).meta({ description: "The fields that have changed since the version before.", example: ["scores"] }),
    observed_at: z.iso.datetime().meta({ description: "When the provider told of it, UTC.", example: "2026-11-20T12:00:00.480Z" }),
    published_at: z.iso.datetime().meta({ description: "When it was recorded, UTC.", example: "2026-11-20T12:00:01.250Z" }),
    status: z.string().optional().meta({ description: "Its state in the provider's words.", example: "InProgress" }),
    period: z.string().optional().meta({ description: "The part of the game that is played.", example: "Q3" }),
    clock: z.string().optional().meta({ description: "The game's own clock.", example: "04:12" }),
    live: z.boolean().optional().meta({ description: "Whether it is being played.", example: true }),
    ended: z.boolean().optional().meta({ description: "Whether it is over.", example: false }),
    scores: z
      .array(competitor)
      .optional()
      .meta({
        description: "The present scores, one entry a competitor.",
        example: [{ team: "BOS", full_name: "Boston Celtics", score: "88" }],
      }),
    series_format: z.string().optional().meta({ description: "How many maps or games decide it.", example: "bo3" }),
    snapshot_url: z.string().meta({
      description: "Where its present state is read: do so when a version is missing.",
      example: "/api/v1/games/nba-bos-lal-2026-11-20",
    }),
  })
  .meta({ id: "WebhookLiveSportsUpdatedData", description: "What has changed in a covered game." });

export const TraderSyncedData = z
  .object({ trader_id: traderId, wallet })
  .meta({ id: "WebhookTraderSyncedData", description: "A wallet whose whole activity is known from now on." });

export const WalletGradeChangedData = z
  .object({
    wallet,
    trader_id: traderId,
    old_grade: grade.meta({ description: "The letter before.", example: "B" }),
    new_grade: grade.meta({ description: "The letter now.", example: "A" }),
    direction: z.enum(["upgrade", "downgrade"]).meta({ description: "Whether the new letter is the better one.", example: "upgrade" }),
    final_score: z.number().optional().meta({ description: "The score behind the new letter, 0 to 100.", example: 71.4 }),
    date: z.iso.date().meta({ description: "The day of the change, UTC.", example: "2026-11-20" }),
    grade_floor: grade.meta({
      description: "The worse of the two letters: who follows it and better saw the wallet before or sees it now.",
      example: "B",
    }),
  })
  .meta({ id: "WebhookWalletGradeChangedData", description: "A change of a wallet's published letter." });

export const SuspiciousTradeFlaggedData = z
  .object({
    trade_id: z.int().positive().meta({ description: "The flag's row number: 81 is rf_81.", example: 81 }),
    wallet,
    trader_id: traderId,
    condition_id: conditionId,
    suspicion_score: z.number().meta({ description: "0 to 100.", example: 72 }),
    track: z.enum(["whale", "fresh_conviction", "sliced_position"]).meta({ description: "What it was flagged for.", example: "whale" }),
    side: z.enum(["yes", "no"]).meta({ description: "Which side of the market the wallet took.", example: "yes" }),
    size: z.number().meta({ description: "Dollars, truncated to cents.", example: 48_000.12 }),
    price: z.number().meta({ description: "Dollars a share, 0 to 1, truncated to four decimals.", example: 0.31 }),
  })
  .meta({ id: "WebhookSuspiciousTradeFlaggedData", description: "A large trade whose suspicion score has come to the floor." });

export const SharpMoneyFlowDetectedData = z
  .object({
    condition_id: conditionId,
    net_flow_usd: z.number().meta({ description: "Dollars on YES less dollars on NO, of the window.", example: -61_250.4 }),
    abs_net_flow_usd: z.number().meta({ description: "Dollars: the same without its sign.", example: 61_250.4 }),
    dominant_side: z.enum(["yes", "no"]).meta({ description: "The side the net flow is on.", example: "no" }),
    grade_floor: grade.meta({ description: "The worst letter that counts.", example: "B" }),
    whale_trade_count: z.int().min(0).meta({ description: "Large trades in the sum.", example: 4 }),
    window: z.string().meta({ description: "How far back it reaches: 1h, 4h, 24h or 7d.", example: "24h" }),
  })
  .meta({ id: "WebhookSharpMoneyFlowDetectedData", description: "A market where ranked wallets' money has come to stand on one side." });

export const ExportJobData = z
  .looseObject({
    job_id: z.int().positive().meta({ description: "The job, as its status operation takes it.", example: 17 }),
    kind: z.enum(["trader_export", "whale_dataset"]).meta({ description: "What was asked for.", example: "trader_export" }),
    status: z.enum(["ready", "failed", "expired", "cancelled"]).meta({ description: "How it ended.", example: "ready" }),
  })
  .meta({ id: "WebhookExportJobData", description: "An export or dataset job of the account. It never has a download address." });

/** What an event's stored payload has to be. Readers of a large trade's event are given its event id besides. */
export const EVENT_PAYLOADS = {
  large_trade_inserted_v2: largeTrade,
  large_trades_inserted: CountData,
  live_sports_updated: LiveSportsUpdatedData,
  trader_synced: TraderSyncedData,
  large_positions_updated: CountData,
  wallet_grade_changed: WalletGradeChangedData,
  suspicious_trade_flagged: SuspiciousTradeFlaggedData,
  sharp_money_flow_detected: SharpMoneyFlowDetectedData,
  export_job_ready: ExportJobData,
  export_job_failed: ExportJobData,
  export_job_expired: ExportJobData,
  export_job_cancelled: ExportJobData,
} as const satisfies Record<EventType, z.ZodType>;

/** The `data` of an event as readers get it. */
export const EVENT_DATA = { ...EVENT_PAYLOADS, large_trade_inserted_v2: LargeTradeInsertedV2Data } as const;
