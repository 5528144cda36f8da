import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../../src/domain/proofs/canonical-json.ts";
import { toHex } from "../../../../src/domain/proofs/hex.ts";
import { canonicalRow, hashRow } from "../../../../src/domain/proofs/row-leaf.ts";

const ROW = ["2026-11-22T10:00:00.123456Z", "7", "2026-11-21", "1", "ab".repeat(32)];

test("a row is written as an object of its columns and its dataset, with sorted keys and text values", () => {
  expect(canonicalRow("pick_commitments", ROW)).toBe(
    `{"commitment_hash":"${"ab".repeat(32)}","dataset":"pick_commitments","id":"7","pick_date":"2026-11-21",` +
      `"pick_rank":"1","recorded_at":"2026-11-22T10:00:00.123456Z"}`,
  );
});

test("the leaf of a row is the SHA-256 of a zero byte and its text", () => {
  const text = `\0${canonicalRow("pick_commitments", ROW)}`;
  expect(toHex(hashRow("pick_commitments", ROW))).toBe(createHash("sha256").update(text).digest("hex"));
});

test("an absent value is null, and a row of another length is refused", () => {
  const resolution = ["2026-11-22T10:00:00.000000Z", "1", "0x7", null, null, null];
  expect(canonicalRow("resolutions", resolution)).toContain('"payouts_ppm":null');
  expect(() => canonicalRow("resolutions", resolution.slice(1))).toThrow("6 columns");
});

test("nested values are written without spaces, and what JSON cannot carry exactly is refused", () => {
  expect(canonicalJson({ b: [1, null, { z: "ü", a: "" }], a: -2 })).toBe('{"a":-2,"b":[1,null,{"a":"","z":"ü"}]}');
  expect(() => canonicalJson({ a: 0.5 })).toThrow(RangeError);
  expect(() => canonicalJson(["\ud800"])).toThrow(RangeError);
});
