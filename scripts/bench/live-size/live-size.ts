/** What is loaded, what happens while the product runs, and how far away its services are. */
export interface LiveSize {
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
}

export const SEED = "live-size";

/** The short form: what CI runs. */
export const SHORT_FORM: LiveSize = {
  markets: 50_000,
  traders: 5_000,
  fills: 100_000,
  rate: 100,
  burst: 500,
  rttMs: 5,
  minutes: 2,
};

/** The whole form, at the size of the provider. */
export const WHOLE_FORM: LiveSize = {
  ...SHORT_FORM,
  markets: 1_000_000,
  traders: 100_000,
  fills: 5_000_000,
  minutes: 10,
};

/** The burst begins after a quarter of the time and lasts a minute, or a quarter of a shorter time. */
export function burstOf({ minutes }: Pick<LiveSize, "minutes">): { readonly fromMs: number; readonly toMs: number } {
  const quarterMs = (minutes * 60_000) / 4;
  return { fromMs: quarterMs, toMs: quarterMs + Math.min(60_000, quarterMs) };
}
