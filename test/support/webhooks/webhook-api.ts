import { desc } from "drizzle-orm";
import { onTestFinished, vi } from "vitest";
import { accounts } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { WebhookMessage } from "../../../src/messages/webhook-message.ts";
import type { DnsResolution } from "../../../src/platform/http/dns-resolver.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { aKey, type KeyFacts } from "../kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse } from "../kernel/open-kernel.ts";
import type { ReceiverBehavior as Receiver } from "./drain-settings.ts";

/** An owner of webhooks as a client of the full API, with scripted receivers. */
export interface Owner {
  readonly accountId: number;
  readonly key: string;
  get(path: string): Promise<KernelResponse>;
  /** Sends a value as JSON, or no body. */
  send(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    value?: unknown,
    headers?: Record<string, string>,
  ): Promise<KernelResponse>;
  /** Creates an endpoint. @returns the data of the response */
  create(facts?: object): Promise<any>;
  /** The same, verified with its token. */
  createActive(facts?: object): Promise<any>;
}

export interface WebhookApi {
  readonly database: TestDatabase;
  readonly db: TestDatabase["db"];
  /** Messages sent to the queue. */
  readonly messages: WebhookMessage[];
  /** Sends a message to the queue. */
  enqueue: (message: WebhookMessage) => Promise<void>;
  /** What an endpoint's object does on a hold and on a resume; nothing by default. */
  hold: (endpointId: string) => Promise<void>;
  resume: (endpointId: string) => Promise<void>;
  /** The clock of the webhook runtime (requests use their own), and the source of ids. */
  clock: () => number;
  newId: () => string;
  /** Requests posted to receivers. */
  readonly posted: { url: string; headers: Headers; body: string }[];
  /** How receivers respond. */
  receiver: Receiver;
  /** What names resolve to. */
  resolution: DnsResolution;
  /** Everything that was logged, as text. */
  logged(): string;
  owner(facts?: Partial<KeyFacts>): Promise<Owner>;
}

let endpoints = 0;

/** Opens the API over the given database or a new one. */
export async function openWebhookApi(given?: TestDatabase): Promise<WebhookApi> {
  const database = given ?? (await createTestDatabase());
  const logs = (["log", "info", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
  const managed: WebhookApi = {
    ...{ database, db: database.db, messages: [], posted: [], receiver: () => new Response(), owner },
    enqueue: async (message) => void managed.messages.push(message),
    hold: async () => undefined,
    resume: async () => undefined,
    clock: () => Date.now(),
    newId: () => crypto.randomUUID(),
    resolution: { kind: "addresses", addresses: ["1.1.1.1"] },
    logged: () => JSON.stringify(logs.flatMap(({ mock }) => mock.calls)),
  };
  const runtime = {
    ...openTestRuntime(database.databaseUrl),
    webhooks: {
      policy: { resolver: { resolve: async () => managed.resolution }, allowLoopback: false },
      fetch: async (url: RequestInfo | URL, init?: RequestInit) => {
        const { headers, body, signal } = init as {
          headers: Record<string, string>;
          body: string;
          signal: AbortSignal;
        };
        const request = { url: String(url), headers: new Headers(headers), body };
        managed.posted.push(request);
        return managed.receiver({ ...request, signal });
      },
      enqueue: (message: WebhookMessage) => managed.enqueue(message),
      hold: (id: string) => managed.hold(id),
      resume: (id: string) => managed.resume(id),
      now: () => managed.clock(),
      newId: () => managed.newId(),
    },
  };
  const api = openKernel(runtime, OPERATIONS);

  async function owner(facts: Partial<KeyFacts> = {}): Promise<Owner> {
    const key = await aKey(database.db, facts);
    const [account] = await database.db.select({ id: accounts.id }).from(accounts).orderBy(desc(accounts.id)).limit(1);
    if (account === undefined) throw new Error("no account was stored");
    const send: Owner["send"] = (method, path, value, headers = {}) =>
      api.send(path, {
        ...{ method, key },
        headers: value === undefined ? headers : { "content-type": "application/json", ...headers },
        body: value === undefined ? null : JSON.stringify(value),
      });
    const create = async (extra: object = {}) => {
      const body = {
        name: "hook",
        url: `https://hooks-${++endpoints}.example.com/in`,
        event_types: ["trader_synced"],
        ...extra,
      };
      const answer = await send("POST", "/api/v1/webhooks", body);
      if (answer.status !== 200) throw new Error(`no endpoint was created: ${answer.text}`);
      return answer.body.data;
    };
    const createActive = async (extra: object = {}) => {
      const created = await create(extra);
      const verified = await send("POST", `/api/v1/webhooks/${created.id}/verify`, {
        verification_token: created.verification.token,
      });
      if (verified.status !== 200) throw new Error(`the endpoint was not verified: ${verified.text}`);
      return { ...created, ...verified.body.data };
    };
    return { accountId: account.id, key, get: (path) => api.send(path, { key }), send, create, createActive };
  }
  return managed;
}

/** Status, reason and parameter of an error response. */
export const webhookErrorOf = ({ status, body }: KernelResponse) => ({
  status,
  reason: body.error?.reason ?? null,
  param: body.error?.param ?? null,
});
