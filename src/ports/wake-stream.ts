import type { Env } from "../env.ts";
import { consoleLog, describeError } from "../lib/console-log.ts";
import { EVENT_STREAM_NAME } from "./event-stream.ts";

/** Says to the stream that events may have been committed. It looks by itself as well, so that a call that is lost delays and loses nothing. */
export async function wakeStream({ EVENT_STREAM }: Pick<Env, "EVENT_STREAM">): Promise<void> {
  try {
    await EVENT_STREAM.get(EVENT_STREAM.idFromName(EVENT_STREAM_NAME)).wake();
  } catch (error) {
    consoleLog.warn("stream not woken", { error: describeError(error) });
  }
}
