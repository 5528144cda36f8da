import { expect, test } from "vitest";
import { isEqualInConstantTime } from "../../../src/lib/crypto/constant-time.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ["equal bytes", "signature", "signature", true],
  ["another last byte", "signature", "signaturf", false],
  ["another first byte", "signature", "tignature", false],
  ["another length", "signature", "signatur", false],
  ["no bytes at all", "", "", true],
])("the comparison in constant time judges %s", (_, a, b, isEqual) => {
  expect(isEqualInConstantTime(bytes(a), bytes(b))).toBe(isEqual);
});
