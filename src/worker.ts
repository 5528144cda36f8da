import { ProviderFeed } from "../durable-objects/provider-feed/provider-feed.ts";
import { UserMeter } from "../durable-objects/user-meter/user-meter.ts";
import { consumeIngest } from "../queues/ingest.ts";
import { handleRequest } from "./app.ts";
import type { Env } from "./env.ts";

export { ProviderFeed, UserMeter };

export default {
  fetch: handleRequest,
  queue: consumeIngest,
  async scheduled(_controller, env) {
    await env.PROVIDER_FEED.get(env.PROVIDER_FEED.idFromName("polymarket")).wake();
  },
} satisfies ExportedHandler<Env>;
