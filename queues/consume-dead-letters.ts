import type { QueueName } from "../src/messages/queue-name.ts";
import { ExportMessage } from "../src/messages/export-message.ts";
import { IngestMessage } from "../src/messages/ingest-message.ts";
import { WebhookMessage } from "../src/messages/webhook-message.ts";
import { consoleLog } from "../src/platform/log/console-log.ts";

const SCHEMAS = { ingest: IngestMessage, traders: IngestMessage, webhooks: WebhookMessage, exports: ExportMessage };

/**
 * Logs messages that failed every attempt, and acknowledges them. Nothing is replayed: leases expire and sweeps
 * repeat, so the next scan enqueues the same work. Only `tell_owner` has no scan; its line names the endpoint.
 */
export async function consumeDeadLetters(batch: MessageBatch<unknown>, { queue }: QueueName): Promise<void> {
  for (const { id, body, timestamp, attempts } of batch.messages) {
    const parsed = SCHEMAS[queue].safeParse(body);
    // A body that no schema knows may contain anything, so it is not logged.
    const letter = parsed.success ? parsed.data : null;
    consoleLog.error("queue.dead_letter", { queue, id, sent_at: timestamp.toISOString(), attempts, letter });
  }
  batch.ackAll();
}
