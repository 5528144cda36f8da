/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import type { EventStream } from "../../../durable-objects/event-stream/event-stream.ts";
import { Attachment } from "../../../durable-objects/stream-fanout/listener.ts";
import type { StreamFanout } from "../../../durable-objects/stream-fanout/stream-fanout.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Env } from "../../../src/env.ts";
import { EVENT_STREAM_NAME, shardOf } from "../../../src/ports/event-stream.ts";
import type { TestDatabase } from "../database.ts";

// The bindings are those of wrangler.toml, which is where the test runtime takes them from.
const bindings = env as Env;

export const theStream = (): DurableObjectStub<EventStream> =>
  bindings.EVENT_STREAM.get(bindings.EVENT_STREAM.idFromName(EVENT_STREAM_NAME));

export const theShard = (name: string): DurableObjectStub<StreamFanout> =>
  bindings.STREAM_FANOUT.get(bindings.STREAM_FANOUT.idFromName(name));

export const shardOfAccount = (accountId: number): Promise<string> => shardOf(accountId, parseConfig(env).credentialSecret);

/** Has the stream read what the test's database has for it, as its alarm would. */
export const readOn = ({ databaseUrl }: TestDatabase): Promise<void> =>
  runInDurableObject(theStream(), async (instance) => {
    Reflect.set(instance, "env", { ...bindings, DATABASE_URL: databaseUrl });
    await instance.alarm();
  });

/** Whose connections a shard counts, an account for each. */
export const listOpen = (shard: string): Promise<number[]> =>
  runInDurableObject(theShard(shard), (_instance, state) =>
    state
      .getWebSockets()
      .filter(({ readyState }) => readyState === WebSocket.OPEN)
      .map((socket) => Attachment.parse(socket.deserializeAttachment()).subscription.accountId),
  );

/** Connections of an account. */
export const countOpen = async (accountId: number): Promise<number> =>
  (await listOpen(await shardOfAccount(accountId))).filter((owner) => owner === accountId).length;

/** Events as ingest would announce them, each batch in a transaction of its own. */
export async function announce(
  { db }: TestDatabase,
  events: readonly { type: string; payload: object; accountId?: number }[],
): Promise<void> {
  await db.execute(sql`
    insert into events (epoch, type, payload, account_id)
    select (select max(epoch) from outbox_epoch), e.type, e.payload, e.account_id
    from json_to_recordset(${JSON.stringify(events.map(({ type, payload, accountId = null }) => ({ type, payload, account_id: accountId })))}::json)
      as e(type text, payload jsonb, account_id bigint)`);
}
