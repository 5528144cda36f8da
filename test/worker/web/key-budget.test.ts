import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RequestBudget } from "../../../src/platform/rate-limit/request-limiter.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { WEB_OPERATIONS } from "../../../src/operations/index.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openSite, openTestSite, type Browser, type Site } from "../../support/web/open-site.ts";
import { withinAMinute } from "../../support/web/within-a-minute.ts";

const LIMITED = { status: 429, code: "rate_limited", reason: null, param: null };

let runtime: Runtime;
let site: Site;
let member: Member;

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
});

beforeEach(async () => {
  member = await aMember(site, runtime);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Counts the Postgres requests that a website request makes. */
async function countDatabaseRequests(run: () => Promise<unknown>): Promise<number> {
  const network = fetch;
  let requests = 0;
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
    if (String(init?.body).includes('"query"')) requests += 1;
    return network(input, init);
  });
  await run();
  vi.unstubAllGlobals();
  return requests;
}

/** Returns another browser with the same session. */
function withSessionOf(other: Browser, on: Site = site): Browser {
  const browser = on.browser();
  for (const [name, value] of other.cookies) browser.cookies.set(name, value);
  return browser;
}

test("an account has 60 key requests a minute over all its browsers and sessions", async () => {
  const secondBrowser = withSessionOf(member);
  await withinAMinute(8);
  let admitted = 0;
  for (let sent = 0; sent < 60; sent++)
    if ((await (sent % 2 === 0 ? member : secondBrowser).send("/api/keys")).status === 200) admitted += 1;
  expect(admitted).toBe(60);
  const refused = await member.send("/api/keys", { method: "POST", body: {} });
  expectApiError(refused, LIMITED);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(61);
  expect((await (await aMember(site, runtime)).send("/api/keys")).status).toBe(200);
});

describe.for(WEB_OPERATIONS)("$id", (operation) => {
  const method = operation.method.toUpperCase();

  test("a website operation spends the account's budget and makes no database request when it is spent", async () => {
    const spent: [RequestBudget, string][] = [];
    let refuse = false;
    const requestLimiter: Runtime["requestLimiter"] = {
      spend: async (budget, subject) => {
        spent.push([budget, subject]);
        return refuse ? new Date(Date.now() + 7_000) : null;
      },
    };
    const browser = withSessionOf(member, openSite({ ...runtime, requestLimiter }));
    const send = () =>
      browser.send(operation.path.replace("{id}", "999999"), { method, body: method === "GET" ? undefined : {} });
    expect(await countDatabaseRequests(send)).toBeGreaterThan(0);
    expect(spent).toEqual([["keys", `account ${member.accountId}`]]);
    refuse = true;
    let response = await send();
    const databaseRequests = await countDatabaseRequests(async () => {
      response = await send();
    });
    expectApiError(response, LIMITED);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(databaseRequests).toBe(0);
  });
});

test("a session that has ended does not spend the account's budget", async () => {
  const spent: string[] = [];
  const requestLimiter: Runtime["requestLimiter"] = { spend: async (_budget, subject) => (spent.push(subject), null) };
  const browser = withSessionOf(member, openSite({ ...runtime, requestLimiter }));
  expect((await browser.send("/api/keys")).status).toBe(200);
  await member.send("/api/auth/sign-out", { method: "POST" });
  const before = spent.length;
  for (let sent = 0; sent < 3; sent++) expect((await browser.send("/api/keys")).status).toBe(401);
  // The first request has to look the session up to learn that it has ended.
  expect(spent.length - before).toBe(1);
});

test("a key list stays available and limited during a Redis outage", async () => {
  const away = openTestRuntime(runtime.config.databaseUrl, { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" });
  const browser = withSessionOf(member, openSite(away));
  const statuses: number[] = [];
  for (let sent = 0; sent < 62; sent++) statuses.push((await browser.send("/api/keys")).status);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429, 429]);
});
