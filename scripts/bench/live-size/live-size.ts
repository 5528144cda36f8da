/** What is loaded. */
export type HistorySize = Pick<LiveSize, "markets" | "traders" | "fills">;

/** What is loaded, what happens in a phase of the product's run, and how far away its services are. */
export interface LiveSize {
  /** Each phase runs the product once over the database of the one before, with trades of its own; 0 for the first. */
  readonly phase: number;
  readonly markets: number;
  readonly traders: number;
  /** Of the loaded history. */
  readonly fills: number;
  /** Rows of the feed of all trades a second, before and after the burst. */
  readonly rate: number;
  /** The same during the burst. */
  readonly burst: number;
  /** Round trip to Postgres, to Redis and to the provider, ms. */
  readonly rttMs: number;
  readonly minutes: number;
  /** What goes wrong meanwhile. */
  readonly faults: readonly LiveFault[];
}

/**
 * - `provider`: it refuses every request after the burst, for ten minutes or half of the rest of the time
 * - `postgres`: it restarts in the middle of the burst
 * - `consumers`: every ten seconds all batches of queue messages in progress fail, while their work goes on
 * - `traders`: the first 5,000 rows of the burst are by 5,000 traders who never traded before
 */
export const LIVE_FAULTS = ["provider", "postgres", "consumers", "traders"] as const;

export type LiveFault = (typeof LIVE_FAULTS)[number];

export const SEED = "live-size";

/** The short form: what CI runs. */
export const SHORT_FORM: LiveSize = {
  phase: 0,
  markets: 50_000,
  traders: 5_000,
  fills: 100_000,
  rate: 100,
  burst: 500,
  rttMs: 5,
  minutes: 2,
  faults: [],
};

/** The whole form, at the size of the provider. */
export const WHOLE_FORM: LiveSize = {
  ...SHORT_FORM,
  markets: 1_000_000,
  traders: 100_000,
  fills: 5_000_000,
  minutes: 10,
};

const MOST_OUTAGE_MS = 600_000;

/** The time in which the provider refuses every request: after the burst. */
export function outageOf(size: Pick<LiveSize, "minutes">): { readonly fromMs: number; readonly toMs: number } {
  const { toMs: fromMs } = burstOf(size);
  return { fromMs, toMs: fromMs + Math.min(MOST_OUTAGE_MS, (size.minutes * 60_000 - fromMs) / 2) };
}

/** The burst begins after a quarter of the time and lasts a minute, or a quarter of a shorter time. */
export function burstOf({ minutes }: Pick<LiveSize, "minutes">): { readonly fromMs: number; readonly toMs: number } {
  const quarterMs = (minutes * 60_000) / 4;
  return { fromMs: quarterMs, toMs: quarterMs + Math.min(60_000, quarterMs) };
}
