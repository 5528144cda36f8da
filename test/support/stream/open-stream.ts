/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import type { EventStream } from "../../../durable-objects/event-stream/event-stream.ts";
import { Attachment } from "../../../durable-objects/stream-fanout/listener.ts";
import type { StreamFanout } from "../../../durable-objects/stream-fanout/stream-fanout.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Env } from "../../../src/env.ts";
import { EVENT_STREAM_NAME, shardOf } from "../../../src/platform/objects/event-stream-port.ts";
import type { TestDatabase } from "../database/database.ts";
import { expect, vi } from "vitest";
import { metersOf } from "../kernel/open-kernel.ts";

// The bindings are those of wrangler.toml, from which the test runtime takes them.
const bindings = env as Env;

export const theStream = (): DurableObjectStub<EventStream> =>
  bindings.EVENT_STREAM.get(bindings.EVENT_STREAM.idFromName(EVENT_STREAM_NAME));

export const theShard = (name: string): DurableObjectStub<StreamFanout> =>
  bindings.STREAM_FANOUT.get(bindings.STREAM_FANOUT.idFromName(name));

export const shardOfAccount = (accountId: number): Promise<string> =>
  shardOf(accountId, parseConfig(env).credentialKeys.current, parseConfig(env).stream.shards);

/** Lets the stream read the new events of the test's database, as its alarm would. */
export const runStreamAlarm = ({ databaseUrl }: TestDatabase): Promise<void> =>
  runInDurableObject(theStream(), async (instance) => {
    Reflect.set(instance, "env", { ...bindings, DATABASE_URL: databaseUrl });
    await instance.alarm();
  });

/** Lets the shard of an account check the access that is due, as its alarm would. */
export const runShardAlarm = async ({ databaseUrl }: TestDatabase, accountId: number): Promise<void> =>
  runInDurableObject(theShard(await shardOfAccount(accountId)), async (instance) => {
    Reflect.set(instance, "env", { ...bindings, DATABASE_URL: databaseUrl, USER_METER: metersOf(databaseUrl) });
    await instance.alarm();
  });

/** Advances the clock of open streams: the intervals of their Workers, the alarms of the stream and of an account's shard. */
export async function passStreamTime(database: TestDatabase, accountId: number, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    vi.advanceTimersByTime(5_000);
    await runShardAlarm(database, accountId);
    if (passed % 20 === 15) await runStreamAlarm(database);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The account of each connection that a shard counts. */
export const listOpen = (shard: string): Promise<number[]> =>
  runInDurableObject(theShard(shard), (_instance, state) =>
    state
      .getWebSockets()
      .filter(({ readyState }) => readyState === WebSocket.OPEN)
      .map((socket) => Attachment.parse(socket.deserializeAttachment()).subscription.accountId),
  );

/** Number of open connections of an account. */
export const countOpen = async (accountId: number): Promise<number> =>
  (await listOpen(await shardOfAccount(accountId))).filter((owner) => owner === accountId).length;

/** Publishes events as ingest does, all in one transaction. */
export async function publishStreamEvents(
  { db }: TestDatabase,
  events: readonly { type: string; payload: object; accountId?: number }[],
): Promise<void> {
  await db.execute(sql`
    insert into events (epoch, type, payload, account_id)
    select (select max(epoch) from outbox_epoch), e.type, e.payload, e.account_id
    from json_to_recordset(${JSON.stringify(events.map(({ type, payload, accountId = null }) => ({ type, payload, account_id: accountId })))}::json)
      as e(type text, payload jsonb, account_id bigint)`);
}

/**
 * Resolves when all published events can be read. Transactions of other tests on the same server hold the
 * commit horizon back.
 */
export const untilReadable = ({ db }: TestDatabase): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await db.execute(sql`
        select count(*)::int as hidden from events where commit_xid >= pg_snapshot_xmin(pg_current_snapshot())`);
      expect(rows).toEqual([{ hidden: 0 }]);
    },
    { timeout: 15_000 },
  );
