import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestSite, type Browser, type Site } from "../../support/web/open-site.ts";
import { withinAMinute } from "../../support/web/within-a-minute.ts";

/* Whether a stranger can close the sign-in to the owner of an address, or open it. */

const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const LIMITED = { status: 429, code: "rate_limited", reason: null, param: null };

let runtime: Runtime;
let site: Site;
let people = 0;

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const aPerson = () => `owner-${++people}@example.test`;
const requestCode = (browser: Browser, email: string, headers = {}) =>
  browser.send(SEND, { method: "POST", body: { email, type: "sign-in" }, headers });
const enterCode = (browser: Browser, email: string, otp: string, headers = {}) =>
  browser.send(SIGN_IN, { method: "POST", body: { email, otp }, headers });
const wrongCode = (code: string) => (code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`);

/** A browser whose network has reached its limit of mailed codes. */
async function aSpentStranger(): Promise<Browser> {
  const stranger = site.browser();
  for (let sent = 0; sent < 20; sent++) expect((await requestCode(stranger, aPerson())).status).toBe(200);
  return stranger;
}

describe("sign-in of an address's owner under abuse by strangers", () => {
  test("the owner of an address signs in after a stranger without codes left requested some for it", async () => {
    const [stranger, owner, email] = [await aSpentStranger(), site.browser(), aPerson()];
    for (let sent = 0; sent < 12; sent++) expectApiError(await requestCode(stranger, email), LIMITED);
    expect(site.mails.filter(({ to }) => to === email)).toEqual([]);
    await owner.signIn(email);
  });

  test("the owner of an address signs in after a stranger had five codes mailed and tried wrong ones", async () => {
    const [stranger, owner, email] = [site.browser(), site.browser(), aPerson()];
    expect((await requestCode(owner, email)).status).toBe(200);
    const code = owner.codeFor(email);
    for (let sent = 0; sent < 8; sent++) {
      expect((await requestCode(stranger, email)).status).toBe(sent < 5 ? 200 : 429);
      for (let tries = 0; tries < 4; tries++) await enterCode(stranger, email, wrongCode(code));
    }
    expect((await enterCode(owner, email, wrongCode(code))).status).toBe(400);
    expect((await enterCode(owner, email, wrongCode(code))).status).toBe(400);
    expect((await enterCode(owner, email, code)).status).toBe(200);
    const otherBrowser = site.browser();
    await otherBrowser.signIn(email);
  });

  test("the owner of an address signs in on a known browser while strangers use up all codes for the address", async () => {
    const [owner, email] = [site.browser(), aPerson()];
    await owner.signIn(email);
    await owner.send("/api/auth/sign-out", { method: "POST" });
    const responses = await Promise.all(Array.from({ length: 12 }, () => requestCode(site.browser(), email)));
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expectApiError(await requestCode(site.browser(), email), LIMITED);
    for (let signedIn = 0; signedIn < 5; signedIn++) await owner.signIn(email);
    expectApiError(await requestCode(owner, email), LIMITED);
  });

  test("the owner of an address signs in on a known browser behind an IP address whose limits a stranger used up", async () => {
    const [owner, email, stranger] = [site.browser(), aPerson(), await aSpentStranger()];
    await owner.signIn(email);
    await withinAMinute(4);
    for (let tries = 0; tries < 12; tries++) await enterCode(stranger, email, "00000000", { cookie: null });
    expectApiError(await enterCode(stranger, email, "00000000", { cookie: null }), LIMITED);
    const fromStranger = { "cf-connecting-ip": stranger.ip };
    // Set explicitly, because the test's browser sends its own IP address.
    const behind = {
      ...owner,
      send: (path: string, sending = {}) => owner.send(path, { ...sending, headers: fromStranger }),
    };
    expect((await requestCode(behind, email)).status).toBe(200);
    expect((await enterCode(behind, email, owner.codeFor(email))).status).toBe(200);
  });

  test("the owner of an address signs in with a code requested before strangers used up the others", async () => {
    const [owner, email] = [site.browser(), aPerson()];
    expect((await requestCode(owner, email)).status).toBe(200);
    const code = owner.codeFor(email);
    await Promise.all(Array.from({ length: 12 }, () => requestCode(site.browser(), email)));
    expectApiError(await requestCode(owner, email), LIMITED);
    expect((await enterCode(owner, email, code)).status).toBe(200);
  });
});

describe("known browser", () => {
  test("a known browser is exempt from the limits only for the address it has signed in with", async () => {
    const [browser, own, victim] = [site.browser(), aPerson(), aPerson()];
    await browser.signIn(own);
    for (let sent = 0; sent < 5; sent++) expect((await requestCode(browser, victim)).status).toBe(200);
    expectApiError(await requestCode(browser, victim), LIMITED);
  });

  test("a changed or invented known-browser cookie gives no exemption from the limits", async () => {
    const [browser, email] = [site.browser(), aPerson()];
    await browser.signIn(email);
    const cookie = browser.cookies.get("__Host-svc.known_browser") ?? "";
    await Promise.all(Array.from({ length: 12 }, () => requestCode(site.browser(), email)));
    for (const forged of [
      `${cookie.startsWith("A") ? "B" : "A"}${cookie.slice(1)}`,
      cookie.slice(0, -1),
      `${"A".repeat(22)}.${"A".repeat(43)}`,
    ]) {
      const forger = site.browser();
      forger.cookies.set("__Host-svc.known_browser", forged);
      expectApiError(await requestCode(forger, email), LIMITED);
    }
    expect((await requestCode(browser, email)).status).toBe(200);
  });

  test("a known-browser cookie alone opens no session", async () => {
    const [browser, thief, email] = [site.browser(), site.browser(), aPerson()];
    await browser.signIn(email);
    thief.cookies.set("__Host-svc.known_browser", browser.cookies.get("__Host-svc.known_browser") ?? "");
    expect((await thief.send("/api/auth/get-session")).body).toBeNull();
    expectApiError(await thief.send("/api/keys"), { status: 401, code: "invalid_api_key", reason: null, param: null });
  });
});

describe("IPv6 network of a customer", () => {
  const from = (network: number, host: number) => ({
    "cf-connecting-ip": `2001:db8:0:${network}::${host.toString(16)}`,
  });

  test("all addresses of an IPv6 network share the limit of mailed codes", async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 22; host++)
      statuses.push((await requestCode(site.browser(), aPerson(), from(1, host))).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429]);
    expect((await requestCode(site.browser(), aPerson(), from(2, 1))).status).toBe(200);
  });

  test("all addresses of an IPv6 network share the limit of entered codes", async () => {
    await withinAMinute(4);
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++)
      statuses.push((await enterCode(site.browser(), aPerson(), "00000000", from(3, host))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
    expect((await enterCode(site.browser(), aPerson(), "00000000", from(4, 1))).status).toBe(400);
  });
});

describe("account enumeration", () => {
  /** Returns the SQL texts, without values, that are sent to Postgres during a run. */
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

  test("responses, headers and statements do not reveal whether an address has an account", async () => {
    const [known, unknown] = [aPerson(), aPerson()];
    await site.browser().signIn(known);
    const seen = [];
    for (const email of [known, unknown]) {
      const browser = site.browser();
      const responses: unknown[] = [];
      const statements = await watch(async () => {
        for (const response of [
          await requestCode(browser, email),
          await enterCode(browser, email, "00000000"),
          await enterCode(site.browser(), email, "00000000"),
        ]) {
          responses.push({
            status: response.status,
            body: response.body,
            headers: [...response.headers.keys()].sort(),
          });
        }
      });
      expect(statements.length).toBeGreaterThan(2);
      // Each statement ends with the id of its request.
      seen.push({ responses, statements: statements.map((statement) => statement.replaceAll(/req_\w+/g, "req")) });
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe("database writes of refused requests", () => {
  /** From now on records the name of the table of each row that is inserted, updated or deleted. */
  async function recordWrites(): Promise<void> {
    const { db } = runtime;
    const { rows: tables } = await db.execute(
      sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    await db.execute(sql`create table written_rows (table_name text not null)`);
    await db.execute(sql`create function record_write() returns trigger language plpgsql
      as 'begin insert into written_rows values (tg_table_name); return null; end'`);
    for (const { relname } of tables)
      await db.execute(sql`create trigger record_write after insert or update or delete
        on ${sql.identifier(String(relname))} for each row execute function record_write()`);
  }
  const writtenTables = async () =>
    (await runtime.db.execute(sql`select distinct table_name from written_rows`)).rows.map((row) => row["table_name"]);

  test(
    "180 refused code requests, refused codes and session reads write nothing to the database",
    { timeout: 240_000 },
    async () => {
      const [stranger, email] = [await aSpentStranger(), aPerson()];
      await recordWrites();
      const codes: number[] = [];
      for (let sent = 0; sent < 180; sent++)
        codes.push((await requestCode(stranger, sent % 2 === 0 ? email : aPerson())).status);
      expect(new Set(codes)).toEqual(new Set([429]));
      const entries: number[] = [];
      for (let tries = 0; tries < 40; tries++)
        entries.push((await enterCode(stranger, email, "00000000", { cookie: null })).status);
      expect(new Set(entries)).toEqual(new Set([400, 429]));
      const sessions: number[] = [];
      for (let reads = 0; reads < 100; reads++) sessions.push((await stranger.send("/api/auth/get-session")).status);
      expect(new Set(sessions)).toEqual(new Set([200, 429]));
      expect(await writtenTables()).toEqual([]);
      // Proves that a write is recorded.
      await requestCode(site.browser(), email);
      expect(await writtenTables()).not.toEqual([]);
    },
  );
});
