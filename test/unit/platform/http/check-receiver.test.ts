import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../../src/config.ts";
import { checkReceiver, openReceiverPolicy } from "../../../../src/platform/http/check-receiver.ts";
import {
  DnsOverHttpsResolver,
  type DnsResolution,
  type DnsResolver,
} from "../../../../src/platform/http/dns-resolver.ts";
import { TEST_VARIABLES } from "../../../support/api/test-variables.ts";
import { HOSTILE_ADDRESSES } from "../../../support/webhooks/hostile-urls.ts";

const URL_OF_A_NAME = "https://hooks.example.com/in";

/** A resolver that returns these resolutions in order, and the last one from then on. */
function aResolver(...resolutions: DnsResolution[]): DnsResolver & { queries: string[] } {
  const queries: string[] = [];
  return {
    queries,
    resolve: async (name) =>
      (queries.push(name), resolutions[Math.min(queries.length, resolutions.length) - 1]) as DnsResolution,
  };
}

const check = (url: string, resolver: DnsResolver, allowLoopback = false) =>
  checkReceiver(url, { resolver, allowLoopback });
const addresses = (...list: string[]): DnsResolution => ({ kind: "addresses", addresses: list });

test("a name with only public addresses is safe", async () => {
  const resolver = aResolver(addresses("1.1.1.1", "2606:4700:4700::1111"));
  expect(await check("https://Hooks.Example.com./in", resolver)).toMatchObject({
    kind: "safe",
    receiver: { url: URL_OF_A_NAME },
  });
  expect(resolver.queries).toEqual(["hooks.example.com"]);
});

test.for(HOSTILE_ADDRESSES)("a name with the address %j, alone or among public ones, is refused", async (address) => {
  const refused = { kind: "refused", reason: "address_not_public" };
  expect(await check(URL_OF_A_NAME, aResolver(addresses(address)))).toMatchObject(refused);
  expect(await check(URL_OF_A_NAME, aResolver(addresses("1.1.1.1", address, "2606:4700:4700::1111")))).toMatchObject(
    refused,
  );
});

test.for(["https://api.example.com/in", "https://www.example.com/in"])(
  "the product's own URL %s is refused before any lookup",
  async (url) => {
    const config = parseConfig({
      ...TEST_VARIABLES,
      API_BASE_URL: "https://api.example.com",
      WEB_BASE_URL: "https://www.example.com",
    });
    const lookups: unknown[] = [];
    const policy = openReceiverPolicy(config, async (...request) => (lookups.push(request), new Response()));
    expect(await checkReceiver(url, policy)).toMatchObject({ kind: "refused", reason: "host_is_own" });
    expect(lookups).toEqual([]);
  },
);

test("a name that changes to a private address is refused from then on", async () => {
  const resolver = aResolver(addresses("1.1.1.1"), addresses("127.0.0.1"), addresses("1.1.1.1", "::1"));
  const kinds = [];
  for (let attempt = 0; attempt < 3; attempt++) kinds.push((await check(URL_OF_A_NAME, resolver)).kind);
  expect(kinds).toEqual(["safe", "refused", "refused"]);
});

test("an unresolvable name is refused, and a failed lookup is unknown", async () => {
  expect(await check(URL_OF_A_NAME, aResolver({ kind: "not_resolved", reason: "it has no address" }))).toEqual({
    kind: "refused",
    reason: "not_resolved",
    words: "The host does not resolve: it has no address.",
  });
  expect(
    await check(URL_OF_A_NAME, aResolver({ kind: "unavailable", reason: "the DNS service returned status 502" })),
  ).toEqual({
    kind: "unknown",
    words: "The host could not be resolved: the DNS service returned status 502.",
  });
});

test("an IP address, and in development a loopback name, is not looked up", async () => {
  const resolver = aResolver();
  expect((await check("https://8.8.8.8/in", resolver)).kind).toBe("safe");
  expect((await check("http://localhost:9/in", resolver, true)).kind).toBe("safe");
  expect(await check("http://localhost:9/in", resolver)).toMatchObject({ kind: "refused", reason: "not_https" });
  expect(resolver.queries).toEqual([]);
});

