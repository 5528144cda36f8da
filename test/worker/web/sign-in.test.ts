import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { openSite, openTestSite, ORIGIN, type Browser, type Site } from "../../support/web/open-site.ts";
import { withinAMinute } from "../../support/web/within-a-minute.ts";

let runtime: Runtime;
let site: Site;
let people = 0;

const aPerson = () => `person-${++people}@example.test`;
const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const requestCode = (browser: Browser, email: string) =>
  browser.send(SEND, { method: "POST", body: { email, type: "sign-in" } });
const enterCode = (browser: Browser, email: string, otp: string) =>
  browser.send(SIGN_IN, { method: "POST", body: { email, otp } });
const wrongCode = (code: string) => (code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`);
const session = async (browser: Browser) => (await browser.send("/api/auth/get-session")).body;

const CODE_COOKIE = "__Host-svc.code_request";

/** Returns a browser with the same cookies on another IP address. */
function copyOf(browser: Browser): Browser {
  const copy = site.browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

async function anotherTicket(): Promise<string> {
  const browser = site.browser();
  await requestCode(browser, aPerson());
  return browser.cookies.get(CODE_COOKIE) ?? "";
}

async function aKnownBrowser(): Promise<Browser> {
  const browser = site.browser();
  await browser.signIn(aPerson());
  return browser;
}

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
});

describe("valid code", () => {
  test("a mailed code signs in once, to a new free-plan account of its address", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    expect((await requestCode(browser, email)).body).toEqual({ success: true });
    expect(site.mails.at(-1)).toMatchObject({
      to: email,
      subject: expect.stringContaining(runtime.config.serviceName),
    });
    const code = browser.codeFor(email);
    expect(code).toMatch(/^\d{8}$/);
    expect((await enterCode(browser, email, code)).status).toBe(200);
    expect(await session(browser)).toMatchObject({ user: { email, emailVerified: true } });
    const { rows } = await runtime.db.execute(sql`select id, plan, state from accounts where email = ${email}`);
    expect(rows).toEqual([{ id: expect.anything(), plan: "free", state: "active" }]);
    expect((await session(browser)).user.accountId).toBe(Number(rows[0]?.["id"]));
  });

  test("a code signs in regardless of the letter case of the address", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await browser.signIn(email);
    await requestCode(browser, email.toUpperCase());
    expect((await enterCode(browser, email.toUpperCase(), browser.codeFor(email))).status).toBe(200);
    expect(await countRows(sql`accounts where email ilike ${email}`)).toBe(1);
    expect(await countRows(sql`users where email ilike ${email}`)).toBe(1);
  });

  test("a code signs in to the account that an operator created for the address", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const { rows } = await runtime.db.execute(
      sql`insert into accounts (email, plan) values (${email}, 'max') returning id`,
    );
    await browser.signIn(email);
    expect((await session(browser)).user.accountId).toBe(Number(rows[0]?.["id"]));
  });
});

describe("refused code", () => {
  test("a wrong code does not sign in", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const response = await enterCode(browser, email, wrongCode(browser.codeFor(email)));
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 400, code: "INVALID_OTP" });
    expect(await session(browser)).toBeNull();
    expect((await enterCode(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test("a correct code does not sign in after three wrong ones", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const code = browser.codeFor(email);
    for (let tries = 0; tries < 3; tries++) expect((await enterCode(browser, email, wrongCode(code))).status).toBe(400);
    const refused = await enterCode(browser, email, code);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: "TOO_MANY_ATTEMPTS" });
    expect((await enterCode(browser, email, code)).status).toBe(403);
    expect(await session(browser)).toBeNull();
  });

  test("six concurrent wrong codes are counted as three and block the code", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const code = browser.codeFor(email);
    await Promise.all(Array.from({ length: 6 }, () => enterCode(browser, email, wrongCode(code))));
    const [id] = (browser.cookies.get(CODE_COOKIE) ?? "").split(".");
    expect((await runtime.db.execute(sql`select guesses from sign_in_codes where id = ${id}`)).rows).toEqual([
      { guesses: 3 },
    ]);
    expect((await enterCode(browser, email, code)).status).toBe(403);
  });

  test("a code signs in only once, also when it is sent concurrently", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const code = browser.codeFor(email);
    const copies = [1, 2, 3].map(() => copyOf(browser));
    const responses = await Promise.all(copies.map((copy) => enterCode(copy, email, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await enterCode(copyOf(browser), email, code)).status).toBe(400);
  });

  test("a code does not sign in on a browser that did not request it", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const stranger = site.browser();
    const response = await enterCode(stranger, email, browser.codeFor(email));
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 400, code: "INVALID_OTP" });
    expect(stranger.cookies.size).toBe(0);
    expect((await enterCode(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test.for([
    ["none", () => null],
    ["one of another request", async (own: string) => `${(await anotherTicket()).split(".")[0]}.${own.split(".")[1]}`],
    ["one with another signature", (own: string) => `${own.slice(0, -2)}${own.endsWith("AA") ? "BB" : "AA"}`],
    ["one without a signature", (own: string) => own.split(".")[0]],
    ["the cookie of a known browser", async () => (await aKnownBrowser()).cookies.get("__Host-svc.known_browser")],
  ] as const)("a code does not sign in when the request's cookie is replaced by %s", async ([, replace]) => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const own = browser.cookies.get(CODE_COOKIE) ?? "";
    const replaced = await replace(own);
    if (replaced == null) browser.cookies.delete(CODE_COOKIE);
    else browser.cookies.set(CODE_COOKIE, replaced);
    expect((await enterCode(browser, email, browser.codeFor(email))).status).toBe(400);
    browser.cookies.set(CODE_COOKIE, own);
    expect((await enterCode(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test("a code does not sign in after a newer one has been mailed and used", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const first = browser.codeFor(email);
    await browser.signIn(email);
    expect((await enterCode(site.browser(), email, first)).status).toBe(400);
  });

  test("a code does not sign in after ten minutes", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await requestCode(browser, email);
    const entry = { method: "POST", body: { email, otp: browser.codeFor(email) } };
    const response = await browser.send(SIGN_IN, { ...entry, at: new Date(Date.now() + 600_000) });
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 400, code: "OTP_EXPIRED" });
  });

  test("a code does not sign in for another address", async () => {
    const [browser, email, victim] = [site.browser(), aPerson(), aPerson()];
    await requestCode(browser, email);
    expect((await enterCode(browser, victim, browser.codeFor(email))).status).toBe(400);
    await requestCode(browser, victim);
    expect((await enterCode(browser, victim, browser.codeFor(email))).status).toBe(400);
    expect(await session(browser)).toBeNull();
  });
});

test("neither stored codes nor stored session tokens can be used to sign in", async () => {
  const [browser, email] = [site.browser(), aPerson()];
  await requestCode(browser, email);
  const code = browser.codeFor(email);
  const { rows } = await runtime.db.execute(sql`select * from sign_in_codes`);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(JSON.stringify(rows)).not.toContain(email);
  await enterCode(browser, email, code);
  const [name = "", cookie = ""] = [...browser.cookies].find(([key]) => key.endsWith("session_token")) ?? [];
  const [token = ""] = decodeURIComponent(cookie).split(".");
  const { rows: stored } = await runtime.db.execute(sql`select token from sessions where token = ${token}`);
  expect(stored).toHaveLength(1);
  const thief = site.browser();
  thief.cookies.set(name, token);
  expect(await session(thief)).toBeNull();
  thief.cookies.set(name, `${encodeURIComponent(`${token}.${"A".repeat(43)}=`)}`);
  expect(await session(thief)).toBeNull();
});

describe("limits on codes", () => {
  test("one network can have five codes mailed to one address in 15 minutes", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const before = site.mails.length;
    for (let sent = 0; sent < 5; sent++) expect((await requestCode(browser, email)).status).toBe(200);
    const refused = await requestCode(browser, email);
    expectApiError(refused, { status: 429, code: "rate_limited", reason: null, param: null });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(880);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(site.mails.length - before).toBe(5);
    const afterWindow = await browser.send(SEND, {
      method: "POST",
      body: { email, type: "sign-in" },
      at: new Date(Date.now() + 901_000),
    });
    expect(afterWindow.status).toBe(200);
  });

  test("all networks together can have ten codes mailed to one address in 15 minutes", async () => {
    const email = aPerson();
    const before = site.mails.length;
    for (let sent = 0; sent < 10; sent++) expect((await requestCode(site.browser(), email)).status).toBe(200);
    expectApiError(await requestCode(site.browser(), email), {
      status: 429,
      code: "rate_limited",
      reason: null,
      param: null,
    });
    expect(site.mails.length - before).toBe(10);
  });

  test("concurrent requests from all networks get ten codes for one address", async () => {
    const email = aPerson();
    const responses = await Promise.all(Array.from({ length: 16 }, () => requestCode(site.browser(), email)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(200),
      ...Array<number>(6).fill(429),
    ]);
  });

  test("one IP address can have twenty codes mailed in 15 minutes over all addresses", async () => {
    const browser = site.browser();
    for (let sent = 0; sent < 20; sent++) expect((await requestCode(browser, aPerson())).status).toBe(200);
    expectApiError(await requestCode(browser, aPerson()), {
      status: 429,
      code: "rate_limited",
      reason: null,
      param: null,
    });
    expect((await requestCode(site.browser(), aPerson())).status).toBe(200);
  });

  test("one IP address can enter ten codes a minute", async () => {
    const browser = site.browser();
    await withinAMinute(4);
    for (let tries = 0; tries < 10; tries++) expect((await enterCode(browser, aPerson(), "00000000")).status).toBe(400);
    const refused = await enterCode(browser, aPerson(), "00000000");
    expectApiError(refused, { status: 429, code: "rate_limited", reason: null, param: null });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await enterCode(site.browser(), aPerson(), "00000000")).status).toBe(400);
  });
});

describe("cookies", () => {
  const setCookies = async (webBaseUrl: string) => {
    const otherRuntime = { ...runtime, config: { ...runtime.config, webBaseUrl } };
    const otherSite = openSite(otherRuntime);
    const browser = otherSite.browser();
    const email = aPerson();
    const headers = { origin: new URL(webBaseUrl).origin };
    await browser.send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
    const response = await browser.send(SIGN_IN, {
      method: "POST",
      body: { email, otp: browser.codeFor(email) },
      headers,
    });
    expect(response.status).toBe(200);
    return response.headers.getSetCookie();
  };

  test.for([
    ["https://www.example.com", "__Host-svc", true],
    ["http://web.test", "__Host-svc", true],
    ["http://localhost:8080", "svc", false],
  ] as const)(
    "the cookies of %s begin with %s and are HttpOnly, Lax, Secure: %s",
    async ([webBaseUrl, name, secure]) => {
      const cookies = await setCookies(webBaseUrl);
      const ages = { session_token: 604_800, code_request: 0, known_browser: 31_536_000 };
      expect(cookies).toHaveLength(3);
      for (const cookie of cookies) {
        const [pair = "", ...attributes] = cookie.split("; ");
        const [prefix, own = ""] = pair.split("=")[0]?.split(".") ?? [];
        expect(prefix).toBe(name);
        expect(attributes.map((attribute) => attribute.toLowerCase()).sort()).toEqual(
          [
            "httponly",
            `max-age=${Object.entries(ages).find(([key]) => key === own)?.[1]}`,
            "path=/",
            "samesite=lax",
            ...(secure ? ["secure"] : []),
          ].sort(),
        );
      }
    },
  );
});

describe("session fixation", () => {
  const tokenOf = (browser: Browser) => browser.cookies.get("__Host-svc.session_token") ?? "none";

  test("each sign-in creates a new session and ignores a session cookie that the browser already has", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const planted = `${"a".repeat(32)}.${encodeURIComponent(`${"A".repeat(43)}=`)}`;
    browser.cookies.set("__Host-svc.session_token", planted);
    await browser.signIn(email);
    const first = tokenOf(browser);
    expect(first).not.toBe(planted);
    await browser.signIn(email);
    expect(tokenOf(browser)).not.toBe(first);
    const { rows } = await runtime.db.execute(sql`select from sessions where token = ${"a".repeat(32)}`);
    expect(rows).toEqual([]);
  });

  test("a second sign-in on the same browser leaves the first user's session unchanged", async () => {
    const [browser, email, secondEmail] = [site.browser(), aPerson(), aPerson()];
    await browser.signIn(email);
    const first = copyOf(browser);
    await browser.signIn(secondEmail);
    expect((await session(browser)).user.email).toBe(secondEmail);
    expect((await session(first)).user.email).toBe(email);
  });

  test("a session cookie without the __Host- prefix, which another host could set, opens no session", async () => {
    const [browser, thief] = [site.browser(), site.browser()];
    await browser.signIn(aPerson());
    for (const prefix of ["svc", "__Secure-svc"]) thief.cookies.set(`${prefix}.session_token`, tokenOf(browser));
    expect(await session(thief)).toBeNull();
  });
});

describe("session end", () => {
  test("a sign-out ends the session for every copy of its cookie", async () => {
    const [browser, thief] = [site.browser(), site.browser()];
    await browser.signIn(aPerson());
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await session(thief)).not.toBeNull();
    expect((await browser.send("/api/auth/sign-out", { method: "POST" })).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(["__Host-svc.known_browser"]);
    expect(await session(browser)).toBeNull();
    expect(await session(thief)).toBeNull();
  });

  test("a session ends after seven days", async () => {
    const browser = site.browser();
    await browser.signIn(aPerson());
    const { userId } = (await session(browser)).session;
    const { rows } = await runtime.db.execute(sql`
      update sessions set expires_at = expires_at - interval '604800 seconds' where user_id = ${userId}
      returning (extract(epoch from expires_at - now()))::float8 as left`);
    expect(Math.abs(Number(rows[0]?.["left"]))).toBeLessThan(60);
    await runtime.db.execute(sql`update sessions set expires_at = least(expires_at, now()) where user_id = ${userId}`);
    expect(await session(browser)).toBeNull();
    expectApiError(await browser.send("/api/keys"), {
      status: 401,
      code: "invalid_api_key",
      reason: null,
      param: null,
    });
  });
});

describe("refused sign-in requests", () => {
  test.for([
    ["a foreign origin", { origin: "https://evil.example" }, 403],
    ["no origin", { origin: null }, 403],
    ["the origin null", { origin: "null" }, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["no content type", { "content-type": null }, 415],
  ] as const)("a code request with %s is refused", async ([, headers, status]) => {
    const email = aPerson();
    const before = site.mails.length;
    const response = await site.browser().send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe(status === 403 ? null : ORIGIN);
    expect(site.mails.length).toBe(before);
  });

  test.for([
    ["/api/auth/sign-up/email", { email: "a@example.test", password: "correct horse", name: "A" }],
    ["/api/auth/sign-in/email", { email: "a@example.test", password: "correct horse" }],
    ["/api/auth/email-otp/request-password-reset", { email: "a@example.test" }],
    ["/api/auth/update-user", { name: "B" }],
    ["/api/auth/delete-user", {}],
    ["/api/auth/ok", {}],
  ] as const)("a request to %s returns 404 unknown_endpoint", async ([path, body]) => {
    const response = await site.browser().send(path, { method: "POST", body });
    expectApiError(response, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
  });

  test.for([
    { email: "nobody", type: "sign-in" },
    { email: aPerson(), type: "forget-password" },
    { type: "sign-in" },
    [],
  ])("the code request body %j is refused", async (body) => {
    expect((await site.browser().send(SEND, { method: "POST", body })).body.error).toMatchObject({
      reason: "invalid_body",
    });
  });

  test("a client cannot choose the account of a sign-in", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const { rows } = await runtime.db.execute(
      sql`insert into accounts (email, plan) values (${aPerson()}, 'max') returning id`,
    );
    await requestCode(browser, email);
    const otp = browser.codeFor(email);
    const response = await browser.send(SIGN_IN, {
      method: "POST",
      body: { email, otp, accountId: Number(rows[0]?.["id"]) },
    });
    expect(response.status).toBe(400);
    expect(await countRows(sql`users where email = ${email}`)).toBe(0);
  });
});

test("a database outage returns 503 database_unavailable, and sign-in works again after it", async () => {
  const ticket = await anotherTicket();
  const away = openTestRuntime(runtime.config.databaseUrl, { NEON_HTTP_ENDPOINT: "http://127.0.0.1:1/sql" });
  const browser = openSite(away).browser();
  browser.cookies.set(CODE_COOKIE, ticket);
  const expected = { status: 503, code: "rate_limit_unavailable", reason: "database_unavailable", param: null };
  expectApiError(await requestCode(browser, aPerson()), expected);
  expectApiError(await enterCode(browser, aPerson(), "00000000"), expected);
  openTestRuntime(runtime.config.databaseUrl);
  await site.browser().signIn(aPerson());
});

async function countRows(from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await runtime.db.execute(sql`select count(*)::int as rows from ${from}`);
  return Number(rows[0]?.["rows"]);
}
