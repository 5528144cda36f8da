import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRecord, csvTime } from "../../../../src/domain/exports/csv.ts";
import { parseCsvRecord } from "../../../../src/domain/reports/csv-record.ts";

test.each([
  ['=HYPERLINK("http://x.test","y")', `"'=HYPERLINK(""http://x.test"",""y"")"`],
  ["+1+1", "'+1+1"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\uFF1D1+1", "'\uFF1D1+1"],
  ["\uFF20SUM(A1)", "'\uFF20SUM(A1)"],
  ["\r\n=1", `"'\r\n=1"`],
  ["-12.500000", "-12.500000"],
  ["Zürich, 日本", '"Zürich, 日本"'],
  ["two\nlines", '"two\nlines"'],
  [null, ""],
  [0, "0"],
])("the field %j is written as %j", (value, text) => {
  expect(csvRecord([value])).toBe(`${text}\r\n`);
});

test("every record parses back to its fields, and no text field begins like a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 20 }), { minLength: 2, maxLength: 6 }), (fields) => {
      const parsed = parseCsvRecord(csvRecord(fields).slice(0, -2));
      expect(parsed?.map((field) => field.replace(/^'/, ""))).toEqual(fields.map((field) => field.replace(/^'/, "")));
      for (const field of parsed ?? []) expect(field).not.toMatch(/^[=+@\t\r\n＝＋－＠]|^-(?!\d+(\.\d+)?$)/);
    }),
  );
});

test("a time is UTC, in a form that spreadsheets read as a date", () => {
  expect(csvTime("2026-11-20T12:00:05.123Z")).toBe("2026-11-20 12:00:05");
});
