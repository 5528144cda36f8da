import { expect, test } from "vitest";
import { departures } from "../../contract/contract.ts";
import { openSandboxApp } from "../../support/sandbox/open-sandbox-app.ts";

const app = openSandboxApp();
const WALLET = `0x${"a".repeat(40)}`;
const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256OfFile(url: string): Promise<{ sha256: string; size: number; response: Response }> {
  const response = await app.fetch(url);
  const stored = response.body;
  if (stored === null) throw new Error("the file has no body");
  expect(response.headers.get("content-encoding")).toBe("gzip");
  const content = await new Response(stored.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return { sha256: hex(await crypto.subtle.digest("SHA-256", content)), size: content.byteLength, response };
}

test("the stream of the sandbox is refused with 400 bad_request", async () => {
  const { status, body } = await app.send("/api/v1/stream");
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: "bad_request" });
  expect(body.error.message).toContain("cannot be sampled");
});

test.for([
  [`/api/v1/trader/${WALLET}/context.md`, "# Trader context\n"],
  ["/api/v1/market/mkt_7/context.md", "# Market context\n"],
])("%s answers 200 text/markdown", async ([path = "", start = ""]) => {
  const { status, headers, text } = await app.send(path);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(headers.has("etag")).toBe(false);
  expect(text.startsWith(start)).toBe(true);
});

test.for([
  [`/api/v1/trader/${WALLET}/export`, "/status?job_id=17", "/download?job_id=17", "/files/exports/17"],
  ["/api/v1/datasets/whale-trades", "/17", "/17/download", "/files/datasets/17"],
] as const)(
  "a download below %s leads to a file with the hash that its job states",
  async ([path, status, download, file]) => {
    const job = (await app.send(`${path}${status}`)).body.data;
    expect(job).toMatchObject({ status: "ready", terminal: true, error: null, failed_at: null, cancelled_at: null });
    expect(job).not.toHaveProperty("poll_after_s");
    const redirect = await app.send(`${path}${download}`, { redirect: "manual" });
    expect({ status: redirect.status, location: redirect.headers.get("location") }).toEqual({
      status: 302,
      location: `http://sandbox.test${file}`,
    });
    const { sha256, size, response } = await sha256OfFile(`http://sandbox.test${file}`);
    const { manifest } = job.artifact;
    expect({ sha256, size }).toEqual({ sha256: manifest.content_sha256, size: manifest.content_size_bytes });
    expect(response.headers.get("content-type")).toBe(job.artifact.content_type);
    expect(response.headers.get("content-length")).toBe(String(manifest.compressed_size_bytes));
    expect(response.headers.get("content-disposition")).toMatch(/filename="[\w.-]+"/);
  },
);

test("a submitted job is queued, and its dataset has rows of the contract", async () => {
  const submitted = await app.send("/api/v1/datasets/whale-trades", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ from: "2026-11-14T00:00:00Z", to: "2026-11-21T00:00:00Z" }),
  });
  expect(submitted).toMatchObject({
    status: 202,
    body: { data: { status: "queued", next_action: "poll", job_id: 17 } },
  });
  expect(submitted.body.data).not.toHaveProperty("artifact");
  const file = await app.fetch("http://sandbox.test/files/datasets/17");
  const rows = await new Response(file.body?.pipeThrough(new DecompressionStream("gzip")) ?? null).text();
  for (const row of rows.trim().split("\n")) expect(departures("WhaleDatasetTrade", JSON.parse(row))).toEqual([]);
});

test("a walk through a list ends after the second page, and a foreign cursor is refused", async () => {
  const first = await app.send("/api/v1/leaderboard");
  expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
  const cursor = encodeURIComponent(first.body.next_cursor);
  const last = await app.send(`/api/v1/leaderboard?cursor=${cursor}`);
  expect(last.body.has_more).toBe(false);
  expect(last.body).not.toHaveProperty("next_cursor");
  const { status, body } = await app.send("/api/v1/leaderboard?cursor=other");
  expect({ status, ...body.error }).toMatchObject({ status: 400, param: "cursor" });
});

test.for([
  ["observations&cohort=wider_holder", "PreGameSideObservationsResponse", true],
  ["board", "EdgeHunterBoardResponse", false],
] as const)("the view %s has its own sample", async ([view, schema, hasEtag]) => {
  const { body, headers } = await app.send(`/api/v1/edge-hunter?view=${view}`);
  expect(departures(schema, body)).toEqual([]);
  expect(headers.has("etag")).toBe(hasEtag);
});

