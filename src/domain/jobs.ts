/** A background job whose heartbeat health reads. */
export interface Job<Name extends string = HeartbeatName> {
  readonly name: Name;
  /** How often it succeeds when all is well; health calls it stale after three of these. */
  readonly intervalSeconds: number;
  /**
   * Whether it may be switched off to spare the database and the provider: it rebuilds or walks something whole, nothing else waits for it, and
   * what it made last stands and says of when it is. Grades wait for the population, holders are read while somebody waits for them, and daily
   * prices do not tell their age; exploration takes up what triggers note, which would grow.
   */
  readonly heavy: boolean;
}

/** A job that the feed's object runs. */
export type JobName =
  | "taker_feed"
  | "fill_feed"
  | "market_walk"
  | "market_hydration"
  | "wallet_sync"
  | "resolutions"
  | "books"
  | "boards"
  | "skill"
  | "population"
  | "grades"
  | "profiles"
  | "leaderboard"
  | "explore"
  | "suspicion"
  | "candles"
  | "flows"
  | "values"
  | "large_positions"
  | "holders"
  | "provider_figures"
  | "reports"
  | "outbox_pruning";

/** What beats: the jobs of the feed, and loops of other objects. */
export type HeartbeatName = JobName | "event_stream" | "webhook_fan_out";

export const JOBS: readonly Job<JobName>[] = [
  { name: "taker_feed", intervalSeconds: 60, heavy: false },
  { name: "fill_feed", intervalSeconds: 60, heavy: false },
  { name: "market_hydration", intervalSeconds: 60, heavy: false },
  { name: "wallet_sync", intervalSeconds: 60, heavy: false },
  { name: "resolutions", intervalSeconds: 60, heavy: false },
  { name: "market_walk", intervalSeconds: 300, heavy: false },
  { name: "books", intervalSeconds: 60, heavy: false },
  { name: "boards", intervalSeconds: 600, heavy: false },
  { name: "skill", intervalSeconds: 60, heavy: false },
  { name: "population", intervalSeconds: 120, heavy: false },
  { name: "grades", intervalSeconds: 60, heavy: false },
  { name: "profiles", intervalSeconds: 60, heavy: true },
  { name: "leaderboard", intervalSeconds: 60, heavy: false },
  { name: "explore", intervalSeconds: 60, heavy: false },
  { name: "suspicion", intervalSeconds: 60, heavy: false },
  { name: "candles", intervalSeconds: 60, heavy: false },
  { name: "flows", intervalSeconds: 60, heavy: false },
  { name: "values", intervalSeconds: 60, heavy: false },
  { name: "large_positions", intervalSeconds: 60, heavy: false },
  { name: "holders", intervalSeconds: 60, heavy: false },
  { name: "provider_figures", intervalSeconds: 60, heavy: true },
  { name: "reports", intervalSeconds: 60, heavy: true },
  { name: "outbox_pruning", intervalSeconds: 60, heavy: false },
];

/** The jobs that do not run. */
export const listPausedJobs = (heavyJobs: boolean): readonly JobName[] =>
  heavyJobs ? [] : JOBS.filter(({ heavy }) => heavy).map(({ name }) => name);

/** All whose heartbeats health reads. */
export const HEARTBEATS: readonly Job[] = [
  ...JOBS,
  { name: "event_stream", intervalSeconds: 60, heavy: false },
  { name: "webhook_fan_out", intervalSeconds: 60, heavy: false },
];
