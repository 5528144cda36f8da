import type { Env } from "../../env.ts";
import { consoleLog, describeError } from "../log/console-log.ts";
import { EVENT_STREAM_NAME } from "./event-stream-port.ts";
import { findObject } from "./find-object.ts";

/** Name of the single WebhookDispatcher object. */
export const WEBHOOK_DISPATCHER_NAME = "dispatcher";

/**
 * Notifies all outbox readers that events may have been committed. Each reader also polls, so that a lost
 * call only delays. A failure to wake one reader does not affect the others.
 */
export async function wakeOutboxReaders(
  env: Pick<Env, "EVENT_STREAM" | "WEBHOOK_DISPATCHER" | "REGION">,
): Promise<void> {
  await Promise.all([
    wake("stream", () => findObject(env.EVENT_STREAM, EVENT_STREAM_NAME, env)),
    wake("webhook dispatcher", () => findObject(env.WEBHOOK_DISPATCHER, WEBHOOK_DISPATCHER_NAME, env)),
  ]);
}

async function wake(reader: string, find: () => { wake(): Promise<void> }): Promise<void> {
  try {
    await find().wake();
  } catch (error) {
    consoleLog.warn("outbox.reader_wake_failed", { reader, error: describeError(error) });
  }
}
