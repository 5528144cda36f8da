import { describe, expect, test } from "vitest";
import { LANES, type Lane } from "../../../src/domain/lanes.ts";
import { findJob, listLane, type Job } from "../../../src/jobs/registry.ts";
import {
  afterJob,
  decideNextJob,
  newSchedule,
  nextDueAt,
  resumeSchedule,
  scheduleBy,
  startJob,
  type Outcome,
  type Schedule,
} from "../../../src/jobs/schedule.ts";

const T0 = 1_000_000;
const POLL_MS = 10_000;
const more = { kind: "more" } as const;
const idle = { kind: "idle" } as const;
const failed = (retryAfterMs: number | null) => ({ kind: "failed", retryAfterMs }) as const;

const fresh = (jobs: readonly Job[], now = T0) => newSchedule(jobs, now, POLL_MS);

/** The schedule after one run of a job that nothing else schedules meanwhile. */
const ranOnce = (schedule: Schedule, job: Job, outcome: Outcome, now: number): Schedule =>
  afterJob(startJob(schedule, job), job, outcome, now, POLL_MS);

/** Runs every due job once, each of them idle. */
function runAll(jobs: readonly Job[], schedule: Schedule, now: number): { order: string[]; schedule: Schedule } {
  const order: string[] = [];
  for (let job = decideNextJob(jobs, schedule, now); job !== null; job = decideNextJob(jobs, schedule, now)) {
    order.push(job.name);
    schedule = ranOnce(schedule, job, idle, now);
  }
  return { order, schedule };
}

test.each<[Lane, string[]]>([
  ["feed", ["read_taker_trades", "read_all_trades"]],
  ["games", ["apply_scores", "read_live_games", "read_games"]],
  ["lists", ["build_trending"]],
  [
    "maintenance",
    [
      "walk_markets",
      "hydrate_markets",
      "follow_chain",
      "sync_traders",
      "read_combos",
      "check_results",
      "refresh_books",
      "archive_days",
      "publish_iceberg",
      "retire_archived",
      "sweep_exports",
      "prune_outbox",
    ],
  ],
  ["figures", ["score_markets", "estimate_population", "grade_traders"]],
])("a new schedule of the lane %s runs at once what reads, in the order of the registry", (lane, names) => {
  const jobs = listLane(lane);
  expect(runAll(jobs, fresh(jobs), T0).order).toEqual(names);
});

test.each(LANES)("nothing of the lane %s is due once every job has run", (lane) => {
  const jobs = listLane(lane);
  const { schedule } = runAll(jobs, fresh(jobs), T0);
  expect(decideNextJob(jobs, schedule, T0)).toBeNull();
  const pauses = jobs.map(({ every }) => (every === "feed_poll" ? POLL_MS : every));
  expect(nextDueAt(jobs, schedule)).toBe(T0 + Math.min(...pauses));
});

test("a job that always has more lets the other jobs of its lane run in between", () => {
  const jobs = listLane("maintenance");
  let schedule = fresh(jobs);
  const order: string[] = [];
  // A run takes 100 ms.
  for (let now = T0; order.length < 40; now += 100) {
    const job = decideNextJob(jobs, schedule, now);
    if (job === null) continue;
    order.push(job.name);
    schedule = ranOnce(schedule, job, job.name === "walk_markets" ? more : idle, now);
  }
  expect(order.filter((name) => name === "walk_markets").length).toBeGreaterThan(20);
  // Its head start is a second.
  expect(new Set(order.slice(order.indexOf("walk_markets"), 10))).toEqual(new Set(["walk_markets"]));
  expect(order).toContain("check_results");
  expect(order).toContain("sync_traders");
});

test("a walk of a feed goes on before the other feed, until that has been due for three seconds", () => {
  const [takers, all] = [findJob("read_taker_trades"), findJob("read_all_trades")];
  const jobs = [takers, all];
  const { schedule } = runAll(jobs, fresh(jobs), T0);
  const walking = ranOnce(scheduleBy(schedule, [takers.name, all.name], T0 + 1_000), all, more, T0 + 2_000);
  expect(decideNextJob(jobs, walking, T0 + 2_000)).toBe(all);
  const later = (now: number) => decideNextJob(jobs, ranOnce(walking, all, more, now), now);
  expect([later(T0 + 3_999), later(T0 + 4_000), later(T0 + 4_001)]).toEqual([all, takers, takers]);
  expect(decideNextJob(jobs, ranOnce(walking, all, idle, T0 + 2_000), T0 + 2_000)).toBe(takers);
});

