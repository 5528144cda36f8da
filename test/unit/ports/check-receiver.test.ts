import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import { checkReceiver, openReceiverPolicy } from "../../../src/ports/check-receiver.ts";
import { HttpsResolver, type Resolution, type Resolver } from "../../../src/ports/resolver.ts";
import { TEST_VARIABLES } from "../../support/test-variables.ts";
import { HOSTILE_ADDRESSES } from "../../support/webhooks/hostile-urls.ts";

const URL_OF_A_NAME = "https://hooks.example.com/in";

/** A resolver that gives these answers, one at each question. */
function answering(...resolutions: Resolution[]): Resolver & { asked: string[] } {
  const asked: string[] = [];
  return { asked, resolve: async (name) => (asked.push(name), resolutions[Math.min(asked.length, resolutions.length) - 1]) as Resolution };
}

const check = (url: string, resolver: Resolver, allowLoopback = false) => checkReceiver(url, { resolver, allowLoopback });
const addresses = (...list: string[]): Resolution => ({ kind: "addresses", addresses: list });

test("a name with public addresses only is safe", async () => {
  const resolver = answering(addresses("1.1.1.1", "2606:4700:4700::1111"));
  expect(await check("https://Hooks.Example.com./in", resolver)).toMatchObject({ kind: "safe", receiver: { url: URL_OF_A_NAME } });
  expect(resolver.asked).toEqual(["hooks.example.com"]);
});

test.for(HOSTILE_ADDRESSES)("a name that has the address %j, alone or among public ones, is refused", async (address) => {
  const refused = { kind: "refused", reason: "address_not_public" };
  expect(await check(URL_OF_A_NAME, answering(addresses(address)))).toMatchObject(refused);
  expect(await check(URL_OF_A_NAME, answering(addresses("1.1.1.1", address, "2606:4700:4700::1111")))).toMatchObject(refused);
});

test.for(["https://api.example.com/in", "https://www.example.com/in"])(
  "the product's own %s is refused before it is looked up",
  async (url) => {
    const config = parseConfig({ ...TEST_VARIABLES, API_BASE_URL: "https://api.example.com", WEB_BASE_URL: "https://www.example.com" });
    const asked: unknown[] = [];
    const policy = openReceiverPolicy(config, async (...request) => (asked.push(request), new Response()));
    expect(await checkReceiver(url, policy)).toMatchObject({ kind: "refused", reason: "host_is_own" });
    expect(asked).toEqual([]);
  },
);

test("a name that moves to a private address is refused from then on", async () => {
  const resolver = answering(addresses("1.1.1.1"), addresses("127.0.0.1"), addresses("1.1.1.1", "::1"));
  const kinds = [];
  for (let turn = 0; turn < 3; turn++) kinds.push((await check(URL_OF_A_NAME, resolver)).kind);
  expect(kinds).toEqual(["safe", "refused", "refused"]);
});

test("a name that does not resolve is refused, and one that cannot be asked for is unknown", async () => {
  expect(await check(URL_OF_A_NAME, answering({ kind: "not_resolved", reason: "it has no address" }))).toEqual({
    kind: "refused",
    reason: "not_resolved",
    words: "The host does not resolve: it has no address.",
  });
  expect(await check(URL_OF_A_NAME, answering({ kind: "unavailable", reason: "the resolver answered 502" }))).toEqual({
    kind: "unknown",
    words: "The host could not be looked up: the resolver answered 502.",
  });
});

test("an address, and in development this machine, is looked up nowhere", async () => {
  const resolver = answering();
  expect((await check("https://8.8.8.8/in", resolver)).kind).toBe("safe");
  expect((await check("http://localhost:9/in", resolver, true)).kind).toBe("safe");
  expect(await check("http://localhost:9/in", resolver)).toMatchObject({ kind: "refused", reason: "not_https" });
  expect(resolver.asked).toEqual([]);
});

describe("DNS over HTTPS", () => {
  type Answers = Record<"A" | "AAAA", () => Response | Promise<Response>>;
  const answer =
    (body: object, status = 200) =>
    () =>
      Response.json(body, { status });
  const A = answer({ Status: 0, Answer: [{ name: "e.example.com", type: 1, TTL: 60, data: "1.1.1.1" }] });
  const AAAA = answer({ Status: 0, Answer: [{ name: "e.example.com", type: 28, TTL: 60, data: "2606:4700::1" }] });
  const NONE = answer({ Status: 0, Authority: [{ name: "example.com", type: 6, TTL: 60, data: "ns. host. 1 2 3 4 5" }] });

  const resolve = async ({ A: a, AAAA: aaaa }: Answers) => {
    const asked: Request[] = [];
    const resolver = new HttpsResolver("https://dns.example.com/dns-query?fixed=1", async (input, init) => {
      const request = new Request(input as string, init);
      asked.push(request);
      return new URL(request.url).searchParams.get("type") === "A" ? a() : aaaa();
    });
    return { resolution: await resolver.resolve("e.example.com"), asked };
  };

  test("asks for both kinds of address, in the JSON form", async () => {
    const { resolution, asked } = await resolve({ A, AAAA });
    expect(resolution).toEqual({ kind: "addresses", addresses: ["1.1.1.1", "2606:4700::1"] });
    expect(asked.map(({ url }) => url).sort()).toEqual([
      "https://dns.example.com/dns-query?fixed=1&name=e.example.com&type=A",
      "https://dns.example.com/dns-query?fixed=1&name=e.example.com&type=AAAA",
    ]);
    expect(asked.map(({ method, redirect, headers }) => [method, redirect, headers.get("accept")])).toEqual(
      ["A", "AAAA"].map(() => ["GET", "manual", "application/dns-json"]),
    );
  });

  test("takes a name of one kind only, and every address of a chain of names", async () => {
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
    ["no address of either kind", { A: NONE, AAAA: NONE }, "not_resolved"],
    ["no such name", { A: answer({ Status: 3 }), AAAA: answer({ Status: 3 }) }, "not_resolved"],
    ["a failure for one kind", { AAAA: answer({ Status: 2 }) }, "not_resolved"],
    ["a refusal for the other", { A: answer({ Status: 5 }) }, "not_resolved"],
    ["a status of HTTP that is none", { AAAA: answer({ Status: 0 }, 503) }, "unavailable"],
    ["a redirect", { A: () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } }) }, "unavailable"],
    ["what is no JSON", { A: () => new Response("<html>") }, "unavailable"],
    ["JSON of another shape", { A: answer({ answers: [] }) }, "unavailable"],
    ["no connection", { AAAA: () => Promise.reject(new TypeError("network")) }, "unavailable"],
    [
      "a failure here and no connection there",
      { A: answer({ Status: 2 }), AAAA: () => Promise.reject(new TypeError("network")) },
      "unavailable",
    ],
  ])("with %s gives no address", async ([, answers, kind]) => {
    expect((await resolve({ A, AAAA, ...answers })).resolution.kind).toBe(kind);
  });
});
