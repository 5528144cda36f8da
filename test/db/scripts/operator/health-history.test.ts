import { expect, test } from "vitest";
import { describeHealthHistory } from "../../../../scripts/operator/describe-health-history.ts";
import { parseOperatorArguments } from "../../../../scripts/operator/arguments.ts";
import { judgeServiceHealth, type StoredHealth } from "../../../../src/domain/service-health.ts";
import { listHealthDays, storeHealthMinute } from "../../../../src/queries/health-history.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

const JOB = { name: "job", intervalSeconds: 60 };
const at = (time: string) => new Date(`2026-11-${time}Z`);

/** The health at a time, at which the job has succeeded so many seconds before. */
function health(
  now: Date,
  { isCacheUp = true, jobSeconds = 0, ...facts }: Partial<StoredHealth> & { isCacheUp?: boolean; jobSeconds?: number },
) {
  const heartbeats = [{ job: JOB.name, succeededAtMs: now.getTime() - 1_000 * jobSeconds }];
  const stored = { epoch: 1, pendingSinceMs: null, isSchemaCurrent: true, heartbeats, ...facts };
  const judged = judgeServiceHealth(stored, isCacheUp, { heartbeats: [JOB], paused: [] }, now.getTime());
  return { ...judged, isCacheUp };
}

test("the history counts the minutes of each day by status, from the first stored one on", async () => {
  const { db } = await createTestDatabase();
  const store = (time: string, facts: Parameters<typeof health>[1] | null) =>
    storeHealthMinute(db, facts === null ? null : health(at(time), facts), at(time));
  await store("20T23:58:10", {});
  await store("20T23:59:10", { isCacheUp: false });
  await store("21T00:00:05", { jobSeconds: 300 });
  await store("21T00:01:05", null);
  // A second measurement of the minute changes nothing.
  await store("21T00:01:50", {});
  await store("21T00:05:00", { isSchemaCurrent: false });

  const none = { ok: 0, degraded: 0, down: 0, maintenance: 0, unmeasured: 0 };
  expect(await listHealthDays(db, 30, at("21T00:07:30"))).toEqual([
    { ...none, day: "2026-11-21", down: 1, degraded: 1, maintenance: 1, unmeasured: 4 },
    { ...none, day: "2026-11-20", ok: 1, degraded: 1 },
  ]);
  expect(await listHealthDays(db, 1, at("21T00:02:00"))).toEqual([
    { ...none, day: "2026-11-21", down: 1, maintenance: 1 },
  ]);
  expect(await describeHealthHistory(db, 30, at("21T00:07:30"))).toBe(
    "2026-11-21  degraded: 1, down: 1, maintenance: 1, unmeasured: 4\n2026-11-20  ok: 1, degraded: 1",
  );
});

test("minutes past 90 days are deleted with the next one", async () => {
  const { db } = await createTestDatabase();
  const now = at("21T12:00:00");
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  for (const time of [before(91), before(90), before(1)]) await storeHealthMinute(db, health(time, {}), time);
  await storeHealthMinute(db, health(now, {}), now);
  const { rows } = await db.execute("select minute from health_minutes order by minute");
  expect(rows).toHaveLength(3);
});

test("without a stored minute the history says so, and its days are from 1 to 90", async () => {
  const { db } = await createTestDatabase();
  expect(await describeHealthHistory(db, 30, at("21T12:00:00"))).toBe("No minute of health is stored.");
  expect(parseOperatorArguments(["health-history", "--days", "90"]).command).toMatchObject({ days: 90 });
  for (const days of ["0", "91", "1.5", "x"])
    expect(() => parseOperatorArguments(["health-history", "--days", days])).toThrow("--days must be a whole number");
});
