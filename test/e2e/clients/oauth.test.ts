import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logInByDevice } from "../../../scripts/cli/oauth.ts";
import { freePort } from "../../../scripts/services/free-port.ts";
import { generateTrades, saveRecording } from "../../support/product/generated-recording.ts";
import { HttpBrowser } from "../../support/oauth/http-browser.ts";
import { PersonProvider } from "../../support/oauth/person-provider.ts";
import { productDatabaseUrl } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

/* Two independent client libraries and the official MCP client against the started product, from a bare 401 to a read. */
const REDIRECT = "http://127.0.0.1/callback";
const OWNER = "person@example.test";
const HTTP = { [oauth.allowInsecureRequests]: true };
const PUBLIC = oauth.None();

let dir: string;
let product: StartedProduct;
let browser: HttpBrowser;
let base: string;
let documents: Server;
let documentUrl: string;
/** What the host of the metadata document answers. */
let answerDocument = (): { status: number; headers: Record<string, string>; body: string } => ({
  status: 404,
  headers: {},
  body: "",
});

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 2));
  const replay = ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())];
  product = await startProduct(join(dir, "product"), replay);
  base = product.facts.base_url;
  browser = new HttpBrowser(product.facts.web_url);
  documents = createServer((_request, response) => {
    const { status, headers, body } = answerDocument();
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
  documentUrl = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/client.json`;
  const page = await browser.signIn("/oauth/grants", OWNER, readCode);
  if (!page.text.includes("No application has access.")) throw new Error(page.text);
  const database = new pg.Client({ connectionString: productDatabaseUrl(join(dir, "product")) });
  await database.connect();
  await database.query("update accounts set plan = 'pro' where email = $1", [OWNER]);
  await database.end();
});

afterAll(async () => {
  documents.close();
  await product.stop();
  await removeDataDir(dir);
});

/** The code that the product prints, because it has no mail service here. */
async function readCode(): Promise<string> {
  for (let turn = 0; turn < 200; turn += 1) {
    const printed = [...product.output().matchAll(/(\d{8}) is your sign-in code/g)].at(-1)?.[1];
    if (printed !== undefined) return printed;
    await sleep(50);
  }
  throw new Error(`no code was printed:\n${product.output()}`);
}

const read = (path: string, token: string | null) =>
  fetch(`${base}${path}`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });

/** From a refused request to the metadata of its authorization server, by nothing but what the answers name. */
async function discover(): Promise<oauth.AuthorizationServer> {
  const refused = await read("/api/v1/usage", null);
  expect(refused.status).toBe(401);
  const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1] ?? "";
  const metadata = new URL(named);
  const resource = new URL(metadata.href.replace("/.well-known/oauth-protected-resource", ""));
  const resourceServer = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, HTTP),
  );
  const issuer = new URL(resourceServer.authorization_servers?.[0] ?? "");
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...HTTP });
  return oauth.processDiscoveryResponse(issuer, response);
}

async function register(server: oauth.AuthorizationServer): Promise<oauth.Client> {
  const response = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: "Library client",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    },
    HTTP,
  );
  return oauth.processDynamicClientRegistrationResponse(response);
}

test("oauth4webapi goes from a bare 401 to its first read with an authorization code, refreshes and revokes", async () => {
  const server = await discover();
  const registered = await register(server);
  const verifier = oauth.generateRandomCodeVerifier();
  const redirect = REDIRECT.replace("127.0.0.1", "127.0.0.1:49152");
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: registered.client_id,
    redirect_uri: redirect,
    scope: "read usage",
    state: "s",
    resource: base,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const page = await browser.open(`${url.pathname}${url.search}`);
  const answered = await browser.decide(page, "/oauth/authorize", "approve");
  const parameters = oauth.validateAuthResponse(server, registered, answered.location ?? new URL(base), "s");
  const granted = await oauth.processAuthorizationCodeResponse(
    server,
    registered,
    await oauth.authorizationCodeGrantRequest(server, registered, PUBLIC, parameters, redirect, verifier, HTTP),
  );
  expect((await read("/api/v1/usage", granted.access_token)).status).toBe(200);
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    registered,
    await oauth.refreshTokenGrantRequest(server, registered, PUBLIC, granted.refresh_token ?? "", HTTP),
  );
  expect((await read("/api/v1/usage", refreshed.access_token)).status).toBe(200);
  const revoked = await oauth.revocationRequest(server, registered, PUBLIC, refreshed.refresh_token ?? "", HTTP);
  await oauth.processRevocationResponse(revoked);
  for (const token of [granted.access_token, refreshed.access_token])
    expect((await read("/api/v1/usage", token)).status).toBe(401);
});

test("a library refuses the response of another issuer", async () => {
  const server = await discover();
  const registered = await register(server);
  const mixedUp = new URL(`${REDIRECT}?code=x&state=s&iss=https://evil.example.com`);
  expect(() => oauth.validateAuthResponse(server, registered, mixedUp, "s")).toThrow();
});

