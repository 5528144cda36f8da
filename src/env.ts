import type { ProviderFeed } from "../durable-objects/provider-feed/provider-feed.ts";
import type { EventStream } from "../durable-objects/event-stream/event-stream.ts";
import type { StreamFanout } from "../durable-objects/stream-fanout/stream-fanout.ts";
import type { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import type { WebhookDispatcher } from "../durable-objects/webhook-dispatcher/webhook-dispatcher.ts";
import type { WebhookEndpoint } from "../durable-objects/webhook-endpoint/webhook-endpoint.ts";
import type { IngestMessage } from "./messages/ingest.ts";
import type { WebhookMessage } from "./messages/webhooks.ts";

/** The bindings of wrangler.toml. Variables and secrets are read by `src/config.ts` alone. */
export interface Env {
  readonly PROVIDER_FEED: DurableObjectNamespace<ProviderFeed>;
  readonly USER_METER: DurableObjectNamespace<UserMeter>;
  readonly EVENT_STREAM: DurableObjectNamespace<EventStream>;
  readonly STREAM_FANOUT: DurableObjectNamespace<StreamFanout>;
  readonly WEBHOOK_DISPATCHER: DurableObjectNamespace<WebhookDispatcher>;
  readonly WEBHOOK_ENDPOINT: DurableObjectNamespace<WebhookEndpoint>;
  readonly INGEST_QUEUE: Queue<IngestMessage>;
  readonly WALLETS_QUEUE: Queue<IngestMessage>;
  readonly WEBHOOKS_QUEUE: Queue<WebhookMessage>;
  readonly ARTIFACTS: R2Bucket;
}
