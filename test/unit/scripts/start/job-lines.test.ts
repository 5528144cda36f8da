import { expect, test } from "vitest";
import { decideJobLines, type JobHeartbeat, type ReportedJobs } from "../../../../scripts/start/job-lines.ts";

const START = new Date("2026-11-20T12:00:00Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const ran = (seconds: number, failedAt: Date | null = null): JobHeartbeat => ({
  job: "refresh_books",
  succeededAt: at(seconds),
  failedAt,
  error: null,
});
const failed = (seconds: number, error: string, succeededAt: Date | null = null): JobHeartbeat => ({
  job: "refresh_books",
  succeededAt,
  failedAt: at(seconds),
  error,
});

/** The lines printed while the heartbeat table is read repeatedly. */
function linesOf(...reads: readonly JobHeartbeat[][]): (readonly string[])[] {
  let reported: ReportedJobs = new Map();
  return reads.map((heartbeats) => {
    const next = decideJobLines(reported, heartbeats, START);
    reported = next.said;
    return next.lines;
  });
}

test("a job's first success is reported once", () => {
  expect(linesOf([], [ran(1)], [ran(1)], [ran(61)])).toEqual([[], ["job refresh_books: ran"], [], []]);
});

test("a success at the very time of the start is reported", () => {
  expect(linesOf([ran(0)])).toEqual([["job refresh_books: ran"]]);
});

test("an error is reported once until it changes", () => {
  const reads = [[failed(1, "no route")], [failed(3, "no route")], [failed(7, "timed out")], [failed(15, "no route")]];
  expect(linesOf(...reads)).toEqual([
    ["job refresh_books: failed: no route"],
    [],
    ["job refresh_books: failed: timed out"],
    ["job refresh_books: failed: no route"],
  ]);
});

test("an error that differs only in a duration counts as the same error", () => {
  const reads = [
    [failed(1, "503, no answer within 3451 ms")],
    [failed(5, "503, no answer within 12 ms")],
    [failed(9, "429, no answer within 12 ms")],
  ];
  expect(linesOf(...reads)).toEqual([
    ["job refresh_books: failed: 503, no answer within 3451 ms"],
    [],
    ["job refresh_books: failed: 429, no answer within 12 ms"],
  ]);
});

test("a job that ran, failed and runs again is reported three times", () => {
  expect(linesOf([ran(1)], [failed(2, "no route", at(1))], [ran(4, at(2))], [ran(64, at(2))])).toEqual([
    ["job refresh_books: ran"],
    ["job refresh_books: failed: no route"],
    ["job refresh_books: runs again"],
    [],
  ]);
});

test("a job that fails at first is reported as running again after its first success", () => {
  expect(linesOf([failed(1, "no route")], [ran(3, at(1))])).toEqual([
    ["job refresh_books: failed: no route"],
    ["job refresh_books: runs again"],
  ]);
});

test("the success and the failure of an earlier start are not reported", () => {
  expect(linesOf([ran(-0.001)], [ran(5)])).toEqual([[], ["job refresh_books: ran"]]);
  expect(linesOf([failed(-60, "no route", at(-120))], [failed(-60, "no route", at(-120))])).toEqual([[], []]);
  expect(linesOf([failed(-60, "no route", at(-120))], [ran(2, at(-60))])).toEqual([[], ["job refresh_books: ran"]]);
  expect(linesOf([failed(2, "no route", at(-120))])).toEqual([["job refresh_books: failed: no route"]]);
});

test("each job is reported separately, in the given order", () => {
  const flows: JobHeartbeat = { job: "build_flows", succeededAt: at(2), failedAt: null, error: null };
  expect(linesOf([ran(1)], [ran(1), flows], [flows, failed(3, "no route", at(1))])).toEqual([
    ["job refresh_books: ran"],
    ["job build_flows: ran"],
    ["job refresh_books: failed: no route"],
  ]);
});

test("an empty read reports nothing and forgets nothing", () => {
  expect(linesOf([ran(1)], [], [ran(1)])).toEqual([["job refresh_books: ran"], [], []]);
});

test("an error is printed on one line and cannot control the terminal", () => {
  expect(linesOf([failed(1, " select 1\n  from\tt;\r\n\u001B[2Jdenied \u0085")])).toEqual([
    ["job refresh_books: failed: select 1 from t; [2Jdenied"],
  ]);
});
