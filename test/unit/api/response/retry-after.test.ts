import { expect, test } from "vitest";
import { ApiError, ERRORS, type Reason } from "../../../../src/api/errors.ts";
import { describeFailure } from "../../../../src/api/response/error-response.ts";

const NOW = new Date("2032-02-10T12:00:00Z");
const REASONS = Object.keys(ERRORS) as Reason[];
const UNAVAILABLE = REASONS.filter((reason) => ERRORS[reason].status === 503);

/** Header and body of a GET, with this random value. */
function retryOf(error: ApiError, drawn: number): { header: string | null; bodySeconds: number | null } {
  const { headers, body } = describeFailure(error, { method: "GET", docsUrl: "", now: NOW, random: () => drawn });
  const at = body["retry_at"];
  return {
    header: headers.get("retry-after"),
    bodySeconds: at === undefined ? null : (Date.parse(String(at)) - NOW.getTime()) / 1_000,
  };
}

test.each(UNAVAILABLE)(
  "clients that get %s together come back over five seconds or more, each within a minute",
  (reason) => {
    const waits = Array.from({ length: 10_000 }, (_, n) => retryOf(new ApiError(reason), n / 10_000));
    for (const { header, bodySeconds } of waits) expect(header).toBe(String(bodySeconds));
    const counts = Map.groupBy(waits, ({ bodySeconds }) => bodySeconds ?? 0);
    const seconds = [...counts.keys()].toSorted((a, b) => a - b);
    expect(seconds.every(Number.isInteger)).toBe(true);
    expect(seconds[0]).toBeGreaterThanOrEqual(1);
    // Client libraries throw at once on more than a minute.
    expect(seconds.at(-1)).toBeLessThanOrEqual(60);
    expect(counts.size).toBeGreaterThanOrEqual(5);
    // Equal shares: with n possible seconds each gets 1 in n of the clients, rounded.
    for (const { length } of counts.values()) expect(Math.abs(length - 10_000 / counts.size)).toBeLessThan(1);
  },
);

test("a retry time that the error knows is not spread, nor is a failure of another kind", () => {
  for (const drawn of [0, 0.999]) {
    expect(retryOf(new ApiError("read_model_warming", { retryAfterSeconds: 7 }), drawn).header).toBe("7");
    const retryAt = new Date(NOW.getTime() + 9_000);
    expect(retryOf(new ApiError("database_unavailable", { retryAt }), drawn).header).toBe("9");
    expect(retryOf(new ApiError("request_timeout"), drawn).header).toBe("5");
    expect(retryOf(new ApiError("ip_throttled"), drawn).header).toBe("300");
  }
});
