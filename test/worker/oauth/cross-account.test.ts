import { beforeAll, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import type { Operation } from "../../../src/api/operation.ts";
import type { Database } from "../../../src/db/client.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import {
  openOAuthSite,
  setAccount,
  WEB,
  type OAuthSite,
  type PageBrowser,
  type SiteResponse,
} from "../../support/oauth/oauth-site.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";
import { NO_REQUEST_LIMITS } from "../../support/api/unlimited.ts";

/*
 * Two accounts. Every operation with an id in its path is called with an id of the other account and with one that
 * does not exist: the answers must not differ. Ids of public data, such as a market's, belong to no account.
 */
const EACH = 10;
const FULL = { scope: "read webhooks export usage" };
const INTEGRATION = { name: "All", scopes: ["read", "webhooks", "export", "usage"], expires_in_days: 30 };
const ABSENT_NUMBER = "987654321";
const ABSENT_WATCHLIST = "wl_987654321";
const ABSENT_UUID = "00000000-0000-4000-8000-000000000000";

interface AccountIds {
  readonly id: string;
  readonly attemptId: string;
  /** The verification token of a webhook. */
  readonly token: string;
}

let db: Database;
let site: OAuthSite;
let owner: PageBrowser;
let thief: PageBrowser;
let ownerToken: string;
let thiefCredentials: string[];
let address: string;
const owned = new Map<string, AccountIds[]>();

/** Families of operations whose ids belong to an account, by the start of the path. */
const PRIVATE = [
  "/api/v1/webhooks/{id}",
  "/api/v1/datasets/whale-trades/{job_id}",
  "/api/v1/trader/{address}/export/",
  "/api/keys/{id}",
  "/api/keys/integrations/{id}",
  "/api/oauth/grants/{id}",
  "/api/v1/watchlists/{watchlist_id}",
];
const watchlistNamed = (n: number) => ({ name: `List ${n}`, wallets: [`0x${String(n).repeat(40)}`] });
const familyOf = ({ path }: Operation) => PRIVATE.findLast((start) => path.startsWith(start)) ?? null;
const isPublicData = ({ path, access }: Operation) =>
  access === "public" ||
  /\{(?:address|trader|condition_id|event_slug|execution_id)\}|(?:trades|radar)\/\{id\}/.test(path);

beforeAll(async () => {
  const database = await createTestDatabase();
  db = database.db;
  site = openOAuthSite({ ...openTestRuntime(database.databaseUrl), requestLimiter: NO_REQUEST_LIMITS });
  const clientId = await site.aClient();
  const signIn = async (email: string) => {
    const browser = site.browser();
    await browser.signIn(email);
    await setAccount(db, email, "max");
    return browser;
  };
  owner = await signIn("owner@example.test");
  thief = await signIn("thief@example.test");
  ownerToken = (await site.tokens(owner, clientId, FULL)).access_token;
  thiefCredentials = [
    (await site.tokens(thief, clientId, FULL)).access_token,
    (await web(thief, "POST", "/api/keys", {})).body.data.api_key,
    (await web(thief, "POST", "/api/keys/integrations", INTEGRATION)).body.data.api_key,
  ];
  address = (await aSeededTrader(db, { completeAt: new Date() })).address;
  await own("/api/v1/webhooks/{id}", EACH, async (n) => {
    const body = {
      name: `Endpoint ${n}`,
      url: `https://receiver-${n}.example.com/hook`,
      event_types: ["large_trades_inserted"],
    };
    const { data } = await post("/api/v1/webhooks", body);
    const { token } = data.verification;
    const attempt = await post(`/api/v1/webhooks/${data.id}/verification-attempts`, { verification_token: token });
    return { id: data.id, attemptId: attempt.data.id, token };
  });
  // An account can submit five datasets an hour.
  await own("/api/v1/datasets/whale-trades/{job_id}", 5, async (n) => {
    const body = { from: `2026-11-0${n + 1}T00:00:00Z`, to: "2026-11-20T00:00:00Z" };
    return { id: (await post("/api/v1/datasets/whale-trades", body)).data.job_id };
  });
  await own("/api/v1/trader/{address}/export/", 4, async (n) => {
    const format = ["json", "ndjson", "csv", "parquet"][n];
    return { id: (await post(`/api/v1/trader/${address}/export?format=${format}`, undefined)).data.job_id };
  });
  await own(
    "/api/keys/{id}",
    EACH,
    async (n) => (await web(owner, "POST", "/api/keys", { name: `Key ${n}` })).body.data,
  );
  await own("/api/keys/integrations/{id}", EACH, async (n) => {
    const body = { name: `Integration ${n}`, scopes: ["read"], expires_in_days: 30 };
    return (await web(owner, "POST", "/api/keys/integrations", body)).body.data;
  });
  await own(
    "/api/v1/watchlists/{watchlist_id}",
    EACH,
    async (n) => (await post("/api/v1/watchlists", watchlistNamed(n))).data,
  );
  for (let n = 1; n < EACH; n += 1) await site.tokens(owner, clientId);
  const grants: { id: number }[] = (await web(owner, "GET", "/api/oauth/grants")).body.data;
  await own("/api/oauth/grants/{id}", grants.length, async (n) => ({ id: grants[n]?.id ?? 0 }));
});

