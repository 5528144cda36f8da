import { describe, expect, test } from "vitest";
import { judgeJobHealth, type ExpectedHeartbeat, type Heartbeat } from "../../../src/domain/job-health.ts";
import { listHeartbeats } from "../../../src/jobs/heartbeats.ts";
import { listConfiguredJobs, listPausedJobs, listRunningJobs } from "../../../src/jobs/registry.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const MINUTE: ExpectedHeartbeat = { name: "build_flows", intervalSeconds: 60 };
const TEN: ExpectedHeartbeat = { name: "build_trending", intervalSeconds: 600 };
const HEAVY: ExpectedHeartbeat = { name: "build_reports", intervalSeconds: 60 };
const NONE = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };

const heartbeat = (job: string, secondsAgo: number | null): Heartbeat => ({
  job,
  succeededAtMs: secondsAgo === null ? null : NOW - secondsAgo * 1000,
});

describe("the state of a job", () => {
  test.each<[string, number | null, Partial<typeof NONE>]>([
    ["has just succeeded", 0, { healthy: 1 }],
    ["has succeeded within three of its intervals", 180, { healthy: 1 }],
    ["has succeeded a millisecond before three of its intervals", 180.001, { stale: 1 }],
    ["has only failed so far", null, { missing: 1 }],
    ["succeeded by a clock a minute ahead", -60, { healthy: 1 }],
    ["succeeded in the future", -60.001, { invalid: 1 }],
    ["succeeded at no time at all", Number.NaN, { invalid: 1 }],
  ])("a job that %s is counted in its state", (_, secondsAgo, counts) => {
    expect(judgeJobHealth([MINUTE], [heartbeat("build_flows", secondsAgo)], NOW, [])).toMatchObject({
      total: 1,
      ...NONE,
      ...counts,
    });
  });

  test("a job without a heartbeat is missing", () => {
    expect(judgeJobHealth([MINUTE], [], NOW, [])).toMatchObject({ total: 1, ...NONE, missing: 1 });
  });

  test("a job is judged by its own interval", () => {
    const heartbeats = [heartbeat("build_flows", 1_800), heartbeat("build_trending", 1_800)];
    expect(judgeJobHealth([MINUTE, TEN], heartbeats, NOW, [])).toMatchObject({
      total: 2,
      ...NONE,
      stale: 1,
      healthy: 1,
    });
  });

  test("a heartbeat of an unknown job counts as unconfigured and does not affect the status", () => {
    const heartbeats = [heartbeat("build_flows", 0), heartbeat("retired", 0), heartbeat("retired too", null)];
    expect(judgeJobHealth([MINUTE], heartbeats, NOW, [])).toEqual({
      status: "ok",
      checked: true,
      total: 1,
      ...NONE,
      healthy: 1,
      unconfigured: 2,
    });
  });
});

test.each<[string, readonly Heartbeat[] | null, string]>([
  ["all healthy", [heartbeat("build_flows", 1), heartbeat("build_trending", 1)], "ok"],
  ["one healthy", [heartbeat("build_flows", 1)], "degraded"],
  ["none healthy", [heartbeat("build_flows", 181), heartbeat("build_trending", null)], "down"],
])("two jobs, %s, have the status $2", (_, heartbeats, status) => {
  expect(judgeJobHealth([MINUTE, TEN], heartbeats, NOW, [])).toMatchObject({ status, checked: true });
});

test("heartbeats that could not be read judge no job", () => {
  expect(judgeJobHealth([MINUTE, TEN], null, NOW, [])).toEqual({
    status: "not_checked",
    checked: false,
    total: 2,
    ...NONE,
  });
});

describe("a paused job", () => {
  const jobs = [MINUTE, HEAVY];

  test.each<[string, readonly Heartbeat[]]>([
    ["has just succeeded", [heartbeat("build_reports", 0)]],
    ["succeeded long ago", [heartbeat("build_reports", 86_400)]],
    ["has only failed so far", [heartbeat("build_reports", null)]],
    ["has no heartbeat", []],
    ["succeeded in the future", [heartbeat("build_reports", -3_600)]],
  ])("a paused job that %s only counts as paused", (_, heartbeats) => {
    const judged = judgeJobHealth(jobs, [heartbeat("build_flows", 0), ...heartbeats], NOW, ["build_reports"]);
    expect(judged).toEqual({ status: "degraded", checked: true, total: 2, ...NONE, healthy: 1, paused: 1 });
  });

  test("a paused job does not hide that the other jobs are down", () => {
    const judged = judgeJobHealth(jobs, [heartbeat("build_flows", 181), heartbeat("build_reports", 0)], NOW, [
      "build_reports",
    ]);
    expect(judged).toEqual({ status: "down", checked: true, total: 2, ...NONE, stale: 1, paused: 1 });
  });

  test("a paused job alone makes the status degraded, not down", () => {
    expect(judgeJobHealth([HEAVY], [], NOW, ["build_reports"])).toMatchObject({
      status: "degraded",
      ...NONE,
      paused: 1,
    });
  });
});

const SETTINGS = { heavyJobs: true, archiveSigningKey: "key", archiveRetentionDays: null, iceberg: null, chain: null };
const ICEBERG = { uri: "https://catalog.example.test", warehouse: "w", token: "t", bucket: "archive" };

describe("the optional jobs of an environment", () => {
  const optional = (settings: Parameters<typeof listConfiguredJobs>[0]) =>
    listConfiguredJobs(settings)
      .map(({ name }) => name)
      .filter((name) => ["publish_iceberg", "retire_archived", "follow_chain"].includes(name));

  test("do not exist without their setting, so health does not expect them", () => {
    expect(optional(SETTINGS)).toEqual([]);
    expect(listHeartbeats(SETTINGS).map(({ name }) => name)).not.toContain("publish_iceberg");
    expect(listPausedJobs(SETTINGS)).toEqual([]);
  });

  test("run with their setting, and health expects them", () => {
    const chain = { rpcUrl: "https://node.example.test", confirmations: 64 };
    const settings = { ...SETTINGS, archiveRetentionDays: 90, iceberg: ICEBERG, chain };
    expect(optional(settings)).toEqual(["follow_chain", "publish_iceberg", "retire_archived"]);
    expect(listHeartbeats(settings)).toHaveLength(listHeartbeats(SETTINGS).length + 3);
    expect(listRunningJobs(settings).map(({ name }) => name)).toContain("publish_iceberg");
  });
});

describe("the paused jobs of an environment", () => {
  test("no job is paused while heavy jobs are on", () => {
    expect(listPausedJobs(SETTINGS)).toEqual([]);
  });

  test("the archive is paused without its signing key", () => {
    expect(listPausedJobs({ ...SETTINGS, archiveSigningKey: null })).toEqual(["archive_days"]);
  });

  test("jobs that rebuild whole lists or read all traders are paused while heavy jobs are off", () => {
    expect(listPausedJobs({ ...SETTINGS, heavyJobs: false }).toSorted()).toEqual([
      "build_record",
      "build_reports",
      "measure_traders",
      "profile_traders",
    ]);
  });
});
