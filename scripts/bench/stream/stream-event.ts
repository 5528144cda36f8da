/** The event of a large trade as ingest publishes it; most frames of a stream are of this type. */
export const EVENT = {
  whale_alert_id: 4_211,
  condition_id: `0x${"7".repeat(64)}`,
  trader_id: 1_208,
  wallet: `0x${"1".repeat(40)}`,
  grade: "A",
  size_usd: "125000.5",
  shares: "200000.8",
  price: "0.625",
  side: "BUY",
  outcome_index: 0,
  traded_at: "2026-11-20T11:59:58.000Z",
  platform: "polymarket",
} as const;

/** Filters that match this event, one for each of a key's connections. */
export const FILTERS = [
  "event=LargeTradeInsertedV2",
  "event=LargeTradeInsertedV2,wallet_grade_changed&min_grade=B",
  "min_size=25000",
  `wallet=${EVENT.wallet}&min_size=5000`,
  `condition_id=${EVENT.condition_id}&min_grade=C`,
] as const;
