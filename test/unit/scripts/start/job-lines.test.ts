import { expect, test } from "vitest";
import { decideJobLines, type JobBeat, type Said } from "../../../../scripts/start/job-lines.ts";

const START = new Date("2026-11-20T12:00:00Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const ran = (seconds: number, failedAt: Date | null = null): JobBeat => ({ job: "books", succeededAt: at(seconds), failedAt, error: null });
const failed = (seconds: number, error: string, succeededAt: Date | null = null): JobBeat => ({
  job: "books",
  succeededAt,
  failedAt: at(seconds),
  error,
});

/** What is said while a table is looked at again and again. */
function say(...looks: readonly JobBeat[][]): (readonly string[])[] {
  let said: Said = new Map();
  return looks.map((beats) => {
    const next = decideJobLines(said, beats, START);
    said = next.said;
    return next.lines;
  });
}

test("a job's first success is said once", () => {
  expect(say([], [ran(1)], [ran(1)], [ran(61)])).toEqual([[], ["job books: ran"], [], []]);
});

test("a success of the moment the start began counts", () => {
  expect(say([ran(0)])).toEqual([["job books: ran"]]);
});

test("an error is said once, until it is another one", () => {
  const looks = [[failed(1, "no route")], [failed(3, "no route")], [failed(7, "timed out")], [failed(15, "no route")]];
  expect(say(...looks)).toEqual([["job books: failed: no route"], [], ["job books: failed: timed out"], ["job books: failed: no route"]]);
});

test("an error that only tells another duration is the same", () => {
  const looks = [
    [failed(1, "503, no answer within 3451 ms")],
    [failed(5, "503, no answer within 12 ms")],
    [failed(9, "429, no answer within 12 ms")],
  ];
  expect(say(...looks)).toEqual([
    ["job books: failed: 503, no answer within 3451 ms"],
    [],
    ["job books: failed: 429, no answer within 12 ms"],
  ]);
});

test("a job that ran, failed and runs again says each of the three", () => {
  expect(say([ran(1)], [failed(2, "no route", at(1))], [ran(4, at(2))], [ran(64, at(2))])).toEqual([
    ["job books: ran"],
    ["job books: failed: no route"],
    ["job books: runs again"],
    [],
  ]);
});

test("a job that fails at first runs again and not for the first time", () => {
  expect(say([failed(1, "no route")], [ran(3, at(1))])).toEqual([["job books: failed: no route"], ["job books: runs again"]]);
});

test("what an earlier start left is not said: not its success, and not its failure", () => {
  expect(say([ran(-0.001)], [ran(5)])).toEqual([[], ["job books: ran"]]);
  expect(say([failed(-60, "no route", at(-120))], [failed(-60, "no route", at(-120))])).toEqual([[], []]);
  expect(say([failed(-60, "no route", at(-120))], [ran(2, at(-60))])).toEqual([[], ["job books: ran"]]);
  expect(say([failed(2, "no route", at(-120))])).toEqual([["job books: failed: no route"]]);
});

test("each job is said by itself, in the order it is told", () => {
  const flows: JobBeat = { job: "flows", succeededAt: at(2), failedAt: null, error: null };
  expect(say([ran(1)], [ran(1), flows], [flows, failed(3, "no route", at(1))])).toEqual([
    ["job books: ran"],
    ["job flows: ran"],
    ["job books: failed: no route"],
  ]);
});

test("while nothing can be read, nothing is said or forgotten", () => {
  expect(say([ran(1)], [], [ran(1)])).toEqual([["job books: ran"], [], []]);
});

test("an error takes one line and cannot steer the terminal", () => {
  expect(say([failed(1, " select 1\n  from\tt;\r\n\u001B[2Jdenied \u0085")])).toEqual([["job books: failed: select 1 from t; [2Jdenied"]]);
});
