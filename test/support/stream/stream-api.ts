import { desc } from "drizzle-orm";
import { createApp } from "../../../src/app.ts";
import type { EventStreamPort } from "../../../src/platform/objects/event-stream-port.ts";
import { apiKeys } from "../../../src/db/schema.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { EVENT_OPERATIONS } from "../../../src/operations/events/index.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { aKey } from "../kernel/keys.ts";
import { openLimitedRuntime } from "../kernel/open-kernel.ts";
import { meterWith, UNLIMITED } from "../api/unlimited.ts";
import { StreamReader } from "./stream-reader.ts";
import { runStreamAlarm } from "./open-stream.ts";

export interface StreamApi {
  readonly database: TestDatabase;
  readonly runtime: Runtime;
  /** Sends a request unchanged. */
  request(key: string, path?: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  /**
   * Opens the stream with a key. @param resume the last received id; @throws when the response is not a
   * stream
   */
  openStream(key: string, query?: string, resume?: number): Promise<StreamReader>;
}

/** The API with the stream's real objects and a new database, which the stream has read to its end. */
export async function openStreamApi(eventStream?: EventStreamPort): Promise<StreamApi> {
  const database = await createTestDatabase();
  const runtime = openLimitedRuntime(database.databaseUrl);
  const { ipBudget } = UNLIMITED;
  const app = createApp(
    { ...runtime, meter: meterWith(runtime.meter), ipBudget, eventStream: eventStream ?? runtime.eventStream },
    EVENT_OPERATIONS,
  );
  await runStreamAlarm(database);

  async function ask(
    key: string,
    path = "/api/v1/stream",
    headers: Record<string, string> = {},
    method = "GET",
  ): Promise<Response> {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    return app.fetch(
      new Request(`http://api.test${path}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } }),
      {},
      context,
    );
  }

  async function listen(key: string, query = "", resume?: number): Promise<StreamReader> {
    const response = await ask(
      key,
      `/api/v1/stream${query}`,
      resume === undefined ? {} : { "last-event-id": String(resume) },
    );
    if (response.status !== 200 || response.body === null)
      throw new Error(`${response.status} ${await response.text()}`);
    return new StreamReader(response.body);
  }

  return { database, runtime, request: ask, openStream: listen };
}

/** A live key with its row id and account id. */
export async function aKnownKey({ db }: TestDatabase): Promise<{ key: string; keyId: number; accountId: number }> {
  const key = await aKey(db);
  const [row] = await db.select().from(apiKeys).orderBy(desc(apiKeys.id)).limit(1);
  if (row === undefined) throw new Error("no key was stored");
  return { key, keyId: row.id, accountId: row.accountId };
}

/** This many public events, each with its number in order. */
export const countedEvents = (from: number, count: number): { type: string; payload: { count: number } }[] =>
  Array.from({ length: count }, (_, index) => ({ type: "large_trades_inserted", payload: { count: from + index } }));
