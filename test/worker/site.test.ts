import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import type { IpBudget } from "../../src/platform/rate-limit/ip-budget.ts";
import { SITE_ROUTES } from "../../src/site.ts";
import { openSandboxApp } from "../support/sandbox/open-sandbox-app.ts";

/* The pages read nothing but the assets of the build, so every port of the runtime fails. */

// The bindings come from wrangler.toml, which the test runtime reads.
const BINDINGS = env as Env;
const VARIABLES = { KEY_PREFIX: "abc", HEADER_PREFIX: "x-shop" };
const app = openSandboxApp(VARIABLES, undefined, BINDINGS);
const WEB = "http://web.test";

test.each([
  ["/docs", "text/html; charset=utf-8"],
  ["/docs.md", "text/markdown; charset=utf-8"],
  ["/docs/reference/webhooks", "text/html; charset=utf-8"],
  ["/docs/webhooks.md", "text/markdown; charset=utf-8"],
  ["/billing", "text/html; charset=utf-8"],
  ["/learn/letter-grades", "text/html; charset=utf-8"],
  ["/docs/verify.mjs", "text/javascript; charset=utf-8"],
  ["/assets/site.css", "text/css; charset=utf-8"],
  ["/assets/favicon.svg", "image/svg+xml"],
])("the web origin serves %s as %s, and 304 to a client that has it", async (path, type) => {
  const response = await app.fetch(`${WEB}${path}`);
  const { headers } = response;
  expect({ status: response.status, type: headers.get("content-type") }).toEqual({ status: 200, type });
  expect(headers.get("cache-control")).toBe("public, max-age=3600");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|script|\*/);
  expect(policy.includes("style-src 'self'")).toBe(type.startsWith("text/html"));
  const text = await response.text();
  expect(text).not.toMatch(/\b(api|www|sandbox)\.example\.com|svc_sk_|x-service-/);
  const again = await app.fetch(`${WEB}${path}`, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect({ status: again.status, length: (await again.arrayBuffer()).byteLength }).toEqual({ status: 304, length: 0 });
  expect(app.touched).toEqual([]);
});

test("pages have the addresses and prefixes of the deployment", async () => {
  const quickstart = await (await app.fetch(`${WEB}/docs/quickstart.md`)).text();
  expect(quickstart).toContain("http://sandbox.test/api/v1/large-trades");
  expect(quickstart).toContain("abc_sk_live_");
  expect(await (await app.fetch(`${WEB}/docs/webhooks`)).text()).toContain("x-shop-signature");
});

test.each(["/", "/docs/", "/learn/"])("the address %s redirects to a page of the same origin", async (path) => {
  const response = await app.fetch(`${WEB}${path}`, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(path === "/" ? "/docs" : path.slice(0, -1));
});

test.each(["/docs/nowhere", "/docs/%2fetc", "/docs/a.b.html", "/docs/docs.html", "/learn/nothing", "/docs/x.md"])(
  "the missing page %s is a page that says so, with 404",
  async (path) => {
    const response = await app.fetch(`${WEB}${path}`);
    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
      status: 404,
      type: "text/html; charset=utf-8",
    });
    expect(await response.text()).toContain("Page not found");
  },
);

test("a path that begins with two slashes never redirects to another origin", async () => {
  const response = await app.fetch(`${WEB}//evil.test/`, { redirect: "manual" });
  expect(response.headers.get("location")).toBeNull();
});

test.each(SITE_ROUTES.map((route) => route.replace("*", "x")))(
  "the page %s is unknown on the API's origin",
  async (path) => {
    const response = await app.fetch(`http://api.test${path}`);
    expect({ status: response.status, reason: ((await response.json()) as any).error.reason }).toEqual({
      status: 404,
      reason: "unknown_endpoint",
    });
  },
);

test("without its assets the Worker answers unknown_endpoint", async () => {
  const bare = openSandboxApp(VARIABLES);
  const response = await bare.fetch(`${WEB}/docs`);
  expect({ status: response.status, reason: ((await response.json()) as any).error.reason }).toEqual({
    status: 404,
    reason: "unknown_endpoint",
  });
});

test("pages spend the shared budget of their address", async () => {
  const spent: string[] = [];
  const budget: IpBudget = {
    spend: async (_, of) => {
      spent.push(of);
      return { refusedBy: "limited", limit: 1, remaining: 0, resetAtMs: 60_000, retryAtMs: 60_000 };
    },
  };
  const limited = openSandboxApp(VARIABLES, budget, BINDINGS);
  const response = await limited.fetch(`${WEB}/docs`);
  expect({ status: response.status, spent }).toEqual({ status: 429, spent: ["shared"] });
});
