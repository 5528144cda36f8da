import { desc } from "drizzle-orm";
import { onTestFinished, vi } from "vitest";
import { accounts } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { WebhookMessage } from "../../../src/messages/webhooks.ts";
import type { Resolution } from "../../../src/ports/resolver.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { aKey, type KeyFacts } from "../kernel/keys.ts";
import { openKernel, openTestRuntime, type Answer } from "../kernel/open-kernel.ts";
import type { Answer as Receiver } from "./delivering.ts";

/** An owner of webhooks, as a client: the whole API, with receivers that are scripted. */
export interface Owner {
  readonly accountId: number;
  readonly key: string;
  get(path: string): Promise<Answer>;
  /** Sends a value as JSON, or nothing. */
  send(method: "POST" | "PATCH" | "DELETE", path: string, value?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A new endpoint with all that its answer shows. */
  create(facts?: object): Promise<any>;
  /** The same, verified by its token. */
  createActive(facts?: object): Promise<any>;
}

export interface Managed {
  readonly database: TestDatabase;
  readonly db: TestDatabase["db"];
  /** What was said through the queue. */
  readonly told: WebhookMessage[];
  /** Says it. */
  tell: (message: WebhookMessage) => Promise<void>;
  /** What an endpoint's object does when it is held, and when it is to go on: nothing unless a test says so. */
  hold: (endpointId: string) => Promise<void>;
  resume: (endpointId: string) => Promise<void>;
  /** The clock beside the requests' own, and what draws ids. */
  clock: () => number;
  newId: () => string;
  /** What receivers were posted. */
  readonly posted: { url: string; headers: Headers; body: string }[];
  /** How receivers answer. */
  receiver: Receiver;
  /** What names resolve to. */
  resolution: Resolution;
  /** Everything that was logged, as text. */
  logged(): string;
  owner(facts?: Partial<KeyFacts>): Promise<Owner>;
}

let endpoints = 0;

/** Over a database of its own, or this one. */
export async function openManaged(given?: TestDatabase): Promise<Managed> {
  const database = given ?? (await createTestDatabase());
  const logs = (["log", "info", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => undefined));
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
  const managed: Managed = {
    ...{ database, db: database.db, told: [], posted: [], receiver: () => new Response(), owner },
    tell: async (message) => void managed.told.push(message),
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
        const { headers, body, signal } = init as { headers: Record<string, string>; body: string; signal: AbortSignal };
        const request = { url: String(url), headers: new Headers(headers), body };
        managed.posted.push(request);
        return managed.receiver({ ...request, signal });
      },
      tell: (message: WebhookMessage) => managed.tell(message),
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
      const body = { name: "hook", url: `https://hooks-${++endpoints}.example.com/in`, event_types: ["trader_synced"], ...extra };
      const answer = await send("POST", "/api/v1/webhooks", body);
      if (answer.status !== 200) throw new Error(`no endpoint was made: ${answer.text}`);
      return answer.body.data;
    };
    const createActive = async (extra: object = {}) => {
      const made = await create(extra);
      const verified = await send("POST", `/api/v1/webhooks/${made.id}/verify`, { verification_token: made.verification.token });
      if (verified.status !== 200) throw new Error(`the endpoint was not verified: ${verified.text}`);
      return { ...made, ...verified.body.data };
    };
    return { accountId: account.id, key, get: (path) => api.send(path, { key }), send, create, createActive };
  }
  return managed;
}

/** What matters of a refusal. */
export const refusalOf = ({ status, body }: Answer) => ({ status, reason: body.error?.reason ?? null, param: body.error?.param ?? null });
