import { DAY_MS } from "../utc-calendar.ts";

export type CandleResolution = "1d" | "1w";

/** Start of the bucket of an instant, in Unix seconds: UTC midnight, of Monday for weeks. */
export function bucketStart(atMs: number, resolution: CandleResolution): number {
  const day = Math.floor(atMs / DAY_MS);
  // 1970-01-01 was a Thursday: three days after a Monday.
  const first = resolution === "1d" ? day : Math.floor((day + 3) / 7) * 7 - 3;
  return first * DAY_SECONDS;
}

const DAY_SECONDS = 86_400;
