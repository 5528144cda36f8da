import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { openSite, type Browser, type Site } from "../../support/web/open-site.ts";
import { withinAMinute } from "../../support/web/within-a-minute.ts";

/* Whether a stranger can close the sign-in to the owner of an address, or open it. */

const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const LIMITED = { status: 429, code: "rate_limited", reason: null, param: null };

let runtime: Runtime;
let site: Site;
let people = 0;

beforeAll(async () => {
  const database = await createTestDatabase();
  runtime = openTestRuntime(database.databaseUrl);
  site = openSite(runtime);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const aPerson = () => `owner-${++people}@example.test`;
const ask = (browser: Browser, email: string, headers = {}) =>
  browser.send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
const enter = (browser: Browser, email: string, otp: string, headers = {}) =>
  browser.send(SIGN_IN, { method: "POST", body: { email, otp }, headers });
const other = (code: string) => (code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`);

/** A browser that has been mailed as many codes as its network may have. */
async function aSpentStranger(): Promise<Browser> {
  const stranger = site.browser();
  for (let asked = 0; asked < 20; asked++) expect((await ask(stranger, aPerson())).status).toBe(200);
  return stranger;
}

describe("the owner of an address still signs in", () => {
  test("after a stranger whose own codes are spent has asked for hers", async () => {
    const [stranger, owner, email] = [await aSpentStranger(), site.browser(), aPerson()];
    for (let asked = 0; asked < 12; asked++) expectApiError(await ask(stranger, email), LIMITED);
    expect(site.mails.filter(({ to }) => to === email)).toEqual([]);
    await owner.signIn(email);
  });

  test("after a stranger has had five codes mailed and has guessed wherever he could", async () => {
    const [stranger, owner, email] = [site.browser(), site.browser(), aPerson()];
    expect((await ask(owner, email)).status).toBe(200);
    const code = owner.codeFor(email);
    for (let asked = 0; asked < 8; asked++) {
      expect((await ask(stranger, email)).status).toBe(asked < 5 ? 200 : 429);
      for (let tries = 0; tries < 4; tries++) await enter(stranger, email, other(code));
    }
    expect((await enter(owner, email, other(code))).status).toBe(400);
    expect((await enter(owner, email, other(code))).status).toBe(400);
    expect((await enter(owner, email, code)).status).toBe(200);
    const elsewhere = site.browser();
    await elsewhere.signIn(email);
  });

  test("on a browser she has signed in with, while strangers everywhere use up all codes to her address", async () => {
    const [owner, email] = [site.browser(), aPerson()];
    await owner.signIn(email);
    await owner.send("/api/auth/sign-out", { method: "POST" });
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(site.browser(), email)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expectApiError(await ask(site.browser(), email), LIMITED);
    for (let signedIn = 0; signedIn < 5; signedIn++) await owner.signIn(email);
    expectApiError(await ask(owner, email), LIMITED);
  });

  test("on such a browser behind the IP address of a stranger who has spent its codes and its guesses", async () => {
    const [owner, email, stranger] = [site.browser(), aPerson(), await aSpentStranger()];
    await owner.signIn(email);
    await withinAMinute(4);
    for (let tries = 0; tries < 12; tries++) await enter(stranger, email, "00000000", { cookie: null });
    expectApiError(await enter(stranger, email, "00000000", { cookie: null }), LIMITED);
    const there = { "cf-connecting-ip": stranger.ip };
    // The test's browser sends its own IP address, so that the header is named.
    const behind = { ...owner, send: (path: string, sending = {}) => owner.send(path, { ...sending, headers: there }) };
    expect((await ask(behind, email)).status).toBe(200);
    expect((await enter(behind, email, owner.codeFor(email))).status).toBe(200);
  });

  test("with a code she asked for before strangers used up the others", async () => {
    const [owner, email] = [site.browser(), aPerson()];
    expect((await ask(owner, email)).status).toBe(200);
    const code = owner.codeFor(email);
    await Promise.all(Array.from({ length: 12 }, () => ask(site.browser(), email)));
    expectApiError(await ask(owner, email), LIMITED);
    expect((await enter(owner, email, code)).status).toBe(200);
  });
});

describe("a browser is known", () => {
  test("for the address it has signed in with alone", async () => {
    const [browser, own, victim] = [site.browser(), aPerson(), aPerson()];
    await browser.signIn(own);
    for (let asked = 0; asked < 5; asked++) expect((await ask(browser, victim)).status).toBe(200);
    expectApiError(await ask(browser, victim), LIMITED);
  });

  test("not for a cookie that was changed, or made up", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await browser.signIn(email);
    const cookie = browser.cookies.get("__Host-svc.known_browser") ?? "";
    await Promise.all(Array.from({ length: 12 }, () => ask(site.browser(), email)));
    for (const forged of [
      `${cookie.startsWith("A") ? "B" : "A"}${cookie.slice(1)}`,
      cookie.slice(0, -1),
      `${"A".repeat(22)}.${"A".repeat(43)}`,
    ]) {
      const forger = site.browser();
      forger.cookies.set("__Host-svc.known_browser", forged);
      expectApiError(await ask(forger, email), LIMITED);
    }
    expect((await ask(browser, email)).status).toBe(200);
  });

  test("and signed out: the cookie opens no session", async () => {
    const [browser, thief, email] = [site.browser(), site.browser(), aPerson()];
    await browser.signIn(email);
    thief.cookies.set("__Host-svc.known_browser", browser.cookies.get("__Host-svc.known_browser") ?? "");
    expect((await thief.send("/api/auth/get-session")).body).toBeNull();
    expectApiError(await thief.send("/api/keys"), { status: 401, code: "invalid_api_key", reason: null, param: null });
  });
});

describe("the addresses of an IPv6 customer", () => {
  const from = (network: number, host: number) => ({ "cf-connecting-ip": `2001:db8:0:${network}::${host.toString(16)}` });

  test("have the codes of one network together", async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 22; host++) statuses.push((await ask(site.browser(), aPerson(), from(1, host))).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429]);
    expect((await ask(site.browser(), aPerson(), from(2, 1))).status).toBe(200);
  });

  test("have the guesses of one network together", async () => {
    await withinAMinute(4);
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++) statuses.push((await enter(site.browser(), aPerson(), "00000000", from(3, host))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
    expect((await enter(site.browser(), aPerson(), "00000000", from(4, 1))).status).toBe(400);
  });
});

describe("whether an address has an account", () => {
  /** Statements sent to Postgres while something runs, each as its text without values. */
  async function watch(run: () => Promise<unknown>): Promise<string[]> {
    const network = fetch;
    const statements: string[] = [];
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
      for (const [, text = ""] of String(init?.body).matchAll(/"query":"(.*?)"(?=,|\})/g)) statements.push(text);
      return network(input, init);
    });
    await run();
    vi.unstubAllGlobals();
    return statements;
  }

  test("is in no answer to who asks for a code or guesses one, nor in the work for it", async () => {
    const [known, unknown] = [aPerson(), aPerson()];
    await site.browser().signIn(known);
    const seen = [];
    for (const email of [known, unknown]) {
      const browser = site.browser();
      const answers: unknown[] = [];
      const statements = await watch(async () => {
        for (const answer of [
          await ask(browser, email),
          await enter(browser, email, "00000000"),
          await enter(site.browser(), email, "00000000"),
        ]) {
          answers.push({ status: answer.status, body: answer.body, headers: [...answer.headers.keys()].sort() });
        }
      });
      expect(statements.length).toBeGreaterThan(2);
      seen.push({ answers, statements });
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe("what is refused writes nothing to the database", () => {
  /** Rows ever inserted, updated and deleted, by table; and how many there are. */
  async function writes(): Promise<unknown> {
    const { rows: tables } = await runtime.db.execute(sql`
      select relname, pg_stat_get_tuples_inserted(c.oid)::int as inserted, pg_stat_get_tuples_updated(c.oid)::int as updated,
        pg_stat_get_tuples_deleted(c.oid)::int as deleted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and relkind = 'r' order by relname`);
    return tables;
  }
  /** The statistics are written by each session when it is idle, or a second later. */
  async function settled(): Promise<unknown> {
    await runtime.db.execute(sql`select pg_stat_force_next_flush()`);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await runtime.db.execute(sql`select pg_stat_clear_snapshot()`);
    return writes();
  }

  test("of 180 requests for a code, of guesses and of looks at a session", { timeout: 120_000 }, async () => {
    const [stranger, email] = [await aSpentStranger(), aPerson()];
    const before = await settled();
    const codes: number[] = [];
    for (let asked = 0; asked < 180; asked++) codes.push((await ask(stranger, asked % 2 === 0 ? email : aPerson())).status);
    expect(new Set(codes)).toEqual(new Set([429]));
    const others: number[] = [];
    for (let tries = 0; tries < 40; tries++) others.push((await enter(stranger, email, "00000000", { cookie: null })).status);
    expect(new Set(others)).toEqual(new Set([400, 429]));
    const sessions: number[] = [];
    for (let looks = 0; looks < 100; looks++) sessions.push((await stranger.send("/api/auth/get-session")).status);
    expect(new Set(sessions)).toEqual(new Set([200, 429]));
    expect(await settled()).toEqual(before);
    // The statistics do show what is written.
    await ask(site.browser(), email);
    expect(await settled()).not.toEqual(before);
  });
});
