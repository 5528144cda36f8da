import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/domain/proofs/canonical-json.ts";
import { jsonRows } from "../../../src/exports/artifact/json-rows.ts";

const NAMES = ["id", "b_time", "a_label", "price", "a"];
const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.maxSafeInteger(), fc.constant(null));

test("the text of a row is its JSON, and its leaf the canonical text", () => {
  const write = jsonRows(NAMES);
  fc.assert(
    fc.property(fc.array(value, { minLength: NAMES.length, maxLength: NAMES.length }), (values) => {
      const row = Object.fromEntries(NAMES.map((name, index) => [name, values[index] ?? null]));
      expect(write(row)).toEqual({ text: JSON.stringify(row), leaf: canonicalJson(row) });
    }),
  );
});

test("a row with an inexact number or a broken text is refused", () => {
  const write = jsonRows(["a"]);
  expect(() => write({ a: 0.5 })).toThrow(RangeError);
  expect(() => write({ a: "\ud800" })).toThrow(RangeError);
});
