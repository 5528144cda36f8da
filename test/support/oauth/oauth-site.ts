import { sql } from "drizzle-orm";
import { createApp } from "../../../src/app.ts";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { toBase64Url, sha256 } from "../../../src/lib/crypto/hmac.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { openWebsite } from "../../../src/web/web-app.ts";
import { hiddenFields } from "./read-page.ts";

export const API = "http://api.test";
export const WEB = "http://web.test";
export const CALLBACK = "https://app.example.com/callback";
export const VERIFIER = "a-verifier-of-at-least-43-characters-0123456789";

export interface SiteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is not JSON. */
  readonly body: any;
  /** The redirect target; null without one. */
  readonly location: URL | null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly form?: Readonly<Record<string, string>> | URLSearchParams | string;
  readonly json?: unknown;
  readonly at?: Date;
}

/** A browser on the website. */
export interface PageBrowser {
  readonly cookies: Map<string, string>;
  open(path: string, sending?: RequestOptions): Promise<SiteResponse>;
  /** Sends a form as a page of the website does. */
  post(path: string, form: Readonly<Record<string, string>>, sending?: RequestOptions): Promise<SiteResponse>;
  /** Signs in through the pages. */
  signIn(email: string, returnTo?: string): Promise<SiteResponse>;
}

