import type { QueueName } from "../src/messages/queue-name.ts";
import { consoleLog, describeError } from "../src/platform/log/console-log.ts";
import { parseLetter, type DeadLetter } from "./dead-letter-store.ts";

/** The queue retries for as long: a database may be away for hours. */
const RETRY_SECONDS = 300;

/**
 * Logs and records messages that failed every attempt. Most work needs no replay: leases expire and sweeps repeat, so
 * the next scan enqueues it again. Only `tell_owner` has no scan. An operator replays letters (`replayDeadLetters`).
 */
export async function consumeDeadLetters(
  batch: MessageBatch<unknown>,
  { queue }: QueueName,
  record: (letters: readonly DeadLetter[]) => Promise<void>,
): Promise<void> {
  const letters = batch.messages.map(({ id, body, timestamp, attempts }): DeadLetter => ({
    queue,
    messageId: id,
    // A body that no schema knows may contain anything, so it is neither logged nor stored.
    letter: parseLetter(queue, body),
    attempts,
    sentAt: timestamp,
  }));
  for (const { messageId: id, letter, attempts, sentAt } of letters)
    consoleLog.error("queue.dead_letter", { queue, id, sent_at: sentAt.toISOString(), attempts, letter });
  try {
    await record(letters);
    batch.ackAll();
  } catch (error) {
    consoleLog.error("queue.dead_letters_not_recorded", { queue, error: describeError(error) });
    batch.retryAll({ delaySeconds: RETRY_SECONDS });
  }
}
