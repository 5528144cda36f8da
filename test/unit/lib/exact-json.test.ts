import { expect, test } from "vitest";
import { parseExactJson, stringifyExactJson } from "../../../src/lib/exact-json.ts";

test("whole numbers beyond the safe integers keep every digit", () => {
  const text = '{"id":9223372036854775807,"parent":-9007199254740993,"small":42,"rate":1.5,"text":"9007199254740993"}';
  const value = parseExactJson(text);
  expect(value).toEqual({
    ...{ id: 9223372036854775807n, parent: -9007199254740993n, small: 42, rate: 1.5, text: "9007199254740993" },
  });
  expect(stringifyExactJson(value)).toBe(text);
});

test("text that is not JSON is refused", () => {
  expect(() => parseExactJson("<html>")).toThrow(SyntaxError);
});
