import { expect, test } from "vitest";
import { MemoryRedis } from "../../../../scripts/services/redis/memory-redis.ts";

/** The script that @upstash/ratelimit 2.2.0 sends, exactly as Redis receives it. */
const SLIDING_WINDOW = `#!lua flags=allow-key-locking
  local currentKey  = KEYS[1]           -- identifier including prefixes
  local previousKey = KEYS[2]           -- key of the previous bucket
  local dynamicLimitKey = KEYS[3]       -- optional: key for dynamic limit in redis
  local tokens      = tonumber(ARGV[1]) -- default tokens per window
  local now         = ARGV[2]           -- current timestamp in milliseconds
  local window      = ARGV[3]           -- interval in milliseconds
  local incrementBy = tonumber(ARGV[4]) -- increment rate per request at a given value, default is 1

  -- Check for dynamic limit
  local effectiveLimit = tokens
  if dynamicLimitKey and dynamicLimitKey ~= "" then
    local dynamicLimit = redis.call("GET", dynamicLimitKey)
    if dynamicLimit then
      effectiveLimit = tonumber(dynamicLimit)
    end
  end

  local requestsInCurrentWindow = redis.call("GET", currentKey)
  if requestsInCurrentWindow == false then
    requestsInCurrentWindow = 0
  end

  local requestsInPreviousWindow = redis.call("GET", previousKey)
  if requestsInPreviousWindow == false then
    requestsInPreviousWindow = 0
  end
  local percentageInCurrent = ( now % window ) / window
  -- weighted requests to consider from the previous window
  requestsInPreviousWindow = math.floor(( 1 - percentageInCurrent ) * requestsInPreviousWindow)

  -- Only check limit if not refunding (negative rate)
  if incrementBy > 0 and requestsInPreviousWindow + requestsInCurrentWindow >= effectiveLimit then
    return {-1, effectiveLimit}
  end

  local newValue = redis.call("INCRBY", currentKey, incrementBy)
  if newValue == incrementBy then
    -- The first time this key is set, the value will be equal to incrementBy.
    -- So we only need the expire command once
    redis.call("PEXPIRE", currentKey, window * 2 + 1000) -- Enough time to overlap with a new window + 1 second
  end
  return {effectiveLimit - ( newValue + requestsInPreviousWindow ), effectiveLimit}
`;
const HASH = "74740bb3d7792848093cdef586b6b6037c455fd6";

const WINDOW_MS = 60_000;
/** The start of a window. */
const START = 1_790_000_040_000;

function aRedis() {
  let now = START;
  const redis = new MemoryRedis(() => now);
  redis.run(["EVAL", SLIDING_WINDOW, "2", "unused:1", "unused:0", "1", String(START), String(WINDOW_MS), "1"]);
  return {
    redis,
    /** Calls the limiter `elapsedMs` after the start, with five requests per window. */
    limit(elapsedMs: number, { by = 1, extraKeys = [] as string[] } = {}) {
      now = START + elapsedMs;
      const bucket = Math.floor(now / WINDOW_MS);
      const keys = [`caller:${bucket}`, `caller:${bucket - 1}`, ...extraKeys];
      return redis.run([
        "EVALSHA",
        HASH,
        String(keys.length),
        ...keys,
        "5",
        String(now),
        String(WINDOW_MS),
        String(by),
      ]);
    },
  };
}

test("a script runs by its hash only after its text has been sent once", () => {
  const redis = new MemoryRedis(() => START);
  const call = ["2", "k:1", "k:0", "5", String(START), "60000", "1"];
  expect(() => redis.run(["EVALSHA", HASH, ...call])).toThrow("NOSCRIPT");
  expect(redis.run(["EVAL", SLIDING_WINDOW, ...call])).toEqual([4, 5]);
  expect(redis.run(["EVALSHA", HASH, ...call])).toEqual([3, 5]);
  expect(redis.run(["EVALSHA", HASH.toUpperCase(), ...call])).toEqual([2, 5]);
});

