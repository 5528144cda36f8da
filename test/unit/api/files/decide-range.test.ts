import { expect, test } from "vitest";
import { decideRange } from "../../../../src/api/files/decide-range.ts";

const ETAG = '"abc"';
const part = (offset: number, length: number) => ({ kind: "part", offset, length });
const WHOLE = { kind: "whole" };
const UNSATISFIABLE = { kind: "unsatisfiable" };

test.each([
  [null, null, WHOLE],
  ["bytes=0-0", null, part(0, 1)],
  ["bytes=0-99", null, part(0, 10)],
  ["bytes=4-", null, part(4, 6)],
  ["bytes=-3", null, part(7, 3)],
  ["bytes=-30", null, part(0, 10)],
  ["bytes=-0", null, UNSATISFIABLE],
  ["bytes=10-", null, UNSATISFIABLE],
  ["bytes=5-4", null, WHOLE],
  ["bytes=-", null, WHOLE],
  ["bytes=0-1,4-5", null, WHOLE],
  ["lines=0-1", null, WHOLE],
  ["bytes=0-1", ETAG, part(0, 2)],
  ["bytes=0-1", '"other"', WHOLE],
  ["bytes=0-1", `W/${ETAG}`, WHOLE],
  ["bytes=0-1", "Sat, 21 Nov 2026 12:00:00 GMT", WHOLE],
])("Range %s with If-Range %s of a file of ten bytes", (range, ifRange, decision) => {
  expect(decideRange(range, ifRange, ETAG, 10)).toEqual(decision);
});
