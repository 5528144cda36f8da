import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { openSite, ORIGIN, type Browser, type Site } from "../../support/web/open-site.ts";
import { withinAMinute } from "../../support/web/within-a-minute.ts";

let runtime: Runtime;
let site: Site;
let people = 0;

const aPerson = () => `person-${++people}@example.test`;
const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const ask = (browser: Browser, email: string) => browser.send(SEND, { method: "POST", body: { email, type: "sign-in" } });
const enter = (browser: Browser, email: string, otp: string) => browser.send(SIGN_IN, { method: "POST", body: { email, otp } });
const other = (code: string) => (code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`);
const session = async (browser: Browser) => (await browser.send("/api/auth/get-session")).body;

const CODE_COOKIE = "__Host-svc.code_request";

/** The same browser on another IP address. */
function copyOf(browser: Browser): Browser {
  const copy = site.browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

async function anotherTicket(): Promise<string> {
  const browser = site.browser();
  await ask(browser, aPerson());
  return browser.cookies.get(CODE_COOKIE) ?? "";
}

async function aKnownBrowser(): Promise<Browser> {
  const browser = site.browser();
  await browser.signIn(aPerson());
  return browser;
}

beforeAll(async () => {
  const database = await createTestDatabase();
  runtime = openTestRuntime(database.databaseUrl);
  site = openSite(runtime);
});

describe("a code that was mailed signs in", () => {
  test("once, as the account of its address, which is made on the free plan", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    expect((await ask(browser, email)).body).toEqual({ success: true });
    expect(site.mails.at(-1)).toMatchObject({ to: email, subject: expect.stringContaining(runtime.config.serviceName) });
    const code = browser.codeFor(email);
    expect(code).toMatch(/^\d{8}$/);
    expect((await enter(browser, email, code)).status).toBe(200);
    expect(await session(browser)).toMatchObject({ user: { email, emailVerified: true } });
    const { rows } = await runtime.db.execute(sql`select id, plan, state from accounts where email = ${email}`);
    expect(rows).toEqual([{ id: expect.anything(), plan: "free", state: "active" }]);
    expect((await session(browser)).user.accountId).toBe(Number(rows[0]?.["id"]));
  });

  test("however the address is written", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await browser.signIn(email);
    await ask(browser, email.toUpperCase());
    expect((await enter(browser, email.toUpperCase(), browser.codeFor(email))).status).toBe(200);
    expect(await countRows(sql`accounts where email ilike ${email}`)).toBe(1);
    expect(await countRows(sql`users where email ilike ${email}`)).toBe(1);
  });

  test("into the account that an operator made for the address", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const { rows } = await runtime.db.execute(sql`insert into accounts (email, plan) values (${email}, 'max') returning id`);
    await browser.signIn(email);
    expect((await session(browser)).user.accountId).toBe(Number(rows[0]?.["id"]));
  });
});

describe("a code does not sign in", () => {
  test("when it is another one", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const answer = await enter(browser, email, other(browser.codeFor(email)));
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "INVALID_OTP" });
    expect(await session(browser)).toBeNull();
    expect((await enter(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test("after three wrong ones", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const code = browser.codeFor(email);
    for (let tries = 0; tries < 3; tries++) expect((await enter(browser, email, other(code))).status).toBe(400);
    const refused = await enter(browser, email, code);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: "TOO_MANY_ATTEMPTS" });
    expect((await enter(browser, email, code)).status).toBe(403);
    expect(await session(browser)).toBeNull();
  });

  test("after six wrong ones at once, of which three are counted", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const code = browser.codeFor(email);
    await Promise.all(Array.from({ length: 6 }, () => enter(browser, email, other(code))));
    const [id] = (browser.cookies.get(CODE_COOKIE) ?? "").split(".");
    expect((await runtime.db.execute(sql`select guesses from sign_in_codes where id = ${id}`)).rows).toEqual([{ guesses: 3 }]);
    expect((await enter(browser, email, code)).status).toBe(403);
  });

  test("a second time, even when both are sent at once", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const code = browser.codeFor(email);
    const copies = [1, 2, 3].map(() => copyOf(browser));
    const answers = await Promise.all(copies.map((copy) => enter(copy, email, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await enter(copyOf(browser), email, code)).status).toBe(400);
  });

  test("on a browser that did not ask for it", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const stranger = site.browser();
    const answer = await enter(stranger, email, browser.codeFor(email));
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "INVALID_OTP" });
    expect(stranger.cookies.size).toBe(0);
    expect((await enter(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test.for([
    ["none", () => null],
    ["one of another request", async (own: string) => `${(await anotherTicket()).split(".")[0]}.${own.split(".")[1]}`],
    ["one with another signature", (own: string) => `${own.slice(0, -2)}${own.endsWith("AA") ? "BB" : "AA"}`],
    ["one without a signature", (own: string) => own.split(".")[0]],
    ["one that is known for another purpose", async () => (await aKnownBrowser()).cookies.get("__Host-svc.known_browser")],
  ] as const)("with the request's cookie replaced by %s", async ([, replace]) => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const own = browser.cookies.get(CODE_COOKIE) ?? "";
    const replaced = await replace(own);
    if (replaced == null) browser.cookies.delete(CODE_COOKIE);
    else browser.cookies.set(CODE_COOKIE, replaced);
    expect((await enter(browser, email, browser.codeFor(email))).status).toBe(400);
    browser.cookies.set(CODE_COOKIE, own);
    expect((await enter(browser, email, browser.codeFor(email))).status).toBe(200);
  });

  test("once a newer one has been mailed and used", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const first = browser.codeFor(email);
    await browser.signIn(email);
    expect((await enter(site.browser(), email, first)).status).toBe(400);
  });

  test("when ten minutes have passed", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await ask(browser, email);
    const entry = { method: "POST", body: { email, otp: browser.codeFor(email) } };
    const answer = await browser.send(SIGN_IN, { ...entry, at: new Date(Date.now() + 600_000) });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "OTP_EXPIRED" });
  });

  test("for another address", async () => {
    const [browser, email, victim] = [site.browser(), aPerson(), aPerson()];
    await ask(browser, email);
    expect((await enter(browser, victim, browser.codeFor(email))).status).toBe(400);
    await ask(browser, victim);
    expect((await enter(browser, victim, browser.codeFor(email))).status).toBe(400);
    expect(await session(browser)).toBeNull();
  });
});

test("neither codes nor keys to sessions are stored in a form that signs in", async () => {
  const [browser, email] = [site.browser(), aPerson()];
  await ask(browser, email);
  const code = browser.codeFor(email);
  const { rows } = await runtime.db.execute(sql`select * from sign_in_codes`);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(JSON.stringify(rows)).not.toContain(email);
  await enter(browser, email, code);
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

describe("codes are mailed at a limited rate", () => {
  test("five in 15 minutes to one address from one network", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const before = site.mails.length;
    for (let asked = 0; asked < 5; asked++) expect((await ask(browser, email)).status).toBe(200);
    const refused = await ask(browser, email);
    expectApiError(refused, { status: 429, code: "rate_limited", reason: null, param: null });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(880);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(site.mails.length - before).toBe(5);
    const later = await browser.send(SEND, { method: "POST", body: { email, type: "sign-in" }, at: new Date(Date.now() + 901_000) });
    expect(later.status).toBe(200);
  });

  test("ten in 15 minutes to one address from all networks", async () => {
    const email = aPerson();
    const before = site.mails.length;
    for (let asked = 0; asked < 10; asked++) expect((await ask(site.browser(), email)).status).toBe(200);
    expectApiError(await ask(site.browser(), email), { status: 429, code: "rate_limited", reason: null, param: null });
    expect(site.mails.length - before).toBe(10);
  });

  test("ten of many that are sent at once", async () => {
    const email = aPerson();
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(site.browser(), email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), ...Array<number>(6).fill(429)]);
  });

  test("twenty in 15 minutes from one IP address, whoever they are for", async () => {
    const browser = site.browser();
    for (let asked = 0; asked < 20; asked++) expect((await ask(browser, aPerson())).status).toBe(200);
    expectApiError(await ask(browser, aPerson()), { status: 429, code: "rate_limited", reason: null, param: null });
    expect((await ask(site.browser(), aPerson())).status).toBe(200);
  });

  test("and entered ten times a minute from one IP address", async () => {
    const browser = site.browser();
    await withinAMinute(4);
    for (let tries = 0; tries < 10; tries++) expect((await enter(browser, aPerson(), "00000000")).status).toBe(400);
    const refused = await enter(browser, aPerson(), "00000000");
    expectApiError(refused, { status: 429, code: "rate_limited", reason: null, param: null });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await enter(site.browser(), aPerson(), "00000000")).status).toBe(400);
  });
});

describe("a cookie", () => {
  const setCookies = async (webBaseUrl: string) => {
    const there = { ...runtime, config: { ...runtime.config, webBaseUrl } };
    const elsewhere = openSite(there);
    const browser = elsewhere.browser();
    const email = aPerson();
    const headers = { origin: new URL(webBaseUrl).origin };
    await browser.send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
    const answer = await browser.send(SIGN_IN, { method: "POST", body: { email, otp: browser.codeFor(email) }, headers });
    expect(answer.status).toBe(200);
    return answer.headers.getSetCookie();
  };

  test.for([
    ["https://www.example.com", "__Host-svc", true],
    ["http://web.test", "__Host-svc", true],
    ["http://localhost:8080", "svc", false],
  ] as const)("of %s begins with %s, is HttpOnly, Lax, Secure: %s", async ([webBaseUrl, name, secure]) => {
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
  });
});

describe("a session is not fixed", () => {
  const tokenOf = (browser: Browser) => browser.cookies.get("__Host-svc.session_token") ?? "none";

  test("each sign-in has another one, and takes up none that the browser brought", async () => {
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

  test("a session of one member does not become another's who signs in on the same browser", async () => {
    const [browser, email, later] = [site.browser(), aPerson(), aPerson()];
    await browser.signIn(email);
    const first = copyOf(browser);
    await browser.signIn(later);
    expect((await session(browser)).user.email).toBe(later);
    expect((await session(first)).user.email).toBe(email);
  });

  test("a cookie of that name without the prefix, which another host could have planted, is no session", async () => {
    const [browser, thief] = [site.browser(), site.browser()];
    await browser.signIn(aPerson());
    for (const prefix of ["svc", "__Secure-svc"]) thief.cookies.set(`${prefix}.session_token`, tokenOf(browser));
    expect(await session(thief)).toBeNull();
  });
});

describe("a session ends", () => {
  test("when its owner signs out, also for a copy of its cookie", async () => {
    const [browser, thief] = [site.browser(), site.browser()];
    await browser.signIn(aPerson());
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await session(thief)).not.toBeNull();
    expect((await browser.send("/api/auth/sign-out", { method: "POST" })).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(["__Host-svc.known_browser"]);
    expect(await session(browser)).toBeNull();
    expect(await session(thief)).toBeNull();
  });

  test("after seven days", async () => {
    const browser = site.browser();
    await browser.signIn(aPerson());
    const { userId } = (await session(browser)).session;
    const { rows } = await runtime.db.execute(sql`
      update sessions set expires_at = expires_at - interval '604800 seconds' where user_id = ${userId}
      returning (extract(epoch from expires_at - now()))::float8 as left`);
    expect(Math.abs(Number(rows[0]?.["left"]))).toBeLessThan(60);
    await runtime.db.execute(sql`update sessions set expires_at = least(expires_at, now()) where user_id = ${userId}`);
    expect(await session(browser)).toBeNull();
    expectApiError(await browser.send("/api/keys"), { status: 401, code: "invalid_api_key", reason: null, param: null });
  });
});

describe("the sign-in takes", () => {
  test.for([
    ["a foreign origin", { origin: "https://evil.example" }, 403],
    ["no origin", { origin: null }, 403],
    ["the origin null", { origin: "null" }, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["no content type", { "content-type": null }, 415],
  ] as const)("no request with %s", async ([, headers, status]) => {
    const email = aPerson();
    const before = site.mails.length;
    const answer = await site.browser().send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(status === 403 ? null : ORIGIN);
    expect(site.mails.length).toBe(before);
  });

  test.for([
    ["/api/auth/sign-up/email", { email: "a@example.test", password: "correct horse", name: "A" }],
    ["/api/auth/sign-in/email", { email: "a@example.test", password: "correct horse" }],
    ["/api/auth/email-otp/request-password-reset", { email: "a@example.test" }],
    ["/api/auth/update-user", { name: "B" }],
    ["/api/auth/delete-user", {}],
    ["/api/auth/ok", {}],
  ] as const)("no request at %s, which is not a route", async ([path, body]) => {
    const answer = await site.browser().send(path, { method: "POST", body });
    expectApiError(answer, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
  });

  test.for([{ email: "nobody", type: "sign-in" }, { email: aPerson(), type: "forget-password" }, { type: "sign-in" }, []])(
    "no code request %j",
    async (body) => {
      expect((await site.browser().send(SEND, { method: "POST", body })).body.error).toMatchObject({ reason: "invalid_body" });
    },
  );

  test("no account chosen by the client", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    const { rows } = await runtime.db.execute(sql`insert into accounts (email, plan) values (${aPerson()}, 'max') returning id`);
    await ask(browser, email);
    const otp = browser.codeFor(email);
    const answer = await browser.send(SIGN_IN, { method: "POST", body: { email, otp, accountId: Number(rows[0]?.["id"]) } });
    expect(answer.status).toBe(400);
    expect(await countRows(sql`users where email = ${email}`)).toBe(0);
  });
});

test("a database that is away is 503 database_unavailable, and the sign-in goes on when it is back", async () => {
  const ticket = await anotherTicket();
  const away = openTestRuntime(runtime.config.databaseUrl, { NEON_HTTP_ENDPOINT: "http://127.0.0.1:1/sql" });
  const browser = openSite(away).browser();
  browser.cookies.set(CODE_COOKIE, ticket);
  const expected = { status: 503, code: "rate_limit_unavailable", reason: "database_unavailable", param: null };
  expectApiError(await ask(browser, aPerson()), expected);
  expectApiError(await enter(browser, aPerson(), "00000000"), expected);
  openTestRuntime(runtime.config.databaseUrl);
  await site.browser().signIn(aPerson());
});

async function countRows(from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await runtime.db.execute(sql`select count(*)::int as rows from ${from}`);
  return Number(rows[0]?.["rows"]);
}
