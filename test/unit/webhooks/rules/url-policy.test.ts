import { describe, expect, test } from "vitest";
import { parseReceiverUrl } from "../../../../src/webhooks/rules/url-policy.ts";
import { HOSTILE_URLS } from "../../../support/webhooks/hostile-urls.ts";

const judge = (url: string, allowLoopback = false) => parseReceiverUrl(url, { allowLoopback });

test("the policy accepts none of more than 500 hostile URLs", () => {
  expect(new Set(HOSTILE_URLS).size).toBeGreaterThan(500);
  expect(HOSTILE_URLS.filter((url) => judge(url).kind === "accepted")).toEqual([]);
});

test.for([
  ["https://hooks.example.com/in?a=1", "https://hooks.example.com/in?a=1", "hooks.example.com"],
  ["https://hooks.example.com", "https://hooks.example.com/", "hooks.example.com"],
  ["HTTPS://Hooks.EXAMPLE.com:443/In", "https://hooks.example.com/In", "hooks.example.com"],
  ["https://hooks.example.com.:443/in", "https://hooks.example.com/in", "hooks.example.com"],
  ["https://hooks.example.com/in#part", "https://hooks.example.com/in", "hooks.example.com"],
  ["https://bücher.example.com/in", "https://xn--bcher-kva.example.com/in", "xn--bcher-kva.example.com"],
  ["https://8.8.8.8/in", "https://8.8.8.8/in", "8.8.8.8"],
  ["https://[2606:4700:4700:0::1111]/in", "https://[2606:4700:4700::1111]/in", "2606:4700:4700::1111"],
] as const)("the URL %s is accepted as %s", ([url, normalised, host]) => {
  expect(judge(url)).toEqual({
    kind: "accepted",
    receiver: { url: normalised, key: normalised, host, isLoopback: false },
  });
});

test("an accepted URL has at most 2,048 characters in its normalised form", () => {
  const judged = judge(`https://hooks.example.com/abcd${"é".repeat(336)}ab`);
  expect(judged).toMatchObject({ kind: "accepted", receiver: { url: expect.stringMatching(/^.{2048}$/) } });
});

test("URLs that differ in path or query have different keys", () => {
  const urls = ["", "a", "A", "a?b", "a?c", "a/"].map((path) => `https://e.example.com/${path}`);
  const keys = urls.map((url) => {
    const judged = judge(url);
    return judged.kind === "accepted" ? judged.receiver.key : null;
  });
  expect(new Set(keys).size).toBe(urls.length);
});

test.for([
  ["http://hooks.example.com/", "not_https"],
  ["https://user@hooks.example.com/", "has_credentials"],
  ["https://hooks.example.com:8080/", "port_not_allowed"],
  ["https://hooks.example.com:8443/", "port_not_allowed"],
  ["https://hooks.example.com:80/", "port_not_allowed"],
  ["https://8.8.8.8:8443/", "port_not_allowed"],
  ["https://localhost/", "host_not_public"],
  ["https://10.0.0.1/", "address_not_public"],
  ["https://0x08080808/", "address_not_canonical"],
  ["hooks.example.com", "malformed"],
  [`https://hooks.example.com/${"é".repeat(338)}`, "too_long"],
  [`https://hooks.example.com/${"a".repeat(2_023)}`, "too_long"],
] as const)("the URL %s is refused as %s, with a message", ([url, reason]) => {
  expect(judge(url)).toEqual({ kind: "refused", reason, words: expect.stringMatching(/^[A-Z].*\.$/) });
});

describe("loopback URLs in development", () => {
  test.for([
    "http://localhost:9000/in",
    "https://localhost/in",
    "http://127.0.0.1:9000/in",
    "http://127.8.9.10/in",
    "http://[::1]:9000/in",
  ])("the loopback URL %s is accepted in development only", (url) => {
    expect(judge(url, true)).toMatchObject({ kind: "accepted", receiver: { isLoopback: true } });
    expect(judge(url).kind).toBe("refused");
  });

  test.for([
    "https://hooks.example.com:8443/",
    "http://10.0.0.1/",
    "https://192.168.0.1/",
    "http://hooks.example.com/",
    "http://0.0.0.0:9000/",
    "http://localhost.example.com/",
    "ftp://localhost/",
    "http://user@localhost/",
    "http://[::ffff:127.0.0.1]/",
  ])("the URL %s is refused in development too", (url) => {
    expect(judge(url, true).kind).toBe("refused");
  });
});

describe("the product's own hosts", () => {
  const ownHosts = ["api.example.com", "www.example.com:8443", "api.team.workers.dev", "localhost:8787"];
  const kindOf = (url: string, allowLoopback = false) => {
    const judged = parseReceiverUrl(url, { allowLoopback, ownHosts });
    return judged.kind === "refused" ? judged.reason : judged.kind;
  };

  test.for([
    "https://api.example.com/api/v1/webhooks",
    "https://API.Example.com./in",
    "https://api.example.com:443/in",
    "https://ａpi.example.com/in",
    "https://www.example.com/in",
    "https://api.team.workers.dev/in",
  ])("the URL %s is refused as one of the product's own hosts", (url) => expect(kindOf(url)).toBe("host_is_own"));

  test.for([
    "https://hooks.example.com/in",
    "https://example.com/in",
    "https://xapi.example.com/in",
    "https://api.example.com.evil.net/in",
  ])("the URL %s is accepted as another host", (url) => expect(kindOf(url)).toBe("accepted"));

  test("another port of the same machine is not the product's own host in development", () => {
    expect(kindOf("http://localhost:8787/in", true)).toBe("host_is_own");
    expect(kindOf("http://localhost:9000/in", true)).toBe("accepted");
    expect(kindOf("https://api.example.com/in", true)).toBe("host_is_own");
  });
});
