import { parseConfig } from "../src/config.ts";
import { openDatabase, type Connection } from "../src/db/client.ts";
import { requireCurrentSchema } from "../src/db/schema-version.ts";
import { ingestQueuesOf, type Env, type IngestQueues } from "../src/env.ts";
import { ExportMessage } from "../src/messages/export-message.ts";
import { IngestMessage, queueOf } from "../src/messages/ingest-message.ts";
import { WebhookMessage } from "../src/messages/webhook-message.ts";
import { consoleLog, describeError } from "../src/platform/log/console-log.ts";
import { listRequestedReplays, markReplayed, type Letter } from "./dead-letter-store.ts";

const LETTERS_A_MINUTE = 100;

type Queues = IngestQueues & Pick<Env, "WEBHOOKS_QUEUE" | "EXPORTS_QUEUE">;

/** Replays what operators asked for. Never throws: the next minute tries again. */
export async function replayLetters(env: Env): Promise<void> {
  try {
    const config = parseConfig(env);
    const db = openDatabase(config);
    await requireCurrentSchema(config.databaseUrl, db, consoleLog);
    await replayDeadLetters(db, env);
  } catch (error) {
    consoleLog.warn("queue.replay_failed", { error: describeError(error) });
  }
}

/**
 * Sends the letters again that an operator asked for (`npm run operator -- replay-letter`). A letter may
 * be sent twice, which changes nothing: messages name work and contain no data. A letter that cannot be sent stays
 * requested.
 */
export async function replayDeadLetters(db: Connection, queues: Queues): Promise<void> {
  for (const { id, queue, letter } of await listRequestedReplays(db, LETTERS_A_MINUTE)) {
    try {
      // A release may change a schema; the letter then stays for the operator to read.
      if (letter === null) throw new Error("no schema of this release knows the letter");
      await send(letter, queues);
      await markReplayed(db, id);
      consoleLog.info("queue.dead_letter_replayed", { id, queue });
    } catch (error) {
      consoleLog.error("queue.dead_letter_not_replayed", { id, queue, error: describeError(error) });
    }
  }
}

async function send(letter: Letter, queues: Queues): Promise<void> {
  const ingest = IngestMessage.safeParse(letter).data;
  if (ingest !== undefined) {
    // Its lease has ended, and a message with an ended lease does nothing.
    const { lease: _ended, ...message } = ingest;
    await ingestQueuesOf(queues)[queueOf(message)].send(message);
    return;
  }
  const webhook = WebhookMessage.safeParse(letter).data;
  if (webhook === undefined) await queues.EXPORTS_QUEUE.send(ExportMessage.parse(letter));
  else await queues.WEBHOOKS_QUEUE.send(webhook);
}
