/** The events this product announces, each under the name the outbox has it by. */
export type EventType =
  | "large_trade_inserted_v2"
  | "large_trades_inserted"
  | "live_sports_updated"
  | "trader_synced"
  | "large_positions_updated"
  | "wallet_grade_changed"
  | "suspicious_trade_flagged"
  | "sharp_money_flow_detected"
  | "export_job_ready"
  | "export_job_failed"
  | "export_job_expired"
  | "export_job_cancelled";

export interface EventDefinition {
  /** Under which names webhooks may register it, the present one first; the second is an older spelling of the same event. */
  readonly spellings: readonly [EventType, ...string[]];
  /** What the stream calls its frames. */
  readonly frame: string;
  /** Posted to webhooks of accounts with an active paid subscription only. */
  readonly isProOnly: boolean;
  /** Goes to the account whose event it is, and to nobody else. */
  readonly isOwnersOnly: boolean;
  /** When it fires. */
  readonly firesWhen: string;
  /** The name of its payload's schema in the API document. */
  readonly payload: string;
  /** False while nothing in the product makes it happen. */
  readonly isLive: boolean;
}

const EVERYBODYS = { isProOnly: false, isOwnersOnly: false, isLive: true };
const PRO = { ...EVERYBODYS, isProOnly: true };
/** Told of once export jobs exist. */
const EXPORT = { isProOnly: false, isOwnersOnly: true, payload: "WebhookExportJobData", isLive: false };

/** The one list of events: webhooks, stream, replay and the API document derive from it. */
export const EVENT_CATALOGUE: Readonly<Record<EventType, EventDefinition>> = {
  large_trade_inserted_v2: {
    ...EVERYBODYS,
    spellings: ["large_trade_inserted_v2"],
    frame: "LargeTradeInsertedV2",
    firesWhen: "A large trade has been recorded, one event a trade. `created_at` is the time of the fill.",
    payload: "WebhookLargeTradeInsertedV2Data",
  },
  large_trades_inserted: {
    ...PRO,
    spellings: ["large_trades_inserted", "whale_trades_inserted"],
    frame: "WhaleTradesInserted",
    firesWhen: "Large trades have been recorded together; tells how many.",
    payload: "WebhookCountData",
  },
  live_sports_updated: {
    ...EVERYBODYS,
    spellings: ["live_sports_updated"],
    frame: "LiveScoreChanged",
    firesWhen: "A covered game's score, period or state has changed, at most once in 20 seconds a game unless it begins or ends.",
    payload: "WebhookLiveSportsUpdatedData",
    isLive: false,
  },
  trader_synced: {
    ...EVERYBODYS,
    spellings: ["trader_synced", "whale_trader_synced"],
    frame: "trader_synced",
    firesWhen: "A followed wallet's whole activity has been read for the first time.",
    payload: "WebhookTraderSyncedData",
  },
  large_positions_updated: {
    ...EVERYBODYS,
    spellings: ["large_positions_updated"],
    frame: "large_positions_updated",
    firesWhen: "Positions have come onto the list of large positions; tells how many.",
    payload: "WebhookCountData",
  },
  wallet_grade_changed: {
    ...PRO,
    spellings: ["wallet_grade_changed"],
    frame: "wallet_grade_changed",
    firesWhen: "A wallet's published letter has changed from one to another.",
    payload: "WebhookWalletGradeChangedData",
  },
  suspicious_trade_flagged: {
    ...PRO,
    spellings: ["suspicious_trade_flagged", "insider_radar_flag_raised"],
    frame: "suspicious_trade_flagged",
    firesWhen: "A large trade's suspicion score has come to the floor for the first time.",
    payload: "WebhookSuspiciousTradeFlaggedData",
  },
  sharp_money_flow_detected: {
    ...PRO,
    spellings: ["sharp_money_flow_detected", "smart_money_flow_detected"],
    frame: "sharp_money_flow_detected",
    firesWhen: "Ranked wallets' net flow in a market has come to stand beyond the threshold of its window, on either side.",
    payload: "WebhookSharpMoneyFlowDetectedData",
  },
  export_job_ready: {
    ...EXPORT,
    spellings: ["export_job_ready"],
    frame: "export_job_ready",
    firesWhen: "An export or dataset of the account can be downloaded, from the status operation's link.",
  },
  export_job_failed: {
    ...EXPORT,
    spellings: ["export_job_failed"],
    frame: "export_job_failed",
    firesWhen: "An export or dataset of the account has failed; it has to be submitted again.",
  },
  export_job_expired: {
    ...EXPORT,
    spellings: ["export_job_expired"],
    frame: "export_job_expired",
    firesWhen: "A finished export or dataset of the account is no longer kept.",
  },
  export_job_cancelled: {
    ...EXPORT,
    spellings: ["export_job_cancelled"],
    frame: "export_job_cancelled",
    firesWhen: "An export or dataset of the account was cancelled before it ended.",
  },
};

// The keys of a record over all event types are the event types; TypeScript gives them as text.
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

/** All names under which events can be registered. */
export const EVENT_SPELLINGS: readonly string[] = EVENT_TYPES.flatMap((type) => EVENT_CATALOGUE[type].spellings);

/** The event that a name stands for, or null. */
export const eventTypeOf = (spelling: string): EventType | null =>
  EVENT_TYPES.find((type) => EVENT_CATALOGUE[type].spellings.includes(spelling)) ?? null;

/** The name under which an endpoint is told of an event: the first it registered, so that one registered twice is told once. Null when none. */
export const spellingFor = (type: EventType, registered: readonly string[]): string | null =>
  registered.find((spelling) => EVENT_CATALOGUE[type].spellings.includes(spelling)) ?? null;

/**
 * An event's public id: the same wherever and however often it is told, and never given to another, since a restored database, which may
 * hand out row ids again, begins another epoch.
 */
export const formatEventId = (epoch: number, id: string): string => `evt_${epoch}_${id}`;
