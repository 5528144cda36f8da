import { EventStream } from "../durable-objects/event-stream/event-stream.ts";
import { FeedReader } from "../durable-objects/feed-reader/feed-reader.ts";
import { JobRunner } from "../durable-objects/job-runner/job-runner.ts";
import { StreamFanout } from "../durable-objects/stream-fanout/stream-fanout.ts";
import { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import { WebhookDispatcher } from "../durable-objects/webhook-dispatcher/webhook-dispatcher.ts";
import { WebhookEndpoint } from "../durable-objects/webhook-endpoint/webhook-endpoint.ts";
import { consumeExports } from "../queues/consume-exports.ts";
import { consumeIngest } from "../queues/consume-ingest.ts";
import { consumeWebhooks } from "../queues/consume-webhooks.ts";
import { handleRequest } from "./app.ts";
import type { Env } from "./env.ts";
import { LANES } from "./domain/lanes.ts";
import { keepLaneAlive } from "./platform/objects/lanes.ts";
import { wakeOutboxReaders } from "./platform/objects/wake-outbox-readers.ts";

export { EventStream, FeedReader, JobRunner, StreamFanout, UserMeter, WebhookDispatcher, WebhookEndpoint };

/** Consumers by the queue names in wrangler.toml. */
const CONSUMERS: Readonly<Record<string, (batch: MessageBatch<unknown>, env: Env) => Promise<void>>> = {
  ingest: consumeIngest,
  traders: consumeIngest,
  webhooks: consumeWebhooks,
  exports: consumeExports,
};

export default {
  fetch: handleRequest,
  async queue(batch, env) {
    const consume = CONSUMERS[batch.queue];
    if (consume === undefined) throw new Error(`the queue ${batch.queue} has no consumer`);
    await consume(batch, env);
  },
  async scheduled(_controller, env) {
    await Promise.all([...LANES.map((lane) => keepLaneAlive(env, lane)), wakeOutboxReaders(env)]);
  },
} satisfies ExportedHandler<Env>;