export interface TokenSet {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

let visitors = 0;

/** The whole app over a runtime, with OAuth clients and browsers that use it. */
export function openOAuthSite(runtime: Runtime) {
  const codes = new Map<string, string>();
  const mail = {
    send: async ({ to, text }: { to: string; text: string }) => {
      codes.set(to, /^\d+/.exec(text)?.[0] ?? "");
    },
  };
  let clock = () => new Date();
  const app = createApp(runtime, OPERATIONS, {
    loadWebsite: async () => openWebsite(runtime, mail),
    now: () => clock(),
  });

  async function fetchApp(request: Request, at: Date | undefined): Promise<SiteResponse> {
    const background: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void background.push(work),
      passThroughOnException: () => undefined,
      props: {},
    };
    // The app reads the time of a request before it first waits.
    clock = () => at ?? new Date();
    const answered = app.fetch(request, {}, context);
    clock = () => new Date();
    const response = await answered;
    await Promise.all(background);
    const text = await response.text();
    const location = response.headers.get("location");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body:
        response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
          ? JSON.parse(text)
          : null,
      location: location === null ? null : new URL(location, request.url),
    };
  }

  /** Sends a request to the API's origin. */
  async function api(
    path: string,
    { method, headers = {}, form, json, at }: RequestOptions = {},
  ): Promise<SiteResponse> {
    const sent = new Headers({ "cf-connecting-ip": `198.51.100.${(visitors++ % 250) + 1}` });
    const body = bodyOf(form, json, sent);
    for (const [name, value] of Object.entries(headers))
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    return fetchApp(
      new Request(`${API}${path}`, { method: method ?? (body === null ? "GET" : "POST"), headers: sent, body }),
      at,
    );
  }

  function browser(): PageBrowser {
    const ip = `203.0.113.${(visitors++ % 250) + 1}`;
    const cookies = new Map<string, string>();
    async function open(
      path: string,
      { method, headers = {}, form, json, at }: RequestOptions = {},
    ): Promise<SiteResponse> {
      const sent = new Headers({ "cf-connecting-ip": ip });
      const body = bodyOf(form, json, sent);
      if (body !== null) sent.set("origin", WEB);
      if (cookies.size > 0) sent.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      for (const [name, value] of Object.entries(headers))
        if (value === null) sent.delete(name);
        else sent.set(name, value);
      const request = new Request(`${WEB}${path}`, {
        method: method ?? (body === null ? "GET" : "POST"),
        headers: sent,
        body,
      });
      const response = await fetchApp(request, at);
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === "" || /max-age=0\b/i.test(cookie)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    }
    const post: PageBrowser["post"] = (path, form, sending = {}) => open(path, { ...sending, form });
    return {
      cookies,
      open,
      post,
      async signIn(email, returnTo = "/oauth/grants") {
        await post("/oauth/sign-in", { email, return: returnTo });
        return post("/oauth/sign-in", { email, return: returnTo, otp: codes.get(email) ?? "" });
      },
    };
  }

  /** Registers a client for all grants. @returns its id */
  async function aClient(metadata: object = {}): Promise<string> {
    const { status, body, text } = await api("/oauth/register", {
      json: {
        client_name: "Test client",
        redirect_uris: [CALLBACK],
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        ...metadata,
      },
    });
    if (status !== 201) throw new Error(`not registered: ${text}`);
    return body.client_id;
  }

  /** The path of an authorization request. A null leaves a parameter out. */
  async function authorizePath(clientId: string, over: Readonly<Record<string, string | null>> = {}): Promise<string> {
    const parameters: Record<string, string | null> = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: "read usage",
      state: "a-state",
      code_challenge: toBase64Url(await sha256(VERIFIER)),
      code_challenge_method: "S256",
      ...over,
    };
    const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
    return `/oauth/authorize?${new URLSearchParams(present).toString()}`;
  }

  /** Opens the consent page and allows what it asks. @returns the redirect to the client */
  async function consent(visitor: PageBrowser, path: string, at?: Date): Promise<URL> {
    const when = at === undefined ? {} : { at };
    const page = await visitor.open(path, when);
    const answered = await visitor.post(
      "/oauth/authorize",
      { ...hiddenFields(page.text, "request"), decision: "approve" },
      when,
    );
    if (answered.location === null) throw new Error(`no redirect: ${answered.status} ${answered.text}`);
    return answered.location;
  }

  async function aCode(visitor: PageBrowser, clientId: string, over: Record<string, string | null> = {}, at?: Date) {
    const target = await consent(visitor, await authorizePath(clientId, over), at);
    return target.searchParams.get("code") ?? "";
  }

  const exchange = (clientId: string, code: string, over: Record<string, string> = {}, at?: Date) =>
    api("/oauth/token", {
      form: {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
        ...over,
      },
      ...(at === undefined ? {} : { at }),
    });

  const refresh = (clientId: string, token: string, over: Record<string, string> = {}, at?: Date) =>
    api("/oauth/token", {
      form: { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...over },
      ...(at === undefined ? {} : { at }),
    });

  /** Tokens of a new grant by authorization code. */
  async function tokens(
    visitor: PageBrowser,
    clientId: string,
    over: Record<string, string | null> = {},
  ): Promise<TokenSet> {
    const { status, body, text } = await exchange(clientId, await aCode(visitor, clientId, over));
    if (status !== 200) throw new Error(`no tokens: ${text}`);
    return body;
  }

  const read = (path: string, token: string, at?: Date) =>
    api(path, { headers: { authorization: `Bearer ${token}` }, ...(at === undefined ? {} : { at }) });

  return { api, browser, aClient, authorizePath, consent, aCode, exchange, refresh, tokens, read, codes };
}

export type OAuthSite = ReturnType<typeof openOAuthSite>;

function bodyOf(form: RequestOptions["form"], json: unknown, headers: Headers): string | null {
  if (form !== undefined) {
    headers.set("content-type", "application/x-www-form-urlencoded");
    return typeof form === "string" ? form : new URLSearchParams(form as Record<string, string>).toString();
  }
  if (json === undefined) return null;
  headers.set("content-type", "application/json");
  return typeof json === "string" ? json : JSON.stringify(json);
}

/** Gives an account a plan and a state. @returns its id */
export async function setAccount(db: Database, email: string, plan: string, state = "active"): Promise<number> {
  const { rows } = await db.execute(
    sql`update accounts set plan = ${plan}, state = ${state} where email = ${email} returning id`,
  );
  return Number(rows[0]?.["id"]);
}
