import { describe, expect, test } from "vitest";
import { judgeJobs, type Heartbeat } from "../../../src/domain/background-jobs.ts";
import { listPausedJobs, type Job } from "../../../src/domain/jobs.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const MINUTE: Job = { name: "flows", intervalSeconds: 60, heavy: false };
const TEN: Job = { name: "boards", intervalSeconds: 600, heavy: false };
const HEAVY: Job = { name: "reports", intervalSeconds: 60, heavy: true };
const NONE = { healthy: 0, stale: 0, missing: 0, invalid: 0, unconfigured: 0, paused: 0 };

const beat = (job: string, secondsAgo: number | null): Heartbeat => ({
  job,
  succeededAtMs: secondsAgo === null ? null : NOW - secondsAgo * 1000,
});

describe("a job", () => {
  test.each<[string, number | null, Partial<typeof NONE>]>([
    ["has just succeeded", 0, { healthy: 1 }],
    ["has succeeded within three of its intervals", 180, { healthy: 1 }],
    ["has succeeded a millisecond earlier", 180.001, { stale: 1 }],
    ["has only failed so far", null, { missing: 1 }],
    ["succeeded by a clock a minute ahead", -60, { healthy: 1 }],
    ["succeeded in the future", -60.001, { invalid: 1 }],
    ["succeeded at no time at all", Number.NaN, { invalid: 1 }],
  ])("that %s", (_, secondsAgo, counts) => {
    expect(judgeJobs([MINUTE], [beat("flows", secondsAgo)], NOW, [])).toMatchObject({ total: 1, ...NONE, ...counts });
  });

  test("that never told of itself is missing", () => {
    expect(judgeJobs([MINUTE], [], NOW, [])).toMatchObject({ total: 1, ...NONE, missing: 1 });
  });

  test("is measured by its own interval", () => {
    const told = [beat("flows", 1_800), beat("boards", 1_800)];
    expect(judgeJobs([MINUTE, TEN], told, NOW, [])).toMatchObject({ total: 2, ...NONE, stale: 1, healthy: 1 });
  });

  test("of another release is told apart and judges nothing", () => {
    const told = [beat("flows", 0), beat("retired", 0), beat("retired too", null)];
    expect(judgeJobs([MINUTE], told, NOW, [])).toEqual({ status: "ok", checked: true, total: 1, ...NONE, healthy: 1, unconfigured: 2 });
  });
});

test.each<[string, readonly Heartbeat[] | null, string]>([
  ["all healthy: ok", [beat("flows", 1), beat("boards", 1)], "ok"],
  ["some: degraded", [beat("flows", 1)], "degraded"],
  ["none: down", [beat("flows", 181), beat("boards", null)], "down"],
])("of two jobs %s", (_, told, status) => {
  expect(judgeJobs([MINUTE, TEN], told, NOW, [])).toMatchObject({ status, checked: true });
});

test("heartbeats that could not be read judge no job", () => {
  expect(judgeJobs([MINUTE, TEN], null, NOW, [])).toEqual({ status: "not_checked", checked: false, total: 2, ...NONE });
});

describe("a paused job", () => {
  const jobs = [MINUTE, HEAVY];

  test.each<[string, readonly Heartbeat[]]>([
    ["has just succeeded", [beat("reports", 0)]],
    ["succeeded long ago", [beat("reports", 86_400)]],
    ["has only failed so far", [beat("reports", null)]],
    ["never told of itself", []],
    ["succeeded in the future", [beat("reports", -3_600)]],
  ])("that %s counts as paused and as nothing else", (_, told) => {
    const judged = judgeJobs(jobs, [beat("flows", 0), ...told], NOW, ["reports"]);
    expect(judged).toEqual({ status: "degraded", checked: true, total: 2, ...NONE, healthy: 1, paused: 1 });
  });

  test("does not keep the others from being down", () => {
    const judged = judgeJobs(jobs, [beat("flows", 181), beat("reports", 0)], NOW, ["reports"]);
    expect(judged).toEqual({ status: "down", checked: true, total: 2, ...NONE, stale: 1, paused: 1 });
  });

  test("takes nothing down, even where there is no other", () => {
    expect(judgeJobs([HEAVY], [], NOW, ["reports"])).toMatchObject({ status: "degraded", ...NONE, paused: 1 });
  });
});

describe("of the jobs that run here", () => {
  test("none is paused while heavy ones are on", () => {
    expect(listPausedJobs(true)).toEqual([]);
  });

  test("those whose lists are rebuilt or wallets walked as a whole are paused while they are off", () => {
    expect(listPausedJobs(false).toSorted()).toEqual(["profiles", "provider_figures", "reports"]);
  });
});
