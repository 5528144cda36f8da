import { ResponseCache } from "../../../src/api/cache/response-cache.ts";
import type { Operation } from "../../../src/api/operation.ts";
import { createApp } from "../../../src/app.ts";
import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { KnownCredentials } from "../../../src/auth/known-credentials.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Database } from "../../../src/db/client.ts";
import { accounts, apiKeys } from "../../../src/db/schema.ts";
import type { Cache } from "../../../src/platform/redis/cache.ts";
import type { SharedResponses } from "../../../src/platform/responses/shared-responses.ts";
import { TEST_VARIABLES } from "./test-variables.ts";
import { meterWith, NO_REQUEST_LIMITS, STORED_CREDENTIALS, UNLIMITED } from "./unlimited.ts";

export interface TestApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when there is none or it is not JSON. */
  readonly body: any;
}

export interface ApiUnderTest {
  get(path: string, headers?: Record<string, string>): Promise<TestApiResponse>;
  /** Sends a value as JSON. */
  post(path: string, value: unknown): Promise<TestApiResponse>;
  /** The pages of a list, from the first to the last. */
  walk(path: string): Promise<TestApiResponse[]>;
}

const KEY = `svc_sk_live_${"0".repeat(64)}`;

/**
 * The app over these operations and this database, with a key and without a cache, so that every request
 * reaches its handler.
 */
export async function openApi(db: Database, operations: readonly Operation[]): Promise<ApiUnderTest> {
  const [account] = await db
    .insert(accounts)
    .values({ email: "reader@example.test", plan: "max" })
    .returning({ id: accounts.id });
  if (account === undefined) throw new Error("no account was stored");
  const keyHash = await hashCredential(TEST_VARIABLES.CREDENTIAL_SECRET, KEY);
  await db
    .insert(apiKeys)
    .values({ accountId: account.id, keyHash, prefix: "svc_sk_live_", scopes: ["read", "usage"] });
  const [credentials, meter] = [new KnownCredentials(), meterWith(STORED_CREDENTIALS)];
  const app = createApp(
    {
      config,
      db,
      cache: emptyCache,
      sharedResponses: NOT_SHARED,
      requestLimiter: NO_REQUEST_LIMITS,
      ...UNLIMITED,
      credentials,
      meter,
    },
    operations,
    { responseCache: new ResponseCache(0) },
  );

  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers });
  const post = (path: string, value: unknown) =>
    send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) });

  async function send(
    path: string,
    init: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<TestApiResponse> {
    const background: Promise<unknown>[] = [];
    const request = new Request(`http://api.test${path}`, {
      ...init,
      headers: { authorization: `Bearer ${KEY}`, ...init.headers },
    });
    const context = {
      waitUntil: (work: Promise<unknown>) => void background.push(work),
      passThroughOnException: () => undefined,
      props: {},
    };
    const response = await app.fetch(request, {}, context);
    await Promise.all(background);
    const text = await response.text();
    const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  async function walk(path: string): Promise<TestApiResponse[]> {
    const pages = [await get(path)];
    for (let cursor = pages[0]?.body.next_cursor; cursor != null; cursor = pages.at(-1)?.body.next_cursor) {
      pages.push(await get(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`));
    }
    return pages;
  }

  return { get, post, walk };
}

const NOT_SHARED: SharedResponses = { get: async () => null, set: async () => undefined };

const emptyCache: Cache = {
  getMany: async (keys) => keys.map(() => null),
  set: async () => undefined,
  delete: async () => undefined,
  ping: async () => undefined,
};

const config = parseConfig(TEST_VARIABLES);
