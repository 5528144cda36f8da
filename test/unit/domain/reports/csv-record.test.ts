import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsvRecord } from "../../../../src/domain/reports/csv-record.ts";

// RFC 4180, section 2.
test.each<[string, string[] | null]>([
  ["Politics", ["Politics"]],
  ["Politics,Crypto", ["Politics", "Crypto"]],
  ['"Science & Tech","a,b","say ""hi"""', ["Science & Tech", "a,b", 'say "hi"']],
  ['"two\r\nlines",x', ["two\r\nlines", "x"]],
  [" Politics , Crypto", [" Politics ", " Crypto"]],
  ["", [""]],
  [",", ["", ""]],
  ['""', [""]],
  ['Pol"itics', null],
  ['"Politics', null],
  ['"Politics"x,Crypto', null],
  ['"Politics" ,Crypto', null],
  ["Politics\nCrypto", null],
])("the CSV record %j is parsed as %j", (text, fields) => {
  expect(parseCsvRecord(text)).toEqual(fields);
});

test("a record written by the CSV rules is parsed to its fields", () => {
  const field = fc.string({ unit: fc.constantFrom("a", " ", ",", '"', "\n", "é") });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
      expect(parseCsvRecord(fields.map(quote).join(","))).toEqual(fields);
    }),
  );
});
