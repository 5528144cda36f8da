import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { sha256, toBase64Url } from "../../../src/lib/crypto/hmac.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import {
  API,
  CALLBACK,
  openOAuthSite,
  setAccount,
  VERIFIER,
  WEB,
  type OAuthSite,
  type PageBrowser,
  type SiteResponse,
} from "../../support/oauth/oauth-site.ts";
import { hiddenFields } from "../../support/oauth/read-page.ts";
import { NO_REQUEST_LIMITS, UNLIMITED } from "../../support/api/unlimited.ts";

/*
 * Requests that an attacker or a mistaken client sends. A case is refused when it gets no code, no token and no
 * stored client; each states its error as well.
 */
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const DOCUMENT = "https://client.example.com/oauth/client.json";

let db: Database;
let databaseUrl: string;
let runtime: Runtime;
let site: OAuthSite;
let owner: PageBrowser;
let clientId: string;
let otherClientId: string;
/** What the host of the metadata document answers. */
let answerDocument: (url: string, init?: RequestInit) => Promise<Response>;
let addresses = ["1.1.1.1"];
let accepted = 0;
let refused = 0;
let visitors = 0;

beforeAll(async () => {
  const database = await createTestDatabase();
  ({ db, databaseUrl } = database);
  runtime = {
    ...openTestRuntime(databaseUrl),
    requestLimiter: NO_REQUEST_LIMITS,
    webhooks: {
      ...UNLIMITED.webhooks,
      policy: {
        resolver: { resolve: async () => ({ kind: "addresses", addresses }) },
        allowLoopback: false,
        ownHosts: ["api.test", "web.test"],
      },
      fetch: (url, init) => answerDocument(String(url), init),
    },
  };
  site = openOAuthSite(runtime);
  owner = site.browser();
  await owner.signIn("owner@example.test");
  await setAccount(db, "owner@example.test", "pro");
  clientId = await site.aClient();
  otherClientId = await site.aClient();
});

/** Asserts that a response grants nothing. */
function expectRefused(response: SiteResponse, error: string | null, status?: number): void {
  const isGranted =
    response.body?.access_token !== undefined ||
    response.body?.client_id !== undefined ||
    response.location?.searchParams.has("code") === true;
  if (isGranted) accepted += 1;
  else refused += 1;
  const sent: unknown = response.body?.error ?? response.location?.searchParams.get("error") ?? null;
  const seen = { isGranted, status: response.status, error: error === null ? null : sent };
  expect(seen).toEqual({ isGranted: false, status: status ?? response.status, error });
}

/** Sends a changed authorization request and, should a consent page appear, allows it. */
async function authorize(over: Record<string, string | null>): Promise<SiteResponse> {
  const page = await owner.open(await site.authorizePath(clientId, over));
  if (!page.text.includes('name="request"')) return page;
  return owner.post("/oauth/authorize", { ...hiddenFields(page.text, "request"), decision: "approve" });
}

