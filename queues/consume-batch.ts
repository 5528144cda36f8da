import type { Env } from "../src/env.ts";
import { parseQueueName, type QueueName } from "../src/messages/queue-name.ts";
import { consumeDeadLetters } from "./consume-dead-letters.ts";
import { consumeExports } from "./consume-exports.ts";
import { consumeIngest } from "./consume-ingest.ts";
import { consumeWebhooks } from "./consume-webhooks.ts";

const CONSUMERS: Readonly<Record<QueueName["queue"], (batch: MessageBatch<unknown>, env: Env) => Promise<void>>> = {
  ingest: consumeIngest,
  traders: consumeIngest,
  webhooks: consumeWebhooks,
  exports: consumeExports,
};

/** Consumes a batch of any queue of wrangler.toml, in every environment. */
export async function consumeBatch(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const name = parseQueueName(batch.queue);
  if (name === null) throw new Error(`the queue ${batch.queue} has no consumer`);
  if (name.isDead) await consumeDeadLetters(batch, name);
  else await CONSUMERS[name.queue](batch, env);
}