test("a known validator gets 304 from the sandbox", async () => {
  const { headers } = await app.send("/api/v1/leaderboard");
  const again = await app.send("/api/v1/leaderboard", { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
  expect(again.headers.get("x-oxi-sandbox")).toBe("true");
});

test.for([
  ["GET", "/api/v1/nowhere", 404, "unknown_endpoint"],
  ["GET", "/api/keys", 404, "unknown_endpoint"],
  ["GET", "/files/other/17", 404, "unknown_endpoint"],
  ["GET", "/files/exports/17/../../x", 404, "unknown_endpoint"],
  ["POST", "/api/v1/leaderboard", 405, "method_not_allowed"],
  ["POST", "/files/exports/17", 405, "method_not_allowed"],
  ["GET", "/api/v1/leaderboard?limit=x", 400, "invalid_query"],
  ["GET", "/api/v1/webhooks/abc", 400, "invalid_path"],
  ["GET", "/api/v1/leaderboard?sandbox_status=429&sandbox_status=500", 400, "invalid_query"],
] as const)("%s %s is refused in the sandbox with %i %s", async ([method, path, status, reason]) => {
  const { body, ...response } = await app.send(path, { method });
  expect({ status: response.status, reason: body.error.reason }).toEqual({ status, reason });
  expect(response.headers.has("allow")).toBe(status === 405);
  expect(body.meta.request_id).toBe(response.headers.get("x-request-id"));
});

test("a page of another origin can read the sandbox, its headers included", async () => {
  const headers = { origin: "https://somewhere.example" };
  const { status, headers: sent } = await app.send("/api/v1/leaderboard", { headers });
  expect({ status, allowed: sent.get("access-control-allow-origin") }).toEqual({ status: 200, allowed: "*" });
  for (const name of ["X-Oxi-Sandbox", "X-Oxi-Sandbox-Key", "X-Request-Id"])
    expect(sent.get("access-control-expose-headers")).toContain(name);
  const preflight = await app.send("/api/v1/leaderboard", { method: "OPTIONS", headers });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
});

test("a HEAD request gets the headers of the sample without its body", async () => {
  const { status, headers, text } = await app.send("/api/v1/leaderboard", { method: "HEAD" });
  expect({ status, text, marked: headers.get("x-oxi-sandbox") }).toEqual({ status: 200, text: "", marked: "true" });
});

test("the sandbox has an OpenAPI document of its own, with its address and sandbox_status on every operation", async () => {
  const { status, headers, body } = await app.send("/api/v1/openapi.json");
  expect(status).toBe(200);
  expect(body.servers).toEqual([{ url: "http://sandbox.test", description: expect.any(String) }]);
  expect(body).not.toHaveProperty("webhooks");
  const operations = Object.values<any>(body.paths).flatMap((methods) => Object.values<any>(methods));
  expect(operations.length).toBeGreaterThan(80);
  for (const { parameters, security } of operations) {
    expect(parameters).toContainEqual({ $ref: "#/components/parameters/SandboxStatus" });
    expect(security.length === 0 || security.some((one: object) => Object.keys(one).length === 0)).toBe(true);
  }
  const again = await app.send("/api/v1/openapi.json", { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

test("the discovery of the sandbox leads to the sandbox and names every operation with a credential", async () => {
  const { data } = (await app.send("/api/v1")).body;
  expect(data).toMatchObject({
    api_base_url: "http://sandbox.test/api/v1",
    openapi_url: "http://sandbox.test/api/v1/openapi.json",
    protected_resource_metadata_url: "http://api.test/.well-known/oauth-protected-resource",
  });
  expect(data.authenticated_routes).toContain("GET /api/v1/stream");
});

test("the registration of the sandbox returns a key that the sandbox accepts, under every key prefix", async () => {
  for (const prefix of ["svc", "abc"]) {
    const own = openSandboxApp({ KEY_PREFIX: prefix });
    const registered = await own.send("/api/v1/agents/register", { method: "POST" });
    expect(registered.status).toBe(201);
    const { api_key: key, sandbox, live_access: live } = registered.body.data;
    expect(key.startsWith(`${prefix}_sk_test_`)).toBe(true);
    expect(sandbox.api_base_url).toBe("http://sandbox.test/api/v1");
    expect(live.api_base_url).toBe("http://api.test/api/v1");
    const { headers } = await own.send("/api/v1/leaderboard", { headers: { authorization: `Bearer ${key}` } });
    expect(headers.get("x-oxi-sandbox-key")).toBe("valid");
  }
});

test("a CORS preflight for a file of the sandbox is granted", async () => {
  const { status, headers } = await openSandboxApp().send("/files/datasets/17", {
    method: "OPTIONS",
    headers: { origin: "https://anyone.test", "access-control-request-method": "GET" },
  });
  expect([status, headers.get("access-control-allow-methods")]).toEqual([204, "GET, HEAD, OPTIONS"]);
});

test("a sandbox below a path of the API's origin answers there, and the same path is live elsewhere", async () => {
  const own = openSandboxApp({ SANDBOX_BASE_URL: "http://api.test/sandbox" });
  const { status, headers } = await own.send("/api/v1/leaderboard");
  expect({ status, marked: headers.get("x-oxi-sandbox") }).toEqual({ status: 200, marked: "true" });
  const alias = await own.send("/api/v1/platforms");
  expect(alias.headers.get("link")).toContain("</sandbox/api/v1/coverage>");
  const redirect = await own.send("/api/v1/datasets/whale-trades/17/download", { redirect: "manual" });
  expect(redirect.headers.get("location")).toBe("http://api.test/sandbox/files/datasets/17");
  expect(own.touched).toEqual([]);
  for (const path of ["/api/v1/coverage", "/sandboxes/api/v1/coverage"]) {
    const live = await own.fetch(`http://api.test${path}`);
    expect(live.headers.has("x-oxi-sandbox")).toBe(false);
  }
});

test("the host of the sandbox never reaches the live API, whatever the scheme", async () => {
  for (const scheme of ["http", "https"]) {
    const response = await app.fetch(`${scheme}://sandbox.test/api/v1/coverage`);
    expect(response.headers.get("x-oxi-sandbox")).toBe("true");
  }
});

test("an address that has spent its budget is refused in the sandbox too", async () => {
  const retryAtMs = Date.now() + 30_000;
  const spent = { refusedBy: "limited", retryAtMs, limit: 1_200, remaining: 0, resetAtMs: retryAtMs } as const;
  const refused = openSandboxApp({}, { spend: async () => spent });
  const { status, headers, body } = await refused.send("/api/v1/coverage");
  expect({ status, reason: body.error.reason }).toEqual({ status: 429, reason: "ip_rate_limited" });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(20);
  expect(headers.get("x-oxi-sandbox")).toBe("true");
});

test("no other request to the sandbox touches a port of the runtime", () => {
  expect(app.touched).toEqual([]);
});
