import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CommandFailed } from "./exit-codes.ts";
import type { Grant } from "./credentials.ts";

/*
 * Sign-in for programs without a browser: RFC 8628, with a client registered by RFC 7591. Everything but the place of
 * the metadata (RFC 8414) comes from the server.
 */
const Metadata = z.object({
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url().optional(),
  registration_endpoint: z.url().optional(),
});
const Registered = z.object({ client_id: z.string() });
const Authorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url(),
  verification_uri_complete: z.url().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(5),
});
const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().positive().default(3600),
});
const Refusal = z.object({ error: z.string(), error_description: z.string().optional() });

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SCOPES = "read webhooks export usage";
/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;

export interface DeviceLogin {
  readonly baseUrl: string;
  readonly signal: AbortSignal;
  /** Shows the user where to enter the code. */
  readonly show: (uri: string, code: string) => void;
}

/** @returns null when the deployment offers no sign-in of this kind */
export async function logInByDevice({ baseUrl, signal, show }: DeviceLogin): Promise<Grant | null> {
  const found = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`, { signal });
  if (!found.ok) return null;
  const { data: metadata } = Metadata.safeParse(await found.json().catch(() => null));
  const { device_authorization_endpoint: deviceUrl, registration_endpoint: registerUrl } = metadata ?? {};
  if (metadata === undefined || deviceUrl === undefined || registerUrl === undefined) return null;
  const registered = await fetch(registerUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "activity command line",
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: [DEVICE_GRANT, "refresh_token"],
      token_endpoint_auth_method: "none",
      scope: SCOPES,
    }),
    signal,
  });
  const { client_id: clientId } = Registered.parse(await readOk(registered));
  const authorization = Authorization.parse(
    await readOk(await post(deviceUrl, { client_id: clientId, scope: SCOPES }, signal)),
  );
  show(authorization.verification_uri_complete ?? authorization.verification_uri, authorization.user_code);
  const endsAt = Date.now() + authorization.expires_in * 1000;
  for (let intervalMs = authorization.interval * 1000; Date.now() < endsAt;) {
    await sleep(intervalMs, undefined, { signal });
    const form = { grant_type: DEVICE_GRANT, device_code: authorization.device_code, client_id: clientId };
    const response = await post(metadata.token_endpoint, form, signal);
    if (response.ok) return grantOf(await response.json(), clientId, metadata.token_endpoint, null);
    const refusal = Refusal.parse(await response.json());
    if (refusal.error === "slow_down") intervalMs += 5_000;
    else if (refusal.error !== "authorization_pending")
      throw new CommandFailed(`The sign-in was refused: ${refusal.error_description ?? refusal.error}`);
  }
  throw new CommandFailed("The code has expired. Run login again.");
}

export const isEnding = ({ expires_at: at }: Grant): boolean => Date.now() > at - EARLY_MS;

/** Tokens for the next hour. The old refresh token ends with its use. */
export async function renewGrant(grant: Grant): Promise<Grant> {
  const { refresh_token: token, client_id: clientId, token_endpoint: url } = grant;
  if (token === null) throw new CommandFailed("The sign-in has ended. Run login again.");
  const response = await post(url, { grant_type: "refresh_token", refresh_token: token, client_id: clientId });
  if (response.status === 400 || response.status === 401)
    throw new CommandFailed("The sign-in has ended. Run login again.");
  return grantOf(await readOk(response), clientId, url, token);
}

function grantOf(body: unknown, clientId: string, tokenUrl: string, refreshToken: string | null): Grant {
  const tokens = Tokens.parse(body);
  return {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token ?? refreshToken,
    expires_at: Date.now() + tokens.expires_in * 1000,
    client_id: clientId,
    token_endpoint: tokenUrl,
  };
}

const post = (url: string, form: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "error", ...(signal && { signal }) });

async function readOk(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const { data } = Refusal.safeParse(body);
  throw new CommandFailed(`${response.url} responded ${response.status}${data ? ` ${data.error}` : ""}`);
}
