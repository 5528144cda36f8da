import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isEnding, logInByDevice, renewGrant } from "../../../../scripts/cli/oauth.ts";

/** A server of RFC 8414, 7591 and 8628 that answers the token requests from a list. */
const tokenAnswers: { status: number; body: object }[] = [];
const requests: { path: string; body: string }[] = [];
let hasMetadata = true;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const path = request.url ?? "";
  requests.push({ path, body });
  const send = (status: number, value: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (path.startsWith("/.well-known/"))
    return send(hasMetadata ? 200 : 404, {
      token_endpoint: `${base()}/token`,
      device_authorization_endpoint: `${base()}/device`,
      registration_endpoint: `${base()}/register`,
    });
  if (path === "/register") return send(201, { client_id: "client-1" });
  if (path === "/device")
    return send(200, {
      device_code: "device-1",
      user_code: "WDJB-MJHT",
      verification_uri: `${base()}/verify`,
      expires_in: 60,
      interval: 0.01,
    });
  const next = tokenAnswers.shift() ?? { status: 500, body: {} };
  return send(next.status, next.body);
});
const base = (): string => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
};

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

const shown: string[] = [];
const logIn = () =>
  logInByDevice({
    baseUrl: base(),
    signal: new AbortController().signal,
    show: (uri, code) => void shown.push(`${uri} ${code}`),
  });
const tokens = { access_token: "svc_at_1", refresh_token: "svc_rt_1", expires_in: 3600 };

test("a sign-in shows the code and polls until it is confirmed", async () => {
  tokenAnswers.push({ status: 400, body: { error: "authorization_pending" } }, { status: 200, body: tokens });
  const grant = await logIn();
  expect(shown.at(-1)).toBe(`${base()}/verify WDJB-MJHT`);
  expect(grant).toMatchObject({ access_token: "svc_at_1", refresh_token: "svc_rt_1", client_id: "client-1" });
  expect(Object.fromEntries(new URLSearchParams(requests.at(-1)?.body))).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: "device-1",
    client_id: "client-1",
  });
});

test("a refused sign-in is an error; a deployment without one is null", async () => {
  tokenAnswers.push({ status: 400, body: { error: "access_denied" } });
  await expect(logIn()).rejects.toThrow("access_denied");
  hasMetadata = false;
  expect(await logIn()).toBeNull();
  hasMetadata = true;
});

test("a grant near its end is renewed with its refresh token; a used one asks for another login", async () => {
  const grant = { ...tokens, expires_at: Date.now() + 30_000, client_id: "c", token_endpoint: `${base()}/token` };
  expect([isEnding(grant), isEnding({ ...grant, expires_at: Date.now() + 3_600_000 })]).toEqual([true, false]);
  tokenAnswers.push({ status: 200, body: { ...tokens, access_token: "svc_at_2", refresh_token: "svc_rt_2" } });
  expect(await renewGrant(grant)).toMatchObject({ access_token: "svc_at_2", refresh_token: "svc_rt_2" });
  expect(new URLSearchParams(requests.at(-1)?.body).get("refresh_token")).toBe("svc_rt_1");
  tokenAnswers.push({ status: 400, body: { error: "invalid_grant" } });
  await expect(renewGrant(grant)).rejects.toThrow("Run login again");
});
