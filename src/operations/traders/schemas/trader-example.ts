export const EXAMPLE_ADDRESS = "0x56687bf447db6ffa42ffe2204a05edaa20f55839";

/** Trust metadata of a computed value. */
export const TRUST_EXAMPLE = {
  source: { kind: "computed", owner: "trader_days" },
  freshness: { status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
  reconciliation: { status: "computed" },
  completeness: { status: "complete" },
} as const;

/** The trader of the OpenAPI examples: fictional, with consistent figures. */
export const TRADER_EXAMPLE = {
  id: "trd_12",
  address: EXAMPLE_ADDRESS,
  username: "Example",
  grade: "A",
  score: 71.5,
  forecast_score: 88.25,
  forecast_evidence: 0.62,
  streak_tier: "rising",
  rank: 41,
  pnl: {
    total: 48_310.2,
    net_total: 51_002.6,
    realized: 48_210.07,
    unrealized: 2_792.53,
    exact: {
      realized: {
        value: "48210.074112",
        unit: "USD",
        scale: 6,
        basis: "average cost over all recorded activity in ordinary markets",
      },
    },
  },
  stats: {
    markets_traded: 214,
    win_rate: 58.41,
    daily_win_rate: 54.2,
    total_volume: 1_204_551.9,
    exact: {
      total_volume: { value: "1204551.903000", unit: "USD", scale: 6, basis: "sum of all recorded buys and sells" },
    },
  },
  strategy: { strategy_type: "diversified", description: "Spreads its money over several categories." },
  last_active: "2026-11-20T11:58:12.000Z",
  synced_at: "2026-11-20T12:00:00.000Z",
  sync_status: "synced",
  data_quality: {
    status: "fresh",
    as_of: "2026-11-20T06:00:00.000Z",
    field_groups: [
      { group: "sync", owner: "trader_syncs.complete_at", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
      { group: "ranking", owner: "traders.grade", status: "fresh", as_of: "2026-11-20T06:00:00.000Z" },
      {
        group: "leaderboard_rank",
        owner: "leaderboard_entries.rank",
        status: "fresh",
        as_of: "2026-11-20T11:55:00.000Z",
      },
      { group: "volume", owner: "trader_totals.volume_micro", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
      { group: "pnl", owner: "trader_totals.realized_micro", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
      { group: "positions", owner: "positions", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
    ],
  },
} as const;
