import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../../../src/webhooks/rules/public-address.ts";
import { HOSTILE_ADDRESSES } from "../../../support/webhooks/hostile-urls.ts";
import { sized } from "../../../support/sized.ts";

/*
 * The registries as read independently: the IANA IPv4 and IPv6 Special-Purpose Address Registries as of 2025,
 * and the ranges of the IPv6 address space registry outside 2000::/3. Node's own BlockList decides by them.
 */
const V4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  168.63.129.16/32`.split(/\s+/);
const V6 = `::/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 4000::/2 8000::/1`.split(/\s+/);

/** A separate list for each family: one list would also match IPv4 addresses against IPv6 ranges. */
function blockList(ranges: readonly string[], family: "ipv4" | "ipv6"): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = "", bits] = range.split("/");
    list.addSubnet(base, Number(bits), family);
  }
  return (address) => list.check(address, family);
}
const isRefusedV4 = blockList(V4, "ipv4");
const isRefusedV6 = blockList(V6, "ipv6");

const v4Text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
const v6Text = (value: bigint) =>
  Array.from({ length: 8 }, (_, group) => ((value >> BigInt(112 - group * 16)) & 0xffffn).toString(16)).join(":");
const carriesIsatap = (value: bigint) => [0x5efen, 0x2005efen].includes((value >> 32n) & 0xffff_ffffn);

test("random and boundary IPv4 addresses are judged as by Node's list of the registry's ranges", () => {
  const values = V4.flatMap((range) => {
    const [base = "", bits] = range.split("/");
    const first = base.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    const last = first + 2 ** (32 - Number(bits)) - 1;
    return [first - 1, first, last, last + 1].filter((value) => value >= 0 && value < 2 ** 32);
  });
  const texts = values.map(v4Text);
  expect(texts.filter(isPublicAddress)).toEqual(texts.filter((text) => !isRefusedV4(text)));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      (value) => isPublicAddress(v4Text(value)) === !isRefusedV4(v4Text(value)),
    ),
    { numRuns: sized({ short: 4_000, full: 20_000 }) },
  );
});

test("random and boundary IPv6 addresses are judged as by Node's list of the registry's ranges", () => {
  const judgedAlike = (value: bigint) =>
    carriesIsatap(value) || isPublicAddress(v6Text(value)) === !isRefusedV6(v6Text(value));
  const edges = V6.flatMap((range) => {
    const [base = "", bits] = range.split("/");
    const groups = base.split("::")[0]?.split(":").filter(Boolean) ?? [];
    const first = groups.reduce((sum, group, index) => sum | (BigInt(`0x${group}`) << BigInt(112 - index * 16)), 0n);
    const last = first + (1n << BigInt(128 - Number(bits))) - 1n;
    return [first - 1n, first, last, last + 1n].filter((value) => value >= 0n && value < 1n << 128n);
  });
  expect(edges.filter((value) => !judgedAlike(value)).map(v6Text)).toEqual([]);
  fc.assert(fc.property(fc.bigInt(0n, (1n << 128n) - 1n), judgedAlike), {
    numRuns: sized({ short: 4_000, full: 20_000 }),
  });
  fc.assert(fc.property(fc.bigInt(0x2000n << 112n, 0x3fffn << 112n), judgedAlike), {
    numRuns: sized({ short: 4_000, full: 20_000 }),
  });
});

test.for(HOSTILE_ADDRESSES)("the hostile address %j is refused", (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

describe("public addresses", () => {
  test.for([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "172.32.0.1",
    "192.167.255.255",
    "223.255.255.255",
    "100.128.0.1",
  ])("the public IPv4 address %s is accepted", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  test.for([
    "2606:4700:4700::1111",
    "2600::",
    "2a00:1450:4001:800::200e",
    "2001:4860:4860::8888",
    "2001:0200::1",
    "2606:4700::1.2.3.4",
  ])("the public IPv6 address %s is accepted in either case", (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isPublicAddress(address.toUpperCase())).toBe(true);
  });
});
