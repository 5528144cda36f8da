import { beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import {
  API,
  CALLBACK,
  openOAuthSite,
  setAccount,
  WEB,
  type OAuthSite,
  type PageBrowser,
} from "../../support/oauth/oauth-site.ts";
import { hiddenFields } from "../../support/oauth/read-page.ts";
import { NO_REQUEST_LIMITS } from "../../support/api/unlimited.ts";

let db: Database;
let site: OAuthSite;
let owner: PageBrowser;
let accountId: number;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  site = openOAuthSite({ ...openTestRuntime(database.databaseUrl), requestLimiter: NO_REQUEST_LIMITS });
  owner = site.browser();
  await owner.signIn("owner@example.test");
  accountId = await setAccount(db, "owner@example.test", "pro");
});

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

async function startDevice(clientId: string, over: Record<string, string> = {}) {
  return (
    await site.api("/oauth/device_authorization", { form: { client_id: clientId, scope: "read usage", ...over } })
  ).body;
}
const poll = (clientId: string, code: string, at?: Date) =>
  site.api("/oauth/token", {
    form: { grant_type: DEVICE_GRANT, client_id: clientId, device_code: code },
    ...(at === undefined ? {} : { at }),
  });
async function decide(userCode: string, decision: string) {
  const page = await owner.post("/oauth/device", { user_code: userCode });
  return owner.post("/oauth/device", { ...hiddenFields(page.text, "request"), decision });
}
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

test("an authorization code leads a signed-out browser from the sign-in to tokens that read the API", async () => {
  const clientId = await site.aClient();
  const visitor = site.browser();
  const path = await site.authorizePath(clientId);
  const signIn = await visitor.open(path);
  expect(signIn.text).toContain("<h1>Sign in</h1>");
  const back = await visitor.signIn("visitor@example.test", path);
  expect(back.location?.href).toBe(`${WEB}${path}`);
  await setAccount(db, "visitor@example.test", "pro");
  const target = await site.consent(visitor, path);
  expect(`${target.origin}${target.pathname}`).toBe(CALLBACK);
  expect(target.searchParams.get("state")).toBe("a-state");
  expect(target.searchParams.get("iss")).toBe(API);
  const { status, body, headers } = await site.exchange(clientId, target.searchParams.get("code") ?? "");
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toEqual({
    access_token: expect.stringMatching(/^svc_at_[0-9a-f]{64}$/),
    refresh_token: expect.stringMatching(/^svc_rt_[0-9a-f]{64}$/),
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read usage",
  });
  const me = await site.read("/api/v1/me", body.access_token);
  expect(me.body.data).toMatchObject({
    credential_kind: "oauth_grant",
    credential_status: "active",
    scopes: ["read", "usage"],
  });
});

test("the consent page names the client, the scopes, the end and the target, in a page without scripts", async () => {
  const clientId = await site.aClient({ client_name: `<b onclick="x">"Evil" & Co</b>` });
  const { text, headers } = await owner.open(await site.authorizePath(clientId, { scope: "webhooks" }));
  expect(text).toContain(
    "&lt;b onclick=&quot;x&quot;&gt;&quot;Evil&quot; &amp; Co&lt;/b&gt; asks for access to your account",
  );
  expect(text).not.toMatch(/<b |<script/);
  for (const part of ["(webhooks)", "30 days", "To app.example.com", "owner@example.test", clientId])
    expect(text).toContain(part);
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; form-action 'self' https://app.example.com; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("cache-control")).toContain("no-store");
});

test("a denial is sent to the client, with the state and the issuer", async () => {
  const clientId = await site.aClient();
  const page = await owner.open(await site.authorizePath(clientId));
  const { location, status } = await owner.post("/oauth/authorize", {
    ...hiddenFields(page.text, "request"),
    decision: "deny",
  });
  expect(status).toBe(303);
  expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
    error: "access_denied",
    state: "a-state",
    iss: API,
  });
});

