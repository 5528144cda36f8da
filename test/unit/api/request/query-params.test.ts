import { expect, test } from "vitest";
import { csvEnumParam, factorParam } from "../../../../src/api/request/query-params.ts";

const colours = csvEnumParam(["red", "green", "5+"]);

test.each([
  [undefined, null],
  [[""], null],
  [["all"], null],
  [["red,all"], null],
  [["5+,red"], ["red", "5+"]],
  [["red,red,"], ["red"]],
])("a comma-separated enum reads %j as %j", (raw, value) => {
  expect(colours.parse(raw)).toEqual(value);
});

test.each([[["blue"]], [["red,blue"]], [["Red"]], [["red", "green"]]])("a comma-separated enum refuses %j", (raw) => {
  expect(colours.safeParse(raw).success).toBe(false);
});

test("a factor is 0, or 2 and more", () => {
  const factor = factorParam({ max: 10 });
  expect([undefined, ["0"], ["2"], ["10"]].map((raw) => factor.parse(raw))).toEqual([0, 0, 2, 10]);
  for (const refused of ["1", "-1", "11", "2.5", ""]) expect(factor.safeParse([refused]).success).toBe(false);
});