test("a script with another text is refused by its hash", () => {
  const redis = new MemoryRedis(() => START);
  const call = ["1", "k", "5"];
  expect(() => redis.run(["EVAL", `${SLIDING_WINDOW} `, ...call])).toThrow(
    /^ERR the in-memory Redis does not know this script \(SHA-1 [0-9a-f]{40}\)/,
  );
  expect(() => redis.run(["EVALSHA", "0".repeat(40), ...call])).toThrow("NOSCRIPT");
});

test("the sliding window counts as calculated by hand from its script", () => {
  const { limit } = aRedis();
  // The first window admits five requests.
  expect([0, 100, 200, 300, 400, 500, 59_999].map((elapsedMs) => limit(elapsedMs))).toEqual([
    [4, 5],
    [3, 5],
    [2, 5],
    [1, 5],
    [0, 5],
    [-1, 5],
    [-1, 5],
  ]);
  // The second window carries floor((1 - share) * 5): all 5 at its start, 4 after 1 ms, 3 after a quarter, 2
  // at its half.
  expect(limit(60_000)).toEqual([-1, 5]);
  expect(limit(60_001)).toEqual([0, 5]); // 5 - (1 + 4)
  expect(limit(60_002)).toEqual([-1, 5]); // 4 carried, 1 counted
  expect(limit(75_000)).toEqual([0, 5]); // 5 - (2 + 3)
  expect(limit(90_000)).toEqual([0, 5]); // 5 - (3 + 2)
  expect(limit(119_999)).toEqual([1, 5]); // 5 - (4 + 0)
  // The third window carries the second's 4, and the first no longer counts.
  expect(limit(120_000)).toEqual([0, 5]); // 5 - (1 + 4)
  // Two windows later nothing is carried.
  expect(limit(240_000)).toEqual([4, 5]);
});

test("a counter expires two windows and one second after its first request", () => {
  const { redis, limit } = aRedis();
  limit(0);
  const key = `caller:${START / WINDOW_MS}`;
  expect(redis.run(["PTTL", key])).toBe(121_000);
  limit(30_000);
  expect(redis.run(["PTTL", key])).toBe(91_000);
  expect(redis.run(["GET", key])).toBe("2");
});

test("a request may have a weight above one, and a limit stored in Redis overrides the given one", () => {
  const { redis, limit } = aRedis();
  expect(limit(0, { by: 3 })).toEqual([2, 5]);
  // The script compares before it adds, and so counts this request too: 5 - 6.
  expect(limit(0, { by: 3 })).toEqual([-1, 5]);
  expect(limit(0, { extraKeys: ["limit"] })).toEqual([-1, 5]);
  redis.run(["SET", "limit", "9"]);
  expect(limit(0, { extraKeys: ["limit"] })).toEqual([2, 9]);
});

test("a counter is created by its first increment, keeps its expiry and only accepts integers", () => {
  let now = START;
  const redis = new MemoryRedis(() => now);
  expect(redis.run(["INCRBY", "n", "20"])).toBe(20);
  expect(redis.run(["TTL", "n"])).toBe(-1);
  expect(redis.run(["EXPIRE", "n", "60"])).toBe(1);
  now += 20_000;
  expect(redis.run(["INCRBY", "n", "22"])).toBe(42);
  expect(redis.run(["TTL", "n"])).toBe(40);
  expect(redis.run(["GET", "n"])).toBe("42");
  now += 40_000;
  expect(redis.run(["EXPIRE", "n", "60"])).toBe(0);
  redis.run(["SET", "text", "ten"]);
  expect(() => redis.run(["INCRBY", "text", "1"])).toThrow("ERR value is not an integer or out of range");
  redis.run(["SET", "until", "x", "PXAT", String(now + 5)]);
  expect(redis.run(["PTTL", "until"])).toBe(5);
});
