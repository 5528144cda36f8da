import { consoleLog } from "../../../src/lib/console-log.ts";
import type { Mail, MailMessage } from "../../../src/ports/mail.ts";
import { clientIp } from "../../../src/ports/client-ip.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createWebApp } from "../../../src/web/web-app.ts";
import type { Answer } from "../kernel/open-kernel.ts";

export const ORIGIN = "http://web.test";

export interface Sending {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of those a browser on the website sends; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** When the request is sent, for what is told by the request's clock. */
  readonly at?: Date;
}

/** A browser on the website: it keeps cookies, and names its origin. */
export interface Browser {
  readonly ip: string;
  readonly cookies: Map<string, string>;
  send(path: string, sending?: Sending): Promise<Answer>;
  /** Has a code mailed and signs in with it. */
  signIn(email: string): Promise<void>;
  /** The code mailed last to this address. */
  codeFor(email: string): string;
}

export interface Site {
  readonly mails: readonly MailMessage[];
  /** With an IP address of its own. */
  browser(): Browser;
}

/** The website over a runtime, as the app mounts it. `deliver` is what its mail service does with a mail, beyond its being in `mails`. */
export function openSite(runtime: Runtime, deliver: Mail["send"] = async () => undefined): Site {
  const mails: MailMessage[] = [];
  const answerWeb = createWebApp(runtime, {
    send: async (message) => {
      mails.push(message);
      await deliver(message);
    },
  });
  let browsers = 0;

  function browser(): Browser {
    browsers += 1;
    const ip = `203.0.${113 + Math.floor(browsers / 250)}.${(browsers % 250) + 1}`;
    const cookies = new Map<string, string>();

    async function send(path: string, { method = "GET", body, headers = {}, at = new Date() }: Sending = {}): Promise<Answer> {
      const sent = new Headers({ origin: ORIGIN, "cf-connecting-ip": ip });
      if (method !== "GET" && method !== "HEAD") sent.set("content-type", "application/json");
      if (cookies.size > 0) sent.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      for (const [name, value] of Object.entries(headers)) {
        if (value === null) sent.delete(name);
        else sent.set(name, value);
      }
      const request = new Request(`${ORIGIN}${path}`, { method, headers: sent, body: body === undefined ? null : JSON.stringify(body) });
      const requestId = `req_${crypto.randomUUID().replaceAll("-", "")}`;
      const response = await answerWeb({
        request,
        url: new URL(request.url),
        requestId,
        startedAt: at,
        ip: clientIp(sent),
        log: consoleLog,
      });
      response.headers.set("X-Request-Id", requestId);
      for (const cookie of response.headers.getSetCookie()) keep(cookie);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
    }

    function keep(cookie: string): void {
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
      const sent = await send("/api/auth/email-otp/send-verification-otp", { method: "POST", body: { email, type: "sign-in" } });
      if (sent.status !== 200) throw new Error(`no code was sent: ${sent.text}`);
      const signedIn = await send("/api/auth/sign-in/email-otp", { method: "POST", body: { email, otp: codeFor(email) } });
      if (signedIn.status !== 200) throw new Error(`not signed in: ${signedIn.text}`);
    }
    return { ip, cookies, send, signIn, codeFor };
  }
  return { mails, browser };
}
