import type { Env } from "../env.ts";
import { consoleLog, describeError } from "../lib/console-log.ts";
import { EVENT_STREAM_NAME } from "./event-stream.ts";

/** The one that makes deliveries of events. */
export const WEBHOOK_DISPATCHER_NAME = "dispatcher";

/**
 * Says to all who read the outbox that events may have been committed. Each looks by itself as well, so that a call that is lost delays and
 * loses nothing; and one that fails keeps nobody else asleep.
 */
export async function wakeOutboxReaders(env: Pick<Env, "EVENT_STREAM" | "WEBHOOK_DISPATCHER">): Promise<void> {
  const { EVENT_STREAM, WEBHOOK_DISPATCHER } = env;
  await Promise.all([
    wake("stream", () => EVENT_STREAM.get(EVENT_STREAM.idFromName(EVENT_STREAM_NAME))),
    wake("webhook dispatcher", () => WEBHOOK_DISPATCHER.get(WEBHOOK_DISPATCHER.idFromName(WEBHOOK_DISPATCHER_NAME))),
  ]);
}

async function wake(reader: string, find: () => { wake(): Promise<void> }): Promise<void> {
  try {
    await find().wake();
  } catch (error) {
    consoleLog.warn("reader of the outbox not woken", { reader, error: describeError(error) });
  }
}
