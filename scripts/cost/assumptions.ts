import type { Kind } from "./request-counts.ts";

/*
 * What the counts do not say. None of it is measured at Cloudflare, Upstash or Neon. Except where noted, the values
 * are those of the project's production review.
 */

/** Part of each kind in the monthly requests. The review has 30 % uncached reads; here a third of them are lists. */
export const MIX = {
  public_read: 0.1,
  cached_read: 0.55,
  uncached_read: 0.2,
  list: 0.1,
  batch: 0.05,
} as const satisfies Partial<Record<Kind, number>>;

/** Authenticated requests of an account between two flushes of its usage; not from the review. */
export const REQUESTS_PER_FLUSH = 10;

export const CPU_MS_PER_REQUEST = 1.5;

/** Time of one request at an object: 10 ms of 128 MB. */
export const GB_SECONDS_PER_OBJECT_REQUEST = 0.01 * 0.128;

/** `LOG_SAMPLE_RATE` of production (wrangler.toml), one line a request. */
export const LOG_LINES_PER_REQUEST = 0.01;

export const MB_PER_STATEMENT = 0.01;

/** Requests a month, and the compute units of Postgres that carry them and the ingest. It never suspends. */
export const VOLUMES = [
  { requests: 1e6, computeUnits: 2 },
  { requests: 100e6, computeUnits: 4 },
  { requests: 10_000e6, computeUnits: 16 },
] as const;
