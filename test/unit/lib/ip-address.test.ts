import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isIpAddress, parseIpAddress } from "../../../src/lib/ip-address.ts";
import { sized } from "../../support/sized.ts";

const bytesOf = (text: string) => parseIpAddress(text)?.toByteArray() ?? null;

describe("an address", () => {
  test("an IPv4 address is read as four decimal numbers", () =>
    expect(bytesOf("203.0.113.7")).toEqual([203, 0, 113, 7]));

  test.for([
    ["::192.0.2.1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1]],
    ["::ffff:192.0.2.1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1]],
    ["64:ff9b::192.0.2.1", [0, 100, 255, 155, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1]],
    ["2001:DB8::1", [32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ] as const)("the IPv6 address %s is read as its 16 bytes", ([text, bytes]) => expect(bytesOf(text)).toEqual(bytes));

  test.for([
    ...["127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "010.0.0.1", "256.0.0.1", "1.2.3", "1.2.3.4."],
    ...["::ffff:0x7f.0.0.1", "::0177.0.0.1", "::ffff:127.1", "64:ff9b::010.0.0.1", "1.2.3.4::", "1.2.3.4:1::"],
    ...["fe80::1%eth0", "::%1", "fe80::1%1.2.3.4", "[::1]", ":::", "1:2:3:4:5:6:7:8:", "::1:", ":1::", "", "::g"],
  ])("the text %j is not an address", (text) =>
    expect([parseIpAddress(text), isIpAddress(text)]).toEqual([null, false]),
  );
});

test("random texts are addresses exactly where node:net accepts them without a zone identifier", () => {
  const part = fc.oneof(fc.stringMatching(/^(0x)?[0-9a-f]{0,5}$/), fc.ipV4(), fc.ipV6());
  const texts = fc.oneof(
    fc.stringMatching(/^[0-9a-fA-FxX:.%]{0,45}$/),
    fc
      .array(fc.tuple(part, fc.constantFrom(":", "::", ".", "")), { maxLength: 9 })
      .map((parts) => parts.flat().join("")),
    fc.ipV4Extended(),
    fc.ipV4(),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const isAddress = (isIPv4(text) || isIPv6(text)) && !text.includes("%");
      expect([parseIpAddress(text) !== null, isIpAddress(text)]).toEqual([isAddress, isAddress]);
    }),
    { numRuns: sized({ short: 4_000, full: 20_000 }) },
  );
});
