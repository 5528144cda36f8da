import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networkOf } from "../../../src/lib/network-of.ts";
import { clientIp } from "../../../src/platform/rate-limit/client-ip.ts";
import { sized } from "../../support/sized.ts";

const ipOf = (header: string) => clientIp(new Headers({ "cf-connecting-ip": header }));

describe("the network of a caller", () => {
  test.for([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
    ["2001:DB8:0:7:ffff:ffff:ffff:ffff", "2001:db8:0:7::/64"],
    ["2001:0db8:0000:0007::1", "2001:db8:0:7::/64"],
    ["2001:db8:0:7::", "2001:db8:0:7::/64"],
    ["2001:db8:0:8::1", "2001:db8:0:8::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
  ])("the address %s belongs to the network %s", ([ip, network]) => expect(networkOf(ipOf(ip ?? ""))).toBe(network));
});

test("an IPv6 address belongs to the /64 network of its first half", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = fc.tuple(group, group, group, group);
  fc.assert(
    fc.property(fc.integer({ min: 0x2000, max: 0x3fff }), groups, groups, (first, [, ...upper], lower) => {
      const prefix = [first, ...upper].map((part) => part.toString(16)).join(":");
      const ip = `${prefix}:${lower.map((part) => part.toString(16)).join(":")}`;
      expect(networkOf(ip)).toBe(`${prefix}::/64`);
      // The URL parser writes the same address in its shortest form.
      expect(networkOf(new URL(`http://[${ip}]`).hostname.slice(1, -1))).toBe(`${prefix}::/64`);
    }),
  );
});

test("a caller without a valid address in Cloudflare's header is 127.0.0.1", () => {
  expect(clientIp(new Headers())).toBe("127.0.0.1");
  expect(clientIp(new Headers({ "x-forwarded-for": "203.0.113.7" }))).toBe("127.0.0.1");
  const odd = [
    "",
    "localhost",
    "203.0.113",
    "203.0.113.7, 198.51.100.2",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "[::1]",
    "fe80::1%eth0",
  ];
  expect(odd.filter((text) => ipOf(text) !== "127.0.0.1")).toEqual([]);
});

test("every header, however odd, yields exactly one network", () => {
  const odd = fc.oneof(fc.stringMatching(/^[0-9a-fA-F:.]{0,45}$/), fc.stringMatching(/^[ -~]*$/), fc.ipV6());
  fc.assert(
    fc.property(odd, (header) => {
      expect(networkOf(ipOf(header))).toMatch(/^(\d+\.\d+\.\d+\.\d+|[0-9a-f:]+::\/64)$/);
    }),
    { numRuns: sized({ short: 500, full: 2_000 }) },
  );
});
