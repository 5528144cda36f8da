import type { ProviderFeed } from "../durable-objects/provider-feed/provider-feed.ts";
import type { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import type { IngestMessage } from "./messages/ingest.ts";

/** The bindings of wrangler.toml. Variables and secrets are read by `src/config.ts` alone. */
export interface Env {
  readonly PROVIDER_FEED: DurableObjectNamespace<ProviderFeed>;
  readonly USER_METER: DurableObjectNamespace<UserMeter>;
  readonly INGEST_QUEUE: Queue<IngestMessage>;
  readonly ARTIFACTS: R2Bucket;
}