test("two walks that both have more take turns", () => {
  const [takers, all] = [findJob("read_taker_trades"), findJob("read_all_trades")];
  let schedule = fresh([takers, all]);
  const order = Array.from({ length: 12 }, (_, turn) => {
    const now = T0 + turn * 1_000;
    const job = decideNextJob([takers, all], schedule, now);
    if (job !== null) schedule = ranOnce(schedule, job, more, now);
    return job?.name;
  });
  expect(order.slice(-4).filter((name) => name === all.name)).toHaveLength(2);
});

test("a failing job waits twice as long each time, at most a minute, and starts over after a success", () => {
  const trending = findJob("build_trending");
  let schedule = fresh([trending]);
  const waits: unknown[] = [];
  for (let i = 0; i < 8; i++) {
    schedule = ranOnce(schedule, trending, failed(null), T0);
    waits.push((schedule["build_trending"]?.dueAtMs ?? 0) - T0);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(ranOnce(schedule, trending, idle, T0)["build_trending"]).toEqual({ dueAtMs: T0 + 600_000, failures: 0 });
});

describe("a provider that names the time of the next request", () => {
  const feed = findJob("read_all_trades");

  test.each([
    ["in seven seconds", 7_000, 7_000],
    ["in days gets it after a quarter of an hour", 11 * 86_400_000, 900_000],
    ["at once gets exponential back-off", 0, 4_000],
  ])("%s", (_, retryAfterMs, waitMs) => {
    let schedule = fresh([feed]);
    for (const outcome of [failed(null), failed(null), failed(retryAfterMs)]) {
      schedule = ranOnce(schedule, feed, outcome, T0);
    }
    expect(schedule["read_all_trades"]).toEqual({ dueAtMs: T0 + waitMs, failures: 3 });
  });
});

test("scheduling a job makes it due earlier and never later", () => {
  const jobs = listLane("lists");
  const { schedule } = runAll(jobs, fresh(jobs), T0);
  const moved = scheduleBy(schedule, ["build_leaderboard"], T0 + 5);
  expect(moved["build_leaderboard"]?.dueAtMs).toBe(T0 + 5);
  expect(scheduleBy(moved, ["build_leaderboard"], T0 + 9)["build_leaderboard"]?.dueAtMs).toBe(T0 + 5);
});

test("a time that is set while a job runs counts after the run, and only for that run", () => {
  const explore = findJob("build_explore");
  const running = scheduleBy(startJob(fresh([explore]), explore), ["build_explore"], T0 + 5_000);
  const after = afterJob(running, explore, idle, T0 + 100, POLL_MS);
  expect(after["build_explore"]?.dueAtMs).toBe(T0 + 5_000);
  const again = afterJob(startJob(after, explore), explore, idle, T0 + 6_000, POLL_MS);
  expect(again["build_explore"]?.dueAtMs).toBe(T0 + 66_000);
});

test("a job that is running is not due", () => {
  const explore = findJob("build_explore");
  expect(decideNextJob([explore], startJob(fresh([explore]), explore), T0 + 3_600_000)).toBeNull();
});

test("scheduling a job of another lane changes nothing", () => {
  const schedule = fresh(listLane("lists"));
  expect(scheduleBy(schedule, ["read_taker_trades"], T0)).toEqual(schedule);
});

test("a schedule of an earlier release keeps its times, starts new jobs and drops removed ones", () => {
  const jobs = listLane("figures");
  const { build_flows: flows, ...earlier } = fresh(jobs);
  const stored = {
    ...earlier,
    score_markets: { dueAtMs: T0 + 50, failures: 2 },
    retired: { dueAtMs: T0, failures: 0 },
  };
  const resumed = resumeSchedule(jobs, stored, T0 + 1_000, POLL_MS);
  expect(resumed["score_markets"]).toEqual({ dueAtMs: T0 + 50, failures: 2 });
  expect(resumed["build_flows"]?.dueAtMs).toBe((flows?.dueAtMs ?? 0) + 1_000);
  expect(Object.keys(resumed).sort()).toEqual(Object.keys(fresh(jobs)).sort());
  expect(resumeSchedule(jobs, {}, T0, POLL_MS)).toEqual(fresh(jobs));
});

test("a job that was paused for long has waited longest and runs first once it runs again", () => {
  const jobs = listLane("lists");
  const running = jobs.filter(({ name }) => name !== "build_reports");
  const later = T0 + 3_600_000;
  const { order, schedule } = runAll(running, fresh(jobs), later);
  expect(order).not.toContain("build_reports");
  expect(decideNextJob(jobs, schedule, later + 600_000)?.name).toBe("build_reports");
});
