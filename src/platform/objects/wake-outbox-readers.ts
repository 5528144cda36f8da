import type { Env } from "../../env.ts";
import { consoleLog, describeError } from "../log/console-log.ts";
import { EVENT_STREAM_NAME } from "./event-stream-port.ts";

/** Name of the single WebhookDispatcher object. */
export const WEBHOOK_DISPATCHER_NAME = "dispatcher";

/**
 * Notifies all outbox readers that events may have been committed. Each reader also polls, so that a lost
 * call only delays. A failure to wake one reader does not affect the others.
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
    consoleLog.warn("outbox.reader_wake_failed", { reader, error: describeError(error) });
  }
}
