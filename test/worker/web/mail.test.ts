import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { MailUnavailable } from "../../../src/platform/mail/mail.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { openSite } from "../../support/web/open-site.ts";

const MAIL = {
  MAIL_ENDPOINT: "https://mail.test/emails",
  MAIL_TOKEN: "re_token",
  MAIL_FROM: "Service <codes@example.test>",
};
const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";

let databaseUrl = "";
let people = 0;
let lines: string[] = [];

const aPerson = () => `person-${++people}@example.test`;

beforeAll(async () => {
  ({ databaseUrl } = await createTestDatabase());
});

beforeEach(() => {
  lines = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      const line = parts.join(" ");
      // Every request logs this line.
      if (!line.includes('"request.completed"')) lines.push(line);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Replaces the mail service in the network. @returns the mail requests that it receives */
function serveMail(respond: () => Response | Promise<Response>): Request[] {
  const sent: Request[] = [];
  const network = fetch;
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
    if (!input.startsWith("https://mail.test/")) return network(input, init);
    sent.push(new Request(input, init));
    return Promise.resolve().then(respond);
  });
  return sent;
}

/** The whole app as configured, called from a page of the website. */
function openApp(variables: Record<string, string>) {
  const runtime = openTestRuntime(databaseUrl, variables);
  const app = createApp(runtime, []);
  const { origin } = new URL(runtime.config.webBaseUrl);
  const ip = `198.51.100.${++people}`;
  let cookie = "";
  return async (path: string, body: unknown) => {
    const headers = { origin, "content-type": "application/json", "cf-connecting-ip": ip, cookie };
    const response = await app.fetch(
      new Request(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
      {},
    );
    cookie =
      response.headers
        .getSetCookie()
        .map((set) => set.split(";")[0])
        .join("; ") || cookie;
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
}

function expectUnavailable({ status, headers, body }: { status: number; headers: Headers; body: any }): void {
  expect({ status, code: body.error?.code, param: body.error?.param }).toEqual({
    status: 503,
    code: "rate_limit_unavailable",
    param: null,
  });
  const seconds = Number(headers.get("retry-after"));
  expect([seconds >= 30, seconds <= 60]).toEqual([true, true]);
}

const codeIn = (text: string) => /\b\d{8}\b/.exec(text)?.[0] ?? "no code";

describe("configured mail service", () => {
  test.for(["https://www.example.com", "http://localhost:8787"])(
    "a website on %s mails a code that signs in and logs nothing",
    async (webBaseUrl) => {
      const sent = serveMail(() => Response.json({ id: "49a3999c" }));
      const send = openApp({ ...MAIL, WEB_BASE_URL: webBaseUrl });
      const email = aPerson();
      expect(await send(SEND, { email, type: "sign-in" })).toMatchObject({ status: 200, body: { success: true } });
      expect(lines).toEqual([]);
      expect(sent).toHaveLength(1);
      const [request] = sent;
      expect([request?.url, request?.method, request?.redirect]).toEqual([MAIL.MAIL_ENDPOINT, "POST", "manual"]);
      expect(Object.fromEntries(request?.headers ?? [])).toEqual({
        authorization: "Bearer re_token",
        "content-type": "application/json",
      });
      const mail: any = await request?.json();
      const code = codeIn(mail.text);
      expect(mail).toEqual({
        from: MAIL.MAIL_FROM,
        to: [email],
        subject: "Your sign-in code for Prediction-Market Activity API",
        text: `${code} is your sign-in code. It works once, within 10 minutes.\nIf you did not request it, ignore this mail.`,
      });
      expect((await send(SIGN_IN, { email, otp: code })).status).toBe(200);
    },
  );

  test.for<[string, () => Promise<Response>, string]>([
    [
      "refuses",
      async () => Response.json({ message: "no such sender" }, { status: 422 }),
      "the mail service returned status 422",
    ],
    [
      "redirects",
      async () => new Response(null, { status: 302, headers: { location: "/" } }),
      "the mail service returned status 302",
    ],
    ["fails", async () => new Response("", { status: 500 }), "the mail service returned status 500"],
    ["is away", () => Promise.reject(new TypeError("re_token")), "the mail service did not respond (TypeError)"],
    [
      "is too slow",
      () => Promise.reject(new DOMException("re_token", "TimeoutError")),
      "the mail service did not respond (TimeoutError)",
    ],
  ])(
    "a mail service that %s yields 503, and the log names the error without mail or token",
    async ([, respond, error]) => {
      const sent = serveMail(respond);
      const send = openApp(MAIL);
      const email = aPerson();
      const refused = await send(SEND, { email, type: "sign-in" });
      expectUnavailable(refused);
      expect(refused.text).not.toContain(email);
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        {
          level: "error",
          message: "sign_in.code_mail_failed",
          request_id: refused.headers.get("x-request-id"),
          work: "http",
          error,
        },
      ]);
      expect(sent).toHaveLength(1);
      const mail: any = await sent[0]?.json();
      expect(codeIn(mail.text)).toMatch(/^\d{8}$/);
      for (const secret of [codeIn(mail.text), "re_token", email]) expect(lines.join()).not.toContain(secret);
    },
  );

  test("requests during a mail outage count once each toward the address's limit of five codes", async () => {
    let away = true;
    const site = openSite(openTestRuntime(databaseUrl), async () => {
      if (away) throw new MailUnavailable("away");
    });
    const email = aPerson();
    const browser = site.browser();
    const requestCode = async () =>
      (await browser.send(SEND, { method: "POST", body: { email, type: "sign-in" } })).status;
    expect([await requestCode(), await requestCode(), await requestCode()]).toEqual([503, 503, 503]);
    away = false;
    expect([await requestCode(), await requestCode(), await requestCode()]).toEqual([200, 200, 429]);
    expect(site.mails).toHaveLength(5);
  });

  test("a code whose delivery was not confirmed signs in", async () => {
    const site = openSite(openTestRuntime(databaseUrl), () => Promise.reject(new MailUnavailable("timed out")));
    const [browser, email] = [site.browser(), aPerson()];
    expectUnavailable(await browser.send(SEND, { method: "POST", body: { email, type: "sign-in" } }));
    expect((await browser.send(SIGN_IN, { method: "POST", body: { email, otp: browser.codeFor(email) } })).status).toBe(
      200,
    );
  });

  test("a programming error in the mail step returns 500", async () => {
    const site = openSite(openTestRuntime(databaseUrl), () => Promise.reject(new Error("a mistake")));
    const result = await site.browser().send(SEND, { method: "POST", body: { email: aPerson(), type: "sign-in" } });
    expectApiError(result, { status: 500, code: "internal_error", reason: null, param: null });
  });
});

