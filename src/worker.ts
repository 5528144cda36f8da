import { ProviderFeed } from "../durable-objects/provider-feed/provider-feed.ts";
import { EventStream } from "../durable-objects/event-stream/event-stream.ts";
import { StreamFanout } from "../durable-objects/stream-fanout/stream-fanout.ts";
import { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import { WebhookDispatcher } from "../durable-objects/webhook-dispatcher/webhook-dispatcher.ts";
import { WebhookEndpoint } from "../durable-objects/webhook-endpoint/webhook-endpoint.ts";
import { consumeIngest } from "../queues/ingest.ts";
import { consumeWebhooks } from "../queues/webhooks.ts";
import { handleRequest } from "./app.ts";
import type { Env } from "./env.ts";
import { PROVIDER_FEED_NAME } from "./ports/holder-scanner.ts";
import { wakeOutboxReaders } from "./ports/wake-outbox-readers.ts";

export { EventStream, ProviderFeed, StreamFanout, UserMeter, WebhookDispatcher, WebhookEndpoint };

/** By the queues' names in wrangler.toml. */
const CONSUMERS: Readonly<Record<string, (batch: MessageBatch<unknown>, env: Env) => Promise<void>>> = {
  ingest: consumeIngest,
  wallets: consumeIngest,
  webhooks: consumeWebhooks,
};

export default {
  fetch: handleRequest,
  async queue(batch, env) {
    const consume = CONSUMERS[batch.queue];
    if (consume === undefined) throw new Error(`nobody consumes the queue ${batch.queue}`);
    await consume(batch, env);
  },
  async scheduled(_controller, env) {
    await Promise.all([env.PROVIDER_FEED.get(env.PROVIDER_FEED.idFromName(PROVIDER_FEED_NAME)).wake(), wakeOutboxReaders(env)]);
  },
} satisfies ExportedHandler<Env>;
