import { createApp } from "../../../src/app.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Mail, MailMessage } from "../../../src/platform/mail/mail.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { openWebsite } from "../../../src/web/web-app.ts";
import { createTestDatabase } from "../database/database.ts";
import { openTestRuntime, type KernelResponse } from "../kernel/open-kernel.ts";

/** The origin of the website in most tests. */
export const ORIGIN = "http://web.test";

export interface BrowserRequest {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of the headers of a browser on the website; null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The time of the request, for rules that use the request's clock. */
  readonly at?: Date;
}

/** A browser on the website: it stores cookies and sends its origin. */
export interface Browser {
  readonly ip: string;
  readonly cookies: Map<string, string>;
  send(path: string, sending?: BrowserRequest): Promise<KernelResponse>;
  /** Requests a code by mail and signs in with it. */
  signIn(email: string): Promise<void>;
  /** The code most recently mailed to this address. */
  codeFor(email: string): string;
}

export interface Site {
  readonly mails: readonly MailMessage[];
  /** A browser with its own IP address. */
  browser(): Browser;
}

/** The whole app over a runtime. Every mail is added to `mails` and then passed to `deliver`. */
export function openSite(runtime: Runtime, deliver: Mail["send"] = async () => undefined): Site {
  const mails: MailMessage[] = [];
  const mail: Mail = {
    send: async (message) => {
      mails.push(message);
      await deliver(message);
    },
  };
  let now = () => new Date();
  const app = createApp(runtime, OPERATIONS, {
    loadWebsite: async () => openWebsite(runtime, mail),
    now: () => now(),
  });
  const { origin } = new URL(runtime.config.webBaseUrl);
  let browsers = 0;

  function browser(): Browser {
    browsers += 1;
    const ip = `203.0.${113 + Math.floor(browsers / 250)}.${(browsers % 250) + 1}`;
    const cookies = new Map<string, string>();

    async function send(
      path: string,
      { method = "GET", body, headers = {}, at }: BrowserRequest = {},
    ): Promise<KernelResponse> {
      const sent = new Headers({ origin, "cf-connecting-ip": ip });
      if (method !== "GET" && method !== "HEAD") sent.set("content-type", "application/json");
      if (cookies.size > 0) sent.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      for (const [name, value] of Object.entries(headers)) {
        if (value === null) sent.delete(name);
        else sent.set(name, value);
      }
      const request = new Request(`${origin}${path}`, {
        method,
        headers: sent,
        body: body === undefined ? null : JSON.stringify(body),
      });
      const background: Promise<unknown>[] = [];
      const context = {
        waitUntil: (work: Promise<unknown>) => void background.push(work),
        passThroughOnException: () => undefined,
        props: {},
      };
      // The app reads the time of a request before it first waits.
      now = () => at ?? new Date();
      const answered = app.fetch(request, {}, context);
      now = () => new Date();
      const response = await answered;
      await Promise.all(background);
      for (const cookie of response.headers.getSetCookie()) store(cookie);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
    }

    function store(cookie: string): void {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0\b/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }

    function codeFor(email: string): string {
      const code = /^\d+/.exec(mails.findLast(({ to }) => to === email)?.text ?? "")?.[0];
      if (code === undefined) throw new Error(`no code was mailed to ${email}`);
      return code;
    }

    async function signIn(email: string): Promise<void> {
      const sent = await send("/api/auth/email-otp/send-verification-otp", {
        method: "POST",
        body: { email, type: "sign-in" },
      });
      if (sent.status !== 200) throw new Error(`no code was sent: ${sent.text}`);
      const signedIn = await send("/api/auth/sign-in/email-otp", {
        method: "POST",
        body: { email, otp: codeFor(email) },
      });
      if (signedIn.status !== 200) throw new Error(`not signed in: ${signedIn.text}`);
    }
    return { ip, cookies, send, signIn, codeFor };
  }
  return { mails, browser };
}

/** A website over a new database, for the tests of one file. */
export async function openTestSite(): Promise<{ readonly runtime: Runtime; readonly site: Site }> {
  const { databaseUrl } = await createTestDatabase();
  const runtime = openTestRuntime(databaseUrl);
  return { runtime, site: openSite(runtime) };
}
