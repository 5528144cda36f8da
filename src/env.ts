import type { FeedReader } from "../durable-objects/feed-reader/feed-reader.ts";
import type { JobRunner } from "../durable-objects/job-runner/job-runner.ts";
import type { EventStream } from "../durable-objects/event-stream/event-stream.ts";
import type { StreamFanout } from "../durable-objects/stream-fanout/stream-fanout.ts";
import type { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import type { WebhookDispatcher } from "../durable-objects/webhook-dispatcher/webhook-dispatcher.ts";
import type { WebhookEndpoint } from "../durable-objects/webhook-endpoint/webhook-endpoint.ts";
import type { ExportMessage } from "./messages/export-message.ts";
import type { IngestMessage, IngestQueue } from "./messages/ingest-message.ts";
import type { WebhookMessage } from "./messages/webhook-message.ts";

/** The bindings of wrangler.toml. Only `src/config.ts` reads variables and secrets. */
export interface Env {
  readonly FEED_READER: DurableObjectNamespace<FeedReader>;
  readonly JOB_RUNNER: DurableObjectNamespace<JobRunner>;
  readonly USER_METER: DurableObjectNamespace<UserMeter>;
  readonly EVENT_STREAM: DurableObjectNamespace<EventStream>;
  readonly STREAM_FANOUT: DurableObjectNamespace<StreamFanout>;
  readonly WEBHOOK_DISPATCHER: DurableObjectNamespace<WebhookDispatcher>;
  readonly WEBHOOK_ENDPOINT: DurableObjectNamespace<WebhookEndpoint>;
  readonly INGEST_QUEUE: Queue<IngestMessage>;
  readonly TRADERS_QUEUE: Queue<IngestMessage>;
  readonly FIGURES_QUEUE: Queue<IngestMessage>;
  readonly WEBHOOKS_QUEUE: Queue<WebhookMessage>;
  readonly EXPORTS_QUEUE: Queue<ExportMessage>;
  readonly ARTIFACTS: R2Bucket;
  /** The public archive. Nothing private is stored in it. */
  readonly ARCHIVE: R2Bucket;
  /** The region setting, of which the location of new objects follows (`locationOf` in `src/config.ts`). */
  readonly REGION?: string;
  /** Analytics Engine. Absent where the product runs locally: then measurements are logged. */
  readonly METRICS?: AnalyticsEngineDataset;
  /** The pages of the website. Benchmarks and fault tests run the bundle without them. */
  readonly ASSETS?: Fetcher;
}

/** The bindings of the queues of ingest messages. */
export type IngestQueues = Pick<Env, "INGEST_QUEUE" | "TRADERS_QUEUE" | "FIGURES_QUEUE">;

/** The queues of ingest messages by the names that `queueOf` gives. */
export const ingestQueuesOf = (env: IngestQueues): Readonly<Record<IngestQueue, Queue<IngestMessage>>> => ({
  ingest: env.INGEST_QUEUE,
  traders: env.TRADERS_QUEUE,
  figures: env.FIGURES_QUEUE,
});
