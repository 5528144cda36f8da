import { parseConfig } from "../src/config.ts";
import { openDatabase } from "../src/db/client.ts";
import { requireCurrentSchema } from "../src/db/schema-version.ts";
import type { Env } from "../src/env.ts";
import { parseQueueName, type QueueName } from "../src/messages/queue-name.ts";
import { openMetrics } from "../src/platform/metrics/open-metrics.ts";
import type { Metrics } from "../src/platform/metrics/metrics.ts";
import { consoleLog } from "../src/platform/log/console-log.ts";
import { consumeDeadLetters } from "./consume-dead-letters.ts";
import { recordDeadLetters } from "./dead-letter-store.ts";
import { consumeExports } from "./consume-exports.ts";
import { consumeFigures, consumeIngest, consumeTraders } from "./consume-ingest.ts";
import { consumeWebhooks } from "./consume-webhooks.ts";

const CONSUMERS: Readonly<Record<QueueName["queue"], (batch: MessageBatch<unknown>, env: Env) => Promise<void>>> = {
  ingest: consumeIngest,
  traders: consumeTraders,
  figures: consumeFigures,
  webhooks: consumeWebhooks,
  exports: consumeExports,
};

/** Consumes a batch of any queue of wrangler.toml, in every environment. */
export async function consumeBatch(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const name = parseQueueName(batch.queue);
  if (name === null) throw new Error(`the queue ${batch.queue} has no consumer`);
  measure(batch, name, openMetrics(env));
  if (name.isDead) {
    await consumeDeadLetters(batch, name, async (letters) => {
      const config = parseConfig(env);
      const db = openDatabase(config);
      await requireCurrentSchema(config.databaseUrl, db, consoleLog);
      await recordDeadLetters(db, letters);
    });
  } else await CONSUMERS[name.queue](batch, env);
}

function measure({ messages }: MessageBatch<unknown>, { queue, isDead }: QueueName, metrics: Metrics): void {
  for (const { timestamp, attempts } of messages) {
    if (isDead) metrics.write("dead_letter", { queue });
    else metrics.write("message", { queue, age_ms: Math.max(0, Date.now() - timestamp.getTime()), attempts });
  }
}