describe("no mail service", () => {
  test("a website on http://localhost prints a code that signs in", async () => {
    const sent = serveMail(() => new Response());
    const send = openApp({ WEB_BASE_URL: "http://localhost:8787" });
    const email = aPerson();
    expect((await send(SEND, { email, type: "sign-in" })).status).toBe(200);
    const code = codeIn(lines.join());
    expect(lines).toEqual([
      `Mail to ${email}: Your sign-in code for Prediction-Market Activity API. ` +
        `${code} is your sign-in code. It works once, within 10 minutes. If you did not request it, ignore this mail.`,
    ]);
    expect(sent).toEqual([]);
    expect((await send(SIGN_IN, { email, otp: code })).status).toBe(200);
  });

  test.for([
    "https://www.example.com",
    "http://web.test",
    "https://localhost",
    "http://localhost.example.com",
    "http://127.0.0.1:8787",
  ])("a website on %s without a mail service returns 503, creates no code and prints nothing", async (webBaseUrl) => {
    const send = openApp({ WEB_BASE_URL: webBaseUrl });
    const runtime = openTestRuntime(databaseUrl);
    const email = aPerson();
    // More requests than the code limit: the response does not change.
    for (let request = 0; request < 6; request++) {
      expectUnavailable(await send(SEND, { email, type: "sign-in" }));
    }
    expect(lines).toEqual([]);
    const { rows } = await runtime.db.execute(`select from sign_in_mails where subject like '%${email}%'`);
    expect(rows).toEqual([]);
  });
});
