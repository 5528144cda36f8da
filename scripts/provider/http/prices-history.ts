import type { PricePoint } from "../provider-world.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest } from "./request.ts";

const MOST_POINTS = 10_000;
const DAY = 86_400;
const MOST_SPAN_SECONDS = 15 * DAY;
const HALF_DAY = 43_200;

/** Length and bucket size of each interval, seconds. */
const INTERVALS = {
  max: [Number.POSITIVE_INFINITY, HALF_DAY],
  all: [Number.POSITIVE_INFINITY, HALF_DAY],
  "1m": [30 * DAY, 3 * 3600],
  "1w": [7 * DAY, 300],
  "1d": [DAY, 60],
  "6h": [6 * 3600, 60],
  "1h": [3600, 60],
} as const;

export function handlePricesHistory({ query, world }: ProviderRequest): ProviderResponse {
  const tokenId = query.text("token_id");
  if (tokenId === null) throw new Refusal(400, "token_id is required", "token_id");
  const bounds = ["start", "interval", "as_of"].filter((name) => query.has(name));
  if (bounds.length !== 1) throw new Refusal(400, "exactly one of start, interval, as_of", "start");
  world.loadToken(tokenId);
  const now = Math.floor(world.nowMs() / 1000);
  const limit = query.number("limit", MOST_POINTS, 1, MOST_POINTS);
  const points = world.listPrices(tokenId).filter((point) => point.timestamp <= now);
  if (query.has("as_of")) {
    const at = query.number("as_of", 0, 1, Number.MAX_SAFE_INTEGER);
    return ok({
      data: points
        .filter((point) => point.timestamp <= at)
        .slice(-1)
        .map(presentPoint),
    });
  }
  const { from, to, bucket } = windowOf({ query, now });
  const width = query.number("bucket_seconds", bucket, 60, DAY);
  const inside = points.filter((point) => point.timestamp >= from && point.timestamp < to);
  return ok({ data: lastPerBucket(inside, width).slice(0, limit).map(presentPoint) });
}

function windowOf({ query, now }: { query: ProviderRequest["query"]; now: number }): {
  from: number;
  to: number;
  bucket: number;
} {
  if (query.has("interval")) {
    const name = query.choice("interval", ["max", "all", "1m", "1w", "1d", "6h", "1h"], "max");
    const [seconds, bucket] = INTERVALS[name];
    return { from: now - seconds, to: Number.POSITIVE_INFINITY, bucket };
  }
  const from = query.number("start", 0, 1, Number.MAX_SAFE_INTEGER);
  const to = query.number("end", from + MOST_SPAN_SECONDS, 1, Number.MAX_SAFE_INTEGER);
  if (to - from > MOST_SPAN_SECONDS) throw new Refusal(400, "at most 15 days", "end");
  return { from, to, bucket: 60 };
}

/**
 * The last point of each bucket, then the very last point unchanged: it is off the grid, as at the provider.
 */
function lastPerBucket(points: readonly PricePoint[], width: number): readonly PricePoint[] {
  const buckets = new Map<number, PricePoint>();
  for (const point of points.slice(0, -1)) buckets.set(Math.floor(point.timestamp / width), point);
  const onGrid = [...buckets].map(([bucket, { price }]) => ({
    timestamp: bucket * width,
    price,
    resolutionSeconds: width,
  }));
  return [...onGrid, ...points.slice(-1)];
}

const presentPoint = (point: PricePoint) => ({
  timestamp: point.timestamp,
  price: point.price,
  resolution_seconds: point.resolutionSeconds,
});
