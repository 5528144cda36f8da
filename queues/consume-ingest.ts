import type { Pool } from "@neondatabase/serverless";
import { parseConfig, type Config } from "../src/config.ts";
import { inTransaction, openPool, sessionOf } from "../src/db/client.ts";
import { requireCurrentSchema } from "../src/db/schema-version.ts";
import type { Env } from "../src/env.ts";
import { handleMessage, type MessageSettings } from "../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../src/ingest/feeds/row-id-cache.ts";
import { loadProfilePopulation } from "../src/ingest/profiles/load-profile-population.ts";
import { quarantineRecords } from "../src/ingest/feeds/quarantine-records.ts";
import { consoleLog, describeError } from "../src/platform/log/console-log.ts";
import { Slots } from "../src/lib/slots.ts";
import { memoSettled } from "../src/lib/memo-settled.ts";
import { inScope } from "../src/lib/work-scope.ts";
import { IngestMessage } from "../src/messages/ingest-message.ts";
import { ProviderUnavailable } from "../src/platform/provider.ts";
import { wakeOutboxReaders } from "../src/platform/objects/wake-outbox-readers.ts";
import { openProvider } from "../src/providers/polymarket/open-provider.ts";
import { backoff } from "../src/lib/timing/backoff.ts";

/** First retry delay. It doubles with each attempt, unless the provider sent a Retry-After. */
const FIRST_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 300;
/** Twelve hours, the maximum delay of a queue. A provider's Retry-After may be longer. */
const MAX_QUEUE_DELAY_SECONDS = 43_200;

/** How the messages of a batch are spread over lanes, each of which has a session and one message in progress. */
interface Lanes {
  readonly most: number;
  /** A smaller batch shares sessions: opening one took half as long as a read of a trader (122 and 247 ms on two busy cores). */
  readonly messagesEach: number;
}

/** Most of the time of a message is waiting for the provider and the database. */
const INGEST_LANES: Lanes = { most: 4, messagesEach: 3 };
/**
 * With 40 ms to the provider and the database, five lanes read 11 traders a second, and ten thousand followed ones need 14. Only
 * six requests of an invocation wait for response headers at once; others wait for these.
 */
const TRADERS_LANES: Lanes = { most: 8, messagesEach: 5 };
/**
 * Messages of figures are long statements and hardly wait: with more at once, each statement of a page of trades shares the
 * database's processor with all of them.
 */
const FIGURES_LANES: Lanes = { most: 2, messagesEach: 3 };

/**
 * Messages of a batch that have a transaction open to wait for the ledger. Pages of trades go before them: with eight, a statement
 * waited for seven seconds in a burst at a million markets.
 */
const LEDGER_SLOTS = 3;

/** The consumers of the ingest queues. A message is acknowledged after its transactions have committed. */
export const consumeIngest = consumerWith(INGEST_LANES);
export const consumeTraders = consumerWith(TRADERS_LANES);
export const consumeFigures = consumerWith(FIGURES_LANES);

function consumerWith({ most, messagesEach }: Lanes) {
  return async (batch: MessageBatch<unknown>, env: Env): Promise<void> => {
    const config = parseConfig(env);
    const shared = {
      ...{ provider: openProvider(config.provider), rowIds: new RowIdCache(), now: () => new Date() },
      // 72 ms for the measures of ten thousand profiles.
      loadPopulation: memoSettled(1, () => "", loadProfilePopulation),
      ledgerSlots: new Slots(LEDGER_SLOTS),
    };
    const waiting = batch.messages.values();
    const lanes = Math.min(most, Math.ceil(batch.messages.length / messagesEach));
    await Promise.all(Array.from({ length: lanes }, () => consumeLane(waiting, config, shared)));
    await wakeOutboxReaders(env);
  };
}

/** Consumes messages until none waits. */
async function consumeLane(
  waiting: Iterable<Message<unknown>>,
  config: Config,
  shared: Omit<MessageSettings, "pool">,
): Promise<void> {
  const pool = openPool(config);
  try {
    const requireSchema = () => requireCurrentSchema(config.databaseUrl, sessionOf(pool), consoleLog);
    for (const message of waiting) await consumeOne(message, { ...shared, pool }, requireSchema);
  } finally {
    // A session that broke cannot be closed, which changes nothing.
    await pool.end().catch(() => undefined);
  }
}

async function consumeOne(
  message: Message<unknown>,
  settings: MessageSettings,
  requireSchema: () => Promise<void>,
): Promise<void> {
  const parsed = IngestMessage.safeParse(message.body);
  try {
    await requireSchema();
    if (parsed.success) {
      const { data } = parsed;
      await inScope({ requestId: null, work: data.kind }, () => handleMessage(data, settings));
    } else await quarantineMessage(message, parsed.error.message, settings.pool);
    message.ack();
  } catch (error) {
    const kind = parsed.success ? parsed.data.kind : "unreadable";
    consoleLog.warn("ingest.message_failed", { kind, attempt: message.attempts, error: describeError(error) });
    message.retry({ delaySeconds: decideRetryDelay(error, message.attempts) });
  }
}

/** Quarantines an unreadable message without a retry. The next scan for due work enqueues its work again. */
async function quarantineMessage(message: Message<unknown>, reason: string, pool: Pool): Promise<void> {
  consoleLog.error("ingest.message_quarantined", { id: message.id, error: reason });
  await inTransaction(pool, (session) =>
    quarantineRecords(session, "queue:ingest", [{ record: message.body, reason }]),
  );
}

/** @returns whole seconds, at least 1 */
export function decideRetryDelay(error: unknown, attempts: number): number {
  if (error instanceof ProviderUnavailable && error.retryAfterMs !== null) {
    return Math.min(MAX_QUEUE_DELAY_SECONDS, Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  }
  return backoff(attempts, FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS);
}