describe("DNS over HTTPS", () => {
  type Answers = Record<"A" | "AAAA", () => Response | Promise<Response>>;
  const answer =
    (body: object, status = 200) =>
    () =>
      Response.json(body, { status });
  const A = answer({ Status: 0, Answer: [{ name: "e.example.com", type: 1, TTL: 60, data: "1.1.1.1" }] });
  const AAAA = answer({ Status: 0, Answer: [{ name: "e.example.com", type: 28, TTL: 60, data: "2606:4700::1" }] });
  const NONE = answer({
    Status: 0,
    Authority: [{ name: "example.com", type: 6, TTL: 60, data: "ns. host. 1 2 3 4 5" }],
  });

  const resolve = async ({ A: a, AAAA: aaaa }: Answers) => {
    const queries: Request[] = [];
    const resolver = new DnsOverHttpsResolver("https://dns.example.com/dns-query?fixed=1", async (input, init) => {
      const request = new Request(input as string, init);
      queries.push(request);
      return new URL(request.url).searchParams.get("type") === "A" ? a() : aaaa();
    });
    return { resolution: await resolver.resolve("e.example.com"), queries };
  };

  test("the resolver queries both address types in the JSON form", async () => {
    const { resolution, queries } = await resolve({ A, AAAA });
    expect(resolution).toEqual({ kind: "addresses", addresses: ["1.1.1.1", "2606:4700::1"] });
    expect(queries.map(({ url }) => url).sort()).toEqual([
      "https://dns.example.com/dns-query?fixed=1&name=e.example.com&type=A",
      "https://dns.example.com/dns-query?fixed=1&name=e.example.com&type=AAAA",
    ]);
    expect(queries.map(({ method, redirect, headers }) => [method, redirect, headers.get("accept")])).toEqual(
      ["A", "AAAA"].map(() => ["GET", "manual", "application/dns-json"]),
    );
  });

  test("the resolver accepts a name with one address type, and returns every address of a CNAME chain", async () => {
    expect((await resolve({ A, AAAA: NONE })).resolution).toEqual({ kind: "addresses", addresses: ["1.1.1.1"] });
    const records = [
      [5, "cdn.example.net."],
      [5, "edge.example.org."],
      [1, "1.1.1.1"],
      [1, "10.0.0.1"],
    ].map(([type, data]) => ({ name: "x", type, TTL: 1, data }));
    const { resolution } = await resolve({ A: answer({ Status: 0, Answer: records }), AAAA: NONE });
    expect(resolution).toEqual({ kind: "addresses", addresses: ["1.1.1.1", "10.0.0.1"] });
  });

  test.for<[string, Partial<Answers>, string]>([
    ["no address of either type", { A: NONE, AAAA: NONE }, "not_resolved"],
    ["no such name", { A: answer({ Status: 3 }), AAAA: answer({ Status: 3 }) }, "not_resolved"],
    ["a DNS failure for one type", { AAAA: answer({ Status: 2 }) }, "not_resolved"],
    ["a DNS refusal for one type", { A: answer({ Status: 5 }) }, "not_resolved"],
    ["an HTTP error", { AAAA: answer({ Status: 0 }, 503) }, "unavailable"],
    [
      "a redirect",
      { A: () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } }) },
      "unavailable",
    ],
    ["a body that is not JSON", { A: () => new Response("<html>") }, "unavailable"],
    ["JSON of another shape", { A: answer({ answers: [] }) }, "unavailable"],
    ["no connection", { AAAA: () => Promise.reject(new TypeError("network")) }, "unavailable"],
    [
      "a failure for one type and no connection for the other",
      { A: answer({ Status: 2 }), AAAA: () => Promise.reject(new TypeError("network")) },
      "unavailable",
    ],
  ])("a lookup that meets %s gives no address", async ([, answers, kind]) => {
    expect((await resolve({ A, AAAA, ...answers })).resolution.kind).toBe(kind);
  });
});
