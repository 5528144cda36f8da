import { expect, test } from "vitest";
import { logRequest, newTrace } from "../../../src/api/request-trace.ts";

/** The lines of requests with evenly spread ids. */
function linesOf(status: number, sampleRate: number): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const add = (_event: string, fields = {}) => void lines.push(fields);
  const log = { info: add, warn: add, error: add };
  for (let request = 0; request < 1_000; request += 1) {
    const digits = Math.floor(((request + 0.5) / 1_000) * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
    const completed = { requestId: `req_0123456789abcdef${digits}`, method: "GET", durationMs: 1, isWebsite: false };
    logRequest(log, newTrace(), { ...completed, status, sampleRate });
  }
  return lines;
}

test("the sample rate decides how many requests are logged, and each line of a part states it", () => {
  expect(linesOf(200, 1)).toHaveLength(1_000);
  expect(linesOf(200, 1)[0]).not.toHaveProperty("sample_rate");
  const part = linesOf(429, 0.01);
  expect(part).toHaveLength(10);
  expect(part.every((line) => line["sample_rate"] === 0.01)).toBe(true);
  expect(linesOf(200, 0)).toEqual([]);
});

test("our own errors are logged at every rate", () => {
  const lines = linesOf(500, 0);
  expect(lines).toHaveLength(1_000);
  expect(lines[0]).not.toHaveProperty("sample_rate");
});
