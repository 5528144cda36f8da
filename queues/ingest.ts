import { parseConfig } from "../src/config.ts";
import { openPool } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import { handleMessage, type MessageSettings } from "../src/ingest/handle-message.ts";
import { KnownIds } from "../src/ingest/known-ids.ts";
import { consoleLog, describeError } from "../src/lib/console-log.ts";
import { IngestMessage } from "../src/messages/ingest.ts";
import { ProviderUnavailable } from "../src/ports/provider.ts";
import { openProvider } from "../src/providers/polymarket/open-provider.ts";

/** Work that failed comes back after this long, doubled with each attempt, unless the provider named its own time. */
const FIRST_RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 300;

/** Consumes the ingest queue. A message is acknowledged once its transactions have committed. */
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
}

async function consumeOne(message: Message<unknown>, settings: MessageSettings): Promise<void> {
  const parsed = IngestMessage.safeParse(message.body);
  if (!parsed.success) {
    // Nothing can make it readable later; the work it stood for is found again by the next scan for due work.
    consoleLog.error("ingest message set aside", { id: message.id, error: parsed.error.message });
    message.ack();
    return;
  }
  try {
    await handleMessage(parsed.data, settings);
    message.ack();
  } catch (error) {
    consoleLog.warn("ingest message failed", { kind: parsed.data.kind, attempt: message.attempts, error: describeError(error) });
    message.retry({ delaySeconds: decideRetryDelay(error, message.attempts) });
  }
}

/** @returns whole seconds, at least 1 */
export function decideRetryDelay(error: unknown, attempts: number): number {
  if (error instanceof ProviderUnavailable && error.retryAfterMs !== null) return Math.max(1, Math.ceil(error.retryAfterMs / 1000));
  return Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** (attempts - 1));
}