test("oauth4webapi completes the device flow", async () => {
  const server = await discover();
  const registered = await register(server);
  const device = await oauth.processDeviceAuthorizationResponse(
    server,
    registered,
    await oauth.deviceAuthorizationRequest(server, registered, PUBLIC, new URLSearchParams({ scope: "usage" }), HTTP),
  );
  const poll = async () => oauth.deviceCodeGrantRequest(server, registered, PUBLIC, device.device_code, HTTP);
  await expect(oauth.processDeviceCodeResponse(server, registered, await poll())).rejects.toMatchObject({
    error: "authorization_pending",
  });
  const complete = new URL(device.verification_uri_complete ?? "");
  const page = await browser.open(`${complete.pathname}${complete.search}`);
  expect((await browser.decide(page, "/oauth/device", "approve")).text).toContain("Access allowed");
  await sleep((device.interval ?? 5) * 1000);
  const granted = await oauth.processDeviceCodeResponse(server, registered, await poll());
  expect((await read("/api/v1/usage", granted.access_token)).status).toBe(200);
  const narrow = await read("/api/v1/me", granted.access_token);
  expect(narrow.status).toBe(403);
  expect(narrow.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="read"');
});

test("openid-client completes both flows, refreshes and revokes", async () => {
  const options = { algorithm: "oauth2" as const, execute: [client.allowInsecureRequests] };
  const metadata = {
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  };
  const config = await client.dynamicClientRegistration(
    new URL(base),
    { ...metadata, token_endpoint_auth_method: "none" },
    client.None(),
    options,
  );
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "read usage",
    state: "t",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const page = await browser.open(`${url.pathname}${url.search}`);
  const { location } = await browser.decide(page, "/oauth/authorize", "approve");
  const granted = await client.authorizationCodeGrant(config, location ?? url, {
    pkceCodeVerifier: verifier,
    expectedState: "t",
  });
  const refreshed = await client.refreshTokenGrant(config, granted.refresh_token ?? "");
  expect((await read("/api/v1/usage", refreshed.access_token)).status).toBe(200);
  await client.tokenRevocation(config, refreshed.refresh_token ?? "");
  expect((await read("/api/v1/usage", refreshed.access_token)).status).toBe(401);

  const device = await client.initiateDeviceAuthorization(config, { scope: "usage" });
  const polling = client.pollDeviceAuthorizationGrant(config, device);
  const request = await browser.open("/oauth/device", { user_code: device.user_code });
  await browser.decide(request, "/oauth/device", "approve");
  expect((await read("/api/v1/usage", (await polling).access_token)).status).toBe(200);
});

const CALL = { name: "get_leaderboard", arguments: { limit: 1 } };
const mcpUrl = () => new URL(`${base}/api/v1/mcp`);

test("the official MCP client goes from a bare 401 to its first tool call with an authorization code", async () => {
  const person = new PersonProvider(REDIRECT);
  const transport = new StreamableHTTPClientTransport(mcpUrl(), { authProvider: person });
  const mcp = new Client({ name: "e2e", version: "1.0.0" });
  await mcp.connect(transport);
  await expect(mcp.callTool(CALL)).rejects.toBeInstanceOf(UnauthorizedError);
  const requested = person.requested ?? new URL(base);
  // The client asks for the resource that the challenge of the endpoint names (RFC 8707, RFC 9728).
  expect(requested.searchParams.get("resource")).toBe(mcpUrl().href);
  const page = await browser.open(`${requested.pathname}${requested.search}`);
  const { location } = await browser.decide(page, "/oauth/authorize", "approve");
  await transport.finishAuth((location ?? requested).searchParams);
  expect(await mcp.callTool(CALL)).toMatchObject({ structuredContent: { object: "list" } });
  // A token for the endpoint alone is no credential of the other routes.
  const token = person.tokens()?.access_token ?? "";
  expect((await read("/api/v1/leaderboard?limit=1", token)).status).toBe(401);
  await mcp.close();
});

test("the official MCP client calls a tool with the token of a device flow", async () => {
  const config = await client.dynamicClientRegistration(
    new URL(base),
    { grant_types: ["urn:ietf:params:oauth:grant-type:device_code"], token_endpoint_auth_method: "none" },
    client.None(),
    { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
  );
  const device = await client.initiateDeviceAuthorization(config, { scope: "read", resource: mcpUrl().href });
  const polling = client.pollDeviceAuthorizationGrant(config, device);
  const request = await browser.open("/oauth/device", { user_code: device.user_code });
  await browser.decide(request, "/oauth/device", "approve");
  const { access_token } = await polling;
  const transport = new StreamableHTTPClientTransport(mcpUrl(), { authProvider: { token: async () => access_token } });
  const mcp = new Client({ name: "e2e", version: "1.0.0" });
  await mcp.connect(transport);
  expect(await mcp.callTool(CALL)).toMatchObject({ structuredContent: { object: "list" } });
  await mcp.close();
});

test("the command line logs in by the device flow", async () => {
  const grant = await logInByDevice({
    baseUrl: base,
    signal: AbortSignal.timeout(120_000),
    show: (_uri, code) =>
      void browser
        .open("/oauth/device", { user_code: code })
        .then((request) => browser.decide(request, "/oauth/device", "approve")),
  });
  const me = await read("/api/v1/me", grant?.access_token ?? null);
  expect(await me.json()).toMatchObject({ data: { credential_kind: "oauth_grant" } });
});

test("a client id that is a document works, and one that redirects or is huge does not", async () => {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: documentUrl,
    redirect_uri: REDIRECT,
    state: "s",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  }).toString();
  const good = { client_id: documentUrl, client_name: "Document client", redirect_uris: [REDIRECT] };
  const json = { "content-type": "application/json" };
  const open = () => browser.open(`/oauth/authorize?${query}`);
  answerDocument = () => ({ status: 302, headers: { location: documentUrl }, body: "" });
  expect((await open()).status).toBe(400);
  answerDocument = () => ({ status: 200, headers: json, body: JSON.stringify({ ...good, x: "x".repeat(50_000) }) });
  expect((await open()).status).toBe(400);
  answerDocument = () => ({ status: 200, headers: json, body: JSON.stringify(good) });
  expect((await open()).text).toContain("Document client asks for access to your account");
});

test("the stream of a revoked token ends within 40 seconds", async () => {
  const server = await discover();
  const registered = await register(server);
  const verifier = oauth.generateRandomCodeVerifier();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: registered.client_id,
    redirect_uri: REDIRECT,
    state: "s",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const answered = await browser.decide(await browser.open(`/oauth/authorize?${query}`), "/oauth/authorize", "approve");
  const parameters = oauth.validateAuthResponse(server, registered, answered.location ?? new URL(base), "s");
  const granted = await oauth.processAuthorizationCodeResponse(
    server,
    registered,
    await oauth.authorizationCodeGrantRequest(server, registered, PUBLIC, parameters, REDIRECT, verifier, HTTP),
  );
  const stream = await read("/api/v1/stream", granted.access_token);
  expect(stream.status).toBe(200);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await oauth.revocationRequest(server, registered, PUBLIC, granted.refresh_token ?? "", HTTP);
  const revokedMs = Date.now();
  let text = "";
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) text += chunk.value;
  expect(text).toContain("invalid_api_key");
  expect(Date.now() - revokedMs).toBeLessThan(45_000);
});
