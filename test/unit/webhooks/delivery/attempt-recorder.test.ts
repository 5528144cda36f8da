import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { AttemptRecorder } from "../../../../src/webhooks/delivery/attempt-recorder.ts";
import type { EndedAttempt } from "../../../../src/webhooks/delivery/record-attempts.ts";

const accepted = (id: string): EndedAttempt => ({
  delivery: { id, attemptCount: 0, lease: "lease" },
  result: { kind: "accepted", status: 200 },
  endedAtMs: 0,
  random: 0,
});
afterEach(() => {
  vi.useRealTimers();
});

const recordsAll = async () => ({
  rows: [{ status: "active", failure_count: 0, open_until_ms: null, leased: [], recorded: 1 }],
});

test("an attempt that ends just as the recorder becomes idle is recorded too", async () => {
  const recorded: string[] = [];
  const recorder: AttemptRecorder = new AttemptRecorder({
    // Recording only calls `execute`.
    db: { execute: recordsAll } as unknown as Database,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    endpointId: "1",
    isMoreExpected: () => false,
    onOutcome: (_outcome, { delivery }) => void recorded.push(delivery.id),
    // Runs after the recorder has found nothing waiting, and before anything else.
    onFlush: () => queueMicrotask(() => recorded.length === 1 && recorder.record(accepted("2"))),
  });
  recorder.record(accepted("1"));
  await expect.poll(() => recorded).toEqual(["1", "2"]);
  await recorder.idle();
  expect(recorder.pendingCount).toBe(0);
});

test("accepted attempts are recorded together while more are expected, and at once when none is", async () => {
  // Time stands still, so nothing is recorded because of it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isMoreExpected = true;
  const records: number[] = [];
  const recorder = new AttemptRecorder({
    // Recording only calls `execute`, and each statement finds all its leases.
    db: {
      execute: async () => {
        const recorded = recorder.pendingCount;
        records.push(recorded);
        return { rows: [{ status: "active", failure_count: 0, open_until_ms: null, leased: [], recorded }] };
      },
    } as unknown as Database,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    endpointId: "1",
    isMoreExpected: () => isMoreExpected,
    onOutcome: () => undefined,
    onFlush: () => undefined,
  });
  recorder.record(accepted("1"));
  recorder.record(accepted("2"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(records).toEqual([]);
  isMoreExpected = false;
  recorder.record(accepted("3"));
  await new Promise((resolve) => setImmediate(resolve));
  expect([records, recorder.pendingCount]).toEqual([[3], 0]);
});
