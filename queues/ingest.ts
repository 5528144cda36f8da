import type { Pool } from "@neondatabase/serverless";
import { parseConfig } from "../src/config.ts";
import { inTransaction, openPool } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import { handleMessage, type MessageSettings } from "../src/ingest/handle-message.ts";
import { KnownIds } from "../src/ingest/known-ids.ts";
import { setAside } from "../src/ingest/set-aside.ts";
import { consoleLog, describeError } from "../src/lib/console-log.ts";
import { IngestMessage } from "../src/messages/ingest.ts";
import { ProviderUnavailable } from "../src/ports/provider.ts";
import { wakeOutboxReaders } from "../src/ports/wake-outbox-readers.ts";
import { openProvider } from "../src/providers/polymarket/open-provider.ts";

/** Work that failed comes back after this long, doubled with each attempt, unless the provider named its own time. */
const FIRST_RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 300;
/** Twelve hours, the longest a queue delays a message; the provider may ask for more. */
const LONGEST_QUEUE_DELAY_SECONDS = 43_200;

/** Consumes the queues of ingest. A message is acknowledged once its transactions have committed. */
export async function consumeIngest(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const config = parseConfig(env);
  const pool = openPool(config);
  const settings: MessageSettings = {
    pool,
    provider: openProvider(config.provider),
    known: new KnownIds(),
    now: () => new Date(),
  };
  try {
    for (const message of batch.messages) await consumeOne(message, settings);
  } finally {
    await pool.end().catch(() => undefined);
  }
  await wakeOutboxReaders(env);
}

async function consumeOne(message: Message<unknown>, settings: MessageSettings): Promise<void> {
  const parsed = IngestMessage.safeParse(message.body);
  try {
    if (parsed.success) await handleMessage(parsed.data, settings);
    else await setAsideMessage(message, parsed.error.message, settings.pool);
    message.ack();
  } catch (error) {
    const kind = parsed.success ? parsed.data.kind : "unreadable";
    consoleLog.warn("ingest message failed", { kind, attempt: message.attempts, error: describeError(error) });
    message.retry({ delaySeconds: decideRetryDelay(error, message.attempts) });
  }
}

/** Nothing can make it readable later; the work it stood for is found again by the next scan for due work. */
async function setAsideMessage(message: Message<unknown>, reason: string, pool: Pool): Promise<void> {
  consoleLog.error("ingest message set aside", { id: message.id, error: reason });
  await inTransaction(pool, (session) => setAside(session, "queue:ingest", [{ record: message.body, reason }]));
}

/** @returns whole seconds, at least 1 */
export function decideRetryDelay(error: unknown, attempts: number): number {
  if (error instanceof ProviderUnavailable && error.retryAfterMs !== null) {
    return Math.min(LONGEST_QUEUE_DELAY_SECONDS, Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  }
  return Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** (attempts - 1));
}
