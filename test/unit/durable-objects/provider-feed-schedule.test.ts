import { expect, test } from "vitest";
import {
  afterJob,
  decideNextJob,
  hasten,
  newSchedule,
  nextDueAt,
  REST_MS,
  resumeSchedule,
  type Schedule,
} from "../../../durable-objects/provider-feed/schedule.ts";
import { JOBS, type JobName } from "../../../src/domain/jobs.ts";

const T0 = 1_000_000;
const POLL_MS = 10_000;
const NONE: readonly JobName[] = [];
const more = { kind: "more" } as const;
const idle = { kind: "idle" } as const;

function runAll(schedule: Schedule, now: number): { order: string[]; schedule: Schedule } {
  const order: string[] = [];
  for (let job = decideNextJob(schedule, now, NONE); job !== null; job = decideNextJob(schedule, now, NONE)) {
    order.push(job);
    schedule = afterJob(schedule, job, idle, now, POLL_MS);
  }
  return { order, schedule };
}

test("a new schedule reads the boards and markets first and does all but what is made of what was read at once", () => {
  const { order } = runAll(newSchedule(T0), T0);
  expect(order.slice(0, 2)).toEqual(["boards", "market_walk"]);
  const reading = ["taker_feed", "fill_feed", "market_hydration", "wallet_sync", "resolutions", "books"];
  expect(new Set(order.slice(2))).toEqual(new Set([...reading, "skill", "population", "grades", "outbox_pruning"]));
});

test("nothing is due once every job has run and rests", () => {
  const { schedule } = runAll(newSchedule(T0), T0);
  expect(decideNextJob(schedule, T0, NONE)).toBeNull();
  expect(nextDueAt(schedule, NONE)).toBe(T0 + REST_MS.wallet_sync);
});

test("no job rests longer than the interval that health measures it by", () => {
  const rests: Readonly<Record<string, number>> = REST_MS;
  const late = JOBS.filter(({ name, intervalSeconds }) => (rests[name] ?? POLL_MS) > intervalSeconds * 1_000);
  expect(late).toEqual([]);
});

test("a feed that always has more lets the others run in between", () => {
  let schedule = newSchedule(T0);
  const order: string[] = [];
  for (let now = T0; order.length < 40; now++) {
    const job = decideNextJob(schedule, now, NONE);
    if (job === null) continue;
    order.push(job);
    schedule = afterJob(schedule, job, job === "fill_feed" ? more : idle, now, POLL_MS);
  }
  expect(order.filter((job) => job === "fill_feed").length).toBeGreaterThan(20);
  expect(order).toContain("resolutions");
  expect(order).toContain("taker_feed");
});

test("a failing job waits twice as long each time, at most a minute, and starts over once it succeeds", () => {
  let schedule = newSchedule(T0);
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    schedule = afterJob(schedule, "boards", { kind: "failed", retryAfterMs: null }, T0, POLL_MS);
    waits.push(schedule.boards.dueAtMs - T0);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(afterJob(schedule, "boards", idle, T0, POLL_MS).boards).toEqual({ dueAtMs: T0 + REST_MS.boards, failures: 0 });
});

test("a provider that names its own time is asked again then", () => {
  const schedule = afterJob(newSchedule(T0), "taker_feed", { kind: "failed", retryAfterMs: 7_000 }, T0, POLL_MS);
  expect(schedule.taker_feed.dueAtMs).toBe(T0 + 7_000);
});

test.each([
  ["days, it is asked again after a quarter of an hour", 11 * 86_400_000, 900_000],
  ["no time at all, it is asked again as after any failure", 0, 4_000],
])("a provider that asks for %s", (_, retryAfterMs, waitMs) => {
  const [once, fails] = [{ kind: "failed", retryAfterMs: null } as const, { kind: "failed", retryAfterMs } as const];
  let schedule = newSchedule(T0);
  for (const outcome of [once, once, fails]) schedule = afterJob(schedule, "fill_feed", outcome, T0, POLL_MS);
  expect(schedule.fill_feed).toEqual({ dueAtMs: T0 + waitMs, failures: 3 });
});

test("hastening makes jobs due now and never later", () => {
  const { schedule } = runAll(newSchedule(T0), T0);
  const hastened = hasten(schedule, ["leaderboard"], T0 + 5);
  expect(hastened.leaderboard.dueAtMs).toBe(T0 + 5);
  expect(hasten(hastened, ["leaderboard"], T0 + 9).leaderboard.dueAtMs).toBe(T0 + 5);
});

test("a schedule of an earlier version goes on where it was, runs jobs that are new and none that is gone", () => {
  const { flows, ...earlier } = newSchedule(T0);
  const stored = { ...earlier, boards: { dueAtMs: T0 + 50, failures: 2 }, retired: { dueAtMs: T0, failures: 0 } };
  const later = T0 + 1_000;
  const resumed = resumeSchedule(stored, later);
  expect(resumed.boards).toEqual({ dueAtMs: T0 + 50, failures: 2 });
  expect(resumed.flows.dueAtMs).toBe(flows.dueAtMs + 1_000);
  expect(Object.keys(resumed).sort()).toEqual(Object.keys(newSchedule(T0)).sort());
  expect(resumeSchedule({}, T0)).toEqual(newSchedule(T0));
});

test("paused jobs never run, however long they have been due, and wake nobody", () => {
  const paused = ["boards", "wallet_sync"] as const;
  let schedule = newSchedule(T0);
  const order: string[] = [];
  for (let job = decideNextJob(schedule, T0, paused); job !== null; job = decideNextJob(schedule, T0, paused)) {
    order.push(job);
    schedule = afterJob(schedule, job, idle, T0, POLL_MS);
  }
  expect(order).toContain("market_walk");
  expect(order).not.toContain("boards");
  expect(order).not.toContain("wallet_sync");
  expect(nextDueAt(schedule, NONE)).toBeLessThan(T0);
  expect(nextDueAt(schedule, paused)).toBe(T0 + REST_MS.market_hydration);
});

test("a job that is no longer paused has waited longest and runs first", () => {
  let schedule = newSchedule(T0);
  const later = T0 + 3_600_000;
  for (let job = decideNextJob(schedule, later, ["reports"]); job !== null; job = decideNextJob(schedule, later, ["reports"])) {
    schedule = afterJob(schedule, job, idle, later, POLL_MS);
  }
  expect(decideNextJob(schedule, later + 600_000, NONE)).toBe("reports");
});