async function own(
  family: string,
  count: number,
  create: (n: number) => Promise<{ id: number | string; attemptId?: string; token?: string }>,
): Promise<void> {
  const made: AccountIds[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id, attemptId = ABSENT_UUID, token = "" } = await create(n);
    made.push({ id: String(id), attemptId, token });
  }
  owned.set(family, made);
}

async function post(path: string, json: unknown): Promise<any> {
  const { status, body, text } = await site.api(path, {
    method: "POST",
    headers: { authorization: `Bearer ${ownerToken}` },
    ...(json === undefined ? {} : { json }),
  });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return body;
}

const web = (browser: PageBrowser, method: string, path: string, json?: unknown) =>
  browser.open(path, {
    method,
    headers: { origin: WEB, "content-type": "application/json" },
    ...(json === undefined ? {} : { json }),
  });

/** A valid body for each operation that takes one, so that it is not refused before the id is looked up. */
function bodyOf({ id }: Operation, { token }: AccountIds): unknown {
  if (id === "updateWebhook") return { name: "Stolen" };
  if (id === "replaceWatchlist") return { name: "Stolen", wallets: [] };
  return /^(verifyWebhook|createWebhookVerificationAttempt)$/.test(id) ? { verification_token: token } : undefined;
}

async function call(operation: Operation, ids: AccountIds, credential: string | null): Promise<SiteResponse> {
  const path = operation.path
    .replace(/\{(id|job_id|watchlist_id)\}/, ids.id)
    .replace("{attempt_id}", ids.attemptId)
    .replace("{delivery_id}", "1")
    .replace("{address}", address);
  const target = operation.path.includes("/export/") ? `${path}?job_id=${ids.id}` : path;
  const method = operation.method.toUpperCase();
  const json = bodyOf(operation, ids);
  if (credential === null) return web(thief, method, target, json);
  return site.api(target, {
    method,
    headers: { authorization: `Bearer ${credential}` },
    ...(json === undefined ? {} : { json }),
  });
}

/** The answer without what differs between any two requests: their ids, their time and the id that was sent. */
function observable({ status, headers, text }: SiteResponse, sent: AccountIds): unknown {
  const varying = [
    "x-request-id",
    "x-web-request-id",
    "server-timing",
    "ratelimit-reset",
    "x-ratelimit-reset",
    "x-monthly-quota-reset",
    "set-cookie",
  ];
  const plain = text
    .replaceAll(/req_[0-9a-f]+/g, "REQUEST")
    .replace(/"message":"[^"]*"/, (message) => message.replaceAll(new RegExp(`\\b${sent.id}\\b`, "g"), "ID"));
  return { status, text: plain, headers: [...headers].filter(([name]) => !varying.includes(name)) };
}

test("every operation with an id in its path is about public data or belongs to one of the private families", () => {
  const unknown = OPERATIONS.filter(({ path }) => path.includes("{")).filter(
    (operation) => familyOf(operation) === null && !isPublicData(operation),
  );
  expect(unknown.map(({ path }) => path)).toEqual([]);
});

/** An id of the same form that does not exist. */
function absentLike(id: string): string {
  if (id.startsWith("wl_")) return ABSENT_WATCHLIST;
  return /^[0-9a-f-]{36}$/.test(id) ? ABSENT_UUID : ABSENT_NUMBER;
}

test("at least 500 requests for what another account owns are answered as for what does not exist", async () => {
  const operations = OPERATIONS.filter((operation) => familyOf(operation) !== null && operation.path.includes("{"));
  let attempts = 0;
  for (const operation of operations) {
    const family = familyOf(operation) ?? "";
    const credentials = operation.access === "session" ? [null] : thiefCredentials;
    for (const credential of credentials) {
      const [first] = owned.get(family) ?? [];
      const none = { id: absentLike(first?.id ?? ""), attemptId: ABSENT_UUID, token: first?.token ?? "" };
      const absent = await call(operation, none, credential);
      expect({ operation: operation.id, status: absent.status }).toEqual({ operation: operation.id, status: 404 });
      for (const ids of owned.get(family) ?? []) {
        attempts += 1;
        const answer = await call(operation, ids, credential);
        expect([operation.id, observable(answer, ids)]).toEqual([operation.id, observable(absent, none)]);
      }
    }
  }
  console.info(`cross-account: ${attempts} attempts over ${operations.length} operations`);
  expect(attempts).toBeGreaterThanOrEqual(500);
}, 300_000);

test("the owner still has everything after the requests of another account", async () => {
  for (const { id } of owned.get("/api/v1/webhooks/{id}") ?? []) {
    const { body } = await site.read(`/api/v1/webhooks/${id}`, ownerToken);
    expect(body.data).toMatchObject({ status: "pending_verification", name: expect.stringMatching(/^Endpoint/) });
  }
  const { rows } = await db.execute(sql`select
    (select count(*)::int from api_keys where revoked_at is not null) as keys,
    (select count(*)::int from integrations where revoked_at is not null) as integrations,
    (select count(*)::int from oauth_grants where revoked_at is not null) as grants,
    (select count(*)::int from export_jobs where cancel_requested_at is not null) as cancelled,
    (select count(*)::int from watchlists where name like 'List %' and wallet_count = 1) as watchlists`);
  expect(rows[0]).toEqual({ keys: 0, integrations: 0, grants: 0, cancelled: 0, watchlists: EACH });
});