describe("the authorization endpoint", () => {
  test.for<[string, Record<string, string | null>, string]>([
    ["without PKCE", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["with plain PKCE", { code_challenge: VERIFIER, code_challenge_method: "plain" }, "invalid_request"],
    ["with a challenge without a method, which means plain", { code_challenge_method: null }, "invalid_request"],
    ["with a method in another case", { code_challenge_method: "s256" }, "invalid_request"],
    ["with a challenge that is too short", { code_challenge: "short" }, "invalid_request"],
    ["with a challenge in hex", { code_challenge: "0".repeat(64) }, "invalid_request"],
    ["with the implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["with the hybrid flow", { response_type: "code id_token" }, "unsupported_response_type"],
    ["without a response type", { response_type: null }, "invalid_request"],
    ["with an unknown scope", { scope: "read admin" }, "invalid_scope"],
    ["with a scope in another case", { scope: "READ" }, "invalid_scope"],
    ["with a resource of another server", { resource: "https://evil.example.com" }, "invalid_target"],
    ["with a resource below ours", { resource: `${API}/api/v1/usage` }, "invalid_target"],
    ["with a resource that only begins like ours", { resource: `${API}.evil.example.com` }, "invalid_target"],
    ["with the resource of the website", { resource: WEB }, "invalid_target"],
    ["with a resource with a fragment", { resource: `${API}/#x` }, "invalid_target"],
    ["with a state that is too long", { state: "x".repeat(2_001) }, "invalid_request"],
  ])("a request %s is sent back with its error", async ([, over, error]) => {
    const response = await authorize(over);
    expectRefused(response, error, 303);
    expect(`${response.location?.origin}${response.location?.pathname}`).toBe(CALLBACK);
    expect(response.location?.searchParams.get("iss")).toBe(API);
  });

  test.for<[string, string | null]>([
    ["no redirect URI", null],
    ["another path", "https://app.example.com/callback2"],
    ["a path below", "https://app.example.com/callback/x"],
    ["dot segments", "https://app.example.com/x/../callback"],
    ["an encoded path", "https://app.example.com/%63allback"],
    ["a slash at the end", "https://app.example.com/callback/"],
    ["a query", "https://app.example.com/callback?next=1"],
    ["an empty query", "https://app.example.com/callback?"],
    ["a fragment", "https://app.example.com/callback#x"],
    ["an empty fragment", "https://app.example.com/callback#"],
    ["a port", "https://app.example.com:8443/callback"],
    ["the default port", "https://app.example.com:443/callback"],
    ["a user name", "https://user@app.example.com/callback"],
    ["a host in the user name", "https://app.example.com@evil.example.com/callback"],
    ["a longer host", "https://app.example.com.evil.example.com/callback"],
    ["another subdomain", "https://evil.app.example.com/callback"],
    ["a host in capitals", "https://APP.example.com/callback"],
    ["http", "http://app.example.com/callback"],
    ["a backslash", "https://app.example.com\\callback"],
    ["a space at the end", "https://app.example.com/callback "],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["a relative URI", "/callback"],
    ["no scheme", "//app.example.com/callback"],
    ["a line break", "https://app.example.com/callback\r\nX: y"],
  ])("a redirect URI with %s is not redirected to", async ([, redirect]) => {
    const response = await authorize({ redirect_uri: redirect });
    expectRefused(response, null, 400);
    expect(response.location).toBeNull();
  });

  test.for<[string, string]>([
    ["another path", "http://127.0.0.1:5000/other"],
    ["another loopback host", "http://localhost:5000/cb"],
    ["the IPv6 loopback", "http://[::1]:5000/cb"],
    ["another loopback address", "http://127.0.0.2:5000/cb"],
    ["https", "https://127.0.0.1:5000/cb"],
    ["a host that begins like it", "http://127.0.0.1.evil.example.com/cb"],
    ["a user name", "http://127.0.0.1:5000@evil.example.com/cb"],
    ["a port out of range", "http://127.0.0.1:99999/cb"],
    ["a query", "http://127.0.0.1:5000/cb?x=1"],
  ])("a loopback redirect URI with %s is refused, while any port is allowed", async ([, redirect]) => {
    const native = await site.aClient({ redirect_uris: ["http://127.0.0.1/cb"] });
    const allowed = await owner.open(await site.authorizePath(native, { redirect_uri: "http://127.0.0.1:5000/cb" }));
    expect(allowed.text).toContain("To a program on this computer (127.0.0.1:5000).");
    const response = await owner.open(await site.authorizePath(native, { redirect_uri: redirect }));
    expectRefused(response, null, 400);
    expect(response.location).toBeNull();
  });

  test.for<[string, string]>([
    ["that is not registered", `svc_client_${"0".repeat(32)}`],
    ["of http", "http://client.example.com/client.json"],
    ["of a script", "javascript:alert(1)//"],
    ["without a path", "https://client.example.com/"],
    ["with a fragment", `${DOCUMENT}#x`],
    ["with a query", `${DOCUMENT}?x=1`],
    ["with a user name", "https://user@client.example.com/client.json"],
    ["with dot segments", "https://client.example.com/a/../client.json"],
    ["on a private address", "https://10.0.0.1/client.json"],
    ["on the loopback", "https://127.0.0.1/client.json"],
    ["on a metadata address", "https://169.254.169.254/latest/meta-data"],
    ["on our own host", "https://api.test/client.json"],
    ["on another port", "https://client.example.com:8443/client.json"],
    ["on a private name", "https://client.internal/client.json"],
  ])("a client id %s is refused", async ([, id]) => {
    answerDocument = async () => {
      throw new Error("no document may be read");
    };
    const response = await owner.open(await site.authorizePath(id));
    expectRefused(response, null, 400);
  });

  const good = () => ({ client_id: DOCUMENT, client_name: "Document client", redirect_uris: [CALLBACK] });
  const json = (value: unknown, init: ResponseInit = {}) =>
    new Response(JSON.stringify(value), { headers: { "content-type": "application/json" }, ...init });

  test.for<[string, () => Response]>([
    ["that redirects", () => new Response(null, { status: 302, headers: { location: "https://10.0.0.1/" } })],
    ["that is missing", () => json(good(), { status: 404 })],
    ["that is huge", () => json({ ...good(), padding: "x".repeat(20_000) })],
    ["that is not JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["of another media type", () => new Response(JSON.stringify(good()), { headers: { "content-type": "text/html" } })],
    ["with another client id", () => json({ ...good(), client_id: "https://client.example.com/other.json" })],
    ["without a client id", () => json({ ...good(), client_id: undefined })],
    ["with a secret", () => json({ ...good(), client_secret: "s" })],
    ["with a secret's authentication", () => json({ ...good(), token_endpoint_auth_method: "client_secret_basic" })],
    ["with another redirect URI", () => json({ ...good(), redirect_uris: ["https://other.example.com/cb"] })],
    ["with a script as redirect URI", () => json({ ...good(), redirect_uris: ["javascript:alert(1)"] })],
  ])("a metadata document %s is refused", async ([, document]) => {
    answerDocument = async (_url, init) => {
      expect(init?.redirect).toBe("manual");
      return document();
    };
    await db.execute(sql`update oauth_clients set fetched_at = '2026-01-01' where id = ${DOCUMENT}`);
    const response = await owner.open(await site.authorizePath(DOCUMENT));
    expectRefused(response, null, 400);
    expect(response.text).not.toContain('name="request"');
  });

  test("a metadata document whose host resolves to a private address is refused", async () => {
    addresses = ["1.1.1.1", "10.0.0.1"];
    answerDocument = async () => json(good());
    expectRefused(await owner.open(await site.authorizePath(DOCUMENT)), null, 400);
    addresses = ["1.1.1.1"];
    expect((await owner.open(await site.authorizePath(DOCUMENT))).text).toContain("client.example.com");
  });

  test("a parameter that occurs twice is refused", async () => {
    const path = await site.authorizePath(clientId);
    for (const twice of ["redirect_uri", "client_id", "code_challenge", "state", "resource"]) {
      const response = await owner.open(`${path}&${twice}=x&${twice}=y`);
      expectRefused(response, null, 400);
    }
  });
});

describe("the token endpoint", () => {
  const wrong = "another-verifier-of-at-least-43-characters-01234";

  test.for<[string, Record<string, string>, string]>([
    ["a wrong verifier", { code_verifier: wrong }, "invalid_grant"],
    ["a short verifier", { code_verifier: "short" }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_request"],
    ["a long verifier", { code_verifier: "x".repeat(129) }, "invalid_grant"],
    ["another redirect URI", { redirect_uri: "https://app.example.com/other" }, "invalid_grant"],
    ["no redirect URI", { redirect_uri: "" }, "invalid_request"],
    ["another resource", { resource: "https://evil.example.com" }, "invalid_target"],
    ["a client secret", { client_secret: "guess" }, "invalid_client"],
    ["a client assertion", { client_assertion: "x", client_assertion_type: "y" }, "invalid_client"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["an unknown client", { client_id: "nobody" }, "invalid_grant"],
    ["another grant type", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["a password", { grant_type: "password", username: "u", password: "p" }, "unsupported_grant_type"],
    ["no grant type", { grant_type: "" }, "invalid_request"],
  ])("an exchange with %s is refused, and the code still works once", async ([, over, error]) => {
    const code = await site.aCode(owner, clientId);
    expectRefused(await site.exchange(clientId, code, over), error, 400);
    expect((await site.exchange(clientId, code)).status).toBe(200);
  });

  test("the challenge itself is no verifier", async () => {
    const code = await site.aCode(owner, clientId);
    const challenge = toBase64Url(await sha256(VERIFIER));
    expectRefused(await site.exchange(clientId, code, { code_verifier: challenge }), "invalid_grant");
  });

  test("the verifier of another request is refused", async () => {
    const challenge = toBase64Url(await sha256(wrong));
    const code = await site.aCode(owner, clientId, { code_challenge: challenge });
    expectRefused(await site.exchange(clientId, code), "invalid_grant");
  });

  test("a code of another client, an expired code and a made-up code are refused", async () => {
    const code = await site.aCode(owner, clientId);
    expectRefused(await site.exchange(otherClientId, code), "invalid_grant");
    expectRefused(await site.exchange(clientId, code, {}, new Date(Date.now() + 61_000)), "invalid_grant");
    expectRefused(await site.exchange(clientId, `svc_ac_${"0".repeat(64)}`), "invalid_grant");
    expectRefused(
      await site.exchange(clientId, `${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`),
      "invalid_grant",
    );
  });

  test("an MCP-only authorization gives no token for the API", async () => {
    const code = await site.aCode(owner, clientId, { resource: `${API}/api/v1/mcp` });
    expectRefused(await site.exchange(clientId, code, { resource: API }), "invalid_target");
  });

  test("one kind of secret is not accepted as another", async () => {
    const { access_token: access, refresh_token: refresh } = await site.tokens(owner, clientId);
    expectRefused(await site.refresh(clientId, access), "invalid_grant");
    expectRefused(await site.exchange(clientId, refresh), "invalid_grant");
    for (const token of [refresh, refresh.replace("_rt_", "_at_"), access.replace("_at_", "_sk_live_")])
      expect((await site.read("/api/v1/usage", token)).status).toBe(401);
    expect((await site.read("/api/v1/usage", access)).status).toBe(200);
  });

  test("a refresh cannot widen scopes or resource, or come from another client, and does not use up the token", async () => {
    const { refresh_token: token } = await site.tokens(owner, clientId, {
      scope: "read",
      resource: `${API}/api/v1/mcp`,
    });
    expectRefused(await site.refresh(clientId, token, { scope: "read export" }), "invalid_scope");
    expectRefused(await site.refresh(clientId, token, { scope: "everything" }), "invalid_scope");
    expectRefused(await site.refresh(clientId, token, { resource: API }), "invalid_target");
    expectRefused(await site.refresh(otherClientId, token), "invalid_grant");
    expectRefused(
      await site.refresh(clientId, token, {}, new Date(Date.now() + 30 * 86_400_000 + 1_000)),
      "invalid_grant",
    );
    expect((await site.refresh(clientId, token)).status).toBe(200);
  });

  test("tokens of a locked or deleted account are refused, and are not renewed", async () => {
    const visitor = site.browser();
    await visitor.signIn("locked@example.test");
    await setAccount(db, "locked@example.test", "pro");
    const { refresh_token: token } = await site.tokens(visitor, clientId);
    const code = await site.aCode(visitor, clientId);
    for (const state of ["locked", "deleted"]) {
      await setAccount(db, "locked@example.test", "pro", state);
      expectRefused(await site.refresh(clientId, token), "invalid_grant");
      expectRefused(await site.exchange(clientId, code), "invalid_grant");
      expectRefused(await visitor.open(await site.authorizePath(clientId)), null, 403);
    }
  });

  test("a body that is JSON, repeated, huge or not UTF-8 is refused", async () => {
    const code = await site.aCode(owner, clientId);
    const form = {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
    };
    expectRefused(await site.api("/oauth/token", { json: form }), "invalid_request", 400);
    const text = new URLSearchParams(form).toString();
    expectRefused(await site.api("/oauth/token", { form: `${text}&client_id=${clientId}` }), "invalid_request", 400);
    expectRefused(
      await site.api("/oauth/token", { form: `${text}&resource=${API}&resource=${API}` }),
      "invalid_target",
      400,
    );
    expectRefused(await site.api("/oauth/token", { form: `${text}&x=${"x".repeat(20_000)}` }), "invalid_request", 413);
    expectRefused(await site.api(`/oauth/token?${text}`, { method: "GET" }), "invalid_request", 405);
    expectRefused(await site.api(`/oauth/token?${text}`, { form: "" }), "invalid_request", 400);
    const basic = { authorization: `Basic ${btoa(`${clientId}:`)}` };
    expectRefused(await site.api("/oauth/token", { form: text, headers: basic }), "invalid_client", 400);
  });
});

describe("devices", () => {
  const start = async (over: Record<string, string> = {}) =>
    (await site.api("/oauth/device_authorization", { form: { client_id: clientId, ...over } })).body;
  const poll = (code: string, client = clientId, over: Record<string, string> = {}) =>
    site.api("/oauth/token", { form: { grant_type: DEVICE_GRANT, client_id: client, device_code: code, ...over } });

  test.for<[string, Record<string, string>, string]>([
    ["an unknown client", { client_id: "nobody" }, "invalid_client"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["an unknown scope", { scope: "admin" }, "invalid_scope"],
    ["another resource", { resource: "https://evil.example.com" }, "invalid_target"],
    ["a secret", { client_secret: "x" }, "invalid_client"],
  ])("a request with %s is refused", async ([, over, error]) => {
    const response = await site.api("/oauth/device_authorization", { form: { client_id: clientId, ...over } });
    expectRefused(
      { ...response, body: response.body.device_code === undefined ? response.body : { access_token: 1 } },
      error,
      400,
    );
  });

  test("a client without the device grant is refused", async () => {
    const web = await site.aClient({ grant_types: ["authorization_code"] });
    const response = await site.api("/oauth/device_authorization", { form: { client_id: web } });
    expectRefused(response, "unauthorized_client", 400);
  });

  test("a device code is refused before the decision, from another client, and as a user code", async () => {
    const device = await start();
    expectRefused(await poll(device.device_code, otherClientId), "invalid_grant");
    expectRefused(await poll(device.device_code), "authorization_pending");
    expectRefused(await poll(device.device_code), "slow_down");
    expectRefused(await poll(device.user_code), "invalid_grant");
    expectRefused(await poll(`svc_dc_${"0".repeat(64)}`), "invalid_grant");
  });

  test("guessed user codes show nothing, and the eleventh guess of a minute is refused", async () => {
    const limited = openOAuthSite({
      ...runtime,
      requestLimiter: openTestRuntime(`${databaseUrl} guesses`).requestLimiter,
    });
    const guesser = limited.browser();
    await guesser.signIn("guesser@example.test");
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const page = await guesser.post("/oauth/device", { user_code: `BBBB-BBB${"BCDFGHJKLMNP"[guess]}` });
      expectRefused(page, null);
      expect(page.text).not.toContain('name="request"');
      statuses.push(page.status);
    }
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
  });

  test("a decision needs the page that showed the request, in the same session", async () => {
    const device = await start();
    const page = await owner.post("/oauth/device", { user_code: device.user_code });
    const ticket = hiddenFields(page.text, "request");
    const stranger = site.browser();
    await stranger.signIn("stranger@example.test");
    expect((await stranger.post("/oauth/device", { ...ticket, decision: "approve" })).status).toBe(400);
    expect((await owner.post("/oauth/device", { user_code: device.user_code, decision: "approve" })).status).toBe(400);
    expect((await owner.open(`/oauth/device?user_code=${device.user_code}&decision=approve`)).status).toBe(200);
    expectRefused(await poll(device.device_code), "authorization_pending");
  });
});

describe("registration", () => {
  test.for<[string, object, string]>([
    ["a script as redirect URI", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["data as redirect URI", { redirect_uris: ["data:text/html,x"] }, "invalid_redirect_uri"],
    ["a VB script as redirect URI", { redirect_uris: ["vbscript:x"] }, "invalid_redirect_uri"],
    ["a file as redirect URI", { redirect_uris: ["file:///etc/passwd"] }, "invalid_redirect_uri"],
    ["http to another host", { redirect_uris: ["http://app.example.com/cb"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://app.example.com/cb#x"] }, "invalid_redirect_uri"],
    ["a user name", { redirect_uris: ["https://a:b@app.example.com/cb"] }, "invalid_redirect_uri"],
    ["a wildcard host", { redirect_uris: ["https://*.example.com\\x"] }, "invalid_redirect_uri"],
    ["a scheme without a dot", { redirect_uris: ["myapp:/cb"] }, "invalid_redirect_uri"],
    ["a relative URI", { redirect_uris: ["/cb"] }, "invalid_redirect_uri"],
    ["a line break", { redirect_uris: ["https://app.example.com/\n"] }, "invalid_redirect_uri"],
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["a text as list", { redirect_uris: "https://app.example.com/cb" }, "invalid_redirect_uri"],
    [
      "eleven redirect URIs",
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example.com/${n}`) },
      "invalid_redirect_uri",
    ],
    ["a script as homepage", { client_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
    ["a script as logo", { logo_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
    ["a script as terms", { tos_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
    ["an http policy", { policy_uri: "http://app.example.com" }, "invalid_client_metadata"],
    ["a secret", { token_endpoint_auth_method: "client_secret_post" }, "invalid_client_metadata"],
    ["the implicit grant", { grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["refresh tokens alone", { grant_types: ["refresh_token"] }, "invalid_client_metadata"],
    ["tokens from the authorization endpoint", { response_types: ["token"] }, "invalid_client_metadata"],
    ["an unknown scope", { scope: "read admin" }, "invalid_client_metadata"],
    ["a name that reorders text", { client_name: "Good\u202eliv\u202c" }, "invalid_client_metadata"],
    ["a name of 900 kB", { client_name: "x".repeat(900_000) }, "invalid_request"],
    ["a long name", { client_name: "x".repeat(101) }, "invalid_client_metadata"],
  ])("a client with %s is refused", async ([, over, error]) => {
    expectRefused(await site.api("/oauth/register", { json: { redirect_uris: [CALLBACK], ...over } }), error);
  });

  test("a body that is not an object, not JSON or a form is refused", async () => {
    for (const json of ["[]", "null", "1"])
      expectRefused(await site.api("/oauth/register", { json }), "invalid_client_metadata", 400);
    expectRefused(await site.api("/oauth/register", { json: "{" }), "invalid_request", 400);
    expectRefused(await site.api("/oauth/register", { form: { redirect_uris: CALLBACK } }), "invalid_request", 400);
  });
});

describe("the pages", () => {
  test("a consent from another origin, without an origin, or with a foreign ticket gives no code", async () => {
    const page = await owner.open(await site.authorizePath(clientId));
    const form: Record<string, string> = { ...hiddenFields(page.text, "request"), decision: "approve" };
    for (const origin of ["https://evil.example.com", "null", API, null]) {
      expectRefused(await owner.post("/oauth/authorize", form, { headers: { origin } }), null, 403);
    }
    const stranger = site.browser();
    await stranger.signIn("other@example.test");
    expectRefused(await stranger.post("/oauth/authorize", form), null, 400);
    expectRefused(await site.browser().post("/oauth/authorize", form), null, 400);
    expectRefused(await owner.post("/oauth/authorize", { decision: "approve" }), null, 400);
    const [expires = "", payload = "", signature = ""] = (form["request"] ?? "").split(".");
    const widened = toBase64Url(new TextEncoder().encode(atob(payload).replace('"usage"', '"export"')));
    expectRefused(
      await owner.post("/oauth/authorize", { ...form, request: `${expires}.${widened}.${signature}` }),
      null,
      400,
    );
    const later = new Date(Date.now() + 601_000);
    expectRefused(await owner.post("/oauth/authorize", form, { at: later }), null, 400);
    expectRefused(await owner.open("/oauth/authorize", { method: "PUT" }), null, 405);
  });

  test("no page may be framed, and none has a script", async () => {
    for (const path of [await site.authorizePath(clientId), "/oauth/device", "/oauth/grants", "/oauth/nothing"]) {
      for (const visitor of [owner, site.browser()]) {
        const { headers, text } = await visitor.open(path);
        expect(headers.get("content-security-policy")).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
        expect(headers.get("x-frame-options")).toBe("DENY");
        expect(text).not.toMatch(/<script|javascript:| on\w+=/i);
      }
    }
  });

  test.for([
    "https://evil.example.com/",
    "//evil.example.com/oauth/authorize",
    "/\\evil.example.com/oauth/authorize",
    "javascript:alert(1)",
    "/oauth/authorize@evil.example.com",
    "/api/keys",
    "http://web.test.evil.example.com/oauth/authorize",
    "/oauth/../api/keys",
    "\t//evil.example.com",
  ])("the sign-in returns to our own pages only: %s", async (target) => {
    const { location } = await site.browser().signIn(`return-${(visitors += 1)}@example.test`, target);
    expect(location?.href).toBe(`${WEB}/oauth/grants`);
    refused += 1;
  });

  test("a session that was set before the sign-in is not the session after it", async () => {
    const visitor = site.browser();
    await visitor.signIn("fixed@example.test");
    const before = visitor.cookies.get("__Host-svc.session_token");
    expect(before).toBeDefined();
    await visitor.signIn("fixed@example.test");
    expect(visitor.cookies.get("__Host-svc.session_token")).not.toBe(before);
    const victim = site.browser();
    victim.cookies.set("__Host-svc.session_token", "chosen-by-an-attacker");
    await victim.signIn("victim@example.test");
    expect(victim.cookies.get("__Host-svc.session_token")).not.toBe("chosen-by-an-attacker");
    refused += 2;
  });

  test("a sign-in form of another site is refused and signs its visitor in to no account", async () => {
    const visitor = site.browser();
    for (const origin of ["https://evil.example.com", "null", null]) {
      const response = await visitor.post("/oauth/sign-in", { email: "a@example.test" }, { headers: { origin } });
      expectRefused(response, null, 403);
    }
    expect(site.codes.has("a@example.test")).toBe(false);
  });

  test("the pages answer alike for an address with and without an account", async () => {
    const pageOf = async (email: string) =>
      (await site.browser().post("/oauth/sign-in", { email })).text.replaceAll(email, "ADDRESS");
    expect(await pageOf("owner@example.test")).toBe(await pageOf("nobody-yet@example.test"));
  });

  test("a sign-out ends the session, and needs our own page", async () => {
    const visitor = site.browser();
    await visitor.signIn("leaving@example.test");
    const session = visitor.cookies.get("__Host-svc.session_token") ?? "";
    expect(
      (await visitor.post("/oauth/sign-out", {}, { headers: { origin: "https://evil.example.com" } })).status,
    ).toBe(403);
    expect((await visitor.post("/oauth/sign-out", { return: "/oauth/device" })).location?.href).toBe(
      `${WEB}/oauth/device`,
    );
    visitor.cookies.set("__Host-svc.session_token", session);
    expect((await visitor.open("/oauth/grants")).text).toContain("<h1>Sign in</h1>");
  });
});

describe("revocation", () => {
  test("a client does not revoke the token of another, and a secret is refused", async () => {
    const { access_token: access, refresh_token: refresh } = await site.tokens(owner, clientId);
    for (const token of [access, refresh]) {
      expectRefused(
        await site.api("/oauth/revoke", { form: { token, client_id: otherClientId } }),
        "invalid_grant",
        400,
      );
      expectRefused(await site.api("/oauth/revoke", { form: { token, client_secret: "x" } }), "invalid_client", 400);
    }
    expectRefused(await site.api("/oauth/revoke", { form: { client_id: clientId } }), "invalid_request", 400);
    expect((await site.read("/api/v1/usage", access)).status).toBe(200);
  });

  test("a grant of another account is like one that does not exist", async () => {
    await site.tokens(owner, clientId);
    const json = { headers: { origin: WEB, "content-type": "application/json" } };
    const [grant] = (await owner.open("/api/oauth/grants", json)).body.data;
    const stranger = site.browser();
    await stranger.signIn("thief@example.test");
    const [foreign, absent] = await Promise.all(
      [grant.id, 999_999_999].map((id) => stranger.open(`/api/oauth/grants/${id}`, { ...json, method: "DELETE" })),
    );
    expect([foreign?.status, foreign?.body.error]).toEqual([404, absent?.body.error]);
    const page = await owner.open("/oauth/grants");
    expectRefused(await stranger.post("/oauth/grants", hiddenFields(page.text, "grant")), null, 400);
  });
});

test("at least 80 cases were refused and none was accepted", () => {
  console.info(`oauth: ${refused} refused, ${accepted} accepted`);
  expect(accepted).toBe(0);
  expect(refused).toBeGreaterThanOrEqual(80);
});
