import { EventStream } from "../durable-objects/event-stream/event-stream.ts";
import { FeedReader } from "../durable-objects/feed-reader/feed-reader.ts";
import { JobRunner } from "../durable-objects/job-runner/job-runner.ts";
import { StreamFanout } from "../durable-objects/stream-fanout/stream-fanout.ts";
import { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import { WebhookDispatcher } from "../durable-objects/webhook-dispatcher/webhook-dispatcher.ts";
import { WebhookEndpoint } from "../durable-objects/webhook-endpoint/webhook-endpoint.ts";
import { consumeBatch } from "../queues/consume-batch.ts";
import { replayLetters } from "../queues/replay-dead-letters.ts";
import { handleRequest } from "./app.ts";
import type { Env } from "./env.ts";
import { measureMinute } from "./measure-minute.ts";
import { LANES } from "./domain/lanes.ts";
import { keepLaneAlive } from "./platform/objects/lanes.ts";
import { wakeOutboxReaders } from "./platform/objects/wake-outbox-readers.ts";

export { EventStream, FeedReader, JobRunner, StreamFanout, UserMeter, WebhookDispatcher, WebhookEndpoint };

export default {
  fetch: handleRequest,
  queue: consumeBatch,
  async scheduled(_controller, env) {
    await Promise.all([
      ...LANES.map((lane) => keepLaneAlive(env, lane)),
      wakeOutboxReaders(env),
      measureMinute(env, Date.now),
      replayLetters(env),
    ]);
  },
} satisfies ExportedHandler<Env>;