test("a device gets tokens once its code is approved, and not before", async () => {
  const clientId = await site.aClient();
  const device = await startDevice(clientId);
  expect(device).toEqual({
    device_code: expect.stringMatching(/^svc_dc_[0-9a-f]{64}$/),
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: `${WEB}/oauth/device`,
    verification_uri_complete: `${WEB}/oauth/device?user_code=${device.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect((await poll(clientId, device.device_code)).body.error).toBe("authorization_pending");
  expect((await poll(clientId, device.device_code)).body.error).toBe("slow_down");
  // The interval is ten seconds now.
  expect((await poll(clientId, device.device_code, later(7))).body.error).toBe("slow_down");
  const shown = await owner.open(`/oauth/device?user_code=${device.user_code.toLowerCase().replace("-", "")}`);
  expect(shown.text).toContain(`<p class="code">${device.user_code}</p>`);
  expect((await decide(device.user_code, "approve")).text).toContain("Access allowed");
  const answer = await poll(clientId, device.device_code, later(40));
  expect(answer.status).toBe(200);
  expect((await site.read("/api/v1/usage", answer.body.access_token)).status).toBe(200);
  expect((await poll(clientId, device.device_code, later(80))).body.error).toBe("invalid_grant");
});

test("a denied device is refused, and an expired one is expired", async () => {
  const clientId = await site.aClient();
  const denied = await startDevice(clientId);
  await decide(denied.user_code, "deny");
  expect((await poll(clientId, denied.device_code)).body.error).toBe("access_denied");
  const expired = await startDevice(clientId);
  expect((await poll(clientId, expired.device_code, later(601))).body.error).toBe("expired_token");
});

test("a refresh token rotates, and its reuse ends the grant with all access tokens", async () => {
  const clientId = await site.aClient();
  const first = await site.tokens(owner, clientId);
  const second = (await site.refresh(clientId, first.refresh_token)).body;
  const third = (await site.refresh(clientId, second.refresh_token)).body;
  expect((await site.read("/api/v1/usage", third.access_token)).status).toBe(200);
  const reused = await site.refresh(clientId, first.refresh_token);
  expect([reused.status, reused.body.error]).toEqual([400, "invalid_grant"]);
  for (const { access_token } of [first, second, third])
    expect((await site.read("/api/v1/usage", access_token)).status).toBe(401);
  expect((await site.refresh(clientId, third.refresh_token)).body.error).toBe("invalid_grant");
});

test("a lost answer can be asked for again for 30 seconds, and the copied token ends the grant later", async () => {
  const clientId = await site.aClient();
  const { refresh_token: token } = await site.tokens(owner, clientId);
  const lost = (await site.refresh(clientId, token)).body;
  const repeated = await site.refresh(clientId, token, {}, later(29));
  expect(repeated.status).toBe(200);
  const next = await site.refresh(clientId, repeated.body.refresh_token, {}, later(3_000));
  expect(next.status).toBe(200);
  expect((await site.refresh(clientId, lost.refresh_token, {}, later(3_100))).body.error).toBe("invalid_grant");
  expect((await site.refresh(clientId, next.body.refresh_token, {}, later(3_101))).body.error).toBe("invalid_grant");
});

test("after 30 seconds a used refresh token ends the grant", async () => {
  const clientId = await site.aClient();
  const { refresh_token: token } = await site.tokens(owner, clientId);
  const { access_token } = (await site.refresh(clientId, token)).body;
  expect((await site.refresh(clientId, token, {}, later(32))).body.error).toBe("invalid_grant");
  expect((await site.read("/api/v1/usage", access_token)).status).toBe(401);
});

test("a used code ends the grant that it gave", async () => {
  const clientId = await site.aClient();
  const code = await site.aCode(owner, clientId);
  const { body } = await site.exchange(clientId, code);
  expect((await site.read("/api/v1/usage", body.access_token)).status).toBe(200);
  expect((await site.exchange(clientId, code)).body.error).toBe("invalid_grant");
  expect((await site.read("/api/v1/usage", body.access_token)).status).toBe(401);
  expect((await site.refresh(clientId, body.refresh_token)).body.error).toBe("invalid_grant");
});

test("at most one of twenty concurrent exchanges of one code succeeds, and its grant ends", async () => {
  const clientId = await site.aClient();
  const code = await site.aCode(owner, clientId);
  const answers = await Promise.all(Array.from({ length: 20 }, () => site.exchange(clientId, code)));
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect((await site.read("/api/v1/usage", won[0]?.body.access_token)).status).toBe(401);
});

test("revoking a refresh token ends the grant; revoking an access token ends it alone", async () => {
  const clientId = await site.aClient();
  const one = await site.tokens(owner, clientId);
  const two = await site.tokens(owner, clientId);
  const revoke = (token: string) => site.api("/oauth/revoke", { form: { token, client_id: clientId } });
  expect((await revoke(one.access_token)).status).toBe(200);
  expect((await site.read("/api/v1/usage", one.access_token)).status).toBe(401);
  const refreshed = await site.refresh(clientId, one.refresh_token);
  expect(refreshed.status).toBe(200);
  expect((await revoke(two.refresh_token)).status).toBe(200);
  expect((await site.read("/api/v1/usage", two.access_token)).status).toBe(401);
  expect((await site.read("/api/v1/usage", refreshed.body.access_token)).status).toBe(200);
  expect((await revoke(`svc_rt_${"0".repeat(64)}`)).status).toBe(200);
  expect((await revoke("nonsense")).status).toBe(200);
});

test("the owner lists grants with their usage and revokes them, by operation and by page", async () => {
  const clientId = await site.aClient();
  const one = await site.tokens(owner, clientId, { resource: API });
  const json = { headers: { origin: WEB, "content-type": "application/json" } };
  const listed = await owner.open("/api/oauth/grants", json);
  const [grant] = listed.body.data;
  expect(grant).toMatchObject({
    client_id: clientId,
    client_name: "Test client",
    scopes: ["read", "usage"],
    resource: "api",
  });
  const me = await site.read("/api/v1/me", one.access_token);
  expect(me.body.data.credential_id).toBe(grant.id);
  const revoked = await owner.open(`/api/oauth/grants/${grant.id}`, { ...json, method: "DELETE" });
  expect(revoked.body.data).toEqual({ id: grant.id, revoked_at: expect.any(String) });
  expect((await site.read("/api/v1/usage", one.access_token)).status).toBe(401);
  const again = await owner.open(`/api/oauth/grants/${grant.id}`, { ...json, method: "DELETE" });
  expect(again.body.data).toEqual(revoked.body.data);

  const two = await site.tokens(owner, clientId);
  const page = await owner.open("/oauth/grants");
  expect(page.text).toContain("Test client");
  expect((await owner.post("/oauth/grants", hiddenFields(page.text, "grant"))).status).toBe(303);
  expect((await site.read("/api/v1/usage", two.access_token)).status).toBe(401);
});

test("an access token lasts an hour, takes the account's plan and state, and narrows at a refresh", async () => {
  const clientId = await site.aClient();
  const first = await site.tokens(owner, clientId);
  expect((await site.read("/api/v1/usage", first.access_token, later(3_590))).status).toBe(200);
  // The meter decides by its own clock.
  vi.useFakeTimers({ toFake: ["Date"], now: later(3_601) });
  const ended = await site.read("/api/v1/usage", first.access_token).finally(() => vi.useRealTimers());
  expect(ended.status).toBe(401);
  const narrow = (await site.refresh(clientId, first.refresh_token, { scope: "read" })).body;
  expect(narrow.scope).toBe("read");
  expect((await site.read("/api/v1/usage", narrow.access_token)).status).toBe(403);
  // The grant keeps its scopes.
  expect((await site.refresh(clientId, narrow.refresh_token)).body.scope).toBe("read usage");
});

test("a read with an access token asks Redis nothing, as one with a key", async () => {
  const { access_token: token } = await site.tokens(owner, await site.aClient());
  const roundTrips = async (credential: string) => {
    // With the first read the meter has the record of the credential.
    await site.read("/api/v1/usage", credential);
    const fetching = vi.spyOn(globalThis, "fetch");
    expect((await site.read("/api/v1/usage", credential)).status).toBe(200);
    const urls = fetching.mock.calls.map(([target]) => (target instanceof Request ? target.url : String(target)));
    fetching.mockRestore();
    return urls;
  };
  expect(await roundTrips(await aKey(db))).toEqual([]);
  expect(await roundTrips(token)).toEqual([]);
});

test("a token for the MCP endpoint alone is refused by the API, in both ways to ask for it", async () => {
  const clientId = await site.aClient();
  const mcp = `${API}/api/v1/mcp`;
  const only = await site.tokens(owner, clientId, { resource: mcp });
  const refused = await site.read("/api/v1/usage", only.access_token);
  expect([refused.status, refused.body.error.code]).toEqual([401, "invalid_api_key"]);
  expect((await site.refresh(clientId, only.refresh_token, { resource: API })).body.error).toBe("invalid_target");
  const both = await site.tokens(owner, clientId, { resource: `${API}/` });
  expect((await site.read("/api/v1/usage", both.access_token)).status).toBe(200);
  const narrowed = (await site.refresh(clientId, both.refresh_token, { resource: mcp })).body;
  expect((await site.read("/api/v1/usage", narrowed.access_token)).status).toBe(401);
});

test("the three metadata documents state the endpoints, and every challenge names one of them", async () => {
  const server = await site.api("/.well-known/oauth-authorization-server");
  expect(server.body).toMatchObject({
    issuer: API,
    authorization_endpoint: `${WEB}/oauth/authorize`,
    token_endpoint: `${API}/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  const challenge = (await site.api("/api/v1/usage")).headers.get("www-authenticate") ?? "";
  const named = /resource_metadata="http:\/\/api\.test([^"]+)"/.exec(challenge)?.[1] ?? "";
  expect((await site.api(named)).body).toMatchObject({ resource: API, authorization_servers: [API] });
  expect((await site.api(`${named}/api/v1/mcp`)).body).toMatchObject({
    resource: `${API}/api/v1/mcp`,
    scopes_supported: ["read"],
  });
  expect((await owner.open("/.well-known/oauth-authorization-server")).status).toBe(404);
});

test("nothing that is stored is a token or a code", async () => {
  const clientId = await site.aClient();
  const code = await site.aCode(owner, clientId);
  const { body } = await site.exchange(clientId, code);
  const device = await startDevice(clientId);
  const stored = await db.execute(`select json_agg(t)::text as text from (
    select to_jsonb(c) from oauth_codes c union all select to_jsonb(c) from oauth_access_tokens c
    union all select to_jsonb(c) from oauth_refresh_tokens c union all select to_jsonb(c) from oauth_device_codes c) t`);
  const text = String(stored.rows[0]?.["text"]);
  expect(text).toContain(clientId);
  for (const secret of [code, body.access_token, body.refresh_token, device.device_code, device.user_code])
    expect(text).not.toContain(secret.slice(-20).replace("-", ""));
  expect(text).not.toContain(device.user_code);
  expect(accountId).toBeGreaterThan(0);
});
